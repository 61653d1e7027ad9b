// ChatGLM2, ChatGLM3 and GLM-4 in their remote code: RMSNorm, multi-query groups, fused q, k and v with a bias, gate
// and up in one matrix. ChatGLM 1, told by its `inner_hidden_size`, has LayerNorms and biases, a plain feed-forward and
// a tied head. Source: modeling_chatglm.py and configuration_chatglm.py of THUDM/chatglm-6b and THUDM/chatglm3-6b.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_chatglm(Reader& config) {
    LayerShape shape;
    AttentionShape& attention = shape.attention;
    attention.fused = true;
    attention.hidden = shape.feed_forward.hidden = config.count({"hidden_size"});
    attention.heads = attention.kv_heads = config.count({"num_attention_heads"});
    const bool first = config.has("inner_hidden_size");
    if (first) {
        attention.head_dim = config.head_dim(attention.hidden, attention.heads);
        attention.bias = attention.output_bias = shape.feed_forward.bias = shape.norm_bias = true;
        shape.norm = Norm::Kind::layer;
        shape.feed_forward.intermediate = config.count({"inner_hidden_size"});
        shape.feed_forward.gated = false;
    } else {
        attention.head_dim = config.count({"kv_channels"});
        if (config.flag_or({"multi_query_attention"}, false))
            attention.kv_heads = config.count({"multi_query_group_num"});
        config.require_multiple(attention.heads, attention.kv_heads, "multi_query_group_num");
        attention.output_bias = shape.feed_forward.bias = config.flag_or({"add_bias_linear"}, false);
        attention.bias = attention.output_bias || config.flag_or({"add_qkv_bias"}, false);
        attention.dropout = config.number_or({"attention_dropout"}, 0);
        if (!config.flag_or({"rmsnorm"}, true)) shape.norm = Norm::Kind::layer, shape.norm_bias = true;
        shape.feed_forward.intermediate = config.count({"ffn_hidden_size"});
        shape.feed_forward.fused = true;
    }
    return decoder_of(config, shape, first);
}

}  // namespace

extern const Architecture chatglm{{"chatglm"},
                                  {"ChatGLMModel", "ChatGLMForConditionalGeneration"},
                                  "ChatGLMConfig",
                                  {{"padded_vocab_size", 65024},
                                   {"hidden_size", 4096},
                                   {"ffn_hidden_size", 13696},
                                   {"num_layers", 28},
                                   {"num_attention_heads", 32},
                                   {"kv_channels", 128},
                                   {"seq_length", 2048}},
                                  build_chatglm};

}  // namespace plimsoll::architecture
