// RWKV 4: a WKV recurrence and a feed-forward gated by its own receptance, each mixing a token with the one before.
// Source: transformers, models/rwkv/configuration_rwkv.py and modeling_rwkv.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Block time_mix(const Traced& hidden, const Traced& width) {
    constexpr Part part = Part::mixer;
    Block block;
    block.ops.push_back(Recurrence{part,
                                   {{"time_mix_key", Traced(1), hidden},
                                    {"time_mix_value", Traced(1), hidden},
                                    {"time_mix_receptance", Traced(1), hidden}},
                                   Traced(3) * hidden,
                                   hidden,
                                   Dtype::sixteen_bit,
                                   "normed",
                                   "shifted"});
    append_linear(block, "key", part, hidden, width, false, "normed", "k");
    append_linear(block, "value", part, hidden, width, false, "normed", "v");
    append_linear(block, "receptance", part, hidden, width, false, "normed", "r");
    block.ops.push_back(Recurrence{part,
                                   {{"time_decay", Traced(1), width}, {"time_first", Traced(1), width}},
                                   width,
                                   Traced(3) * width,
                                   Dtype::float32,
                                   "k",
                                   "wkv"});
    block.ops.push_back(Multiply{part, "r", "wkv", "gated"});
    append_linear(block, "output", part, width, hidden, false, "gated", "mixed");
    return block;
}

Block channel_mix(const Traced& hidden, const Traced& inner) {
    constexpr Part part = Part::feed_forward;
    Block block;
    block.ops.push_back(Recurrence{part,
                                   {{"time_mix_key", Traced(1), hidden}, {"time_mix_receptance", Traced(1), hidden}},
                                   Traced(2) * hidden,
                                   hidden,
                                   Dtype::sixteen_bit,
                                   "normed_2",
                                   "shifted_2"});
    append_linear(block, "key", part, hidden, inner, false, "normed_2", "up");
    block.ops.push_back(Activation{part, Activation::Kind::relu_squared, "up", "activated"});
    append_linear(block, "value", part, inner, hidden, false, "activated", "down");
    append_linear(block, "receptance", part, hidden, hidden, false, "normed_2", "r_2");
    block.ops.push_back(Multiply{part, "r_2", "down", "feed_forward_out"});
    return block;
}

Model build_rwkv(Reader& config) {
    const Traced hidden = config.count({"hidden_size"});
    const Traced width = config.count_or({"attention_hidden_size"}, hidden, "not stated: the hidden width");
    const Traced inner =
        config.count_or({"intermediate_size"}, Traced(4) * hidden, "not stated: four times the hidden width");
    LayerShape layer;
    layer.layer_norms();
    layer.attention.hidden = hidden;
    layer.mixer_sum = Part::mixer;
    layer.mixer = time_mix(hidden, width);
    layer.other_feed_forward = channel_mix(hidden, inner);
    Model model = decoder_of(config, layer);
    model.context_limit = config.number_or({"context_length"}, 0);
    model.embedding.ops.push_back(Norm{"pre_ln", Norm::Kind::layer, hidden, true, true, "x", "x_normed"});
    return model;
}

}  // namespace

extern const Architecture rwkv{
    {"rwkv"},
    {"RwkvForCausalLM"},
    "RwkvConfig",
    {{"vocab_size", 50277}, {"hidden_size", 4096}, {"num_hidden_layers", 32}, {"context_length", 1024}},
    build_rwkv};

}  // namespace plimsoll::architecture
