/// What works on each token alone: a dense network, or a mixture of experts with the expert that every token visits.
#pragma once

#include <optional>

#include "model/build/sub_layers/append.h"
#include "model/read/architecture.h"

namespace plimsoll {

/// Shapes and switches of one feed-forward sub-layer.
struct FeedForwardShape {
    Traced hidden{}, intermediate{};
    bool gated = true;
    bool fused = false;  ///< gate and up in one matrix
    bool bias = false;
    Activation::Kind activation = Activation::Kind::one_kernel;
    unsigned char activation_parameters = 0;
    Part part = Part::feed_forward;
    std::optional<double> dropout{};  ///< on what goes into the last product; absent: the code has none
};

/// The configuration's activation function (`hidden_act`, `activation_function`), by how PyTorch runs it.
Activation::Kind read_activation(Reader& config, Label otherwise);

/// `from` (normalised) to `to`, both of the hidden width.
void append_feed_forward(Block& block, const FeedForwardShape& shape, Label from, Label to);

/// A mixture of experts and the expert that every token visits.
struct MixtureShape {
    Traced experts, active, intermediate;
    std::optional<Traced> shared;  ///< width of the shared expert
    bool shared_gate = false;      ///< the shared expert's output is weighed by one learned gate
    bool shared_bias = false;
    bool shared_fused = false;        ///< gate and up of the shared expert in one matrix
    Part shared_sum = Part::experts;  ///< that the sum with the shared expert is counted with: see LayerShape
    bool bias = false;
    bool correction_bias = false;
    bool correction_buffer = false;                                     ///< the same as a buffer, which is no parameter
    bool sigmoid = false, renormalised = true, router_in_fp32 = false;  ///< see Experts
    bool weighs_chosen = false, weights_cast = false, clamped = false;  ///< the same

    MixtureShape();  // compiled once, and not in every architecture
    MixtureShape(const MixtureShape& other);
    MixtureShape& operator=(const MixtureShape& other);
    ~MixtureShape();

    /// DeepSeek-V3's router: sigmoids in fp32, and a buffer that shifts the choice.
    void scores_by_sigmoid() { sigmoid = router_in_fp32 = correction_buffer = true; }
};

/// The routed experts as most configurations name them; `shared` experts of the same width become one that wide.
MixtureShape read_mixture(Reader& config);
/// An error where each token goes through more experts than there are.
void check_choices(Reader& config, const Traced& active, const Traced& experts);
/// The mixture's choices by any of their names, checked.
void read_choices(Reader& config, MixtureShape& mixture, const Names& names);

void append_mixture(Block& block, const Traced& hidden, const MixtureShape& shape, Label from, Label to);

}  // namespace plimsoll
