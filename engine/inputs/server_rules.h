/// How a server divides a device before its weights are there: what it sets aside, and the pools that hold its tokens.
#pragma once

#include <array>
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
    std::array<SizedReserve, 5> sizes{};        ///< smallest devices first, as far as they compute any tokens
    std::array<double, 5> by_devices{};         ///< the share of 1, 2, 4, 8 and 16 devices and more; 0: not by them
    double of_a_token = 0, of_a_graph_row = 0;  ///< bytes for each of a batch, and of the largest graph
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
    /// Classes whose windows have a pool of their own: its tokens for each of the others'.
    std::vector<std::pair<std::string, double>> windowed;
    double state_ratio = 0;  ///< bytes of states to those of tokens
    double states_of_a_sequence = 1;
};

}  // namespace plimsoll
