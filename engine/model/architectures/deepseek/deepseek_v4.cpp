// DeepSeek-V4: one key-value vector a token within a window; in most layers compressed entries of 128 tokens, or of 4
// with an indexer that picks among them, besides; a grouped low-rank output; streams of hidden states that are mixed
// before and after each sub-layer; experts in all layers, in the first chosen by a table. The routers' biases and
// tables are buffers, and prediction layers are not described. Source: transformers,
// models/deepseek_v4/configuration_deepseek_v4.py and modeling_deepseek_v4.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

constexpr auto rms = Norm::Kind::rms;
enum Compression : unsigned short { window_only, sparse, heavy };

// What collapses the streams into the sub-layer's input, expands its output, and mixes the streams meanwhile.
void append_hyper_connection(Reader& config, Block& block, const Traced& hidden, Label from) {
    const Traced streams = config.count({"hc_mult"});
    const Traced mixes = Traced::name(Made::term, "stream_weights", streams * (streams + Traced(2)));
    append_linear(block, "hyper_connection", Part::mixer, streams * hidden, mixes, true, from, "stream_weights");
    block.ops.push_back(
        Norm{"scales", rms, Traced(3), true, false, "stream_weights", "stream_weights_scaled", Part::mixer});
    block.ops.push_back(Multiply{Part::mixer, from, "stream_weights", "collapsed"});
}

void append_compressor(Block& block, const Traced& hidden, const Traced& width, const Traced& series, Label entries,
                       Label gates) {
    append_linear(block, "compressor_kv", Part::attention, hidden, series * width, false, "normed", entries);
    append_linear(block, "compressor_gate", Part::attention, hidden, series * width, false, "normed", gates);
    block.ops.push_back(Norm{"norm", rms, width, true, false, entries, "entries_normed", Part::norm});
}

/// What all layers' attention has.
struct AttentionWidths {
    Traced hidden, heads, width, low, groups, all, grouped;
};

AttentionWidths read_widths(Reader& config, const Traced& hidden) {
    AttentionWidths of;
    of.hidden = hidden;
    of.heads = config.count({"num_attention_heads"});
    of.width = config.count({"head_dim"});
    of.low = config.count({"q_lora_rank"});
    of.groups = config.count({"o_groups"});
    of.all = Traced::name(Made::term, "q_width", of.heads * of.width);
    of.grouped = Traced::name(Made::term, "grouped_width", of.groups * config.count({"o_lora_rank"}));
    return of;
}

void append_product(Block& block, Label name, const Traced& in, const Traced& out, Label from, Label to) {
    append_linear(block, name, Part::attention, in, out, false, from, to);
}

void append_queries_and_keys(Block& block, const AttentionWidths& of) {
    append_product(block, "q_a_proj", of.hidden, of.low, "normed", "q_latent");
    append_normed(block, rms, false, of.low, "q_latent", "q_latent_normed");
    append_product(block, "q_b_proj", of.low, of.all, "q_latent_normed", "q");
    block.ops.push_back(Norm{"q_norm", rms, of.width, false, false, "q", "q_normed", Part::norm, of.heads});
    append_product(block, "kv_proj", of.hidden, of.width, "normed", "kv");
    append_normed(block, rms, false, of.width, "kv", "kv_normed");
    block.ops.push_back(Rope{Part::attention, "q_normed", "q_rotated"});
    block.ops.push_back(Rope{Part::attention, "kv_normed", "kv_rotated"});
}

Attention heads_in_window(Reader& config, const AttentionWidths& of) {
    return {Part::attention,
            of.heads,
            Traced(1),
            of.width,
            config.count({"sliding_window"}),
            false,
            false,
            config.number_or({"attention_dropout"}, 0),
            "q_rotated",
            "kv_rotated",
            "kv_rotated",
            "attended",
            true};
}

// The compressed entries besides the window, and the indexer that picks among them.
void append_compressed(Reader& config, Block& block, const AttentionWidths& of, bool indexed,
                       CompressedAttention& attention) {
    attention.rate = indexed ? config.count_or({"compress_rates.compressed_sparse_attention", "compress_rate_csa"},
                                               Traced(4), "class default")
                             : config.count_or({"compress_rates.heavily_compressed_attention", "compress_rate_hca"},
                                               Traced(128), "class default");
    attention.compressed = "entries";
    attention.gate = "entry_gates";
    if (indexed) {
        const Traced index_heads = config.count({"index_n_heads"}), index_width = config.count({"index_head_dim"});
        attention.series = Traced(2);
        attention.index_width = index_width;
        append_compressor(block, of.hidden, index_width, Traced(2), "index_entries", "index_gates");
        append_product(block, "index_q_proj", of.low, index_heads * index_width, "q_latent_normed", "index_q");
        append_product(block, "index_weights_proj", of.hidden, index_heads, "normed", "index_weights");
    }
    append_compressor(block, of.hidden, of.width, attention.series, "entries", "entry_gates");
}

void append_attention_sub_layer(Reader& config, Block& block, const Traced& hidden, Compression compression) {
    const AttentionWidths of = read_widths(config, hidden);
    append_queries_and_keys(block, of);
    CompressedAttention attention;
    attention.heads = heads_in_window(config, of);
    attention.rotated = config.number_or({"qk_rope_head_dim"}, 64);
    if (compression != window_only) append_compressed(config, block, of, compression == sparse, attention);
    block.ops.push_back(std::move(attention));
    append_product(block, "o_a_proj", of.all / of.groups, of.grouped, "attended", "o_latent");
    append_product(block, "o_b_proj", of.grouped, hidden, "o_latent", "attention_out");
}

MixtureShape read_experts(Reader& config) {
    MixtureShape mixture;
    mixture.intermediate = config.count({"moe_intermediate_size"});
    mixture.shared = config.count({"n_shared_experts"}) * mixture.intermediate;
    mixture.shared_sum = Part::shared_experts;
    mixture.experts = config.count({"n_routed_experts"});
    read_choices(config, mixture, {"num_experts_per_tok"});
    return mixture;
}

Block layer_of(Reader& config, const Traced& hidden, Compression compression) {
    Block layer;
    append_hyper_connection(config, layer, hidden, "x");
    append_normed(layer, rms, false, hidden, "collapsed", "normed");
    append_attention_sub_layer(config, layer, hidden, compression);
    layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_mixed"});
    append_hyper_connection(config, layer, hidden, "x_mixed");
    append_normed(layer, rms, false, hidden, "collapsed", "normed_2");
    append_mixture(layer, hidden, read_experts(config), "normed_2", "feed_forward_out");
    layer.ops.push_back(Add{Part::experts, "x_mixed", "feed_forward_out", "x_out"});
    return layer;
}

// `layer_types` in words, else `compress_ratios` in tokens, else two heavy layers and then both kinds in turn.
unsigned short named_way(std::string_view name) {
    if (name == "sliding_attention") return window_only;
    return name == "compressed_sparse_attention" ? sparse : heavy;
}

unsigned short way_of_ratio(double ratio) {
    if (ratio == 0) return window_only;
    return ratio > 4 ? heavy : sparse;
}

Pattern compression_of(Reader& config, size_t layers) {
    Pattern order(layers);
    const std::vector<std::string>* words = config.words("layer_types");
    const std::vector<double>* ratios = config.numbers("compress_ratios");
    for (size_t index = 0; index < layers; ++index) {
        if (words)
            order[index] = named_way(index < words->size() ? (*words)[index] : "sliding_attention");
        else if (ratios)
            order[index] = way_of_ratio(index < ratios->size() ? (*ratios)[index] : 0);
        else
            order[index] = index >= 2 && index % 2 == 1 ? sparse : heavy;
    }
    return order;
}

Model build_deepseek_v4(Reader& config) {
    const Traced hidden = config.count({"hidden_size"});
    Model model = decoder(config, hidden, rms, false, {});
    std::vector<NamedBlock> kinds;
    kinds.push_back({"window_layer", layer_of(config, hidden, window_only)});
    kinds.push_back({"sparse_layer", layer_of(config, hidden, sparse)});
    kinds.push_back({"heavy_layer", layer_of(config, hidden, heavy)});
    set_layers(config, model, std::move(kinds), compression_of(config, model.order.size()));
    const Traced streams = config.count({"hc_mult"});
    append_linear(model.head, "stream_collapse", Part::head, streams * hidden, streams, true, "x", "stream_weights");
    model.head.ops.push_back(Norm{"scale", rms, Traced(1), true, false, "stream_weights", "stream_weights_scaled"});
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture deepseek_v4{{"deepseek_v4"},
                                      {"DeepseekV4ForCausalLM"},
                                      "DeepseekV4Config",
                                      {{"vocab_size", 129280},
                                       {"hidden_size", 4096},
                                       {"moe_intermediate_size", 2048},
                                       {"num_hidden_layers", 43},
                                       {"num_attention_heads", 64},
                                       {"head_dim", 512},
                                       {"q_lora_rank", 1024},
                                       {"num_experts_per_tok", 6},
                                       {"n_routed_experts", 256},
                                       {"n_shared_experts", 1},
                                       {"max_position_embeddings", 1048576},
                                       {"hc_mult", 4},
                                       {"sliding_window", 128},
                                       {"o_groups", 8},
                                       {"o_lora_rank", 1024},
                                       {"index_n_heads", 64},
                                       {"index_head_dim", 128}},
                                      build_deepseek_v4};

}  // namespace plimsoll::architecture
