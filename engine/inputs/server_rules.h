/// How a server divides a device before its weights are there: what it sets aside, and the pools that hold its tokens.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

/// Defaults on devices of a size, and what is set aside there.
struct SizedReserve {
    double below = 0;                                                   ///< bytes; 0: devices of any size
    double batch_tokens = 0, graph_batch = 0, graph_batch_of_four = 0;  ///< the last from four devices on
    double always = 0, of_a_device = 0;                                 ///< bytes
};

/// The default share: what is left when bytes are set aside, or a number by the devices of an instance.
struct ShareRule {
    std::vector<SizedReserve> sizes;                    ///< smallest devices first; empty: no such rule
    std::vector<std::pair<double, double>> by_devices;  ///< from so many devices on, this share; the most first
    double of_a_token = 0, of_a_graph_row = 0;          ///< bytes for each of a batch, and of the largest graph
    double of_a_prefill_graph = 0, of_latent_graphs = 0;
    double large_from = 0, least_of_large = 0;  ///< devices above this size set aside so much at least
    double of_a_draft_head = 0, of_a_draft_model = 0;
    double tower_factor = 1;            ///< of models with towers: the share is so much smaller, said or not
    bool by_tower = false;              ///< and where it was not said, by the tower's size
    bool drafts_beyond = false;         ///< drafts' weights and cache are not of the share
    bool draft_weights_beyond = false;  ///< their weights alone are not
};

/// Pools in which every layer holds every token.
struct TokenPools {
    bool used = false;
    double window_ratio = 1;                             ///< tokens of layers with windows for each of the others'
    std::vector<std::string> windowed;                   ///< classes whose windows have a pool of their own
    std::vector<std::pair<std::string, double>> ratios;  ///< of classes that have their own
    double state_ratio = 0;                              ///< bytes of states to those of tokens
    double states_of_a_sequence = 1;
    std::string source;
};

}  // namespace plimsoll
