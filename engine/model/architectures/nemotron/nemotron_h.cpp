// Nemotron-H, Nemotron Nano 2 and Nemotron 3: each layer is one norm and one mixer: Mamba 2 (M), attention (*), a plain
// feed-forward (-) or experts with a shared one (E), without gates; larger ones run the experts in a latent width.
// Source: the modeling_nemotron_h.py of the models' own repositories; vLLM nemotron_h.py and nemotron_h_mtp.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

struct Mixers {
    AttentionShape attention;
    Mamba2Shape mamba;
    FeedForwardShape feed_forward, shared;
    std::optional<Experts> experts;
};

void append_latent_experts(Block& block, const Mixers& mixers) {
    const Experts& experts = *mixers.experts;
    if (experts.hidden)
        append_linear(block, "fc1_latent_proj", Part::experts, *experts.hidden, experts.width, false, "normed",
                      "latent");
    block.ops.push_back(experts);
    if (experts.hidden)
        append_linear(block, "fc2_latent_proj", Part::experts, experts.width, *experts.hidden, false, "routed_out",
                      "mixed");
    append_feed_forward(block, mixers.shared, "normed", "shared_out");
}

Block layer_of_kind(const Mixers& mixers, char kind) {
    Block layer;
    append_normed(layer, Norm::Kind::rms, false, mixers.attention.hidden, "x", "normed");
    if (kind == '*')
        append_attention(layer, mixers.attention, "normed", "mixed");
    else if (kind == 'M')
        append_mamba2(layer, mixers.mamba, "normed", "mixed");
    else if (kind == 'E')
        append_latent_experts(layer, mixers);
    else
        append_feed_forward(layer, mixers.feed_forward, "normed", "mixed");
    layer.ops.push_back(Add{Part::norm, "x", "mixed", "x_out"});
    return layer;
}

Mixers read_mixers(Reader& config, const std::string& pattern) {
    Mixers mixers;
    AttentionShape& attention = mixers.attention = read_attention(config);
    if (!config.has("head_dim")) attention.head_dim = config.count({"attention_head_dim"});
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    attention.rotary = false;
    const Traced& hidden = attention.hidden;
    Mamba2Shape& mamba = mixers.mamba;
    mamba.hidden = hidden;
    mamba.heads = config.count({"mamba_num_heads"});
    mamba.inner = Traced::name(Made::term, "inner_width", mamba.heads * config.count({"mamba_head_dim"}));
    mamba.groups = config.count({"n_groups"});
    mamba.state = config.count({"ssm_state_size", "mamba_d_state"});
    mamba.kernel = config.count({"conv_kernel"});
    mamba.bias = mamba.output_bias = config.flag_or({"mamba_proj_bias", "use_bias"}, false);
    mamba.conv_bias = config.flag_or({"use_conv_bias"}, true);
    if (config.word_or({"mamba_ssm_cache_dtype"}, "") == "float32") mamba.state_dtype = Dtype::float32;
    const bool bias = config.flag_or({"mlp_bias"}, false);
    if (pattern.find('-') != std::string::npos)
        mixers.feed_forward = {hidden, config.count({"intermediate_size"}), false, false,
                               bias,   read_activation(config, "relu2")};
    if (pattern.find('E') == std::string::npos) return mixers;
    const auto latent = config.optional_count({"moe_latent_size"});
    Experts experts{Part::experts,
                    config.count({"n_routed_experts"}),
                    config.count({"num_experts_per_tok"}),
                    latent.value_or(hidden),
                    config.count({"moe_intermediate_size"}),
                    latent ? "latent" : "normed",
                    latent ? "routed_out" : "mixed"};
    experts.gated = false;
    experts.correction_buffer = true;
    if (latent) experts.hidden = hidden;
    mixers.experts = experts;
    mixers.shared = {hidden, config.count({"moe_shared_expert_intermediate_size"}) * config.count({"n_shared_experts"}),
                     false,  false,
                     bias,   read_activation(config, "relu2")};
    mixers.shared.part = Part::shared_experts;
    return mixers;
}

// Newer configurations write the pattern as words.
std::string read_pattern(Reader& config, const char* letters, Label list) {
    std::string pattern = config.word_or({letters}, "");
    if (const auto* words = config.words(list); pattern.empty() && words)
        for (const std::string& word : *words)
            pattern += word == "mamba" ? 'M' : word == "attention" ? '*' : word == "moe" ? 'E' : '-';
    return pattern;
}

Model build(Reader& config) {
    const std::string pattern = read_pattern(config, "hybrid_override_pattern", "layers_block_type");
    if (pattern.empty())
        config.fail("hybrid_override_pattern", "missing_field", "hybrid_override_pattern is missing",
                    "copy it from the model's config.json: it says which layer is of which kind");
    const std::string mtp_pattern = read_pattern(config, "mtp_hybrid_override_pattern", "mtp_layers_block_type");
    const Mixers mixers = read_mixers(config, pattern + mtp_pattern);
    const Traced& hidden = mixers.attention.hidden;
    if (!config.has("num_hidden_layers"))
        config.enter("", "NemotronHConfig", {{"num_hidden_layers", static_cast<int>(pattern.size())}});
    Model model = decoder(config, hidden, Norm::Kind::rms, false, {});
    constexpr std::string_view letters = "M*-E";
    std::vector<unsigned short> order;
    for (const char letter : pattern)
        order.push_back(static_cast<unsigned short>(letters.find(letter) == letters.npos ? 2 : letters.find(letter)));
    std::vector<NamedBlock> kinds;
    for (const auto& [letter, name] :
         {std::pair{'M', "mamba_layer"}, {'*', "attention_layer"}, {'-', "feed_forward_layer"}, {'E', "expert_layer"}})
        kinds.push_back({name, pattern.find(letter) == std::string::npos ? Block{} : layer_of_kind(mixers, letter)});
    set_pattern(config, model, std::move(kinds), std::move(order));
    if (const auto depth = config.optional_count({"num_nextn_predict_layers"}); depth && !mtp_pattern.empty()) {
        Tower mtp{"mtp", {}};
        for (const char letter : mtp_pattern) mtp.kinds.push_back({"mtp_layer", *depth, layer_of_kind(mixers, letter)});
        Block around;
        append_linear(around, "eh_proj", Part::head, Traced(2) * hidden, hidden, false, "x", "x_out");
        for (const Label name : {"enorm", "hnorm", "final_norm"})
            around.ops.push_back(Norm{name, Norm::Kind::rms, hidden, true, false, "x", "x_out"});
        mtp.kinds.push_back({"mtp_around", *depth, std::move(around)});
        model.towers.push_back(std::move(mtp));
    }
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture nemotron_h{{"nemotron_h"},
                                     {"NemotronHForCausalLM"},
                                     "NemotronHConfig",
                                     {{"vocab_size", 131072},
                                      {"hidden_size", 4096},
                                      {"intermediate_size", 21504},
                                      {"num_attention_heads", 32},
                                      {"num_key_value_heads", 8},
                                      {"attention_head_dim", 128},
                                      {"ssm_state_size", 128},
                                      {"mamba_num_heads", 128},
                                      {"mamba_head_dim", 64},
                                      {"n_groups", 8},
                                      {"conv_kernel", 4},
                                      {"n_shared_experts", 1}},
                                     build};

}  // namespace plimsoll::architecture
