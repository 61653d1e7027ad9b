#include "model/build/draft_head.h"

namespace plimsoll {
namespace {

bool is_dense(const Block& block) {
    bool attends = false;
    for (const Op& op : block.ops) {
        if (op.is<Experts>()) return false;
        attends = attends || op.is<Attention>() || op.is<LatentAttention>();
    }
    return attends;
}

Model alone(const Model& of, std::string_view name) {
    Model model;
    model.name = name;
    model.architecture = of.architecture;
    model.hidden_size = of.hidden_size;
    model.context_limit = of.context_limit;
    model.rotary_tables = of.rotary_tables;
    return model;
}

void take_layer(Model& model, const LayerKind& kind) {
    const auto layers = static_cast<size_t>(kind.count.value());
    model.order.insert(model.order.end(), layers, static_cast<unsigned short>(model.kinds.size()));
    model.kinds.push_back(kind);
}

// What is whole on every device, as vLLM's fc is: a part of the head that has nothing to do with the vocabulary.
Linear fusion(const Traced& hidden, double states) {
    return {"fc", Part::head, Traced::leaf("states_side_by_side", states, "EAGLE") * hidden, hidden, false, "x", "x"};
}

}  // namespace

std::optional<Model> draft_head(const Model& like, DraftHead kind, const Traced& vocabulary) {
    if (!like.hidden_size) return std::nullopt;
    const LayerKind* chosen = nullptr;
    for (const unsigned short index : like.order)
        if (is_dense(like.kinds[index].block)) chosen = &like.kinds[index];
    if (!chosen) return std::nullopt;
    const Traced& hidden = *like.hidden_size;
    Model model = alone(like, "draft head");
    Block block = chosen->block;
    const bool three = kind == DraftHead::eagle3;
    bool first = true;
    for (Op& op : block.ops) {
        if (Norm* norm = op.as<Norm>(); norm && first && !three) norm->weight = norm->bias = false;
        first = first && !op.is<Norm>();
        Linear* linear = op.as<Linear>();
        const bool projects = linear && (linear->name == "q_proj" || linear->name == "k_proj" ||
                                         linear->name == "v_proj" || linear->name == "qkv_proj");
        if (projects && three) linear->in = Traced(2) * linear->in;
    }
    if (three) block.ops.push_back(Norm{"hidden_norm", Norm::Kind::rms, hidden, true, false, "x", "x"});
    take_layer(model, {"draft_layer", Traced(1), std::move(block)});
    model.head.ops.push_back(fusion(hidden, three ? 3 : 2));
    if (!three) return model;
    model.head.ops.push_back(Norm{"final_norm", Norm::Kind::rms, hidden, true, false, "x", "final"});
    model.vocab_size = vocabulary;
    model.head.ops.push_back(Linear{"lm_head", Part::head, hidden, vocabulary, false, "final", "logits"});
    return model;
}

std::optional<Model> prediction_layers(const Model& target) {
    for (const Tower& tower : target.towers) {
        if (tower.name != "mtp") continue;
        Model model = alone(target, "prediction layers");
        for (const LayerKind& kind : tower.kinds) take_layer(model, kind);
        return model;
    }
    return std::nullopt;
}

}  // namespace plimsoll
