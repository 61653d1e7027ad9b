#include "estimate/inference/llama_cpp/llama_graph.h"

#include "estimate/inference/llama_cpp/graph/build/builder.h"
#include "estimate/inference/llama_cpp/graph/layout/allocator.h"
#include "estimate/inference/llama_cpp/graph/layout/scheduler.h"

namespace plimsoll {

using llama_cpp::Steps;

bool LlamaContext::all_on_devices() const {
    for (const Place each : placement.layers)
        if (each == on_host) return false;
    return placement.head != on_host;
}

int LlamaContext::copies() const {
    constexpr int pipelined = 4;  // ggml-backend.cpp: GGML_SCHED_MAX_COPIES
    const bool whole = all_on_devices() && !placement.cache_on_host && placement.experts_on_host == 0;
    return devices > 1 && whole ? pipelined : 1;
}

double GraphBuffers::of(Place place) const {
    if (place == on_host) return host;
    const size_t device = static_cast<unsigned char>(place);
    return device < devices.size() ? devices[device] : 0;
}

GrowingBuffers llama_graph(const Model& model, const LlamaContext& context) {
    using namespace llama_cpp;
    if (!model.hidden_size || !model.vocab_size) return {};
    Steps steps;
    const bool cpu = context.backend == LlamaContext::Backend::cpu;
    const bool vulkan = context.backend == LlamaContext::Backend::vulkan;
    const bool cuda = !cpu && !vulkan;
    const Machine machine{cpu ? Place{0} : context.devices,
                          context.copies(),
                          vulkan,
                          context.placement.largest,
                          vulkan && context.rules.reordered,
                          context.alignment.row,
                          cuda && context.rules.half_copies,
                          cuda && context.rules.fusions};
    const Graph graph = schedule(Builder(model, context, steps).build(), machine);
    const BufferSizes sizes = allocate(graph, machine.devices, context.alignment);
    GrowingBuffers buffers;
    const auto keep = [&steps](const Size& size, double& at, double& gain) {
        constexpr double exact = 4503599627370496;  // 2⁵²: beyond, a sum of fractions of bytes need not be
        if (!(size < exact)) steps.none();
        at = size.value();
        gain = size.gain();
    };
    buffers.at.devices.resize(sizes.devices.size());
    buffers.gain.devices.resize(sizes.devices.size());
    for (size_t device = 0; device < sizes.devices.size(); ++device)
        keep(sizes.devices[device], buffers.at.devices[device], buffers.gain.devices[device]);
    keep(sizes.host, buffers.at.host, buffers.gain.host);
    buffers.cells = context.cells;
    buffers.down = steps.down;
    buffers.up = steps.up;
    return buffers;
}

bool GrowingBuffers::hold(double of_cells) const {
    const double steps = (of_cells - cells) / Steps::cells_each;
    return is_whole(steps) && steps >= -down && steps <= up;
}

GraphBuffers GrowingBuffers::with(double of_cells) const {
    const double steps = (of_cells - cells) / Steps::cells_each;
    GraphBuffers found = at;
    for (size_t device = 0; device < found.devices.size(); ++device)
        found.devices[device] += gain.devices[device] * steps;
    found.host += gain.host * steps;
    return found;
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
