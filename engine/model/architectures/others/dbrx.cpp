// DBRX: LayerNorms without biases, q, k and v in one matrix, experts in every layer; shapes in nested blocks.
// Source: transformers, models/dbrx/configuration_dbrx.py and modeling_dbrx.py.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

Model build_dbrx(Reader& config) {
    LayerShape layer;
    layer.norm = Norm::Kind::layer;
    AttentionShape& attention = layer.attention;
    attention.hidden = config.count({"d_model"});
    attention.heads = config.count({"n_heads"});
    attention.kv_heads = config.count({"attn_config.kv_n_heads"});
    config.require_multiple(attention.heads, attention.kv_heads, "attn_config.kv_n_heads");
    attention.head_dim = config.head_dim(attention.hidden, attention.heads);
    attention.fused = true;
    attention.dropout = config.number_or({"attn_config.attn_pdrop"}, 0);
    MixtureShape& mixture = layer.mixture.emplace();
    mixture.experts = config.count({"ffn_config.moe_num_experts"});
    read_choices(config, mixture, {"ffn_config.moe_top_k"});
    mixture.intermediate = config.count({"ffn_config.ffn_hidden_size"});
    Model model = decoder_of(config, layer);
    model.context_limit = config.number_or({"max_seq_len"}, 0);
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
                               build_dbrx};

}  // namespace plimsoll::architecture
