#include "estimate/llama_cpp/scheduler.h"

#include "estimate/llama_cpp/order.h"

namespace plimsoll::llama_cpp {
namespace {

class Scheduler {
public:
    Scheduler(Graph graph, bool vulkan) : graph_(std::move(graph)), vulkan_(vulkan), copies_(graph_.tensors.size()) {}

    Graph run() {
        const std::vector<Id> nodes = std::move(graph_.nodes);
        graph_.nodes.clear();
        for (const Id node : nodes)
            if (!is_view_op(graph_[node].op)) {
                place_ = graph_[node].place;
                break;
            }
        for (const Id node : nodes) {
            if (!is_view_op(graph_[node].op)) {
                if (graph_[node].place != place_) close(graph_[node].place);
                bring_sources(node);
            }
            piece_.push_back(node);
        }
        close(place_);
        return std::move(graph_);
    }

private:
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

    // A copy in this place, after a node that only keeps the original alive until then.
    Id bring(Id source) {
        Tensor kept = graph_[source];
        kept.op = Op::none;
        kept.input = kept.output = kept.external = false;
        Tensor copy = kept;
        kept.view = graph_.base(source);
        kept.sources = {source, nothing, nothing, nothing, nothing, nothing, nothing};
        graph_.nodes.push_back(graph_.append(kept));
        copy.view = nothing;
        copy.sources.fill(nothing);
        copy.place = place_;
        graph_.nodes.push_back(graph_.append(copy));
        return graph_.nodes.back();
    }

    void close(Place next) {
        const bool ordered = vulkan_ && place_ == Place::device;
        const std::vector<Id> run = ordered ? vulkan_order(graph_, piece_) : std::move(piece_);
        graph_.nodes.insert(graph_.nodes.end(), run.begin(), run.end());
        piece_.clear();
        place_ = next;
    }

    Graph graph_;
    bool vulkan_;
    Place place_ = Place::host;
    std::vector<Id> piece_;   // the nodes since the last cut
    std::vector<Id> copies_;  // of each tensor of the graph as it came; 0: none
};

}  // namespace

Graph schedule(Graph graph, bool vulkan) { return Scheduler(std::move(graph), vulkan).run(); }

}  // namespace plimsoll::llama_cpp
