/// A question about layouts, as a person or a program asks it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/solve/fitting.h"
#include "inputs/links.h"

namespace plimsoll {

/// What the best layouts are the best at.
enum class Want : unsigned char {
    fits,                 ///< most memory left on the fullest device
    fewest_devices,       ///< then what else is least
    largest_micro_batch,  ///< sequences that a device computes at once
    most_sequences,       ///< that a server's caches hold at once
    least_traffic,        ///< bytes that a device sends to other nodes
    least_overhead,       ///< operations done twice, and time in which stages wait
    shortest_step,        ///< of a training; what has no estimate stands behind what has one, by its roof
};

/// Devices that are joined in nodes.
struct Cluster {
    double per_node = 8, nodes = 1;
    double bandwidth_within = 0, bandwidth_between = 0;  ///< bytes a second that a device sends to its node, to others
    double devices() const { return per_node * nodes; }
    LinkRates links() const {
        return {per_node, bandwidth_within, bandwidth_between, "request: cluster.bandwidth_within",
                "request: cluster.bandwidth_between"};
    }
};

/// The values that a field may take; of a number the first and the last, or each of a list.
struct Bound {
    std::string field;
    std::vector<Json> values;
    std::optional<std::pair<double, double>> range;

    /// Whether a number lies within it.
    bool admits(double number) const;
};

struct PlanQuestion {
    Json request;  ///< with the cluster's device in place
    Cluster cluster;
    std::vector<Bound> bounds;
    Want want = Want::fits;
    size_t keep = 10;         ///< layouts in the reply
    double global_batch = 0;  ///< sequences of a step over all devices; 0: as the request says
    Limit limit;
    double room = 0;          ///< bytes of each device that must stay free
    bool prune = true;        ///< false: each layout is computed, and none ruled out by a bound
    double part = 0, of = 1;  ///< this one of so many parts of the search

    const Bound* bound(std::string_view field) const;
};

/// The question; an error at the field that cannot be.
Result<PlanQuestion> read_plan_question(const Json& json);

/// The names of what may be wanted, with ", " between them, in the order of Want.
inline constexpr std::string_view want_names =
    "fits, fewest_devices, largest_micro_batch, most_sequences, least_traffic, least_overhead, shortest_step";

}  // namespace plimsoll
