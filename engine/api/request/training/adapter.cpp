// `training.lora` of a request, checked against the model's linear layers.
#include <algorithm>

#include "api/request/modules.h"
#include "api/request/request.h"
#include "model/transform/fused_projections.h"

namespace plimsoll {
namespace {

void read_saved_modules(const Fields& lora, Adapter& adapter, Reading& reading) {
    for (const std::string& name : read_modules(lora, "modules_to_save", modules_that_are_saved(), reading))
        (name == "lm_head" ? adapter.saves_head : adapter.saves_embedding) = true;
}

void read_encoding(Fields& lora, Adapter& adapter) {
    const AdapterEncoding encoding = lora.pick("encoding", AdapterEncoding::fp32, "PEFT keeps adapters in fp32");
    adapter.dtype = encoding == AdapterEncoding::fp32 ? Dtype::float32 : Dtype::sixteen_bit;
}

}  // namespace

// PEFT's `all-linear` is every linear layer but the output's, which operations know by that word.
void read_lora_targets(const Fields& lora, const Model& model, bool experts, std::vector<std::string>& chosen,
                       Reading& reading) {
    const ModuleNames layers = linear_layers(model, experts);
    if (!lora.has("targets") && lora.says("targets")) {
        chosen = {Fields(lora).word("targets", "", "")};
        return;
    }
    if (!lora.has("targets")) {
        if (!chosen.empty()) return;
        const bool apart = std::find(layers.begin(), layers.end(), "q_proj") != layers.end();
        chosen = apart ? ModuleNames{"q_proj", "v_proj"} : ModuleNames{"qkv_proj"};
        return reading.assume(lora.path("targets"), std::string(apart ? "q_proj, v_proj" : "qkv_proj"),
                              "PEFT's targets for this kind of model");
    }
    chosen = read_modules(lora, "targets", {layers, {"all-linear"}, linear_synonyms()}, reading);
    if (chosen.empty())
        reading.fail(
            {"wrong_type", lora.path("targets"), "must be a list of names of modules", "such as [\"q_proj\"]"});
}

// OFT knows neither rank nor dropout, and PEFT turns the inputs of whole linear layers alone.
Adapter read_rotation(const Fields& training, const Model& model, bool by_parts, Reading& reading) {
    Fields lora = training.child("lora"), oft = training.child("oft");
    Adapter adapter;
    for (const char* field : {"rank", "alpha", "kernels", "use_rslora", "init", "dropout"})
        if (lora.has(field))
            reading.fail({"not_supported", lora.path(field), "OFT turns inputs, and has no such setting",
                          "leave it out, or set training.oft.block_size"});
    if (by_parts)
        reading.fail({"not_supported", "training.fused_qkv", "OFT turns the inputs of whole layers",
                      "leave it out, or set method to lora"});
    adapter.block = oft.number("block_size", 32, "PEFT's default");
    read_encoding(lora, adapter);
    read_lora_targets(lora, model, false, adapter.targets, reading);
    read_saved_modules(lora, adapter, reading);
    return adapter;
}

Adapter read_adapter(const Fields& training, const Model& model, bool by_parts, Reading& reading) {
    Fields lora = training.child("lora");
    Adapter adapter;
    adapter.rank = lora.number("rank", 8, "PEFT's default");
    adapter.dropout = lora.number("dropout", 0, "PEFT's default");
    read_encoding(lora, adapter);
    read_lora_targets(lora, model, true, adapter.targets, reading);
    read_saved_modules(lora, adapter, reading);
    lora.optional_flag("use_rslora");  // another scale, of the same tensors
    adapter.start = lora.optional_pick("init", AdapterStart::random);
    if (by_parts && lora.has("targets"))
        adapter.parts = adapted_parts(model, written_modules(lora, "targets", reading));
    return adapter;
}

}  // namespace plimsoll
