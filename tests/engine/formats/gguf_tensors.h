/// A model's weights as llama.cpp names them, block by block.
#pragma once

#include "engine/formats/gguf_writer.h"
#include "model/core/model.h"

namespace plimsoll::test {

struct TensorStyle {
    bool fused = false;              ///< one matrix for query, key and value stays one
    bool norm_per_branch = false;    ///< two norms before attention and feed-forward, side by side
    bool short_convolution = false;  ///< LFM2's names for what Mamba has too
    int bias_tables = 1;             ///< of relative positions, in so many of the decoder's layers
    double layer_tokens = 0;         ///< rows that the converter widens the table of layer embeddings to
    double cut_positions = 0;        ///< rows of the position table that the converter cuts off
};

void write_tensors(GgufWriter& out, const Model& model, const TensorStyle& style);

}  // namespace plimsoll::test
