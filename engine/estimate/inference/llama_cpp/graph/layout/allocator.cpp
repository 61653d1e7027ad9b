#include "estimate/inference/llama_cpp/graph/layout/allocator.h"

namespace plimsoll::llama_cpp {
namespace {

/// Operations that may write over a source of the same layout. (ggml_op_can_inplace)
bool works_in_place(Op op) {
    switch (op) {
        case Op::add:
        case Op::add_id:
        case Op::clamp:
        case Op::div:
        case Op::fill:
        case Op::mul:
        case Op::rms_norm:
        case Op::rope:
        case Op::scale:
        case Op::soft_max:
        case Op::sqr:
        case Op::unary: return true;
        default: return false;
    }
}

/// One buffer that grows as far as it must: the free blocks by address, the last of them without an end.
class Buffer {
public:
    explicit Buffer(double alignment) : alignment_(alignment), free_{{0, endless}} {}

    const Size& size() const { return size_; }

    Size take(const Size& of_tensor) {
        const Size bytes = of_tensor.padded(alignment_);
        size_t best = free_.size() - 1;
        for (size_t at = 0; at + 1 < free_.size(); ++at)
            if (free_[at].bytes >= bytes && (best + 1 == free_.size() || free_[at].bytes <= free_[best].bytes))
                best = at;
        const Size offset = free_[best].offset;
        free_[best].offset += bytes;
        free_[best].bytes -= bytes;
        if (free_[best].bytes == 0) free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(best));
        if (offset + bytes > size_) size_ = offset + bytes;
        return offset;
    }

    /// Joins the block to its neighbours, as ggml does it: a tensor of no bytes may leave a block of none.
    void give_back(const Size& offset, const Size& of_tensor) {
        const Size bytes = of_tensor.padded(alignment_);
        for (size_t at = 0; at < free_.size(); ++at) {
            Block& block = free_[at];
            if (block.end() == offset) {
                block.bytes += bytes;
                return join(at);
            }
            if (offset + bytes == block.offset) {
                block = {offset, block.bytes + bytes};
                return at > 0 ? join(at - 1) : void();
            }
        }
        size_t at = 0;
        while (at < free_.size() && free_[at].offset < offset) ++at;
        free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(at), {offset, bytes});
    }

    /// Keeps the first `bytes` of a block that had `before`.
    void shrink(const Size& offset, const Size& before, const Size& bytes) {
        const Size held = before.padded(alignment_), kept = bytes.padded(alignment_);
        if (held > kept) give_back(offset + kept, held - kept);
    }

private:
    static constexpr double endless = 4503599627370496;  // 2⁵², whole numbers of bytes all the way
    struct Block {
        Size offset, bytes;
        Size end() const { return offset + bytes; }
    };

    void join(size_t at) {
        if (at + 1 == free_.size() || free_[at].end() != free_[at + 1].offset) return;
        free_[at].bytes += free_[at + 1].bytes;
        free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }

    double alignment_;
    Size size_;
    std::vector<Block> free_;
};

class Allocation {
public:
    Allocation(const Graph& graph, Place devices, const BufferAlignment& alignment)
        : graph_(graph),
          buffers_(static_cast<size_t>(devices), Buffer(alignment.device)),
          host_(alignment.host),
          states_(graph.tensors.size()) {}

    BufferSizes run() {
        for (const Id leaf : graph_.leaves) place(leaf);
        for (const Id node : graph_.nodes) count(node);
        for (const Id node : graph_.nodes) {
            place(node);
            for (const Id source : graph_[node].sources)
                if (source != nothing) release(source);
        }
        BufferSizes sizes;
        for (const Buffer& each : buffers_) sizes.devices.push_back(each.size());
        sizes.host = host_.size();
        return sizes;
    }

private:
    struct State {
        int readers = 0, views = 0;
        bool placed = false;
        Size offset;
    };

    State& state(Id id) { return states_[static_cast<size_t>(id)]; }
    Buffer& buffer(Id id) {
        const Place place = graph_[id].place;
        return place == on_host ? host_ : buffers_[static_cast<size_t>(place)];
    }

    void count(Id node) {
        const Tensor& tensor = graph_[node];
        // A dependency that the scheduler adds shows its tensor without being a use of it.
        if (tensor.view != nothing && tensor.op != Op::none) ++state(tensor.view).views;
        for (const Id source : tensor.sources)
            if (source != nothing) ++state(source).readers;
    }

    bool reusable(const Tensor& tensor, Id source) {
        const Tensor& given = graph_[source];
        const State& its = state(source);
        return its.placed && !given.output && given.place == tensor.place && given.width == tensor.width &&
               given.shape == tensor.shape && its.readers == 1 && its.views == 0;
    }

    void place(Id id) {
        const Tensor& tensor = graph_[id];
        if (tensor.external || tensor.view != nothing || state(id).placed) return;
        state(id).placed = true;
        if (works_in_place(tensor.op))
            for (const Id source : tensor.sources)
                if (source != nothing && reusable(tensor, source)) {
                    state(id).offset = state(source).offset;
                    state(source).placed = false;
                    return buffer(id).shrink(state(id).offset, graph_[source].taken(), tensor.taken());
                }
        state(id).offset = buffer(id).take(tensor.taken());
    }

    void free(Id id) {
        if (graph_[id].output || !state(id).placed) return;
        buffer(id).give_back(state(id).offset, graph_[id].taken());
        state(id).placed = false;
    }

    void release(Id source) {
        if (--state(source).readers > 0 || state(source).views > 0) return;
        const Id shown = graph_[source].view;
        if (shown == nothing) return free(source);
        if (--state(shown).views == 0 && state(shown).readers == 0) free(shown);
    }

    const Graph& graph_;
    std::vector<Buffer> buffers_;  // of the devices
    Buffer host_;
    std::vector<State> states_;
};

}  // namespace

BufferSizes allocate(const Graph& graph, Place devices, const BufferAlignment& alignment) {
    return Allocation(graph, devices, alignment).run();
}

}  // namespace plimsoll::llama_cpp
