// DBRX: LayerNorms without biases, q, k and v in one matrix, experts in every layer; shapes in nested blocks.
// Source: transformers, models/dbrx/configuration_dbrx.py and modeling_dbrx.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention;
    attention.hidden = config.count({"d_model"});
    attention.heads = config.count({"n_heads"});
    attention.kv_heads = config.count({"attn_config.kv_n_heads"});
    config.require_multiple(attention.heads, attention.kv_heads, "attn_config.kv_n_heads");
    attention.head_dim = config.head_dim(attention.hidden, attention.heads);
    attention.fused = true;
    attention.dropout = config.number_or({"attn_config.attn_pdrop"}, 0);
    Block layer;
    append_normed(layer, Norm::Kind::layer, false, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_mixed"});
    append_normed(layer, Norm::Kind::layer, false, attention.hidden, "x_mixed", "normed_2");
    append_experts(layer,
                   Experts{Part::experts,
                           config.count({"ffn_config.moe_num_experts"}),
                           config.count({"ffn_config.moe_top_k"}),
                           attention.hidden,
                           config.count({"ffn_config.ffn_hidden_size"}),
                           {},
                           {}},
                   nullptr, false);
    Model model = decoder(config, attention.hidden, Norm::Kind::layer, false, std::move(layer));
    model.context_limit = config.number_or({"max_seq_len"}, 0);
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture dbrx{{"dbrx"},
                               {"DbrxForCausalLM"},
                               "DbrxConfig",
                               {{"vocab_size", 32000},
                                {"d_model", 2048},
                                {"n_heads", 16},
                                {"n_layers", 24},
                                {"max_seq_len", 2048},
                                {"attn_config.kv_n_heads", 1},
                                {"ffn_config.moe_num_experts", 4},
                                {"ffn_config.moe_top_k", 1},
                                {"ffn_config.ffn_hidden_size", 3584}},
                               build};

}  // namespace plimsoll::architecture
