// Nemotron-H, Nemotron Nano 2 and Nemotron 3: each layer is one norm and one mixer: Mamba 2 (M), attention (*), a plain
// feed-forward (-) or experts with a shared one (E), without gates; larger ones run the experts in a latent width.
// Source: the modeling_nemotron_h.py of the models' own repositories; vLLM nemotron_h.py and nemotron_h_mtp.py.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

struct Mixers {
    AttentionShape attention;
    Mamba2Shape mamba;
    FeedForwardShape feed_forward, shared;
    std::optional<Experts> experts;
};

Block latent_experts(const Mixers& mixers) {
    const Experts& experts = *mixers.experts;
    Block block;
    if (experts.hidden)
        append_linear(block, "fc1_latent_proj", Part::experts, *experts.hidden, experts.width, false, "normed_2",
                      "latent");
    block.ops.push_back(experts);
    if (experts.hidden)
        append_linear(block, "fc2_latent_proj", Part::experts, experts.width, *experts.hidden, false, "routed_out",
                      "feed_forward_out");
    append_feed_forward(block, mixers.shared, "normed_2", "shared_out");
    return block;
}

// A layer has a mixer or a feed-forward: attention (*), Mamba 2 (M), experts (E) or a dense network (-).
Block layer_of_kind(const Mixers& mixers, char kind) {
    LayerShape layer;
    layer.attention = mixers.attention;
    layer.feed_forward = mixers.feed_forward;
    layer.mixer_sum = layer.feed_forward_sum = Part::norm;
    if (kind == 'M') layer.mixer = mamba2(mixers.mamba);
    if (kind == 'E') layer.other_feed_forward = latent_experts(mixers);
    if (kind == 'M' || kind == '*')
        layer.other_feed_forward.emplace();
    else
        layer.mixer.emplace();
    return layer_of(layer);
}

Mamba2Shape read_mamba(Reader& config, const Traced& hidden) {
    Mamba2Shape mamba;
    mamba.hidden = hidden;
    mamba.heads = config.count({"mamba_num_heads"});
    mamba.inner = Traced::name(Made::term, "inner_width", mamba.heads * config.count({"mamba_head_dim"}));
    mamba.groups = config.count({"n_groups"});
    mamba.state = config.count({"ssm_state_size", "mamba_d_state"});
    mamba.kernel = config.count({"conv_kernel"});
    mamba.bias = mamba.output_bias = config.flag_or({"mamba_proj_bias", "use_bias"}, false);
    mamba.conv_bias = config.flag_or({"use_conv_bias"}, true);
    // The class of transformers says float32 where files made before it say nothing; vLLM holds 16 bits for those.
    if (config.word_or({"mamba_ssm_cache_dtype"}, "") == "float32") mamba.state_dtype = Dtype::float32;
    return mamba;
}

Experts read_experts(Reader& config, const Traced& hidden) {
    const auto latent = config.optional_count({"moe_latent_size"});
    Experts experts{Part::experts,
                    config.count({"n_routed_experts"}),
                    config.count({"num_experts_per_tok"}),
                    latent.value_or(hidden),
                    config.count({"moe_intermediate_size"}),
                    latent ? "latent" : "normed_2",
                    latent ? "routed_out" : "feed_forward_out"};
    check_choices(config, experts.active, experts.experts);
    experts.gated = false;
    experts.correction_buffer = true;
    if (latent) experts.hidden = hidden;
    return experts;
}

Mixers read_mixers(Reader& config, const std::string& pattern) {
    Mixers mixers;
    AttentionShape& attention = mixers.attention = read_attention(config);
    if (!config.has("head_dim")) attention.head_dim = config.count({"attention_head_dim"});
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    attention.rotary = false;
    const Traced& hidden = attention.hidden;
    mixers.mamba = read_mamba(config, hidden);
    const bool bias = config.flag_or({"mlp_bias"}, false);
    const auto plain = [&](const Traced& width) -> FeedForwardShape {
        return {.hidden = hidden,
                .intermediate = width,
                .gated = false,
                .bias = bias,
                .activation = read_activation(config, "relu2")};
    };
    if (pattern.find('-') != std::string::npos) mixers.feed_forward = plain(config.count({"intermediate_size"}));
    if (pattern.find('E') == std::string::npos) return mixers;
    mixers.experts = read_experts(config, hidden);
    mixers.shared = plain(config.count({"moe_shared_expert_intermediate_size"}) * config.count({"n_shared_experts"}));
    mixers.shared.part = Part::shared_experts;
    return mixers;
}

// By their older or newer names (transformers, `remap_legacy_layer_types`).
char letter_of(std::string_view kind) {
    if (kind == "mamba" || kind == "linear_attention") return 'M';
    if (kind == "attention" || kind == "full_attention") return '*';
    return kind == "moe" ? 'E' : '-';
}

std::string read_pattern(Reader& config, const char* letters, Label list) {
    std::string pattern = config.word_or({letters}, "");
    if (const auto* words = config.words(list); pattern.empty() && words)
        for (const std::string& word : *words) pattern += letter_of(word);
    return pattern;
}

// The layers that predict further tokens, and what stands around them.
Tower prediction(const Mixers& mixers, const std::string& pattern, const Traced& depth) {
    const Traced& hidden = mixers.attention.hidden;
    Tower mtp{"mtp", {}};
    for (const char letter : pattern) mtp.kinds.push_back({"mtp_layer", depth, layer_of_kind(mixers, letter)});
    Block around;
    append_linear(around, "eh_proj", Part::head, Traced(2) * hidden, hidden, false, "x", "x_out");
    for (const Label name : {"enorm", "hnorm", "final_norm"})
        around.ops.push_back(Norm{name, Norm::Kind::rms, hidden, true, false, "x", "x_out"});
    mtp.kinds.push_back({"mtp_around", depth, std::move(around)});
    return mtp;
}

void set_kinds(Reader& config, Model& model, const Mixers& mixers, const std::string& letters) {
    constexpr std::string_view known = "M*-E";
    Pattern pattern;
    for (const char letter : letters)
        pattern.push_back(static_cast<unsigned short>(known.find(letter) == known.npos ? 2 : known.find(letter)));
    std::vector<NamedBlock> kinds;
    for (const auto& [letter, name] :
         {std::pair{'M', "mamba_layer"}, {'*', "attention_layer"}, {'-', "feed_forward_layer"}, {'E', "expert_layer"}})
        kinds.push_back({name, letters.find(letter) == std::string::npos ? Block{} : layer_of_kind(mixers, letter)});
    set_layers(config, model, std::move(kinds), std::move(pattern));
}

Model build_nemotron_h(Reader& config) {
    const std::string pattern = read_pattern(config, "hybrid_override_pattern",
                                             config.has("layer_types") ? "layer_types" : "layers_block_type");
    if (pattern.empty())
        config.fail("hybrid_override_pattern", "missing_field", "hybrid_override_pattern is missing",
                    "copy it from the model's config.json: it says which layer is of which kind");
    const std::string mtp_pattern = read_pattern(config, "mtp_hybrid_override_pattern", "mtp_layers_block_type");
    const Mixers mixers = read_mixers(config, pattern + mtp_pattern);
    if (!config.has("num_hidden_layers"))
        config.enter("", "NemotronHConfig",
                     {{"vocab_size", 131072},
                      {"num_hidden_layers", static_cast<int>(pattern.size())},
                      {"max_position_embeddings", 4096}});
    Model model = decoder(config, mixers.attention.hidden, Norm::Kind::rms, false, {});
    set_kinds(config, model, mixers, pattern);
    if (const auto depth = config.optional_count({"num_nextn_predict_layers"}); depth && !mtp_pattern.empty())
        model.towers.push_back(prediction(mixers, mtp_pattern, *depth));
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
                                      {"n_routed_experts", 8},
                                      {"n_shared_experts", 1},
                                      {"moe_intermediate_size", 7688},
                                      {"moe_shared_expert_intermediate_size", 7688},
                                      {"num_experts_per_tok", 2},
                                      {"max_position_embeddings", 4096}},
                                     build_nemotron_h};

}  // namespace plimsoll::architecture
