// DeepSeek-V4: one key-value vector a token within a window; in most layers compressed entries of 128 tokens, or of 4
// with an indexer that picks among them, besides; a grouped low-rank output; streams of hidden states that are mixed
// before and after each sub-layer; experts in all layers, in the first chosen by a table. The routers' biases and
// tables are buffers, and prediction layers are not described. Source: transformers,
// models/deepseek_v4/configuration_deepseek_v4.py and modeling_deepseek_v4.py.
#include "model/build/blocks.h"

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

void append_attention_sub_layer(Reader& config, Block& block, const Traced& hidden, Compression compression) {
    const Traced heads = config.count({"num_attention_heads"}), width = config.count({"head_dim"}),
                 low = config.count({"q_lora_rank"}), groups = config.count({"o_groups"});
    const Traced all = Traced::name(Made::term, "q_width", heads * width),
                 grouped = Traced::name(Made::term, "grouped_width", groups * config.count({"o_lora_rank"}));
    const auto linear = [&block](Label name, const Traced& in, const Traced& out, Label from, Label to) {
        append_linear(block, name, Part::attention, in, out, false, from, to);
    };
    linear("q_a_proj", hidden, low, "normed", "q_latent");
    append_normed(block, rms, false, low, "q_latent", "q_latent_normed");
    linear("q_b_proj", low, all, "q_latent_normed", "q");
    block.ops.push_back(Norm{"q_norm", rms, width, false, false, "q", "q_normed", Part::norm, heads});
    linear("kv_proj", hidden, width, "normed", "kv");
    append_normed(block, rms, false, width, "kv", "kv_normed");
    block.ops.push_back(Rope{Part::attention, "q_normed", "q_rotated"});
    block.ops.push_back(Rope{Part::attention, "kv_normed", "kv_rotated"});
    CompressedAttention attention;
    attention.heads = Attention{Part::attention,
                                heads,
                                Traced(1),
                                width,
                                config.count({"sliding_window"}),
                                false,
                                false,
                                config.number_or({"attention_dropout"}, 0),
                                "q_rotated",
                                "kv_rotated",
                                "kv_rotated",
                                "attended",
                                true};
    if (compression != window_only) {
        const bool indexed = compression == sparse;
        attention.rate = indexed ? config.count_or({"compress_rate_csa"}, Traced(4), "class default")
                                 : config.count_or({"compress_rate_hca"}, Traced(128), "class default");
        attention.compressed = "entries", attention.gate = "entry_gates";
        if (indexed) {
            const Traced index_heads = config.count({"index_n_heads"}), index_width = config.count({"index_head_dim"});
            attention.series = Traced(2), attention.index_width = index_width;
            append_compressor(block, hidden, index_width, Traced(2), "index_entries", "index_gates");
            linear("index_q_proj", low, index_heads * index_width, "q_latent_normed", "index_q");
            linear("index_weights_proj", hidden, index_heads, "normed", "index_weights");
        }
        append_compressor(block, hidden, width, attention.series, "entries", "entry_gates");
    }
    block.ops.push_back(std::move(attention));
    linear("o_a_proj", all / groups, grouped, "attended", "o_latent");
    linear("o_b_proj", grouped, hidden, "o_latent", "attention_out");
}

Block layer_of(Reader& config, const Traced& hidden, Compression compression) {
    Block layer;
    append_hyper_connection(config, layer, hidden, "x");
    append_normed(layer, rms, false, hidden, "collapsed", "normed");
    append_attention_sub_layer(config, layer, hidden, compression);
    layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_mixed"});
    append_hyper_connection(config, layer, hidden, "x_mixed");
    append_normed(layer, rms, false, hidden, "collapsed", "normed_2");
    const Traced width = config.count({"moe_intermediate_size"});
    FeedForwardShape shared{hidden, config.count({"n_shared_experts"}) * width};
    shared.part = Part::shared_experts;
    append_experts(layer,
                   Experts{Part::experts,
                           config.count({"n_routed_experts"}),
                           config.count({"num_experts_per_tok"}),
                           hidden,
                           width,
                           {},
                           {}},
                   &shared, false);
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

std::vector<unsigned short> compression_of(Reader& config, size_t layers) {
    std::vector<unsigned short> order(layers);
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

Model build(Reader& config) {
    const Traced hidden = config.count({"hidden_size"});
    Model model = decoder(config, hidden, rms, false, {});
    std::vector<NamedBlock> kinds;
    kinds.push_back({"window_layer", layer_of(config, hidden, window_only)});
    kinds.push_back({"sparse_layer", layer_of(config, hidden, sparse)});
    kinds.push_back({"heavy_layer", layer_of(config, hidden, heavy)});
    set_pattern(config, model, std::move(kinds), compression_of(config, model.order.size()));
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
                                      build};

}  // namespace plimsoll::architecture
