#include "api/reply/classic_notes.h"

#include "api/reply/json_object.h"

namespace plimsoll {

namespace {

JsonObject one(const char* key, double value) {
    JsonObject values;
    values.tidy(key, value);
    return values;
}

class Notes {
public:
    explicit Notes(Reading& reading) : reading_(reading) {}
    void operator()(const char* code, const char* where, const char* text, JsonObject values = {}) {
        Json given = values.take();
        reading_.notes.push_back({code, where, text, given.empty() ? Json() : std::move(given)});
    }

private:
    Reading& reading_;
};

void add_cache_notes(Notes& note, const ClassicInputs& inputs, const ModelChoice& model) {
    if (model.num_key_value_heads && *model.num_key_value_heads < inputs.num_attention_heads) {
        JsonObject values = one("num_attention_heads", inputs.num_attention_heads);
        values.tidy("num_key_value_heads", *model.num_key_value_heads)
            .tidy("times", inputs.num_attention_heads / *model.num_key_value_heads);
        note("classic.kv_heads", "kv_cache",
             "keys and values counted for every attention head; the model shares them between groups of heads",
             std::move(values));
    }
    if (inputs.training) note("classic.kv_in_training", "kv_cache", "a KV cache counted in training, which keeps none");
}

void add_rule_of_thumb(Notes& note, const ClassicInputs& inputs) {
    const double weights = inputs.parameters * inputs.bytes_per_value;
    JsonObject rule = one("inference", weights);
    rule.tidy("training_low", 4 * weights).tidy("training_high", 6 * weights);
    note("rule_of_thumb", "total", "rule of thumb: inference = parameters x bytes, training = 4 to 6 times that",
         std::move(rule));
}

}  // namespace

void add_classic_notes(Request& request, const ModelChoice& model) {
    const ClassicInputs& inputs = request.classic;
    Notes note(request.reading);
    add_cache_notes(note, inputs, model);
    note("classic.one_layer_times_four", "activations",
         "the activations of one layer in bytes, times four; inference frees them layer by layer, training keeps every "
         "layer's",
         one("num_hidden_layers", inputs.num_hidden_layers));
    note("classic.s_squared", "activations",
         "a term that grows with the square of the sequence; flash attention and SDPA do not keep it",
         one("sequence", inputs.sequence));
    if (model.exact_parameters && *model.exact_parameters != inputs.parameters) {
        JsonObject values = one("used", inputs.parameters);
        values.tidy("exact", *model.exact_parameters);
        note("classic.rounded_parameters", "weights", "a rounded number of parameters", std::move(values));
    }
    if (inputs.training && inputs.bytes_per_value <= 2)
        note("classic.no_master_weights", "weights",
             "no fp32 master weights, which mixed precision keeps beside the 16-bit ones");
    note("classic.no_logits", "activations", "no vocabulary logits",
         model.model.vocab_size ? one("vocab_size", model.model.vocab_size->value()) : JsonObject());
    note("classic.no_overhead", "total", "no device context, no workspace, no allocator slack");
    note("classic.gib_called_gb", "total", "units of 2^30 bytes are shown as GB");
    add_rule_of_thumb(note, inputs);
}

}  // namespace plimsoll
