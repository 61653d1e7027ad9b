// RWKV 4: a WKV recurrence and a feed-forward gated by its own receptance, each mixing a token with the one before.
// Source: transformers, models/rwkv/configuration_rwkv.py and modeling_rwkv.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    constexpr Part part = Part::mixer, fed = Part::feed_forward;
    const Traced hidden = config.count({"hidden_size"}), one(1);
    const Traced width = config.count_or({"attention_hidden_size"}, hidden, "not stated: the hidden width");
    const Traced inner =
        config.count_or({"intermediate_size"}, Traced(4) * hidden, "not stated: four times the hidden width");
    Block layer;
    append_normed(layer, Norm::Kind::layer, true, hidden, "x", "normed");
    layer.ops.push_back(Recurrence{
        part,
        {{"time_mix_key", one, hidden}, {"time_mix_value", one, hidden}, {"time_mix_receptance", one, hidden}},
        Traced(3) * hidden,
        hidden,
        Dtype::sixteen_bit,
        "normed",
        "shifted"});
    append_linear(layer, "key", part, hidden, width, false, "normed", "k");
    append_linear(layer, "value", part, hidden, width, false, "normed", "v");
    append_linear(layer, "receptance", part, hidden, width, false, "normed", "r");
    layer.ops.push_back(Recurrence{part,
                                   {{"time_decay", one, width}, {"time_first", one, width}},
                                   width,
                                   Traced(3) * width,
                                   Dtype::float32,
                                   "k",
                                   "wkv"});
    layer.ops.push_back(Multiply{part, "r", "wkv", "gated"});
    append_linear(layer, "output", part, width, hidden, false, "gated", "mixed");
    layer.ops.push_back(Add{part, "x", "mixed", "x_mixed"});
    append_normed(layer, Norm::Kind::layer, true, hidden, "x_mixed", "normed_2");
    layer.ops.push_back(Recurrence{fed,
                                   {{"time_mix_key", one, hidden}, {"time_mix_receptance", one, hidden}},
                                   Traced(2) * hidden,
                                   hidden,
                                   Dtype::sixteen_bit,
                                   "normed_2",
                                   "shifted_2"});
    append_linear(layer, "key", fed, hidden, inner, false, "normed_2", "up");
    layer.ops.push_back(Activation{fed, Activation::Kind::relu_squared, "up", "activated"});
    append_linear(layer, "value", fed, inner, hidden, false, "activated", "down");
    append_linear(layer, "receptance", fed, hidden, hidden, false, "normed_2", "r_2");
    layer.ops.push_back(Multiply{fed, "r_2", "down", "feed_forward_out"});
    layer.ops.push_back(Add{fed, "x_mixed", "feed_forward_out", "x_out"});
    Model model = decoder(config, hidden, Norm::Kind::layer, true, std::move(layer));
    model.context_limit = config.number_or({"context_length"}, 0);
    model.embedding.ops.push_back(Norm{"pre_ln", Norm::Kind::layer, hidden, true, true, "x", "x_normed"});
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture rwkv{
    {"rwkv"},
    {"RwkvForCausalLM"},
    "RwkvConfig",
    {{"vocab_size", 50277}, {"hidden_size", 4096}, {"num_hidden_layers", 32}, {"context_length", 1024}},
    build};

}  // namespace plimsoll::architecture
