/// What data parallelism holds beside a step's own tensors: buckets that gradients are reduced in, and weights that are
/// gathered for the layers that run.
///
///     ddp        buckets for all gradients, from the beginning on; none where gradients lie in them
///     deepspeed  a bucket (before stage 3 two, where it communicates meanwhile) throughout the backward pass, however
///                few gradients there are. Stage 3: besides, the matrix that is multiplied and what is fetched ahead;
///                what the backward pass needs again so soon that it is not let go of; small parameters, which stay
///                whole. On one device a share is the whole, and nothing is gathered
///     fsdp       a unit is a layer, or all that is outside of layers, which stays from the first use to the last. One
///                unit runs while the next one comes. Gradients of a unit are joined before they are reduced
///     fsdp2      what comes is copied out of the piece that it has come in, into parameters of the main stream; those go
///                when the unit has run, and the piece when the next unit's has come, or the model's forward pass has
///                ended. Gradients are joined in the main stream,
///                in the type in which they are reduced, when the unit's parameters have gone; that piece waits until the
///                next unit is about to be reduced. What is reduced is another stream's, and goes to the host from there
///     pipeline   what stages hand each other
///     context    the keys and values that go round; where heads are exchanged for tokens, what is sent belongs to the
///                layer (model/operations/head_exchange.h)
///
/// Source: PyTorch, reducer.cpp (initialize_buckets), fsdp/_flat_param.py, fsdp/_fully_shard/_fsdp_param_group.py,
/// _fsdp_collectives.py. DeepSpeed, zero/stage_1_and_2.py (ipg buckets), zero/partitioned_param_coordinator.py
/// (fetch_sub_module, __params_to_release), zero/parameter_offload.py (persistent parameters), zero/partition_parameters.py
/// (NoGatherHandle).
#pragma once

#include "estimate/training/forward/saved.h"
#include "estimate/training/timeline/groups.h"
#include "policies/encodings/unquantized.h"
#include "policies/training/data_parallel.h"

namespace plimsoll {

/// Bytes of a block's weights as they are gathered: in the type that the pass reads, or as they are packed; with the
/// adapters beside them.
template <class N>
Bytes<N> gathered_bytes(const Block& block, const TrainingInputs& inputs, std::string_view name) {
    const Bytes<N> plain = bytes_of<N>(inputs.precision.numerics.parameter);
    Bytes<N> bytes{N(0)};
    N elements{0};
    for (const Weight<N>& weight : weights_of<N>(block)) {
        if (is_packed(weight, inputs))
            bytes += Bytes<N>{named({"packed_", weight.name}, inputs.weights->bytes(weight.elements()).n)};
        else
            elements += named(weight.name, weight.elements());
    }
    bytes += elements * plain;
    if (inputs.request.method.adapter)
        bytes += adapter_parameters<N>(block, *inputs.request.method.adapter) *
                 bytes_of<N>(inputs.request.method.adapter->dtype);
    return {named({"gathered_", name}, bytes.n)};
}

/// The groups of the row `communication` at the moments of a step.
template <class N>
class Communication {
public:
    Communication(const Model& model, const TrainingInputs& inputs, const N& trainable)
        : model_(model), inputs_(inputs), layout_(inputs.layout) {
        const bool alone = layout_.shards() == 1 && layout_.data == 1 && !layout_.zero_alone;
        const bool divides = !alone && !model.kinds.empty() && model.hidden_size;
        const bool bucketed = divides && layout_.sharding == Sharding::deepspeed && layout_.zero > 0;
        if (inputs.request.gradients.bucket > 0 || bucketed) reduce_buckets();
        if (layout_.pipeline > 1 && model.hidden_size) exchange_stages();
        if (layout_.context > 1 && !layout_.exchanges_heads()) exchange_keys();
        if (!divides) return;
        if (layout_.sharding == Sharding::ddp && !layout_.gradient_as_bucket_view)
            standing_.add(RowId::gradient_buckets, trainable * gradient_made());
        if (!layout_.divides_weights()) return;
        if (gathers_units(layout_.sharding))
            gather_units();
        else if (layout_.sharding == Sharding::deepspeed && layout_.shards() > 1)
            gather_matrices();
    }

    /// From the beginning on, and while the optimizer steps.
    const Groups<N>& standing() const { return standing_; }
    /// At the vocabulary head; forward, the piece that the last layer's weights have come in is still there.
    Groups<N> outside(bool backward) const { return at(backward ? &outside_ : &at_head_, backward); }
    /// At the loss, when the model's forward pass has ended: the ends may have been let go of.
    Groups<N> at_loss(bool backward) const { return at(layout_.ends_let_go ? nullptr : &outside_, backward); }
    /// Where the first layer's weights have come, beside the piece that those of the ends have come in.
    const Groups<N>& first_layer_comes() const { return first_comes_; }
    /// While a layer of a kind runs. Backward, a unit goes when its layer has run, whatever stayed till then (`whole`).
    Groups<N> inside(size_t kind, bool backward) const {
        if (backward && layout_.units_go_backward()) return at(&ends_, true);
        return at(kind < running_.size() ? &running_[kind] : nullptr, backward);
    }
    /// When all layers have run backward.
    Groups<N> at_embedding() const { return layout_.units_go_backward() ? at(&ends_, true) : outside(true); }
    /// A unit that stays whole from the forward pass until its layer has run backward.
    Bytes<N> whole(size_t kind) const { return kind < whole_.size() ? whole_[kind] : Bytes<N>{N(0)}; }
    /// While the gradients of such a layer are joined: fsdp2 has let go of its parameters.
    Groups<N> while_joining(size_t kind) const {
        Groups<N> groups = standing_;
        groups.add(in_backward_, N(1));
        if (kind < running_.size())
            for (const Group<N>& each : running_[kind].list())
                if (layout_.sharding != Sharding::fsdp2 || each.id != RowId::gathered_units)
                    groups.add(each.id, each.bytes);
        return groups;
    }
    /// Of that, what is gathered for the layer.
    Groups<N> gathered(size_t kind) const { return kind < running_.size() ? running_[kind] : Groups<N>{}; }
    /// What units take of the driver at their fullest, in streams beside the main one: the allocator hands no stream what
    /// another one has freed.
    ///     fsdp    gathered weights of two units, one of them the largest, of which parameters are views; all that is kept
    ///             of the gradients, which is made there, and two units of them that are being reduced
    ///     fsdp2   gathered weights as well, which wait until the next unit's are there. Of a unit's shares, those that lie
    ///             on the host come to the device, and those of another type than the pass reads are cast. What a unit's
    ///             gradients are reduced to, where it is not what stays
    /// (_fsdp_param_group.py, wait_for_unshard, post_backward; _fsdp_param.py, all_gather_inputs; _fsdp_collectives.py,
    /// foreach_all_gather, foreach_reduce; _flat_param.py, pre_unshard)
    Bytes<N> stream_pools(const Bytes<N>& gradients) const {
        if (value_of(largest_unit_) == 0) return {N(0)};
        const bool from_host = layout_.parameters != Residence::device;
        const N share = share_of_copies<N>(layout_);
        Bytes<N> pools = largest_unit_ + largest_layer_ + gradients;
        if (layout_.sharding != Sharding::fsdp2) {
            pools += reducing_;
            return from_host ? pools + share * largest_unit_ : pools;
        }
        const Bytes<N> read = bytes_of<N>(inputs_.precision.numerics.parameter),
                       stored = bytes_of<N>(inputs_.precision.stored_type());
        const N elements = named("elements_of_a_unit", largest_unit_.n / read.n);
        if (from_host) pools += share * elements * stored;
        if (value_of(read) != value_of(stored)) pools += share * elements * read;
        const bool stays = value_of(gradients) > 0 && inputs_.request.batch.accumulation == 1;
        return stays ? pools : pools + share * reducing_;
    }
    /// Besides: gradients of a layer that are on their way.
    Bytes<N> handed_over(size_t kind) const { return kind < handed_over_.size() ? handed_over_[kind] : Bytes<N>{N(0)}; }
    /// fsdp2: those of the vocabulary head by itself, and of what else is outside of layers, in one piece to be reduced.
    const Bytes<N>& head_handed_over() const { return head_handed_over_; }
    const Bytes<N>& ends_handed_over() const { return ends_handed_over_; }

private:
    Groups<N> at(const Groups<N>* gathered, bool backward) const {
        Groups<N> groups = standing_;
        if (backward) groups.add(in_backward_, N(1));
        if (gathered) groups.add(*gathered, N(1));
        return groups;
    }
    Bytes<N> gradient_made() const { return bytes_of<N>(inputs_.gradient_made()); }
    /// The type that gradients are reduced in.
    Bytes<N> reduced_in() const {
        const bool widened = layout_.gradients_reduced_in_fp32 && value_of(gradient_made()) < 4;
        return widened ? bytes_of<N>(Dtype::float32) : gradient_made();
    }
    void reduce_buckets() {
        const double asked = inputs_.request.gradients.bucket;
        const bool both = asked == 0 && layout_.overlap_communication && !layout_.divides_weights();
        const Bytes<N> bucket = input<N>("reduce_bucket_size", asked > 0 ? asked : layout_.reduce_bucket,
                                         "request: parallel.reduce_bucket (DeepSpeed's default: 5e8 elements)") *
                                bytes_of<N>(inputs_.precision.numerics.compute);
        in_backward_.add(RowId::reduce_buckets, both ? N(2) * bucket : bucket);
    }
    /// What comes from one neighbour of a stage and what goes to the other: activations forward, gradients backward.
    void exchange_stages() {
        const Pass<N> pass = training_pass<N>(inputs_);
        const N neighbours = N((inputs_.place.first ? 0.0 : 1.0) + (inputs_.place.last ? 0.0 : 1.0));
        const Bytes<N> stream = pass.stream_tokens() * as<N>(*model_.hidden_size) * bytes_of<N>(residual_type(pass));
        standing_.add(RowId::pipeline_buffers, neighbours * stream);
    }
    /// Ring attention: while one part of the keys and values is attended to, the next one arrives; backward, so do
    /// their gradients. (PyTorch, _context_parallel; Liu et al., arXiv:2310.01889)
    void exchange_keys() {
        const Pass<N> pass = training_pass<N>(inputs_);
        N widest{0};
        for (const LayerKind& kind : model_.kinds)
            for (const Op& op : kind.block.ops)
                if (const Attention* attention = op.as<Attention>()) {
                    const N width = named("kv_width", as<N>(attention->kv_heads) * as<N>(attention->head_dim));
                    if (value_of(width) > value_of(widest)) widest = width;
                }
        const Bytes<N> part = N(2) * pass.tokens * widest * bytes_of<N>(pass.options.numerics.compute);
        standing_.add(RowId::ring_buffers, N(2) * part);
        in_backward_.add(RowId::ring_buffers, N(2) * part);
    }
    void gather_units() {
        const Bytes<N> head = gathered_bytes<N>(model_.head, inputs_, "head");
        const Bytes<N> embedding = gathered_bytes<N>(model_.embedding, inputs_, "embedding");
        outside_.add(RowId::gathered_ends, layout_.ends_apart && !model_.tied ? head : embedding + head);
        ends_ = outside_;
        const Groups<N>& ends = ends_;
        const Bytes<N> arrived = ends.total();
        for (const LayerKind& kind : model_.kinds) {
            const Bytes<N> unit = gathered_bytes<N>(kind.block, inputs_, kind.name);
            running_.push_back(ends);
            const bool copied = layout_.sharding == Sharding::fsdp2;
            if (layout_.reshard_after_forward) running_.back().add(RowId::gathered_units, copied ? unit : N(2) * unit);
            if (layout_.reshard_after_forward && copied) running_.back().add(RowId::all_gather_output, unit);
            if (!layout_.reshard_after_forward) outside_.add(RowId::gathered_units, as<N>(kind.count) * unit);
            if (layout_.units_go_backward()) whole_.push_back(unit);
            const N trained = named({"trained_in_", kind.name}, gradient_parameters<N>(kind.block, inputs_));
            handed_over_.push_back(trained * reduced_in());
        }
        if (!layout_.reshard_after_forward)
            for (Groups<N>& running : running_) running = outside_;
        at_head_ = outside_;
        if (layout_.sharding == Sharding::fsdp2 && !model_.order.empty()) {
            const LayerKind& last = model_.kinds[model_.order.back()];
            at_head_.add(RowId::all_gather_output, gathered_bytes<N>(last.block, inputs_, last.name));
            first_comes_ = running_[model_.order.front()];
            if (layout_.reshard_after_forward) first_comes_.add(RowId::all_gather_output, arrived);
        }
        const Bytes<N>& larger = value_of(embedding) < value_of(head) ? head : embedding;
        measure_units(layout_.ends_apart ? larger : embedding + head);
    }
    void measure_units(const Bytes<N>& ends) {
        size_t largest = 0;
        for (size_t kind = 1; kind < model_.kinds.size(); ++kind)
            if (value_of(handed_over_[kind]) > value_of(handed_over_[largest])) largest = kind;
        const LayerKind& kind = model_.kinds[largest];
        largest_layer_ = gathered_bytes<N>(kind.block, inputs_, kind.name);
        largest_unit_ = value_of(ends) > value_of(largest_layer_) ? ends : largest_layer_;
        const bool two = layout_.sharding != Sharding::fsdp2;
        reducing_ = two ? N(2) * handed_over_[largest] : handed_over_[largest];
        if (inputs_.request.method.adapter) return;
        if (!two) return hand_over_ends(handed_over_[largest]);
        const Bytes<N> joined = ends / bytes_of<N>(inputs_.precision.numerics.parameter).n * reduced_in().n;
        if (value_of(joined) > value_of(handed_over_[largest])) reducing_ = joined + handed_over_[largest];
    }
    void hand_over_ends(const Bytes<N>& of_a_layer) {
        const auto joined = [this](const Block& block, const char* name) {
            return Bytes<N>{named({"joined_", name}, parameters<N>(block) * reduced_in().n)};
        };
        const Bytes<N> head = joined(model_.head, "head"), embedding = joined(model_.embedding, "embedding");
        const bool apart = layout_.ends_apart && !model_.tied;
        if (apart) head_handed_over_ = head;
        ends_handed_over_ = apart ? embedding : embedding + head;
        const Bytes<N>& larger = value_of(head) > value_of(ends_handed_over_) ? head : ends_handed_over_;
        reducing_ = value_of(larger) > value_of(of_a_layer) ? larger : of_a_layer;
    }
    /// Stage 3 gathers what one operation needs, and a bucket ahead; never more than may be live.
    void gather_matrices() {
        const auto at_most_live = [this](const N& elements) {
            return value_of(elements) > layout_.live_parameters
                       ? input<N>("max_live_parameters", layout_.live_parameters, deepspeed)
                       : elements;
        };
        const Bytes<N> plain = bytes_of<N>(inputs_.precision.numerics.parameter);
        const N ahead = input<N>("prefetch_bucket_size", layout_.prefetch_bucket, deepspeed);
        for (const LayerKind& kind : model_.kinds) {
            N largest{0};
            for (const Weight<N>& weight : weights_of<N>(kind.block))
                if (value_of(weight.elements()) > value_of(largest)) largest = named(weight.name, weight.elements());
            Groups<N> running;
            running.add(RowId::gathered_matrices, named("live_elements", at_most_live(largest + ahead)) * plain);
            running_.push_back(std::move(running));
        }
        outside_.add(RowId::gathered_matrices, named("live_elements", at_most_live(needed_again())) * plain);
        persistent(plain);
    }
    /// Of the head, and of the last layers: what the backward pass needs again before so many other elements.
    N needed_again() const {
        N elements = named("head_elements", parameters<N>(model_.tied ? model_.embedding : model_.head));
        double after = value_of(elements), layers = 0;
        for (size_t position = model_.order.size(); position > 0 && 2 * after <= layout_.reuse_distance; --position) {
            after += parameters<double>(model_.kinds[model_.order[position - 1]].block);
            ++layers;
        }
        if (layers == 0) return elements;
        return elements + input<N>("layers_needed_again", layers,
                                   "layers that stage3_max_reuse_distance keeps until the backward pass") *
                              parameters<N>(model_.kinds[model_.order.back()].block);
    }
    /// What is too small to be divided is whole on every device.
    void persistent(const Bytes<N>& plain) {
        N small{0};
        for (const LayerKind& kind : model_.kinds)
            for (const Weight<N>& weight : weights_of<N>(kind.block))
                if (value_of(weight.elements()) < layout_.persistent_parameters)
                    small += as<N>(kind.count) * named(weight.name, weight.elements());
        const Bytes<N> bytes = named("persistent_elements", small) * plain;
        standing_.add(RowId::persistent_parameters, bytes);
    }
    static constexpr const char* deepspeed = "DeepSpeed, zero/config.py";

    const Model& model_;
    const TrainingInputs& inputs_;
    const TrainingLayout& layout_;
    Groups<N> standing_, in_backward_, outside_, ends_, at_head_, first_comes_;
    std::vector<Bytes<N>> whole_;
    Bytes<N> largest_unit_{N(0)}, largest_layer_{N(0)}, reducing_{N(0)};
    Bytes<N> head_handed_over_{N(0)}, ends_handed_over_{N(0)};
    std::vector<Groups<N>> running_;     ///< by kind of layer
    std::vector<Bytes<N>> handed_over_;  ///< gradients of a layer while they are reduced
};

}  // namespace plimsoll
