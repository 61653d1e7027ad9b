#include "model/transform/seen_images.h"

namespace plimsoll {
namespace {

bool runs(const LayerKind& kind) { return kind.stream != Stream::hidden_states; }

// What makes an image's tokens is a projector, whichever tower it is counted with: Qwen's mergers are part of its tower.
bool is_frozen(const LayerKind& kind, TrainedTowers trained) {
    if (trained == TrainedTowers::projector) return kind.stream != Stream::image_tokens;
    return trained == TrainedTowers::frozen;
}

// The linear layers of a tower's layer by its own names, which adapters' targets are looked for among.
void name_layers(Block& layer) {
    bool gated = false, fused = false;
    for (const Op& op : layer.ops)
        if (const Linear* linear = op.as<Linear>())
            gated |= linear->name == "gate_proj", fused |= linear->name == "qkv_proj";
    for (Op& op : layer.ops) {
        Linear* linear = op.as<Linear>();
        if (!linear) continue;
        if (fused && linear->name == "qkv_proj") linear->name = "qkv";
        if (linear->name == "o_proj" && (fused || !gated)) linear->name = fused ? "proj" : "out_proj";
        if (!gated && linear->name == "up_proj") linear->name = "fc1";
        if (!gated && linear->name == "down_proj") linear->name = "fc2";
    }
}

// The blocks of towers in the order in which they run, and what is frozen of them.
class RunningBlocks {
public:
    RunningBlocks(TrainedTowers trained, bool adapters) : trained_(trained), adapters_(adapters) {}

    void add(const std::string& tower, LayerKind kind) {
        const bool by_name = is_frozen(kind, trained_), no_adapters = adapters_ && kinds_.empty();
        const bool frozen = by_name || no_adapters;
        if (frozen || !flows_) kind.block.frozen.assign(kind.block.ops.size(), frozen);
        kind.block.given_flows = flows_;
        flows_ = flows_ || !by_name;
        if (kind.name != tower) kind.name.insert(0, tower + "_");
        if (kind.stream == Stream::patches_of_layer) name_layers(kind.block);
        order_.insert(order_.end(), static_cast<size_t>(kind.count.value()),
                      static_cast<unsigned short>(kinds_.size()));
        kinds_.push_back(std::move(kind));
    }
    void stand_before(Model& model) {
        for (unsigned short& kind : model.order) kind = static_cast<unsigned short>(kind + kinds_.size());
        model.order.insert(model.order.begin(), order_.begin(), order_.end());
        model.kinds.insert(model.kinds.begin(), kinds_.begin(), kinds_.end());
    }

private:
    TrainedTowers trained_;
    bool adapters_, flows_ = false;
    std::vector<LayerKind> kinds_;
    std::vector<unsigned short> order_;
};

bool has_adapter(const Block& block, const Adapter& adapter) {
    for (size_t at = 0; at < block.ops.size(); ++at)
        if (const Linear* linear = block.ops[at].as<Linear>(); linear && !block.is_frozen(at))
            if (linear->is_target(&adapter)) return true;
    return false;
}

}  // namespace

bool has_running_tower(const Model& model) {
    for (const Tower& tower : model.towers)
        for (const LayerKind& kind : tower.kinds)
            if (runs(kind)) return true;
    return false;
}

size_t tower_layers(const Model& model) {
    size_t layers = 0;
    while (layers < model.order.size() && runs(model.kinds[model.order[layers]])) ++layers;
    return layers;
}

Traced width_of(const LayerKind& kind, const Traced& hidden) {
    if (!runs(kind)) return hidden;
    for (const Op& op : kind.block.ops)
        if (const Linear* product = op.as<Linear>()) return product->in;
    for (const Op& op : kind.block.ops)
        if (const Norm* norm = op.as<Norm>()) return norm->width;
    return hidden;
}

void run_towers(Model& model, TrainedTowers trained, bool adapters) {
    RunningBlocks blocks(trained, adapters);
    for (Tower& tower : model.towers) {
        std::vector<LayerKind> counted;
        for (LayerKind& kind : tower.kinds)
            if (runs(kind))
                blocks.add(tower.name, std::move(kind));
            else
                counted.push_back(std::move(kind));
        tower.kinds = std::move(counted);
    }
    blocks.stand_before(model);
}

void follow_adapters(Model& model, const Adapter& adapter) {
    bool flows = false;
    for (LayerKind& kind : model.kinds) {
        if (!runs(kind)) break;
        Block& block = kind.block;
        block.given_flows = flows;
        flows = flows || has_adapter(block, adapter);
        block.frozen.assign(flows && !block.is_frozen(0) ? 0 : block.ops.size(), true);
    }
}

}  // namespace plimsoll
