// `model` of a request: a preset, a config.json, or numbers typed by hand.
#include "api/inspect/inspection.h"
#include "api/request/request_parts.h"
#include "api/request/sparsity.h"
#include "formats/huggingface/huggingface.h"
#include "inputs/capabilities.h"
#include "model/core/profile.h"

namespace plimsoll {
namespace {

std::string encoding_of_dtype(const Facts& facts) {
    for (const char* name : {"torch_dtype", "dtype"})
        if (const std::string* dtype = facts.get<std::string>(name)) {
            if (*dtype == "bfloat16" || *dtype == "torch.bfloat16") return "bf16";
            if (*dtype == "float16" || *dtype == "torch.float16") return "fp16";
            if (*dtype == "float32" || *dtype == "torch.float32") return "fp32";
        }
    return {};
}

std::optional<double> first_number(const Facts& facts, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (const double* value = facts.get<double>(name)) return *value;
    return std::nullopt;
}

void read_classic_shape(const Facts& facts, ModelChoice& choice) {
    if (!capabilities.classic) return;
    choice.hidden_size = first_number(facts, {"hidden_size", "n_embd", "d_model"});
    choice.num_hidden_layers = first_number(facts, {"num_hidden_layers", "n_layer", "n_layers"});
    choice.num_attention_heads = first_number(facts, {"num_attention_heads", "n_head", "n_heads"});
    choice.num_key_value_heads = first_number(facts, {"num_key_value_heads"});
}

void take(Result<Model> model, ModelChoice& choice) {
    if (!model) {
        choice.error = model.error();
        return;
    }
    choice.model = std::move(*model);
    const Model& read = choice.model;
    if (!read.declared_parameters && read.missing.empty()) choice.exact_parameters = parameters<double>(read);
}

// The hosted calculator's own JSON has the size in billions and no architecture: numbers typed by hand, in a file.
Facts as_typed(Facts facts, double billions) {
    facts.values["parameters"] = billions * 1e9;
    for (const char* field : {"model_type", "architectures"}) facts.values.erase(field);
    return facts;
}

void from_config(const Json& config, std::string origin, const std::string& where, const Library& library,
                 const Pruning& pruning, ModelChoice& choice) {
    Result<Facts> facts = read_config(config, std::move(origin), where);
    if (!facts) {
        choice.error = facts.error();
        return;
    }
    read_classic_shape(*facts, choice);
    choice.dtype = encoding_of_dtype(*facts);
    read_quantization(*facts, library, choice);
    const FactValue* size = facts->find("model_size");
    if (size && !(std::get_if<double>(size) && *std::get_if<double>(size) > 0 && *std::get_if<double>(size) <= 1e6)) {
        choice.error = Error{"out_of_range", where + ".model_size", "model_size must be a positive number of billions",
                             "8 for 8 billion parameters"};
        return;
    }
    if (size) choice.nominal_parameters = *std::get_if<double>(size) * 1e9;
    const bool named = facts->find("model_type") || facts->find("architectures");
    take(size && !named ? pruned(as_typed(*facts, *std::get_if<double>(size)), pruning, read_typed)
                        : pruned(*facts, pruning, read_model),
         choice);
}

void from_preset(const Json& id, const Library& library, const Pruning& pruning, ModelChoice& choice) {
    const std::string* text = id.get_ptr<const std::string*>();
    const auto found = text ? library.models.find(*text) : library.models.end();
    if (found == library.models.end()) {
        const std::string name = text ? "\"" + text->substr(0, 60) + "\"" : "of that type";
        choice.error = Error{"unknown_preset", "model.preset", "there is no model preset " + name,
                             "`plimsoll list models` names them all"};
        return;
    }
    const Json& preset = found->second;
    const Json* config = member(preset, "config");
    if (!config) {
        choice.error = Error{"bad_preset", "model.preset", "the preset has no config", "see presets/schema"};
        return;
    }
    from_config(*config, "config.json of " + found->first, "model.preset.config", library, pruning, choice);
    if (const std::string* dtype = text_member(preset, "dtype"); dtype && choice.quantised.empty())
        choice.dtype = *dtype;
    if (const std::string* name = text_member(preset, "name")) choice.model.name = *name;
    const auto figure = [](const Json& object, const char* key, std::optional<double>& into) {
        if (const double* number = number_member(object, key)) into = *number;
    };
    figure(preset, "nominal_parameters", choice.nominal_parameters);
    const Json* classic = member(preset, "classic");
    if (!capabilities.classic || !classic) return;
    figure(*classic, "parameters", choice.nominal_parameters);
    figure(*classic, "hidden_size", choice.hidden_size);
    figure(*classic, "num_hidden_layers", choice.num_hidden_layers);
    figure(*classic, "num_attention_heads", choice.num_attention_heads);
}

void from_typed(const Json& typed, const Pruning& pruning, ModelChoice& choice) {
    Result<Facts> facts = read_config(typed, "typed by hand", "model");
    if (!facts) {
        choice.error = facts.error();
        return;
    }
    read_classic_shape(*facts, choice);
    if (const FactValue* size = facts->find("parameters")) {
        const double* number = std::get_if<double>(size);
        if (!number || !(*number >= 1 && *number <= 1e15)) {
            choice.error = Error{"out_of_range", "model.parameters", "parameters must be a number of at least 1",
                                 "70e9 for 70 billion"};
            return;
        }
        choice.nominal_parameters = *number;
    }
    take(pruned(*facts, pruning, read_typed), choice);
}

// Beside a config: the types that its tensors really have. Alone: their number, and all else is missing.
void from_tensors(const Json& tensors, const Pruning& pruning, ModelChoice& choice) {
    if (!capabilities.altered_models) {
        choice.error = ask_the_whole("model.tensors");
        return;
    }
    if (pruning.of != Pruning::Of::nothing && !choice.error)
        choice.error = Error{"not_supported", "weights.sparsity", "a checkpoint's tensors are counted as they are",
                             "leave out model.tensors, or the sparsity"};
    const Result<Checkpoint> checkpoint = tensors_from_json(tensors, "model.tensors");
    if (!checkpoint) {
        choice.error = checkpoint.error();
        return;
    }
    if (choice.error) return;
    if (choice.model.kinds.empty()) {
        Facts facts;
        facts.where = "model.tensors";
        facts.values["parameters"] = checkpoint->parameters();
        take(read_typed(facts), choice);
        choice.model.name = "a checkpoint";
        choice.model.architecture = "not said";
    }
    store(*checkpoint, choice.model);
    choice.gguf = choice.gguf || is_gguf(*checkpoint);
    if (choice.dtype.empty()) choice.dtype = usual_encoding(*checkpoint);
}

}  // namespace

ModelChoice read_model_choice(const Json& request, const Library& library) {
    ModelChoice choice;
    Reading reading;
    const Pruning pruning = request.is_object() ? read_pruning(request, reading) : Pruning{};
    const Json* given = member(request, "model");
    if (!given || given->is_null()) {
        choice.error = Error{"missing_field", "model", "no model was given",
                             R"(such as {"preset": "llama-3-8b"} or {"config": {…}})"};
    } else if (!given->is_object()) {
        choice.error = Error{"wrong_type", "model", "must be an object", R"(such as {"preset": "llama-3-8b"})"};
    } else if (const Json* preset = member(*given, "preset")) {
        from_preset(*preset, library, pruning, choice);
    } else if (const Json* config = member(*given, "config")) {
        from_config(*config, "config.json", "model.config", library, pruning, choice);
        if (choice.model.name.empty()) choice.model.name = choice.model.architecture;
        const std::string* format = config->is_object() ? text_member(*config, "file_format") : nullptr;
        choice.gguf = format && *format == "gguf";
    } else if (!member(*given, "tensors")) {
        from_typed(*given, pruning, choice);
    }
    if (const Json* tensors = given && given->is_object() ? member(*given, "tensors") : nullptr)
        from_tensors(*tensors, pruning, choice);
    if (reading.error) choice.error = reading.error;
    return choice;
}

}  // namespace plimsoll
