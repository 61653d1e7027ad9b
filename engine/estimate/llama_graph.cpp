#include "estimate/llama_graph.h"

#include "estimate/llama_cpp/allocator.h"
#include "estimate/llama_cpp/builder.h"
#include "estimate/llama_cpp/scheduler.h"

namespace plimsoll {

GraphBuffers llama_graph(const Model& model, const LlamaContext& context) {
    using namespace llama_cpp;
    if (!model.hidden_size || !model.vocab_size) return {};
    Graph graph = Builder(model, context).build();
    const bool cpu = context.backend == LlamaContext::Backend::cpu;
    if (cpu)
        for (Tensor& tensor : graph.tensors) tensor.place = Place::host;
    graph = schedule(std::move(graph), context.backend == LlamaContext::Backend::vulkan);
    const BufferSizes sizes = allocate(graph, {128, cpu ? 32.0 : 64.0});
    return {sizes.device, sizes.host};
}

}  // namespace plimsoll
