// Arcee's Trinity: attention with normed heads and a gate on its output, four norms, a window in all but each fourth
// layer; experts after the first dense layers, whose router's bias is a parameter. Source: transformers,
// models/afmoe/configuration_afmoe.py and modeling_afmoe.py.
#include "model/build/blocks.h"
#include "model/build/layer.h"

namespace plimsoll::architecture {
namespace {

Block gated(Block layer, const AttentionShape& shape) {
    Block block;
    for (Op& op : layer.ops) {
        if (Linear* linear = op.as<Linear>(); linear && linear->name == "o_proj") {
            append_linear(block, "gate_proj", Part::attention, shape.hidden, linear->in, false, "normed",
                          "output_gate");
            block.ops.push_back(
                Activation{Part::attention, Activation::Kind::one_kernel, "output_gate", "output_gate_open"});
            block.ops.push_back(Multiply{Part::attention, "attended", "output_gate_open", "attended_gated"});
            linear->from = "attended_gated";
        }
        block.ops.push_back(std::move(op));
    }
    return block;
}

Model build(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    shape.place = NormPlace::both;
    MixtureShape mixture = read_mixture(config);
    mixture.shared = config.count({"num_shared_experts"}) * mixture.intermediate;
    mixture.correction_bias = true;
    Model model = decoder_of(config, shape);
    if (config.error()) return model;
    std::vector<NamedBlock> kinds;
    for (const char* name : {"full_layer", "sliding_layer", "full_sparse_layer", "sliding_sparse_layer"}) {
        LayerShape here = shape;
        if (kinds.size() % 2) here.attention.window = config.optional_count({"sliding_window"});
        if (kinds.size() >= 2) here.mixture = mixture;
        kinds.push_back({name, gated(layer_of(here), here.attention)});
    }
    const Pattern windowed = windowed_layers(config, config.number_or({"global_attn_every_n_layers"}, 4));
    const double dense = config.number_or({"num_dense_layers"}, 1);
    std::vector<unsigned short> order(windowed.begin(), windowed.end());
    for (size_t index = 0; index < order.size(); ++index)
        if (static_cast<double>(index) >= dense) order[index] = static_cast<unsigned short>(order[index] + 2);
    set_pattern(config, model, std::move(kinds), std::move(order));
    return model;
}

}  // namespace

extern const Architecture afmoe{{"afmoe"},
                                {"AfmoeForCausalLM"},
                                "AfmoeConfig",
                                {{"vocab_size", 200192},
                                 {"hidden_size", 2048},
                                 {"intermediate_size", 6144},
                                 {"moe_intermediate_size", 1408},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 16},
                                 {"head_dim", 128},
                                 {"max_position_embeddings", 16384},
                                 {"num_experts", 64},
                                 {"num_experts_per_tok", 6},
                                 {"num_shared_experts", 2},
                                 {"sliding_window", 1024}},
                                build};

}  // namespace plimsoll::architecture
