// Gemma 3n: four streams of hidden states, of which one runs through the layer while the others are predicted and
// corrected (AltUp); a low-rank path beside attention (LAuReL); an embedding for each layer; last layers that borrow
// keys and values. MobileNet-V5 stands in timm, and is counted whole: both published totals leave exactly this many.
// Source: transformers, models/gemma3n/configuration_gemma3n.py and modeling_gemma3n.py.
#include <algorithm>

#include "model/build/decoder.h"
#include "model/build/per_layer.h"

namespace plimsoll::architecture {
namespace {

const std::initializer_list<ClassDefault> gemma3n_text_defaults = {{"vocab_size", 262400},
                                                                   {"hidden_size", 2048},
                                                                   {"intermediate_size", 16384},
                                                                   {"num_hidden_layers", 35},
                                                                   {"num_attention_heads", 8},
                                                                   {"num_key_value_heads", 2},
                                                                   {"head_dim", 256},
                                                                   {"sliding_window", 512},
                                                                   {"max_position_embeddings", 32768},
                                                                   {"final_logit_softcapping", 30},
                                                                   {"vocab_size_per_layer_input", 262144},
                                                                   {"hidden_size_per_layer_input", 256},
                                                                   {"altup_num_inputs", 4},
                                                                   {"num_kv_shared_layers", 15},
                                                                   {"laurel_rank", 64}};

void append_prediction_of_streams(Block& layer, const Traced& hidden, const Traced& streams) {
    constexpr Part part = Part::mixer;
    append_normed(layer, Norm::Kind::rms_gemma, false, hidden, "x", "router_input");
    append_linear(layer, "modality_router", part, hidden, streams, false, "router_input", "modalities");
    append_linear(layer, "prediction_coefs", part, streams, streams * streams, false, "modalities", "predictions");
    for (const Label stream : {"stream_1", "stream_2", "stream_3"})
        layer.ops.push_back(Multiply{part, "x", "predictions", stream});
}

void append_correction_of_streams(Block& layer, const Traced& hidden, const Traced& streams) {
    constexpr Part part = Part::mixer;
    append_linear(layer, "correction_coefs", part, streams, streams, false, "modalities", "corrections");
    append_normed(layer, Norm::Kind::rms_gemma, false, hidden, "x_out",
                  "x_scaled");  // correct_output_scale: a factor a channel
    for (const Label stream : {"stream_1", "stream_2", "stream_3"})
        layer.ops.push_back(Add{part, "x_final", stream, "stream_corrected"});
}

// The layer's norm feeds the low-rank path too, whose result is added to attention's.
Block streamed(Reader& config, const LayerShape& shape) {
    const Traced &hidden = shape.attention.hidden, streams = config.count({"altup_num_inputs"}),
                 rank = config.count({"laurel_rank"});
    Block layer, plain = layer_of(shape);
    append_prediction_of_streams(layer, hidden, streams);
    for (Op& op : plain.ops) {
        Add* add = op.as<Add>();
        const Norm* norm = op.as<Norm>();
        const bool first = norm && norm->to == "normed", attended = add && add->to == "x_attended";
        if (attended) add->to = "x_attention";
        layer.ops.push_back(std::move(op));
        if (first) {
            append_linear(layer, "laurel_left", Part::attention, hidden, rank, false, "normed", "laurel_low");
            append_linear(layer, "laurel_right", Part::attention, rank, hidden, false, "laurel_low", "laurel_high");
            append_normed(layer, Norm::Kind::rms_gemma, false, hidden, "laurel_high", "laurel_normed");
            layer.ops.push_back(Add{Part::attention, "normed", "laurel_normed", "laurel"});
        }
        if (attended) layer.ops.push_back(Add{Part::attention, "x_attention", "laurel", "x_attended"});
    }
    append_layer_input(layer, hidden, config.count({"hidden_size_per_layer_input"}));
    append_correction_of_streams(layer, hidden, streams);
    return layer;
}

// Soft tokens are normed and projected; the few tokens of the tower's own vocabulary have a table and a norm.
void append_embedder(Reader& config, Model& model, const Traced& width) {
    Block embedder;
    embedder.ops.push_back(Lookup{"embedding", Part::feed_forward, config.count({"vocab_size"}), width, false, "x"});
    for (int norm = 0; norm < 2; ++norm) append_counted_norm(embedder, Norm::Kind::rms_gemma, false, width);
    append_linear(embedder, "embedding_projection", Part::feed_forward, width, *model.hidden_size, false, "x", "x");
    model.towers.back().kinds.push_back({"embedder", Traced(1), std::move(embedder)});
}

void append_gemma3n_towers(Reader& config, Model& model) {
    config.enter("vision_config", "Gemma3nVisionConfig", {{"hidden_size", 2048}, {"vocab_size", 128}});
    const std::string network = config.word_or({"architecture"}, "mobilenetv5_300m_enc");
    if (network != "mobilenetv5_300m_enc")
        config.fail("architecture", "unknown_architecture", "the vision tower " + network + " is not known",
                    "type the model's numbers by hand");
    Block tower;
    append_linear(tower, "mobilenet_v5", Part::feed_forward, constant("mobilenetv5_300m_enc", 294126912), Traced(1),
                  false, "x", "x");
    add_tower(model, "vision", std::move(tower), Traced(1), {});
    append_embedder(config, model, config.count({"hidden_size"}));
    config.enter("audio_config", "Gemma3nAudioConfig",
                 {{"hidden_size", 1536},
                  {"vocab_size", 128},
                  {"input_feat_size", 128},
                  {"conf_num_hidden_layers", 12},
                  {"conf_num_attention_heads", 8},
                  {"conf_conv_kernel_size", 5}});
    conformer_tower(config, model);
    append_embedder(config, model, config.count({"hidden_size"}));
    config.enter("", "Gemma3nConfig", {});
}

// The kinds of layers, told apart by their feed-forward's width, a window, and whose keys and values they look at.
class Kinds {
public:
    Kinds(Reader& config, const LayerShape& shape, const std::vector<double>* widths)
        : config_(config), shape_(shape), widths_(widths), window_(config.optional_count({"sliding_window"})) {}

    void add(size_t index, bool slides, bool borrows) {
        const double width =
            widths_ && index < widths_->size() ? (*widths_)[index] : shape_.feed_forward.intermediate.value();
        const double key = 4 * width + 2 * borrows + slides;
        const auto at = std::find(known_.begin(), known_.end(), key);
        pattern.push_back(static_cast<unsigned short>(at - known_.begin()));
        if (at != known_.end()) return;
        known_.push_back(key);
        LayerShape here = shape_;
        if (widths_) here.feed_forward.intermediate = Traced::leaf("intermediate_size", width, "config.json: its list");
        if (slides) here.attention.window = window_;
        if (borrows) here.attention.source = CrossAttention::Source::none;  // its own projections are held all the same
        blocks.push_back({std::string(slides ? "sliding" : "full") + (borrows ? "_borrowing_layer" : "_layer"),
                          streamed(config_, here)});
    }

    std::vector<NamedBlock> blocks;
    Pattern pattern;

private:
    Reader& config_;
    const LayerShape& shape_;
    const std::vector<double>* widths_;
    const std::optional<Traced> window_;
    std::vector<double> known_;
};

LayerShape read_text_layer(Reader& config, const std::vector<double>* widths) {
    LayerShape shape = read_layer(config);
    shape.feed_forward.intermediate =
        widths && !widths->empty() ? Traced(widths->front()) : config.count({"intermediate_size"});
    shape.norm = shape.attention.qk_norm_kind = Norm::Kind::rms_gemma;
    shape.attention.qk_norm = QueryKeyNorm::head;
    shape.attention.value_norm = true;
    shape.place = NormPlace::both;
    return shape;
}

Model build_gemma3n(Reader& config) {
    const bool nested = config.word_or({"model_type"}, "") == "gemma3n" || config.has("text_config.model_type") ||
                        config.has("text_config.hidden_size");
    if (nested) config.enter("text_config", "Gemma3nTextConfig", gemma3n_text_defaults);
    const std::vector<double>* widths = config.numbers("intermediate_size");
    const LayerShape shape = read_text_layer(config, widths);
    const Traced& hidden = shape.attention.hidden;
    Model model = decoder_of(config, shape, true);
    if (config.error()) return model;
    const Pattern windowed = windowed_layers(config, 5);
    const double own = static_cast<double>(windowed.size()) - config.number_or({"num_kv_shared_layers"}, 0);
    Kinds kinds(config, shape, widths);
    for (size_t index = 0; index < windowed.size(); ++index)
        kinds.add(index, windowed[index], own > 0 && static_cast<double>(index) >= own);
    set_layers(config, model, std::move(kinds.blocks), std::move(kinds.pattern));
    append_layer_embeddings(config, model, config.count({"hidden_size_per_layer_input"}));
    const Traced others = Traced(2) * (config.count({"altup_num_inputs"}) - Traced(1));
    append_linear(model.head, "altup_projections", Part::head, hidden, others * hidden, false, "x", "streams");
    if (nested) append_gemma3n_towers(config, model);
    return model;
}

}  // namespace

extern const Architecture gemma3n{{"gemma3n", "gemma3n_text"},
                                  {"Gemma3nForConditionalGeneration", "Gemma3nForCausalLM"},
                                  "Gemma3nTextConfig",
                                  gemma3n_text_defaults,
                                  build_gemma3n};

}  // namespace plimsoll::architecture
