// Phi-3, Phi-3.5 and Phi-4: Llama's layer with q, k and v in one matrix and gate and up in another.
// Source: transformers, models/phi3/configuration_phi3.py and modeling_phi3.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_phi3(Reader& config) {
    LayerShape layer;
    layer.attention = read_attention(config);
    layer.attention.fused = true;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.attention.window = config.optional_count({"sliding_window"});
    layer.feed_forward = {
        .hidden = layer.attention.hidden, .intermediate = config.count({"intermediate_size"}), .fused = true};
    layer.dropout = config.number_or({"resid_pdrop"}, 0);
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture phi3{{"phi3"},
                               {"Phi3ForCausalLM"},
                               "Phi3Config",
                               {{"vocab_size", 32064},
                                {"hidden_size", 3072},
                                {"intermediate_size", 8192},
                                {"num_hidden_layers", 32},
                                {"num_attention_heads", 32},
                                {"max_position_embeddings", 4096}},
                               build_phi3};

}  // namespace plimsoll::architecture
