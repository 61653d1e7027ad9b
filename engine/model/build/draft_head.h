/// What drafts tokens beside a model out of the model's own hidden states: a head of one layer, or its own prediction
/// layers. Both are models without an embedding; the target's serves them.
#pragma once

#include "model/core/model.h"

namespace plimsoll {

enum class DraftHead : unsigned char {
    eagle,   ///< one layer without its first norm, over a product of embedding and hidden state; the target's head
    eagle3,  ///< one layer whose queries, keys and values see both side by side, over three states made one; own head
};

/// The head for a target, its layer like one of `like`'s with attention and a dense feed-forward; nothing where it has
/// none such. `vocabulary`: tokens that an eagle3 head chooses from.
/// Source: EAGLE (2401.15077, 2503.01840); vLLM, models/llama_eagle.py, llama_eagle3.py.
std::optional<Model> draft_head(const Model& like, DraftHead kind, const Traced& vocabulary);

/// The model's own layers that predict further tokens; nothing where it has none.
/// Source: vLLM, models/deepseek_mtp.py (embedding and head are the target's).
std::optional<Model> prediction_layers(const Model& target);

}  // namespace plimsoll
