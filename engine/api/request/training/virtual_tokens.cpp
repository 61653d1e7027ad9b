// `training.prompt` of a request: learned tokens of prompt and prefix tuning.
#include "estimate/training/parameters/virtual_tokens.h"

#include "api/request/request_parts.h"

namespace plimsoll {

Adapter read_virtual_tokens(const Fields& training, const Model& model, bool in_layers, Reading& reading) {
    tell_unused(training, {"lora"}, reading);
    Fields fields = training.child("prompt");
    Adapter adapter;
    VirtualTokens& tokens = adapter.virtual_tokens;
    tokens.in_layers = in_layers;
    tokens.count = fields.number("virtual_tokens", 20, "as in PEFT's examples");
    if (!in_layers) {
        tell_unused(fields, {"projection", "encoder_hidden_size"}, reading);
        return adapter;
    }
    const double width = prefix_widths<double>(model).of_a_layer;
    if (width == 0)
        reading.fail({"not_supported", "training.method", "no layer of the model has keys and values of its own",
                      "take prompt, or lora"});
    if (fields.optional_flag("projection"))
        tokens.encoder_hidden_size =
            fields.number("encoder_hidden_size", width, "PEFT's default: as wide as a layer's keys");
    else
        tell_unused(fields, {"encoder_hidden_size"}, reading);
    return adapter;
}

}  // namespace plimsoll
