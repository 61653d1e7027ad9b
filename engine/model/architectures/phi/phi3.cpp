// Phi-3, Phi-3.5 and Phi-4: Llama's layer with q, k and v in one matrix and gate and up in another.
// Source: transformers, models/phi3/configuration_phi3.py and modeling_phi3.py.
#include "model/build/layer.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.fused = true;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    attention.window = config.optional_count({"sliding_window"});
    FeedForwardShape feed_forward{attention.hidden, config.count({"intermediate_size"})};
    feed_forward.fused = true;
    LayerShape layer;
    layer.attention = attention;
    layer.feed_forward = feed_forward;
    layer.dropout = config.number_or({"resid_pdrop"}, 0);
    Model model = decoder(config, attention.hidden, Norm::Kind::rms, false, layer_of(layer));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
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
                               build};

}  // namespace plimsoll::architecture
