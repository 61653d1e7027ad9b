/// What the readers of a request's blocks share.
#pragma once

#include "api/request/request.h"
#include "inputs/capabilities.h"

namespace plimsoll {

/// The preset of that id, or an error that lists the ids there are.
template <class T>
const T* look_up(const std::map<std::string, T, std::less<>>& table, const std::string& id, std::string_view where,
                 const char* kind, Reading& reading) {
    if (const auto found = table.find(id); found != table.end()) return &found->second;
    std::string list;
    for (const auto& [name, entry] : table)
        if (list.size() < 200) list += (list.empty() ? "" : ", ") + name;
    reading.fail({"unknown_preset", where, std::string("there is no ") + kind + " \"" + id.substr(0, 60) + "\"",
                  list.empty() ? "no presets were provided" : "one of: " + list});
    return nullptr;
}

/// How a frozen model is stored, whichever holds it: its encoding, and what that leaves wide.
template <class Holder>
void store_in(Holder& holder, const std::shared_ptr<const Encoding>& own, const Model& model, const Library& library,
              std::string_view where, Reading& reading) {
    holder.mix = weight_mix(model, *own, library.encodings, own->beside);
    holder.weights = own.get();
    holder.base = own;
    if (!holder.mix.missing.empty()) look_up(library.encodings, holder.mix.missing, where, "encoding", reading);
}

/// One device, as `device` names or describes it.
std::optional<Device> read_device(Fields& top, const Library& library, Reading& reading);

/// Versions of the framework differ in what a process takes of the device before any tensor.
std::string read_framework(Fields& fields, const Runtime* runtime, const Device* device, Reading& reading);

/// Fields that other runtimes have: said rather than passed over.
void tell_unused(const Fields& fields, std::initializer_list<std::string_view> keys, Reading& reading);

/// The encoding that a model is published in, where nothing else is asked for.
inline std::string default_encoding(const ModelChoice& model) { return model.dtype.empty() ? "bf16" : model.dtype; }

/// What the engine that a page fetches first leaves to the whole one; the page then asks that.
inline Error ask_the_whole(std::string_view where) {
    return {"ask_the_whole", std::string(where), "this engine does not know it", "ask the whole engine"};
}

inline bool is_llama_cpp(const InferenceInputs& inputs) {
    return capabilities.runtimes && inputs.runtime && inputs.runtime->allocation == Allocation::llama_cpp;
}

/// llama.cpp's own names, and the plain floats by their usual ones.
std::string gguf_id(const std::string& id, const Library& library);

/// What a published type becomes in a GGUF file; `why` says so where it becomes another one.
std::string gguf_of(const std::string& id, const Library& library, std::string& why);

/// `training.prompt`: what prompt and prefix tuning train; `in_layers`: the latter.
Adapter read_virtual_tokens(const Fields& training, const Model& model, bool in_layers, Reading& reading);
/// The optimizer, how it steps, and the rank of those that project gradients.
void read_optimizer_choice(Fields& training, const Library& library, const Model& model, TrainingInputs& inputs,
                           Reading& reading);
/// The blocks that an inference is read from: a request's own, or those that a training's answers make.
struct InferenceBlocks {
    Fields top, weights, inference, parallel;
};
void read_inference(InferenceBlocks blocks, const Library& library, const ModelChoice& model, Request& request);
void read_inference_lengths(Fields& inference, const ModelChoice& model, Request& request);
/// What for; the model gets another head where that needs one.
void read_objective(Fields& training, const Model& model, TrainingInputs& inputs, Reading& reading);
/// The model with a head of one output in place of the vocabulary's: a reward model, a critic.
Model with_score(Model model);
/// `training.rollout`: how answers are generated, once all else of the training has been read.
void read_rollout(Fields& training, const Library& library, const ModelChoice& policy, Request& request);
/// The models beside the one that is trained, once it is known what is trained.
void read_models(Fields& training, const Library& library, const ModelChoice& policy, TrainingInputs& inputs,
                 Reading& reading);
/// What is trained, in which precision, beside which base.
void read_method(Fields& top, Fields& training, const Library& library, const ModelChoice& model,
                 TrainingInputs& inputs, Reading& reading);
/// `training.images` and `training.towers`: a vision tower that runs before the decoder, in a model of its own; and,
/// once the lengths are known, whether a sequence has room for its images.
void read_towers(const Fields& top, Fields& training, const Library& library, const Model& model, MethodKind method,
                 TrainingInputs& inputs, Reading& reading);
void check_images(const TrainingInputs& inputs, Reading& reading);
/// `devices` and `parallel` of a training request.
void read_layout(Fields& top, Request& request);
/// The same of a `parallel` by itself, over as many devices as are `listed`.
void read_layout(Fields& top, Fields& parallel, std::optional<double> listed, TrainingLayout& layout, Reading& reading);
/// What one device of a group holds, once it is known what is trained.
void divide_model(const Model& model, TrainingInputs& inputs, Reading& reading);
/// `training.trainer`: what holds of a training where nothing is said, by the tool that it is run with. It points into
/// `library`.
std::vector<Implied> read_trainer(const Fields& top, Fields& training, const Library& library, Reading& reading);
void read_training(Fields& top, const Library& library, const ModelChoice& model, Request& request);
void read_training_lengths(Fields& training, TrainingInputs& inputs);

}  // namespace plimsoll
