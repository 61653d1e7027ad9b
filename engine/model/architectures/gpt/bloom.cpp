// BLOOM: GPT's layer with ALiBi in place of positions, biases everywhere, and a norm behind the embedding.
// Source: transformers, models/bloom/configuration_bloom.py and modeling_bloom.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_bloom(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.fused = layer.attention.bias = layer.attention.output_bias = true;
    layer.attention.rotary = false;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"hidden_dropout"}, 0);
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {.hidden = hidden, .intermediate = Traced(4) * hidden, .gated = false, .bias = true};
    Model model = decoder_of(config, layer, true);
    model.embedding.ops.push_back(
        Norm{"embedding_norm", Norm::Kind::layer, hidden, true, true, "x", "x_normed", Part::embedding});
    return model;
}

}  // namespace

extern const Architecture bloom{{"bloom"},
                                {"BloomForCausalLM"},
                                "BloomConfig",
                                {{"vocab_size", 250880}, {"hidden_size", 64}, {"n_layer", 2}, {"n_head", 8}},
                                build_bloom};

}  // namespace plimsoll::architecture
