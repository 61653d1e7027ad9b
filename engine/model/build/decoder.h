/// Models from layers: embedding, layers of one or several kinds, final norm and vocabulary head; layers that predict
/// further tokens; a language model inside another configuration.
#pragma once

#include <initializer_list>
#include <string>

#include "model/build/pattern.h"

namespace plimsoll {

/// A model whose layers are all of one kind, with an embedding and a final norm before the vocabulary head.
Model decoder(Reader& config, const Traced& hidden, Norm::Kind norm, bool norm_bias, Block layer);

/// A model whose layers all are `shape`; `tie_word_embeddings` decides on the head, `tied` where it is not said.
Model decoder_of(Reader& config, const LayerShape& shape, bool tied = false);

/// A kind of layer, before it is known how many the model has.
struct Variant {
    Label name;
    const LayerShape* shape;
};

/// A model whose layers follow `pattern`; variants that do not occur are left out.
Model decoder_of(Reader& config, std::initializer_list<Variant> variants, const Pattern& pattern, bool tied = false,
                 KindCounts counts = KindCounts::rest_first);

/// A model whose first layers are dense and whose later ones have `mixture`, with its prediction layers.
Model mixture_decoder(Reader& config, const LayerShape& shape, const MixtureShape& mixture);

/// `layers` layers, which are called `name`, in place of as many as `num_hidden_layers` says.
void set_depth(Model& model, Label name, const Traced& layers);

/// Layers that predict further tokens (`num_nextn_predict_layers`), as a part of its own: each is a layer, the product
/// of embedding and hidden state that goes into it, and three norms.
void append_prediction(Reader& config, Model& model, const LayerShape& shape, int norms = 3);

/// The product with the vocabulary matrix, once it is known whether that is the embedding's.
void append_head(Model& model);

/// The class of a line's language model, where it has defaults of its own beside the type that it is built as.
struct TextClass {
    Label config_class = "";
    Reader::Defaults defaults{};
};

/// The language model described in the nested configuration `block` ("" for one that lies flat in the outer), by its
/// own model_type; of type `otherwise` where it has none or one that only this line of models uses (`qwen3_vl_text`),
/// with the defaults of the line's `own` class, if there is one.
/// Its head is tied as the nested, else the outer, configuration says. Afterwards the outer configuration is read
/// again.
Model language_model(Reader& config, Label block, Label otherwise, const TextClass& own = {});

}  // namespace plimsoll
