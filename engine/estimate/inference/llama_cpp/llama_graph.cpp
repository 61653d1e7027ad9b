#include "estimate/inference/llama_cpp/llama_graph.h"

#include "estimate/inference/llama_cpp/graph/allocator.h"
#include "estimate/inference/llama_cpp/graph/builder.h"
#include "estimate/inference/llama_cpp/graph/scheduler.h"

namespace plimsoll {

using llama_cpp::Steps;

GrowingBuffers llama_graph(const Model& model, const LlamaContext& context) {
    using namespace llama_cpp;
    if (!model.hidden_size || !model.vocab_size) return {};
    Steps steps;
    Graph graph = Builder(model, context, steps).build();
    const bool cpu = context.backend == LlamaContext::Backend::cpu;
    if (cpu)
        for (Tensor& tensor : graph.tensors) tensor.place = Place::host;
    graph = schedule(std::move(graph), context.rules.reordered && context.backend == LlamaContext::Backend::vulkan);
    const BufferSizes sizes = allocate(graph, {128, cpu ? 32.0 : 64.0});
    constexpr double exact = 4503599627370496;  // 2⁵²: beyond, a sum of fractions of bytes need not be
    if (!(sizes.device < exact && sizes.host < exact)) steps.none();
    return {{sizes.device.value(), sizes.host.value()},
            {sizes.device.gain(), sizes.host.gain()},
            context.cells,
            steps.down,
            steps.up};
}

bool GrowingBuffers::hold(double of_cells) const {
    const double steps = (of_cells - cells) / Steps::cells_each;
    return is_whole(steps) && steps >= -down && steps <= up;
}

GraphBuffers GrowingBuffers::with(double of_cells) const {
    const double steps = (of_cells - cells) / Steps::cells_each;
    return {at.device + gain.device * steps, at.host + gain.host * steps};
}

const GrowingBuffers* KnownGraphs::find(const LlamaContext& context) const {
    for (const Entry& entry : entries)
        if (entry.window_cells == context.window_cells && entry.micro_batch == context.micro_batch &&
            entry.sequences == context.sequences && entry.outputs == context.outputs &&
            entry.buffers.hold(context.cells))
            return &entry.buffers;
    return nullptr;
}

void KnownGraphs::add(const LlamaContext& context, const GrowingBuffers& buffers) {
    entries.push_back({context.window_cells, context.micro_batch, context.sequences, context.outputs, buffers});
}

}  // namespace plimsoll
