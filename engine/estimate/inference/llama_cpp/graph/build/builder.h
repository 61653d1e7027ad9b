/// llama.cpp's graph of one micro-batch, put together from the blocks of the engine's model.
#pragma once

#include <optional>

#include "estimate/inference/llama_cpp/graph/graph.h"
#include "estimate/inference/llama_cpp/llama_graph.h"
#include "model/core/model.h"
#include "policies/runtimes/llama_cpp_family.h"

namespace plimsoll::llama_cpp {

/// What one layer's operations are made of, by the labels of the block.
class Values {
public:
    Id at(Label name) const;
    void set(Label name, Id id);
    bool has(Label name) const { return at(name) != nothing; }
    void clear() { entries_.clear(); }
    Id last() const { return entries_.back().id; }

private:
    struct Entry {
        Label name;
        Id id;
    };
    std::vector<Entry> entries_;
};

/// Inputs of one attention cache.
struct CacheInputs {
    Id keys = nothing, values = nothing, mask = nothing;
    Id key_rotation = nothing, value_rotation = nothing;
    Id last_keys = nothing, last_values = nothing;  ///< the cache of the layer that stored last, for those that borrow
    Size cells;
};

struct AttentionSizes {
    double heads, kv_heads, key_width, value_width, out_width;
    bool sinks, latent;
};

/// What a state-space mixer reads: its projected and convolved inputs, and the states of the batch's sequences.
struct Scan {
    double each, channels, inner, size;  ///< tokens of a sequence; widths; elements of a state
    Id projected = nothing, wide = nothing, cache = nothing, states = nothing;
};

struct DeltaSizes {
    double each, state, value_width;
    double value_heads = 0, key_width = 0, key_heads = 0;
};

class Builder {
public:
    /// `steps`: how far from the context's cells every decision is the same.
    Builder(const Model& model, const LlamaContext& context, Steps& steps);
    Graph build();

private:
    // builder.cpp
    void embed(double hidden);
    void finish(double vocabulary);
    Id rows_picked(Id id);
    bool cpu_alone() const { return context_.backend == LlamaContext::Backend::cpu; }
    /// A matrix of in × out elements (for each expert), in the file's encoding; a vector in fp32. Where its layer is,
    /// but for matrices that stay on the host by themselves.
    Id matrix(const MatrixName& name, const Size& in, double out, double experts = 1);
    Id vector(const Size& width = 1) { return weight(4, {width, 1, 1, 1}, place_); }
    Id rotary_factors();
    Id table() { return weight(2, {1, 1, 1, 1}, on_host); }
    Id weight(double width, const Shape& shape, Place place);
    /// A cache, where the layer's is.
    Id held(double width, const Shape& shape);
    Place place_of(size_t layer) const;
    Id linear(Id from, const MatrixName& name, double out, bool bias = false);
    Id normed(Id from, Norm::Kind kind, bool weighted, bool bias);
    Id heads_of(Id from, const Size& width, double heads);
    Id sum(Id a, Id b) { return graph_.same(Op::add, {a, b}); }

    // layer.cpp: a visit for each kind of operation
    void layer(const Block& block, bool last);
    void visit(size_t from, size_t to);
    void side_by_side();
    void visit(const Linear& op);
    void visit(const Norm& op);
    void visit(const Activation& op);
    void visit(const Multiply& op);
    void visit(const Dropout& op) { values_.set(op.to, value(op.from)); }
    void visit(const Add& op);
    void add_branches(const Add& op);
    void add_to_residual(const Add& op);
    void visit(const Rope& op);
    void visit(const Split& op);
    void visit(const Lookup&) {}
    void visit(const FusedKernel&) {}
    void visit(const HeadExchange&) {}
    void visit(const CompressedAttention&) {}
    Id value(Label name);
    Id picked(Id id);
    bool reshapes_result() const;
    bool opens_convolution(const Linear& op) const;
    bool adds(Label name) const;
    bool is_normed(Label name) const;
    Id apart(Id of);
    Id part_of(Id whole, const Shape& shape, bool attended);
    const Linear* producer(Label to) const;
    /// The layer's attention, be its keys its own or an earlier layer's; null where it has none.
    const Attention* find_attention() const;
    template <class T>
    const T* find() const {
        for (const auto& op : block_->ops)
            if (const T* found = op.as<T>()) return found;
        return nullptr;
    }

    // attention.cpp
    void visit(const Attention& op);
    void visit(const CrossAttention& op);
    void visit(const LatentAttention& op);
    bool has_positions(const Attention& op) const;
    Id prepared_queries(const Attention& op);
    Id attend(Id q, Id k, Id v, CacheInputs& cache, const AttentionSizes& sizes);
    Id flash(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes);
    Id eager(Id q, Id k, Id v, const CacheInputs& cache, const AttentionSizes& sizes);
    Id permuted(Id from);
    Id narrowed(Id from, double bytes);
    Id expanded(Id from, const AttentionSizes& sizes);
    Id rotated(Id from, Id& matrix, double size);
    void store_keys(Id k, CacheInputs& cache, const AttentionSizes& sizes);
    void store_values(Id v, CacheInputs& cache, const AttentionSizes& sizes);
    Id shown_values(Id stored, const CacheInputs& cache, const AttentionSizes& sizes);
    void store(Id cache, Id from, Id at, double width, double row, bool transposed);
    CacheInputs& cache_of(const std::optional<Traced>& window, double values_width);
    CacheInputs make_cache(const Size& cells, double values_width);

    // layer_inputs.cpp
    void embed_for_layers();
    Id layer_input();

    // streams.cpp
    bool has_streams() const;
    Id stream(Id of, double count);
    Id magnitude(Id of);
    Id aligned(Id streams, Id first);
    void split_streams();
    void merge_streams();
    Id modalities(Id from);
    void predict_streams();
    void correct_streams(Id made);
    void add_in_stream(const Add& op);
    Id gated_in_stream(Id gate, Id up);

    // experts.cpp
    void visit(const Experts& op);
    Id choose(Id scores, const Experts& op, Id& weights);
    Id weighed(Id rows, std::vector<Id>& read);
    Id weighed_sum(const Experts& op, Id results, Id chosen, Id weights);
    void hold(Id result, const std::vector<Id>& read);
    Id within_groups(Id ranked, double experts, double tokens);
    Place place_of_experts() const;
    Id scaled_results(Id results, Id chosen, const Experts& op);
    Id summed(Id results, double active, const Shape& each);

    // recurrent.cpp
    void visit(const Recurrence& op);
    void visit(const ShortConvolution& op);
    bool is_delta_net() const;
    const Norm* find_mixer_norm() const;
    Label mixer_input() const;
    Id state_rows(Id cache, double size, Id& states);
    void copy_rest(Id cache, double size, Id states);
    void copy_into(Id shown, Id from);
    Id extend(double channels, double kernel, Id& cache);
    Id joined(Id before, Id given, Id cache, double channels, double kernel);
    Id convolved(Id all, double channels, bool bias);

    // mamba.cpp
    void mamba(const Recurrence& op);
    void mamba2(const Recurrence& op);
    Scan open_scan(const Recurrence& op, bool second);
    Id run_scan(const Scan& scan, const Shape& states, std::initializer_list<Id> given);
    Id gated_scan(const Scan& scan, Id made, Id x, const Shape& shape, double gains);
    bool has_inner_norms() const;
    bool knows(const Recurrence& op) const;

    // delta_net.cpp
    void gated_delta(const Recurrence& op);
    Id open_delta(Id from, const DeltaSizes& sizes, Id& cache, Id& rows);
    Id delta_key(Id wide, const DeltaSizes& sizes);
    void decay_and_rate(Id from, const DeltaSizes& sizes, Id& decay, Id& rate);

    const Model& model_;
    const LlamaContext& context_;
    const LlamaCppFamily& family_;
    Graph graph_;
    double sequences_, streams_;
    double widest_values_ = 0;   // of one token in a layer's cache
    Id predictions_ = nothing;   // of a layer's streams
    Id layer_inputs_ = nothing;  // embeddings of the tokens for each layer: [width, tokens, layers]
    Size cells_, window_cells_;
    double tokens_, outputs_;
    Id x_ = nothing, positions_ = nothing, picked_ = nothing, temperature_ = nothing, beside_ = nothing;
    Id state_from_ = nothing, state_rest_ = nothing;
    CacheInputs cache_, window_;
    std::vector<Id> factors_;  // of rotation, one in each place that has layers
    const Block* block_ = nullptr;
    const Linear* expansion_ = nullptr;  // of the layer's latents into keys and values
    Values values_;
    Place place_ = 0;   // of the layer's weights
    size_t layer_ = 0;  // the number of layers at the head
    bool last_ = false;
    const Norm* late_norm_ = nullptr;  // of queries and keys, which follows their rotation
    Id picked_after_ = 0;  // tensors made before this one have a row for each token, later ones for each output
};

}  // namespace plimsoll::llama_cpp
