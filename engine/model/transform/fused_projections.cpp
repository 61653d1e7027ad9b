#include "model/transform/fused_projections.h"

namespace plimsoll {
namespace {

constexpr const char* projections[] = {"q_proj", "k_proj", "v_proj"};

const Linear* linear_at(const Block& block, size_t index) {
    return index < block.ops.size() ? block.ops[index].as<Linear>() : nullptr;
}

// Whether the three begin at `index`, and read the same tensor.
bool begins_at(const Block& block, size_t index) {
    for (size_t each = 0; each < 3; ++each) {
        const Linear* linear = linear_at(block, index + each);
        if (!linear || linear->name != projections[each] || linear->from != linear_at(block, index)->from) return false;
    }
    return true;
}

void fuse_at(Block& block, size_t index) {
    Split split{Part::attention, "qkv", {}};
    Linear whole = *linear_at(block, index);
    whole.name = "qkv_proj", whole.to = "qkv", whole.out = Traced(0);
    for (size_t each = 0; each < 3; ++each) {
        const Linear& one = *linear_at(block, index + each);
        split.pieces.push_back({one.to, one.out});
        whole.out = whole.out + one.out;
    }
    whole.out = Traced::name(Made::term, "qkv_width", whole.out);
    const auto at = block.ops.begin() + static_cast<std::ptrdiff_t>(index);
    block.ops.erase(at + 2);
    block.ops[index] = std::move(whole);
    block.ops[index + 1] = std::move(split);
}

}  // namespace

void fuse_projections(Model& model) {
    for (LayerKind& kind : model.kinds)
        for (size_t index = 0; index + 2 < kind.block.ops.size(); ++index)
            if (begins_at(kind.block, index)) fuse_at(kind.block, index);
}

AdaptedParts adapted_parts(const Model& model, const std::vector<std::string>& targets) {
    AdaptedParts parts;
    if (model.kinds.empty()) return parts;
    const Block& block = model.kinds.front().block;
    for (size_t index = 0; index + 1 < block.ops.size(); ++index) {
        const Linear* linear = linear_at(block, index);
        const Split* split = block.ops[index + 1].as<Split>();
        if (!linear || !split || linear->name != "qkv_proj" || split->pieces.size() != 3) continue;
        parts.count = 0, parts.outputs = 0, parts.of = linear->out.value();
        for (size_t each = 0; each < 3; ++each)
            for (const std::string& target : targets)
                if (target == projections[each]) parts.count += 1, parts.outputs += split->pieces[each].width.value();
        if (parts.count == 0) parts = {};
        return parts;
    }
    return parts;
}

}  // namespace plimsoll
