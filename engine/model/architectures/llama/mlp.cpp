// A plain stack of linear layers with an activation behind each, as PyTorch's tutorials train them: no tokens and no
// vocabulary. It is given vectors of the hidden width, and its loss is the mean squared distance to vectors like them.
// Source: PyTorch, torch.nn.Linear, torch.nn.ReLU, torch.nn.MSELoss.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_mlp(Reader& config) {
    constexpr Part part = Part::feed_forward;
    const Traced width = config.count({"hidden_size"});
    Block layer;
    append_linear(layer, "linear", part, width, width, config.flag_or({"bias"}, true), "x", "product");
    layer.ops.push_back(Activation{part, read_activation(config, "relu"), "product", "x_out"});
    Model model;
    model.hidden_size = width;
    model.kinds.push_back({"layer", config.count({"num_hidden_layers"}), std::move(layer)});
    model.order.assign(layer_count(config), 0);
    return model;
}

}  // namespace

extern const Architecture mlp{{"mlp"}, {"MLP"}, "MLP", {}, build_mlp};

}  // namespace plimsoll::architecture
