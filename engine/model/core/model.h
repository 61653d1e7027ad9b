/// A model as an ordered list of layers, a layer as one of a few kinds of block, a block as a list of operations. The
/// one description that every question is answered from.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/core/op.h"

namespace plimsoll {

/// Operations in the order in which a forward pass runs them. A layer's input is the tensor `x`, of the hidden width.
struct Block {
    std::vector<Op> ops;
    std::vector<bool> frozen = {};  ///< operations whose weights are not trained; empty: as the run says for all
    bool given_flows = true;        ///< a gradient is asked for of what the block is given

    bool is_frozen(size_t operation) const { return operation < frozen.size() && frozen[operation]; }
    /// Whether a backward pass runs through it.
    bool runs_backward() const {
        bool any = frozen.empty() || given_flows;
        for (const bool each : frozen) any = any || !each;
        return any;
    }
};

/// What a block is given. Those of a vision tower have vectors of a width of their own in place of the decoder's hidden
/// states: one for each patch of an image, or for each token that the image becomes. Of its blocks, checkpointing
/// recomputes the layers alone.
enum class Stream : unsigned char { hidden_states, patches, patches_of_layer, image_tokens };

/// Layers of one kind.
struct LayerKind {
    std::string name;  ///< `layer`, or what tells the kinds apart: `sliding_layer`, `full_layer`
    Traced count;
    Block block;
    Stream stream = Stream::hidden_states;  ///< other: of a tower whose blocks are described as they run
};

/// A part of the model beside the language decoder: a vision or audio tower, a projector, multi-token prediction. Its
/// parameters count in the total (those of `mtp` apart); a text-only pass does not run it.
struct Tower {
    std::string name;  ///< `vision`, `audio`, `projector`, `encoder`, `mtp`
    std::vector<LayerKind> kinds;
};

/// Bytes of a part of the model as a checkpoint stores it.
struct StoredPart {
    std::string name;  ///< `language`, `vision`, …; `scales` and `buffers` of all parts
    double bytes;
};

/// Something that was not said and that the engine filled in.
struct Assumption {
    std::string field;
    std::variant<double, bool, std::string> value;
    std::string why;
};

/// Cos and sin of each position, [positions, width].
struct RotaryTable {
    double width, positions;
    bool axes;      ///< positions are of time, height and width (M-RoPE)
    bool windowed;  ///< of layers that look at a window alone
};

/// A model's tables: no model has as many as there is room for.
struct RotaryTables {
    RotaryTable all[4] = {};
    size_t count = 0;
    RotaryTable* begin() { return all; }
    RotaryTable* end() { return all + count; }
    const RotaryTable* begin() const { return all; }
    const RotaryTable* end() const { return all + count; }
};

struct Model {
    std::string name;
    std::string architecture;  ///< class name in transformers, e.g. `LlamaForCausalLM`
    Block embedding, head;     ///< ids → x, and x → hidden states that the vocabulary head reads
    std::vector<LayerKind> kinds;
    std::vector<unsigned short> order;  ///< the kind of each layer, first to last
    std::vector<Tower> towers;
    std::optional<Traced> hidden_size, vocab_size;
    bool tied = false;  ///< the vocabulary head is the embedding matrix
    bool head_bias = false;
    bool logits_capped = false;
    std::vector<double> rotary_factors;  ///< lengths of the lists that scale rotary frequencies for long contexts
    bool scaled_layers = false;          ///< each layer's result is multiplied by a number of its own, a buffer
    bool scaled_logits = false;          ///< its code multiplies all logits by a number; looked at in training
    bool alibi_in_mask = false;          ///< its code gives all layers one mask, with each head's slopes in it
    std::optional<Traced> declared_parameters;  ///< typed by hand: counts in place of what the shapes give
    std::vector<StoredPart> stored;             ///< where the checkpoint's tensors are known
    std::vector<std::string> missing;           ///< typed by hand and left out
    std::vector<Assumption> assumptions;
    double context_limit = 0;  ///< positions the model was made for; 0: not said
    bool generic = false;      ///< not an architecture we know: a rule of thumb in its place
    double uncertainty = 0;    ///< of the parameters counted, as a share; 0: exact
    RotaryTables rotary_tables;
};

}  // namespace plimsoll
