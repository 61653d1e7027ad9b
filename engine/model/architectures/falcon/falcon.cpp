// Falcon: multi-query attention and one norm (7B), grouped queries and a norm for each branch (40B, 180B), or ALiBi and
// GPT's order (RW). A plain feed-forward of four times the width. The older names of the fields are read as well.
// transformers copies 40B's keys and values out to all heads before it stores them; runtimes that do not are described.
// Source: transformers, models/falcon/configuration_falcon.py and modeling_falcon.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_falcon(Reader& config) {
    const bool grouped = config.flag_or({"new_decoder_architecture"}, config.has("n_head_kv"));
    const bool parallel = config.flag_or({"parallel_attn"}, true);
    LayerShape layer;
    layer.layer_norms();
    AttentionShape& attention = layer.attention;
    attention.hidden = config.count({"hidden_size"});
    attention.heads = config.count({"num_attention_heads", "n_head"});
    attention.head_dim = config.head_dim(attention.hidden, attention.heads);
    if (grouped)
        attention.kv_heads = config.count_or({"num_kv_heads", "n_head_kv"}, attention.heads,
                                             "not stated: as many key-value heads as attention heads");
    else
        attention.kv_heads =
            config.flag_or({"multi_query"}, true) ? Traced::leaf("num_kv_heads", 1, "multi_query") : attention.heads;
    config.require_multiple(attention.heads, attention.kv_heads, "num_kv_heads");
    attention.fused = true;
    attention.bias = attention.output_bias = layer.feed_forward.bias = config.flag_or({"bias"}, false);
    attention.rotary = !config.flag_or({"alibi"}, false);
    attention.softmax_in_fp32 = false;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"hidden_dropout"}, 0);
    layer.feed_forward.hidden = attention.hidden;
    layer.feed_forward.intermediate =
        config.count_or({"ffn_hidden_size"}, Traced(4) * attention.hidden, "not stated: four times the hidden width");
    layer.feed_forward.gated = false;
    const bool two_norms = config.number_or({"num_ln_in_parallel_attn"}, grouped ? 2 : 1) == 2;
    if (parallel) layer.dropped = Dropped::sum;
    if (parallel) layer.branches = two_norms ? Branches::parallel_two_norms : Branches::parallel;
    Model model = decoder_of(config, layer, true);
    model.alibi_in_mask = !attention.rotary;
    return model;
}

}  // namespace

extern const Architecture falcon{{"falcon", "RefinedWeb", "RefinedWebModel"},
                                 {"FalconForCausalLM", "RWForCausalLM"},
                                 "FalconConfig",
                                 {{"vocab_size", 65024},
                                  {"hidden_size", 4544},
                                  {"num_hidden_layers", 32},
                                  {"num_attention_heads", 71},
                                  {"max_position_embeddings", 2048}},
                                 build_falcon};

}  // namespace plimsoll::architecture
