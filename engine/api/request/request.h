/// A request as the engine works on it: everything read, checked and looked up.
#pragma once

#include "api/request/fields.h"
#include "api/request/library.h"
#include "estimate/estimates.h"
#include "inputs/links.h"
#include "model/read/architecture.h"

namespace plimsoll {

/// What `model` names: the model itself, and the rounded figures that the hosted calculator would use.
struct ModelChoice {
    Model model;
    std::optional<Error> error;  ///< of the model; `classic` can do without one
    std::string dtype;           ///< id of the encoding its files are published in; empty: not said
    bool gguf = false;           ///< it is of a GGUF file, which other runtimes do not load as it is
    std::vector<std::string>
        unquantised;        ///< modules that its quantisation leaves in 16 bits, as config.json names them
    std::string quantised;  ///< what config.json says of its quantisation, for people; empty: nothing
    std::optional<double> nominal_parameters, hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads;
    std::optional<double> exact_parameters;
};

struct Request {
    Task task = Task::inference;
    Explain explain = Explain::rows;
    std::optional<Device> device;
    std::shared_ptr<const std::vector<Device>> devices;  ///< where they are unequal; `device` is then the smallest
    InferenceInputs inference;
    TrainingInputs training;
    ClassicInputs classic{};
    bool time = false;             ///< how long the passes take is asked, too
    const Speed* speed = nullptr;  ///< of its runtime or framework; null: nothing is known
    LinkRates links{};             ///< between its devices
    double tokens_to_train = 0;    ///< of a whole training; 0: not said
    Reading reading;
};

/// What `quantization_config` says of the weights, as `dtype`, `quantised` and `unquantised` of the choice.
void read_quantization(const Facts& facts, const Library& library, ModelChoice& choice);

/// Reads `training.lora`; an error where no linear layer of the model is a target. `by_parts`: of a fused matrix, the
/// parts that are named get adapters of their own.
Adapter read_adapter(const Fields& training, const Model& model, bool by_parts, Reading& reading);
/// Reads `training.oft`, with the targets, modules to save and encoding of `training.lora`.
Adapter read_rotation(const Fields& training, const Model& model, bool by_parts, Reading& reading);

/// Reads `targets` of a block `lora` into `chosen`; where they are not said, what stands there already, else PEFT's.
void read_lora_targets(const Fields& lora, const Model& model, bool experts, std::vector<std::string>& chosen,
                       Reading& reading);

/// Reads `model` alone; a sweep over other fields does this once.
ModelChoice read_model_choice(const Json& request, const Library& library);

/// Reads all else. An error is in `reading.error`. `silent`: nobody will read assumptions, notes or sources.
/// The request points into `library`, which must outlive it.
Request read_request(const Json& request, const Library& library, const ModelChoice& model, bool silent = false);

/// Whether a field, such as `inference.context`, is a length: a number of tokens, sequences or steps that, once a
/// request is read, changes nothing but numbers of InferenceRequest or TrainingRequest.
bool is_length(std::string_view field);

/// Whether the lengths of a request that was read can be changed by themselves: nothing beside the model has them too.
bool has_own_lengths(const Request& request);

/// Reads the lengths of `json` into a request that was read from the same but for these.
void read_lengths(const Json& json, const ModelChoice& model, Request& request);

}  // namespace plimsoll
