#include "model/read/architecture.h"

#include <algorithm>

#include "inputs/capabilities.h"
#include "model/build/decoder.h"
#include "model/read/rotary_tables.h"

namespace plimsoll {

namespace {

const Architecture* find(const Facts& facts) {
    const std::string* type = facts.get<std::string>("model_type");
    const std::vector<std::string>* classes = facts.get<std::vector<std::string>>("architectures");
    const auto lists = [](std::initializer_list<Label> names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const Architecture* candidate : architectures)
        if (type ? lists(candidate->model_types, *type)
                 : classes && !classes->empty() && lists(candidate->class_names, classes->front()))
            return candidate;
    return nullptr;
}

// Fields of mathematics that a usual decoder does not have: counting without them would be a wild guess.
constexpr Label beyond_usual[] = {
    "num_experts",       "num_local_experts", "n_routed_experts", "moe_intermediate_size", "kv_lora_rank",
    "state_size",        "ssm_cfg",           "ssm_state_size",   "mamba_d_state",         "conv_kernel",
    "block_configs",     "text_config",       "vision_config",    "encoder_layers",        "d_kv",
    "is_encoder_decoder"};

// Whether a field has a value, or is an object that has some.
bool stands(const Facts& facts, const std::string& field) {
    const FactValue* value = facts.find(field);
    if (const bool* flag = value ? std::get_if<bool>(value) : nullptr) return *flag;
    if (value) return !std::holds_alternative<std::monostate>(*value);
    const auto nested = facts.values.lower_bound(field + ".");
    return nested != facts.values.end() && nested->first.substr(0, field.size() + 1) == field + ".";
}

// A decoder of the usual kind, without any default: what is not stated is an error.
Model build_generic(Reader& config) {
    for (const Label field : beyond_usual) {
        if (!stands(config.facts(), std::string(field))) continue;
        config.fail(config.has("model_type") ? "model_type" : "architectures", "unknown_architecture",
                    "this architecture is not known, and " + std::string(field) + " says that it is no usual decoder",
                    "type its numbers by hand, with parameters as published");
    }
    LayerShape layer;
    layer.attention = read_attention(config);
    layer.feed_forward = {.hidden = layer.attention.hidden,
                          .intermediate = config.count({"intermediate_size", "n_inner", "ffn_dim"})};
    Model model = decoder_of(config, layer);
    model.generic = true;
    model.uncertainty = 0.25;
    return model;
}

// Llama 3's rule gives one factor for each pair of a head's elements; long-context Phi-3 lists two sets of them.
std::vector<double> rotary_factors(const Facts& facts, const Model& model) {
    for (const char* block : {"rope_scaling", "rope_parameters", "text_config.rope_scaling"}) {
        const auto fact = [&](const char* name) { return std::string(block) + name; };
        if (const auto* factors = facts.get<std::vector<double>>(fact(".long_factor")))
            return {static_cast<double>(factors->size()), static_cast<double>(factors->size())};
        const std::string* type = facts.get<std::string>(fact(".rope_type"));
        if (!type) type = facts.get<std::string>(fact(".type"));
        if (!type || *type != "llama3") continue;
        for (const LayerKind& kind : model.kinds)
            for (const Op& op : kind.block.ops)
                if (const Attention* attention = op.as<Attention>()) return {attention->head_dim.value() / 2};
    }
    return {};
}

Result<Model> finish(Model model, const Reader& config, const Architecture* known) {
    if (config.error()) return *config.error();
    append_head(model);
    model.scaled_logits = capabilities.training && known && known->scales_logits;
    if (capabilities.runtimes) {
        if (model.rotary_factors.empty()) model.rotary_factors = rotary_factors(config.facts(), model);
        model.rotary_tables = rotary_tables(config.facts(), model);
    }
    model.assumptions = config.assumptions();
    if (const auto* classes = config.facts().get<std::vector<std::string>>("architectures");
        classes && !classes->empty())
        model.architecture = classes->front();
    else
        model.architecture = known ? std::string(*known->class_names.begin()) : "generic decoder";
    return model;
}

}  // namespace

Result<Model> read_model(const Facts& facts) {
    const Architecture* known = find(facts);
    if (!known && !capabilities.generic_decoder)  // the whole engine may know it: no guess here
        return Error{"unknown_architecture", facts.where, "not one of the families that come first",
                     "ask the whole engine"};
    Reader config(facts, known ? known->config_class : Label("generic decoder"),
                  known ? known->defaults : Reader::Defaults{});
    Model model = known ? known->build(config) : build_generic(config);
    return finish(std::move(model), config, known);
}

}  // namespace plimsoll
