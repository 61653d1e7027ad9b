#include "estimate/inference/llama_cpp/graph/layout/scheduler.h"

#include "estimate/inference/llama_cpp/graph/layout/order.h"
#include "estimate/inference/llama_cpp/graph/layout/places.h"

namespace plimsoll::llama_cpp {
namespace {

class Scheduler {
public:
    Scheduler(Graph graph, const Machine& machine)
        : graph_(std::move(graph)),
          machine_(machine),
          came_(graph_.tensors.size()),
          copies_(came_ * (static_cast<size_t>(machine.devices) + 1)) {}

    Graph run() {
        choose_places(graph_, machine_);
        const std::vector<Id> nodes = std::move(graph_.nodes);
        graph_.nodes.clear();
        for (const Id node : nodes)
            if (!is_view_op(graph_[node].op)) {
                place_ = graph_[node].place;
                break;
            }
        for (const Id node : nodes) {
            if (graph_[node].op == Op::flash_attention) graph_[node].beyond = machine_.beyond(graph_, graph_[node]);
            if (!is_view_op(graph_[node].op)) {
                if (graph_[node].place != place_ || (inputs_ > 0 && begins_a_piece(node))) close(graph_[node].place);
                bring_sources(node);
            }
            piece_.push_back(node);
        }
        close(place_);
        given_.insert(given_.end(), brought_.begin(), brought_.end());
        graph_.leaves.insert(graph_.leaves.begin(), given_.begin(), given_.end());
        return std::move(graph_);
    }

private:
    /// The copy of a tensor in a place; 0: none.
    Id& copy_of(Id tensor, Place place) {
        const size_t device = static_cast<unsigned char>(place);
        const size_t row = place == on_host ? static_cast<size_t>(machine_.devices) : device;
        return copies_[row * came_ + static_cast<size_t>(tensor)];
    }

    bool is_copy(Id id) const { return static_cast<size_t>(id) >= came_; }

    // A piece of its own for each weight that is copied, so that the copies may follow each other in one place.
    bool begins_a_piece(Id node) const {
        for (const Id source : graph_[node].sources)
            if (source != nothing && graph_[source].weight && graph_[source].place != place_) return true;
        return false;
    }

    void bring_sources(Id node) {
        for (size_t at = 0; at < graph_[node].sources.size(); ++at) {
            const Id source = graph_[node].sources[at];
            if (source == nothing || is_copy(source)) continue;
            if (graph_[source].input && machine_.copies > 1) hold_input(source);
            if (graph_[source].place == place_) continue;
            if (copy_of(source, place_) == 0) bring(source);
            graph_[node].sources[at] = copy_of(source, place_);
        }
    }

    // Batches that follow each other each have their own inputs, which stay: the graph's own, and copies of them.
    void hold_input(Id source) {
        Id& held = copy_of(source, graph_[source].place);
        if (held != 0) return;
        held = source;
        graph_[source].output = true;
        given_.push_back(source);
        add_copies(graph_[source], given_);
    }

    void add_copies(const Tensor& of, std::vector<Id>& leaves) {
        const Tensor copy = of;
        for (int each = 1; each < machine_.copies; ++each) leaves.push_back(graph_.append(copy));
    }

    // A view of part of each row keeps the distance between rows: elements from its first to its last.
    Size spanned(const Tensor& view) const {
        const Shape& shape = graph_[view.view].shape;
        const Size rows = shape[1] * shape[2] * shape[3];
        const Size row = view.shape[0] * view.shape[1] * view.shape[2] * view.shape[3] / rows;
        return (rows - 1) * shape[0] + row;
    }

    bool has_gaps(const Tensor& view, const Size& span) const {
        const Shape &own = view.shape, &whole = graph_[view.view].shape;
        const Size elements = own[0] * own[1] * own[2] * own[3];
        return !(elements == span) && !(elements == whole[0] * whole[1] * whole[2] * whole[3]);
    }

    // A node that only keeps a tensor alive until then.
    Tensor keep(Id source) {
        Tensor kept = graph_[source];
        kept.op = Op::none;
        kept.input = kept.output = kept.external = kept.weight = false;
        kept.view = graph_.base(source);
        kept.sources = {source, nothing, nothing, nothing, nothing, nothing, nothing};
        graph_.nodes.push_back(graph_.append(kept));
        return kept;
    }

    // A copy in this place.
    void bring(Id source) {
        Tensor copy = keep(source);
        copy.view = graph_[source].view;
        if (copy.view != nothing)
            if (const Size span = spanned(copy); has_gaps(copy, span)) copy.shape = {span, 1, 1, 1};
        copy.view = nothing;
        copy.sources.fill(nothing);
        copy.place = place_;
        copy.beyond = machine_.beyond(graph_, copy);
        copy.output = machine_.copies > 1;
        const Id made = graph_.append(copy);
        graph_.nodes.push_back(made);
        copy_of(source, place_) = made;
        ++inputs_;
        if (machine_.copies == 1) return;
        brought_.push_back(made);
        add_copies(copy, brought_);
    }

    void close(Place next) {
        const bool ordered = machine_.reorders && place_ != on_host;
        const std::vector<Id> run = ordered ? vulkan_order(graph_, piece_) : std::move(piece_);
        for (const Id node : run) {
            graph_.nodes.push_back(node);
            for (; held_ < graph_.fused.size() && graph_.fused[held_].result == node; ++held_)
                if (const Id input = graph_.fused[held_].input; machine_.fuses && place_ != on_host && input != node)
                    keep(input);  // (ggml-cuda.cu: ggml_backend_cuda_graph_optimize)
        }
        piece_.clear();
        place_ = next;
        inputs_ = 0;
    }

    Graph graph_;
    const Machine& machine_;
    size_t came_;  // tensors of the graph as it came; later ones are copies
    Place place_ = on_host;
    int inputs_ = 0;                   // copies that the piece needs
    size_t held_ = 0;                  // of what is fused: those before have their result
    std::vector<Id> piece_;            // the nodes since the last cut
    std::vector<Id> copies_;           // of each tensor in each place
    std::vector<Id> given_, brought_;  // inputs with their copies, and what pieces bring with its copies: they are
                                       // placed before all else
};

}  // namespace

Graph schedule(Graph graph, const Machine& machine) { return Scheduler(std::move(graph), machine).run(); }

}  // namespace plimsoll::llama_cpp
