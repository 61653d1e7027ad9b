#include "model/transform/fused_adapters.h"

namespace plimsoll {
namespace {

using Kernel = Linear::AdapterKernel;

// The product of that name, where it has an adapter and no bias.
Linear* adapted(Block& block, std::string_view name, const Adapter& adapter) {
    for (Op& op : block.ops)
        if (Linear* linear = op.as<Linear>(); linear && linear->name == name)
            return linear->is_target(&adapter) && !linear->bias ? linear : nullptr;
    return nullptr;
}

void fuse_attention(Block& block, const Adapter& adapter) {
    Linear* q = adapted(block, "q_proj", adapter);
    Linear* k = adapted(block, "k_proj", adapter);
    Linear* v = adapted(block, "v_proj", adapter);
    if (q && k && v && q->from == k->from && q->from == v->from)
        for (Linear* each : {q, k, v}) each->adapter_kernel = Kernel::fused;
    if (Linear* out = adapted(block, "o_proj", adapter)) out->adapter_kernel = Kernel::fused;
}

void fuse_feed_forward(Block& block, const Adapter& adapter) {
    Linear* gate = adapted(block, "gate_proj", adapter);
    Linear* up = adapted(block, "up_proj", adapter);
    Linear* down = adapted(block, "down_proj", adapter);
    if (!gate || !up || !down || gate->from != up->from) return;
    for (Op& op : block.ops)
        if (Multiply* product = op.as<Multiply>(); product && product->to == down->from) {
            product->within_kernel = true;
            gate->adapter_kernel = up->adapter_kernel = Kernel::fused;
            down->adapter_kernel = Kernel::within;
        }
}

}  // namespace

void fuse_adapters(Model& model, const Adapter& adapter) {
    for (LayerKind& kind : model.kinds) {
        if (kind.stream != Stream::hidden_states) continue;  // of a tower, whose code is left as it is
        fuse_attention(kind.block, adapter);
        fuse_feed_forward(kind.block, adapter);
    }
}

}  // namespace plimsoll
