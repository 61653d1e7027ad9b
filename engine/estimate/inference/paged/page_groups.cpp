#include "estimate/inference/paged/page_groups.h"

#include "estimate/inference/companions.h"
#include "estimate/inference/paged/paged_beside.h"

namespace plimsoll {
namespace {

// Layers that keep the same of a sequence.
struct LayerType {
    double token_bytes = 0, window = 0;  // of one layer; 0: all tokens
    double state_bytes = 0;              // of one layer; 0: it is attention
    double layers = 0;
};

void add(std::vector<LayerType>& types, const LayerType& type) {
    if (type.layers <= 0 || (type.token_bytes <= 0 && type.state_bytes <= 0)) return;
    for (LayerType& known : types)
        if (known.token_bytes == type.token_bytes && known.window == type.window &&
            known.state_bytes == type.state_bytes) {
            known.layers += type.layers;
            return;
        }
    types.push_back(type);
}

// Outputs of the convolution before a scan: of each, drafted tokens lengthen what is kept of the inputs.
double convolved_width(const Block& block, double kept) {
    for (const Weight<double>& weight : weights_of<double>(block))
        if (weight.name == "conv1d" && !weight.vector) return maximum(weight.elements() - kept, 0);
    return 0;
}

bool keeps_chunks(const Model& model) { return model.architecture.rfind("Llama4", 0) == 0; }

// False where a layer keeps what has no pages of this kind: an encoder's keys.
bool add_kind(std::vector<LayerType>& types, const Model& model, const InferenceInputs& inputs,
              const Shard<double>& shard, size_t kind) {
    const Block& block = model.kinds[kind].block;
    LayerType attention, state;
    attention.layers = state.layers = shard.layers[kind];
    for (const Kept<double>& kept : kept_by<double>(block)) {
        if (kept.name == "recurrent" || kept.name == "convolution") {
            const double own = kept.elements_per_sequence - kept.padding;
            const double drafted = inputs.request.draft_keeps_states ? inputs.request.draft_tokens : 0;
            const double more = kept.name == "convolution" ? drafted * convolved_width(block, own) : 0;
            state.state_bytes += (own + more) / shard.tensor * bytes_of<double>(kept.dtype).n;
            continue;
        }
        if (kept.elements_per_sequence > 0) return false;
        attention.token_bytes += token_bytes(kept, inputs, shard, block).n;
        attention.window = kept.tokens_at_most;
    }
    if (inputs.step.chunks_whole && keeps_chunks(model)) attention.window = 0;
    add(types, attention);
    add(types, state);
    return true;
}

bool add_model(std::vector<LayerType>& types, const Model& model, const InferenceInputs& inputs,
               const Shard<double>& shard) {
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        if (!add_kind(types, model, inputs, shard, kind)) return false;
    return true;
}

double pages_of(const LayerType& type, const Model& model, const InferenceInputs& inputs, double page_bytes) {
    const InferenceRequest& request = inputs.request;
    if (type.state_bytes > 0)  // where prefixes are kept, the state at the last whole page besides
        return (request.shared_prefix > 0 ? 2 : 1) + (request.draft_keeps_states ? request.draft_tokens : 0);
    const double page = page_bytes / type.token_bytes;
    if (type.window == 0) return ceiling(ceiling(request.context / request.context_parallel) / page);
    const bool chunks = keeps_chunks(model);
    const double tokens = minimum(type.window + request.batch_tokens - (chunks ? 0 : 1), request.context);
    return ceiling(tokens / page) + (chunks ? 0 : 1);
}

// Bytes of the largest type's page; 0 where the others' do not divide it.
double page_of(const std::vector<LayerType>& types, double tokens) {
    double widest = 0, state = 0;
    for (const LayerType& type : types) {
        widest = maximum(widest, type.token_bytes);
        state = maximum(state, type.state_bytes);
    }
    if (widest == 0) return 0;
    const double page = tokens * widest * maximum(1, ceiling(state / (tokens * widest)));
    for (const LayerType& type : types)
        if (type.token_bytes > 0 && !is_multiple(page, tokens * type.token_bytes)) return 0;
    return page;
}

}  // namespace

std::optional<PageGroups> page_groups(const Model& model, const InferenceInputs& inputs, const Shard<double>& shard) {
    std::vector<LayerType> types;
    bool known = add_model(types, model, inputs, shard);
    if (inputs.companions && shard.last)
        for (const Companion& companion : inputs.companions->models)
            known =
                known && add_model(types, *companion.model, *companion.inputs, whole_shard(*companion.model, shard));
    bool alike = true;  // one group, whatever the layers' widths, where all keep all tokens
    for (const LayerType& type : types) alike = alike && type.window == 0 && type.state_bytes == 0;
    const bool chunks =
        inputs.step.chunks_whole && keeps_chunks(model);  // one group, which elsewhere would have windows
    if (!known || types.empty() || (!chunks && (alike || types.size() < 2))) return std::nullopt;
    PageGroups groups;
    groups.page_bytes = page_of(types, inputs.runtime->page_tokens);
    if (groups.page_bytes == 0) return std::nullopt;
    double fewest = types.front().layers, most = 0;
    for (const LayerType& type : types) fewest = minimum(fewest, type.layers), most = maximum(most, type.layers);
    constexpr double much_more = 1.5;
    groups.layers = most < fewest * much_more ? most : fewest;
    for (const LayerType& type : types)
        groups.pages_of_sequence +=
            ceiling(type.layers / groups.layers) * pages_of(type, model, inputs, groups.page_bytes);
    return groups;
}

}  // namespace plimsoll
