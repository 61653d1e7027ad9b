/// A model's weights in a format that stores some of them one way and some another.
#pragma once

#include <memory>

#include "inputs/encoding.h"
#include "inputs/kernel.h"
#include "inputs/placement.h"
#include "model/core/file_matrix.h"
#include "model/core/model.h"

namespace plimsoll {

/// How one of the model's weights, or some columns of it, is stored.
struct StoredWeight {
    unsigned short weight;  ///< index in weights_of(model)
    const Encoding* encoding;
    double layers = 0;   ///< of those that have the weight; 0: all
    double columns = 0;  ///< of the weight's; 0: all
    double tensors = 1;  ///< in each layer
    Place place = 0;
    const Kernel* kernel = nullptr;  ///< of a server, that has it in an order of its own
    double row = 0;                  ///< elements of a row of each tensor, in a file
};

/// What a file stores beside the model's weights.
struct StoredBeside {
    std::string_view part;  ///< row that it belongs to
    const Encoding* encoding;
    double elements, tensors;  ///< elements of each tensor
    Place place = 0;
    bool copy = false;  ///< of what is held in another place too: the file has it once
    double row = 0;     ///< elements of a row
};

struct WeightMix {
    std::vector<StoredWeight> weights;
    std::vector<std::vector<FileMatrix>> file_matrices;  ///< with a placement: of each layer, then the head's
    std::vector<StoredBeside> beside;
    std::shared_ptr<const Encoding> made;                 ///< an encoding of the request's own, where one is used
    std::vector<std::shared_ptr<const Encoding>> loaded;  ///< encodings as a server's kernels keep them
    std::string missing;  ///< id of an encoding that the mix needs and that is not known; the mix is then not complete

    bool empty() const { return weights.empty(); }
};

/// How much of a mix is stored in one encoding.
struct StoredType {
    const Encoding* encoding;
    double tensors = 0, bytes = 0;            ///< values alone, without scales
    double host_tensors = 0, host_bytes = 0;  ///< of these, what lies in the host's memory
};

/// A mix by encoding, in order of first appearance.
std::vector<StoredType> stored_types(const Model& model, const WeightMix& mix);

/// Whether this build knows how the format mixes its types: the engine that a page fetches first leaves GGUF to the
/// whole one.
bool knows(const Encoding& encoding);

/// The mix of `encoding`; empty where every weight is stored in `encoding` itself. `published` is the id of the
/// encoding that the model's own files have. With a `placement`, every entry says where it is, and what is held in two
/// places is there twice; else all are at place 0 and add up to the file.
WeightMix weight_mix(const Model& model, const Encoding& encoding, const Encodings& encodings,
                     std::string_view published, const Placement* placement = nullptr);

}  // namespace plimsoll
