/// A model's blocks as a replay plays them: what of each is loaded, trained and stepped, and what one pass over it
/// makes and gives back. Blocks are numbered: the embedding, the kinds of layers, the head, and what no pass runs
/// through.
#pragma once

#include "estimate/training/loss/loss.h"
#include "estimate/training/replay/replayed_parameters.h"

namespace plimsoll {

/// Weights and what is trained of them, in bytes, tensor by tensor.
struct ReplayedWeights {
    struct Block {
        std::vector<double> weights, whole;  ///< as the precision stores them: this device's shares, and all
        std::vector<double> before_packing;  ///< matrices that are packed on the device, in 16 bits
        std::vector<double> gathered;        ///< where they are copied to be read: adapters too
        std::vector<ReplayedParameter> trained;
        double reduced = 0;    ///< its gradients in one piece, where they are joined to be reduced
        double count = 1;      ///< blocks like it, where no pass runs through them
        bool at_head = false;  ///< such a one whose gradients come with the head's
    };
    std::vector<Block> blocks;

    ReplayedWeights(const Model& model, const TrainingInputs& inputs);
};

/// One micro-batch's passes, for sequences of one length.
struct ReplayedPasses {
    struct Block {
        BlockEvents events, without_gradients;
        double cached = 0;  ///< bytes of the keys and values that the model returns of it
        double given = 0;   ///< of a tower's: bytes of its input
    };
    std::vector<Block> blocks;
    LossMoments<double> loss;
    FusedLossEvents turns;  ///< of a fused loss
    Groups<double> batch;
    double stream = 0;                                ///< bytes of a layer's input, or of what stages hand each other
    double image_tokens = 0;                          ///< of what a tower gives
    double previous_outputs = 0, previous_graph = 0;  ///< of the micro-batch before, while the loop refers to them
    std::vector<double> previous_caches;              ///< and the keys and values of each layer among the outputs

    /// `length`: tokens of each sequence.
    ReplayedPasses(const Model& model, const TrainingInputs& inputs, double length);

private:
    void make_loss(const Model& model, const TrainingInputs& inputs, const Pass<double>& pass);
    void add_previous(const Model& model, const TrainingInputs& inputs, const Pass<double>& pass);
};

}  // namespace plimsoll
