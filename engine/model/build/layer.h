/// The layer that today's decoders are variations of: attention or latent attention, then a feed-forward or a mixture
/// of experts, with norms before or after each; and the order in which the variations of one model follow each other.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "model/build/decoder.h"

namespace plimsoll {

/// Where a layer's norms stand: before each sub-layer, after it, or both.
enum class NormPlace : unsigned char { before, after, both };

/// Widths of multi-head latent attention; the rest is in AttentionShape.
struct LatentShape {
    std::optional<Traced> query_rank;  ///< absent: queries come from one matrix
    Traced rank, nope, rope, value;
    std::optional<Traced> index_heads, index_width;  ///< of the indexer, where the layer has one
};

/// A mixture of experts and the expert that every token visits.
struct MixtureShape {
    Traced experts, active, intermediate;
    std::optional<Traced> shared;  ///< width of the shared expert
    bool shared_gate = false;      ///< the shared expert's output is weighed by one learned gate
    bool shared_bias = false;
    bool bias = false;
    bool correction_bias = false;
    bool correction_buffer = false;                                     ///< the same as a buffer, which is no parameter
    bool sigmoid = false, renormalised = true, router_in_fp32 = false;  ///< see Experts

    /// DeepSeek-V3's router: sigmoids in fp32, and a buffer that shifts the choice.
    void scores_by_sigmoid() { sigmoid = router_in_fp32 = correction_buffer = true; }
};

struct LayerShape {
    AttentionShape attention;
    FeedForwardShape feed_forward;
    std::optional<LatentShape> latent;
    std::optional<MixtureShape> mixture;  ///< in place of the feed-forward
    Norm::Kind norm = Norm::Kind::rms;
    NormPlace place = NormPlace::before;
    bool norm_bias = false;
    bool norm_weight = true;
    bool parallel = false;  ///< one norm feeds attention and feed-forward, and both are added to the layer's input
    std::optional<double> dropout;  ///< on what is added to the residual stream; absent: the code has none
};

/// Attention's fields, with the switches `attention_bias` (q, k, v and output) and `attention_dropout`.
LayerShape read_layer(Reader& config, bool bias = false);

/// As `read_layer`, with `intermediate_size`, `hidden_act` and the switch `mlp_bias`.
LayerShape read_dense_layer(Reader& config, bool bias = false);

/// The layer of a vision transformer: LayerNorms, a plain feed-forward, biases everywhere.
LayerShape read_vision_layer(Reader& config);

LatentShape read_latent(Reader& config);

/// The routed experts as most configurations name them; `shared` experts of the same width become one that wide.
MixtureShape read_mixture(Reader& config);

Block layer_of(const LayerShape& shape);

/// A model whose layers all are `shape`; `tie_word_embeddings` decides on the head, `tied` where it is not said.
Model decoder_of(Reader& config, const LayerShape& shape, bool tied = false);

/// A kind of layer, before it is known how many the model has.
struct Variant {
    Label name;
    const LayerShape* shape;
};

/// The variant of each layer, first to last, as an index into the list of variants.
using Pattern = std::vector<unsigned char>;

/// A model whose layers follow `pattern`; variants that do not occur are left out.
Model decoder_of(Reader& config, std::initializer_list<Variant> variants, const Pattern& pattern, bool tied = false);

/// Number of layers, for patterns; 0 after an error.
size_t layer_count(Reader& config);

/// 1 for the layers that `field` (`layer_types`, `mlp_layer_types`, …) names `word`; nothing where it is absent.
std::optional<Pattern> layers_named(Reader& config, Label field, Label word);

/// 1 for the layers that look at a window only: as `layer_types` says, else all but every `period`th.
Pattern windowed_layers(Reader& config, double period);

/// 1 for the layers with a mixture of experts, in the fields of DeepSeek and its kin: `mlp_layer_types`, else all from
/// `first_k_dense_replace` on, or each `moe_layer_freq`th of them.
Pattern sparse_layers(Reader& config);

/// The same in the fields of Qwen: each `decoder_sparse_step`th layer but those in `mlp_only_layers`.
Pattern stepped_sparse_layers(Reader& config);

/// A model whose first layers are dense and whose later ones have `mixture`, with its prediction layers.
Model mixture_decoder(Reader& config, const LayerShape& shape, const MixtureShape& mixture);

/// DeepSeek-V2 and -V3 and their kin: latent attention, experts after some dense layers, an indexer where `indexed`.
Model latent_decoder(Reader& config, bool indexed, bool correction_buffer = true);

/// Layers that predict further tokens (`num_nextn_predict_layers`), as a part of its own: each is a layer, the product
/// of embedding and hidden state that goes into it, and three norms.
void append_prediction(Reader& config, Model& model, const LayerShape& shape, int norms = 3);

}  // namespace plimsoll
