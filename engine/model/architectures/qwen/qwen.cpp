// Qwen 1 (remote code): Llama's layer with q, k and v in one matrix, which has a bias; `intermediate_size` is twice the
// width of gate and up.
// Source: modeling_qwen.py and configuration_qwen.py of Qwen/Qwen-7B.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_qwen(Reader& config) {
    LayerShape shape;
    AttentionShape& attention = shape.attention;
    attention.hidden = config.count({"hidden_size", "n_embd"});
    attention.heads = attention.kv_heads = config.count({"num_attention_heads", "n_head"});
    const auto head_dim = config.optional_count({"kv_channels"});
    attention.head_dim = head_dim ? *head_dim : config.head_dim(attention.hidden, attention.heads);
    attention.bias = attention.fused = true;
    attention.output_bias = shape.feed_forward.bias = !config.flag_or({"no_bias"}, true);
    attention.dropout = config.number_or({"attn_dropout_prob"}, 0);
    shape.feed_forward.hidden = attention.hidden;
    shape.feed_forward.intermediate =
        Traced::name(Made::term, "feed_forward_width", config.count({"intermediate_size"}) / Traced(2));
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture qwen{{"qwen"},
                               {"QWenLMHeadModel"},
                               "QWenConfig",
                               {{"vocab_size", 151936},
                                {"hidden_size", 4096},
                                {"intermediate_size", 22016},
                                {"num_hidden_layers", 32},
                                {"num_attention_heads", 32},
                                {"max_position_embeddings", 8192}},
                               build_qwen};

}  // namespace plimsoll::architecture
