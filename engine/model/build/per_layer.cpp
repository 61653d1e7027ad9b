#include "model/build/per_layer.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr auto gemma = Norm::Kind::rms_gemma;

}  // namespace

void append_layer_input(Block& layer, const Traced& hidden, const Traced& width) {
    constexpr Part part = Part::embedding;
    append_linear(layer, "per_layer_input_gate", part, hidden, width, false, "x_out", "layer_gate");
    layer.ops.push_back(Activation{part, Activation::Kind::one_kernel, "layer_gate", "layer_gate_active"});
    // the other factor is a slice of what the embedding made for all layers
    layer.ops.push_back(Multiply{part, "layer_gate_active", "layer_gate_active", "layer_gated"});
    append_linear(layer, "per_layer_projection", part, width, hidden, false, "layer_gated", "layer_added");
    append_normed(layer, gemma, false, hidden, "layer_added", "layer_added_normed");
    layer.ops.push_back(Add{part, "x_out", "layer_added_normed", "x_final"});
}

void append_layer_embeddings(Reader& config, Model& model, const Traced& width) {
    if (config.error() || model.kinds.empty()) return;
    const Traced layers = config.count({"num_hidden_layers"});
    const Traced all = Traced::name(Made::term, "layer_inputs_width", layers * width);
    std::vector<Op>& ops = model.embedding.ops;
    ops.push_back(Lookup{"embed_tokens_per_layer", Part::embedding, config.count({"vocab_size_per_layer_input"}), all,
                         false, "layer_embeddings"});
    append_linear(model.embedding, "per_layer_model_projection", Part::embedding, *model.hidden_size, all, false, "x",
                  "layer_projection");
    ops.push_back(Norm{"norm", gemma, width, true, false, "layer_projection", "layer_projection_normed",
                       Part::embedding, layers});
    ops.push_back(Add{Part::embedding, "layer_embeddings", "layer_projection_normed", "layer_inputs"});
}

void conformer_tower(Reader& config, Model& model) {
    const Traced hidden = config.count({"hidden_size"});
    const Traced heads = config.count({"conf_num_attention_heads", "num_attention_heads"});
    constexpr Part part = Part::feed_forward;
    Block layer, rest;
    const auto linear = [&](Block& block, const Traced& in, const Traced& out) {
        append_linear(block, "linear", part, in, out, false, "x", "x");
    };
    append_vector(layer, "norms", Traced(9) * hidden);  // two of each part, and one at the end
    for (int half = 0; half < 2; ++half) append_two_linears(layer, hidden, Traced(4) * hidden, hidden, false);
    linear(layer, hidden, Traced(5) * hidden);  // queries, keys, values, relative positions, output
    append_vector(layer, "per_dim_scale", config.head_dim(hidden, heads));
    linear(layer, hidden, Traced(3) * hidden);  // gated, and back
    append_vector(layer, "depthwise", hidden * config.count({"conf_conv_kernel_size", "conv_kernel_size"}));
    const std::vector<double>* stated = config.numbers("sscp_conv_channel_size");
    if (!stated) stated = config.numbers("subsampling_conv_channels");
    const double first = stated && stated->size() == 2 ? (*stated)[0] : 128,
                 second = stated && stated->size() == 2 ? (*stated)[1] : 32;
    const Traced channels = Traced::leaf("first_channels", first, "audio_config, of the first convolution"),
                 out = Traced::leaf("second_channels", second, "audio_config, of the second convolution");
    // each convolution halves the bands of the spectrogram; Gemma 4 takes these to be as many as first channels
    const double bands = config.number_or({"input_feat_size"}, first);
    const Traced left = Traced::leaf("bands", std::ceil(std::ceil(bands / 2) / 2), "a quarter of input_feat_size");
    const Traced kernel = constant("kernel_elements", 9);
    linear(rest, kernel, channels);
    linear(rest, kernel * channels, out);
    append_vector(rest, "norms", channels + out);
    linear(rest, out * left, hidden);
    add_tower(model, "audio", std::move(layer), config.count({"conf_num_hidden_layers", "num_hidden_layers"}),
              std::move(rest));
}

}  // namespace plimsoll
