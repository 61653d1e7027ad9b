// Mixtral: Mistral's attention, and in each layer a mixture of gated experts.
// Source: transformers, models/mixtral/configuration_mixtral.py and modeling_mixtral.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    attention.window = config.optional_count({"sliding_window"});
    Block layer;
    append_normed(layer, Norm::Kind::rms, false, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_attended"});
    append_normed(layer, Norm::Kind::rms, false, attention.hidden, "x_attended", "normed_2");
    layer.ops.push_back(Experts{Part::experts, config.count({"num_local_experts"}),
                                config.count({"num_experts_per_tok"}), attention.hidden,
                                config.count({"intermediate_size"}), "normed_2", "experts_out"});
    layer.ops.push_back(Add{Part::experts, "x_attended", "experts_out", "x_out"});
    Model model = decoder(config, attention.hidden, Norm::Kind::rms, false, std::move(layer));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture mixtral{{"mixtral"},
                                  {"MixtralForCausalLM"},
                                  "MixtralConfig",
                                  {{"vocab_size", 32000},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 14336},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"num_key_value_heads", 8},
                                   {"num_local_experts", 8},
                                   {"num_experts_per_tok", 2},
                                   {"max_position_embeddings", 131072}},
                                  build};

}  // namespace plimsoll::architecture
