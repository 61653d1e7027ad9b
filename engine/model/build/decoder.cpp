// Models from layers: what stands around them, and how many of which kind they have.
#include "model/build/decoder.h"

namespace plimsoll {
namespace {

constexpr double most_layers = 10000;  // bounds the work that one request can ask for

}  // namespace

Model decoder(Reader& config, const Traced& hidden, Norm::Kind norm, bool norm_bias, Block layer) {
    Model model;
    model.hidden_size = hidden;
    model.vocab_size = config.count({"vocab_size", "padded_vocab_size"});
    model.context_limit = config.number_or({"max_position_embeddings", "n_positions", "n_ctx", "seq_length"}, 0);
    model.logits_capped = config.number_or({"final_logit_softcapping", "logits_soft_cap"}, 0) > 0;
    const Traced layers = config.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    if (layers.value() > most_layers)
        config.fail("num_hidden_layers", "out_of_range", "no model has so many layers",
                    "copy the value from the model's config.json");
    if (config.error()) return model;
    model.embedding.ops.push_back(Lookup{"embed_tokens", Part::embedding, *model.vocab_size, hidden, false, "x"});
    model.head.ops.push_back(Norm{"final_norm", norm, hidden, true, norm_bias, "x", "final"});
    model.kinds.push_back({"layer", layers, std::move(layer)});
    model.order.assign(static_cast<size_t>(layers.value()), 0);
    return model;
}

Model decoder_of(Reader& config, const LayerShape& shape, bool tied) {
    Model model = decoder(config, shape.attention.hidden, shape.norm, shape.norm_bias, layer_of(shape));
    model.tied = config.flag_or({"tie_word_embeddings"}, tied);
    if (!shape.norm_weight && !model.head.ops.empty()) (*model.head.ops.front().as<Norm>()).weight = false;
    return model;
}

Model decoder_of(Reader& config, std::initializer_list<Variant> variants, const Pattern& pattern, bool tied,
                 KindCounts counts) {
    Model model = decoder_of(config, *variants.begin()->shape, tied);
    if (config.error()) return model;
    std::vector<NamedBlock> kinds;
    for (const Variant& variant : variants) kinds.push_back({std::string(variant.name), layer_of(*variant.shape)});
    set_layers(config, model, std::move(kinds), pattern, counts);
    return model;
}

Model mixture_decoder(Reader& config, const LayerShape& shape, const MixtureShape& mixture) {
    LayerShape sparse = shape;
    sparse.mixture = mixture;
    Model model = decoder_of(config, {{"dense_layer", &shape}, {"sparse_layer", &sparse}}, sparse_layers(config));
    append_prediction(config, model, sparse);
    return model;
}

void set_depth(Model& model, Label name, const Traced& layers) {
    model.kinds.front().name = name;
    model.kinds.front().count = layers;
    model.order.assign(static_cast<size_t>(layers.value()), 0);
}

void append_prediction(Reader& config, Model& model, const LayerShape& shape, int norms) {
    const auto layers = config.optional_count({"num_nextn_predict_layers", "mtp_num_hidden_layers"});
    if (!layers || config.error()) return;
    const Traced& hidden = shape.attention.hidden;
    Block block = layer_of(shape);
    append_linear(block, "input_proj", Part::attention, Traced(2) * hidden, hidden, false, "x", "x");
    for (int norm = 0; norm < norms; ++norm) append_normed(block, shape.norm, false, hidden, "x", "x");
    model.towers.push_back({"mtp", {{"prediction_layer", *layers, std::move(block)}}});
}

void append_head(Model& model) {
    if (!model.hidden_size || !model.vocab_size) return;
    model.head.ops.push_back(Linear{"lm_head", Part::head, *model.hidden_size, *model.vocab_size, model.head_bias,
                                    "final", "logits", !model.tied});
    if (model.logits_capped)  // tanh keeps its result for the backward pass (transformers, modeling_gemma2.py)
        model.head.ops.push_back(Activation{Part::head, Activation::Kind::from_output, "logits", "logits_capped"});
}

}  // namespace plimsoll
