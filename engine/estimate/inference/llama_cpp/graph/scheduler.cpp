#include "estimate/inference/llama_cpp/graph/scheduler.h"

#include "estimate/inference/llama_cpp/graph/order.h"

namespace plimsoll::llama_cpp {
namespace {

class Scheduler {
public:
    Scheduler(Graph graph, bool vulkan) : graph_(std::move(graph)), vulkan_(vulkan), copies_(graph_.tensors.size()) {}

    Graph run() {
        const std::vector<Id> nodes = std::move(graph_.nodes);
        graph_.nodes.clear();
        keep_small_work_beside_its_weights();
        keep_work_between_on_the_host(nodes);
        for (const Id node : nodes)
            if (!is_view_op(graph_[node].op)) {
                place_ = graph_[node].place;
                break;
            }
        for (const Id node : nodes) {
            if (!is_view_op(graph_[node].op)) {
                if (graph_[node].place != place_ || (inputs_ > 0 && reads_weight_elsewhere(node)))
                    close(graph_[node].place);
                bring_sources(node);
            }
            piece_.push_back(node);
        }
        close(place_);
        return std::move(graph_);
    }

private:
    // The device is worth a copy of the weight only for so many rows at once.
    static bool worth_a_copy(const Tensor& node) {
        if (node.op == Op::mul_mat) return node.shape[1] >= 32;
        if (node.op == Op::mul_mat_id || node.op == Op::rope) return node.shape[2] >= 32;
        return node.shape[1] * node.shape[2] * node.shape[3] >= 32;
    }

    void keep_small_work_beside_its_weights() {
        for (Tensor& node : graph_.tensors) {
            for (const Id source : node.sources)
                if (source != nothing && graph_[source].weight && graph_[source].place == Place::host &&
                    !worth_a_copy(node))
                    node.place = Place::host;
            if (node.view != nothing) node.place = graph_[node.view].place;
        }
    }

    // What reads no weight and writes to no cache goes where its neighbours are, to the device if one of them is there.
    void keep_work_between_on_the_host(const std::vector<Id>& nodes) {
        std::vector<Id> between;
        bool after_host = false;
        for (const Id id : nodes) {
            if (is_view_op(graph_[id].op)) continue;
            const bool host = graph_[id].place == Place::host;
            if (!host && !is_bound(graph_[id])) {
                between.push_back(id);
                continue;
            }
            if (host && after_host)
                for (const Id free : between) graph_[free].place = Place::host;
            between.clear();
            after_host = host;
        }
        for (Tensor& tensor : graph_.tensors)
            if (tensor.view != nothing) tensor.place = graph_[tensor.view].place;
    }

    bool is_bound(const Tensor& node) const {
        if (node.view != nothing && graph_[node.view].external) return true;
        for (const Id source : node.sources)
            if (source != nothing && graph_[source].weight) return true;
        return false;
    }

    // A piece of its own for each weight that is copied, so that the copies may follow each other in one place.
    bool reads_weight_elsewhere(Id node) const {
        for (const Id source : graph_[node].sources)
            if (source != nothing && graph_[source].weight && graph_[source].place != place_) return true;
        return false;
    }

    void bring_sources(Id node) {
        for (size_t at = 0; at < graph_[node].sources.size(); ++at) {
            const Id source = graph_[node].sources[at];
            if (source == nothing || graph_[source].place == place_) continue;
            if (static_cast<size_t>(source) >= copies_.size()) continue;
            Id& copy = copies_[static_cast<size_t>(source)];
            if (copy == 0) copy = bring(source);
            graph_[node].sources[at] = copy;
        }
    }

    // A view of part of each row keeps the distance between rows: elements from its first to its last.
    Size spanned(const Tensor& view) const {
        const Shape& shape = graph_[view.view].shape;
        const Size rows = shape[1] * shape[2] * shape[3];
        const Size row = view.shape[0] * view.shape[1] * view.shape[2] * view.shape[3] / rows;
        return (rows - 1) * shape[0] + row;
    }

    bool shows_all(const Tensor& view) const {
        const Shape &own = view.shape, &whole = graph_[view.view].shape;
        return own[0] * own[1] * own[2] * own[3] == whole[0] * whole[1] * whole[2] * whole[3];
    }

    // A copy in this place, after a node that only keeps the original alive until then.
    Id bring(Id source) {
        Tensor kept = graph_[source];
        kept.op = Op::none;
        kept.input = kept.output = kept.external = kept.weight = false;
        Tensor copy = kept;
        if (kept.view != nothing && !shows_all(kept)) copy.shape = {spanned(kept), 1, 1, 1};
        kept.view = graph_.base(source);
        kept.sources = {source, nothing, nothing, nothing, nothing, nothing, nothing};
        graph_.nodes.push_back(graph_.append(kept));
        copy.view = nothing;
        copy.sources.fill(nothing);
        copy.place = place_;
        graph_.nodes.push_back(graph_.append(copy));
        ++inputs_;
        return graph_.nodes.back();
    }

    void close(Place next) {
        const bool ordered = vulkan_ && place_ == Place::device;
        const std::vector<Id> run = ordered ? vulkan_order(graph_, piece_) : std::move(piece_);
        graph_.nodes.insert(graph_.nodes.end(), run.begin(), run.end());
        piece_.clear();
        place_ = next;
        inputs_ = 0;
    }

    Graph graph_;
    bool vulkan_;
    Place place_ = Place::host;
    int inputs_ = 0;          // copies that the piece needs
    std::vector<Id> piece_;   // the nodes since the last cut
    std::vector<Id> copies_;  // of each tensor of the graph as it came; 0: none
};

}  // namespace

Graph schedule(Graph graph, bool vulkan) { return Scheduler(std::move(graph), vulkan).run(); }

}  // namespace plimsoll::llama_cpp
