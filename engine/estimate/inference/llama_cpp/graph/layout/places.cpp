#include "estimate/inference/llama_cpp/graph/layout/places.h"

namespace plimsoll::llama_cpp {
namespace {

class Places {
public:
    Places(Graph& graph, const Machine& machine) : graph_(graph), machine_(machine) {}

    void run() {
        for (const Id leaf : graph_.leaves) place_beside_its_data(leaf);
        for (const Id node : graph_.nodes) place_beside_its_data(node);
        spread(false, false);
        spread(true, false);
        spread(false, true);
        spread(true, true);
        for (const Id node : graph_.nodes)
            if (!is_view_op(graph_[node].op) && graph_[node].place == nowhere) place_beside_most_sources(node);
        for (const Id node : graph_.nodes) place_what_is_left(node);
    }

private:
    bool runs(Id node, Place place) const { return machine_.runs(graph_, graph_[node], place); }

    void place_beside_its_data(Id id) {
        Tensor& tensor = graph_[id];
        if (tensor.place != nowhere) return;
        const Tensor& base = graph_[graph_.base(id)];
        if (base.external)
            tensor.place = base.place;
        else if (tensor.op != Op::rope && tensor.op != Op::flash_attention)  // their weights are too small to decide
            tensor.place = place_by_weight(id);
    }

    // Beside the first of its weights; a weight on the host may be copied to the first device that has the operation.
    Place place_by_weight(Id node) const {
        for (const Id source : graph_[node].sources) {
            if (source == nothing || !graph_[source].weight) continue;
            const Place place = graph_[source].place;
            if (place == on_host && worth_a_copy(graph_[node]))
                for (Place device = 0; device < machine_.devices; ++device)
                    if (runs(node, device)) return device;
            return runs(node, place) ? place : nowhere;
        }
        return nowhere;
    }

    // From each node that has a place to those next to it that have none, first from nodes on devices alone.
    void spread(bool up, bool from_host) {
        Place place = nowhere;
        for (size_t at = 0; at < graph_.nodes.size(); ++at) {
            const Id id = graph_.nodes[up ? graph_.nodes.size() - 1 - at : at];
            Tensor& node = graph_[id];
            if (is_view_op(node.op)) continue;
            if (node.place != nowhere)
                place = node.place == on_host && !from_host ? nowhere : node.place;
            else if (place != nowhere && runs(id, place))
                node.place = place;
        }
    }

    void place_beside_most_sources(Id id) {
        int most = -1;
        for (Place each = 0; each <= machine_.devices; ++each) {
            const Place place = each == machine_.devices ? on_host : each;
            if (!runs(id, place)) continue;
            int there = 0;
            for (const Id source : graph_[id].sources) there += source != nothing && place_of_data(source) == place;
            if (there > most) {
                most = there;
                graph_[id].place = place;
            }
        }
    }

    Place place_of_data(Id id) const {
        const Place own = graph_[id].place;
        return own == nowhere ? graph_[graph_.base(id)].place : own;
    }

    // Views are where their data is, leaves where they are first read.
    void place_what_is_left(Id id) {
        Tensor& node = graph_[id];
        if (node.place == nowhere) node.place = place_of_data(id);
        for (const Id source : node.sources) {
            if (source == nothing || graph_[source].place != nowhere) continue;
            const Place data = place_of_data(source);
            graph_[source].place = data == nowhere ? node.place : data;
        }
    }

    Graph& graph_;
    const Machine& machine_;
};

}  // namespace

void choose_places(Graph& graph, const Machine& machine) { Places(graph, machine).run(); }

}  // namespace plimsoll::llama_cpp
