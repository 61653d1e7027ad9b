#include "estimate/inference/llama_cpp/llama_cpp.h"

#include <algorithm>

namespace plimsoll {
namespace {

double padding_of(double bytes, double alignment) { return alignment * ceiling(bytes / alignment) - bytes; }

// Most cells of the windowed layers, which have a cache of their own even where it is not shortened; 0 where there are
// none.
double window_cells(const Model& model, const LlamaCells<double>& cells) {
    constexpr double any = 1e9;
    double found = 0;
    for (const LayerKind& kind : model.kinds)
        for (const Kept<double>& kept : kept_by<double>(kind.block))
            if (kept.tokens_at_most > 0) found = cells.windows_kept ? cells.at_most(kept.tokens_at_most) : any;
    return llama_cpp_family(model).keeps_windows ? found : 0;
}

// What a sweep may change; the rest of the context follows from what it does not.
LlamaContext lengths_of(const Model& model, const InferenceInputs& inputs) {
    const LlamaCells<double> cells = llama_cells<double>(model, inputs);
    LlamaContext context;
    context.cells = cells.full;
    context.window_cells = window_cells(model, cells);
    context.micro_batch = inputs.request.batch_tokens;
    context.sequences = inputs.request.sequences;
    context.outputs =
        inputs.request.logits_all ? 0 : minimum(outputs_at_once(inputs.request), inputs.request.batch_tokens);
    return context;
}

}  // namespace

GraphBuffers llama_compute(const Model& model, const InferenceInputs& inputs) {
    if (!model.hidden_size || !model.vocab_size || model.order.empty()) return {};
    LlamaContext context = lengths_of(model, inputs);
    if (!inputs.graphs) inputs.graphs = std::make_shared<KnownGraphs>();
    if (const GrowingBuffers* known = inputs.graphs->find(context)) return known->with(context.cells);
    context.rules = inputs.graph_rules;
    context.routing = inputs.routing;
    context.unified = inputs.request.kv_unified;
    context.flash_attention = inputs.request.flash_attention;
    context.key_bytes = inputs.keys->bits / 8;
    context.value_bytes = inputs.values->bits / 8;
    context.placement = inputs.placement;
    context.devices = static_cast<Place>(inputs.request.devices);
    context.file_matrices = inputs.mix.file_matrices;
    context.backend = LlamaContext::Backend::cuda;
    if (inputs.backend == "cpu") context.backend = LlamaContext::Backend::cpu;
    if (inputs.backend == "vulkan") context.backend = LlamaContext::Backend::vulkan;
    context.alignment = alignment_of(*inputs.runtime, inputs.backend);
    inputs.graphs->add(context, llama_graph(model, context));
    return inputs.graphs->entries.back().buffers.at;
}

namespace {

// A family, by the beginning of its name, whose graph on a backend was held to no answer of llama.cpp. On all of them
// where its graph differs from what is laid out here: keys of several layers at once, layers without attention, positions
// of the scores, heads beside the feed-forward.
struct NotAsked {
    std::string_view family, backend;  ///< no backend: all of them
};
constexpr NotAsked not_asked[] = {{"Qwen3VL", ""},     {"DeciLM", ""},    {"Mistral4", ""}, {"Baichuan", ""},
                                  {"BaiChuan", ""},    {"StableLm", ""},  {"Afmoe", ""},    {"BailingMoeV2", ""},
                                  {"Gemma3n", "cuda"}, {"Gemma4", "cuda"}};

bool was_asked(const Model& model, std::string_view backend) {
    for (const NotAsked& each : not_asked)
        if (model.architecture.rfind(each.family, 0) == 0 && (each.backend.empty() || each.backend == backend))
            return false;
    return backend == "vulkan" || backend == "cpu" || backend == "cuda";
}

// CUDA was asked for one device, and for layers of attention whose heads its kernels know; others' run on the host.
// (fattn.cu, ggml_cuda_get_best_fattn_kernel)
bool suits_cuda(const Model& model, const InferenceInputs& inputs) {
    constexpr double heads[] = {40, 64, 72, 80, 96, 112, 128, 256};
    if (inputs.request.devices > 1) return false;
    for (const LayerKind& kind : model.kinds)
        for (const auto& op : kind.block.ops) {
            if (op.is<Recurrence>() || op.is<LatentAttention>()) return false;
            const auto* attention = op.as<Attention>();
            const double* end = std::end(heads);
            if (attention && std::find(std::begin(heads), end, attention->head_dim.value()) == end) return false;
        }
    return true;
}

}  // namespace

bool is_laid_out(const Model& model, const InferenceInputs& inputs) {
    if (!was_asked(model, inputs.backend) || inputs.release != 0 || model.generic || only_sums_known(model, inputs))
        return false;
    if (inputs.backend == "cuda" && !suits_cuda(model, inputs)) return false;
    bool in_one_place = !inputs.placement.cache_on_host;
    for (const Place place : inputs.placement.layers) in_one_place = in_one_place && place == inputs.placement.head;
    for (const LayerKind& kind : model.kinds)
        for (const auto& op : kind.block.ops) {
            const auto* recurrence = op.as<Recurrence>();
            // held to its answers in one place alone; Vulkan has no kernel for the first Mamba's scan
            if ((recurrence || op.as<CrossAttention>()) && !in_one_place) return false;
            const size_t count = recurrence ? recurrence->parameters.size() : 0;
            const bool first = count > 0 && count != 2 && !(recurrence->parameters.front().name == "dt_bias");
            if (first && inputs.backend == "vulkan") return false;
        }
    return true;
}

double share_at(const Model& model, const InferenceInputs& inputs, Place place) {
    const double total = parameters<double>(model);
    const double table = model.vocab_size && model.hidden_size && total > 0
                             ? model.vocab_size->value() * model.hidden_size->value() / total
                             : 0;
    const double embedding = minimum(table, 0.5), in_layers = 1 - (model.tied ? 1 : 2) * embedding;
    const Placement& placement = inputs.placement;
    double share = (place == placement.embedding ? embedding : 0) + (place == placement.head ? embedding : 0);
    if (model.tied && placement.embedding == placement.head && place == placement.head) share -= embedding;
    if (placement.layers.empty()) return share + (place == placement.head ? in_layers : 0);
    for (const Place each : placement.layers)
        if (each == place) share += in_layers / static_cast<double>(placement.layers.size());
    return share;
}

namespace {

// A quantised tensor ends where a row of the next multiple would end.
double row_padding(const Encoding& encoding, double row, double multiple) {
    if (encoding.block == 1 || multiple <= 1 || row <= 0) return 0;
    return encoding.values(ceiling(row / multiple) * multiple - row).n;
}

}  // namespace

double alignment_padding(const Model& model, const WeightMix& mix, Place place, const BufferAlignment& alignment) {
    double padding = 0;
    const double boundary = place == on_host ? alignment.host : alignment.device;
    const auto add = [&](const Encoding& encoding, double tensors, double elements, double row) {
        const double behind = place == on_host ? 0 : row_padding(encoding, row, alignment.row);
        padding += tensors * (behind + padding_of(encoding.values(elements).n + behind, boundary));
    };
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    for (const StoredWeight& stored : mix.weights) {
        if (stored.place != place) continue;
        const LayeredWeight<double>& each = weights[stored.weight];
        const double layers = stored.layers == 0 ? each.layers : stored.layers;
        const double columns = stored.columns == 0 ? each.weight.cols : stored.columns;
        add(*stored.encoding, layers * stored.tensors, each.weight.rows * columns * each.weight.copies / stored.tensors,
            stored.row);
    }
    for (const StoredBeside& beside : mix.beside)
        if (beside.place == place) add(*beside.encoding, beside.tensors, beside.elements, beside.row);
    return padding;
}

double cache_padding(const Model& model, const InferenceInputs& inputs, Place place, const BufferAlignment& alignment) {
    double padding = 0;
    for (size_t layer = 0; place != on_host && layer < model.order.size(); ++layer) {
        if (inputs.placement.cache(layer) != place) continue;
        for (const Kept<double>& kept : kept_in_cells<double>(model.kinds[model.order[layer]].block))
            if (kept.elements_per_sequence == 0) {
                const Encoding& encoding = kept.name == "values" ? *inputs.values : *inputs.keys;
                const double behind = row_padding(encoding, kept.elements_per_token, alignment.row);
                padding += behind + padding_of(behind, alignment.device);  // whole cells end on a boundary
            }
    }
    return padding;
}

}  // namespace plimsoll
