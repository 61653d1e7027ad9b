// Parts of a reply that one value says whole.
#include "api/reply/reply_parts.h"

#include "model/core/profile.h"

namespace plimsoll {
namespace {

Json tidied(const Json& values) {
    if (values.is_number_float()) return tidy(values.get<double>());
    Json copy = values;
    for (Json& value : copy)
        if (value.is_number_float()) value = tidy(value.get<double>());
    return copy;
}

Json assumed(const std::variant<double, bool, std::string>& value) {
    if (const double* number = std::get_if<double>(&value)) return tidy(*number);
    if (const bool* flag = std::get_if<bool>(&value)) return *flag;
    return std::get<std::string>(value);
}

JsonObject span_json(const Span& span) {
    JsonObject json;
    json.whole("bytes", span.bytes).whole("low", span.low).whole("high", span.high);
    return json;
}

// Tensors and bytes by encoding, of a format that mixes several.
JsonObject tensor_types_json(const Model& model, const WeightMix& mix) {
    JsonObject types;
    for (const StoredType& type : stored_types(model, mix)) {
        JsonObject entry;
        entry.whole("tensors", type.tensors).whole("bytes", type.bytes);
        if (type.host_bytes > 0) entry.whole("host_tensors", type.host_tensors).whole("host_bytes", type.host_bytes);
        types.put(type.encoding->id.c_str(), std::move(entry));
    }
    return types;
}

Json moments_json(const Phases& phases, const std::vector<PhaseMemory>& memory) {
    Json list = Json::array();
    for (size_t phase = 0; phase < memory.size(); ++phase) {
        JsonObject entry;
        entry.text("phase", text_of(phases[phase]))
            .whole("allocated", memory[phase].allocated)
            .whole("peak", memory[phase].peak)
            .whole("requested", memory[phase].requested)
            .whole("reserved", memory[phase].reserved)
            .append_to(list);
    }
    return list;
}

}  // namespace

Json tokens_json(const Formula& formula) {
    Json list = Json::array();
    for (const Token& token : formula) {
        constexpr const char* keys[] = {"ref", "row", nullptr, "op", "op"};  // in the order of Token::Kind
        const char* key = keys[static_cast<int>(token.kind)];
        JsonObject json;
        if (key) json.text(key, token.text);
        if (token.kind < Token::Kind::infix) json.tidy("value", token.value);
        if (token.kind == Token::Kind::call) {
            Json arguments = Json::array();
            for (const Formula& argument : token.arguments) arguments.push_back(tokens_json(argument));
            json.put("args", std::move(arguments));
        }
        json.append_to(list);
    }
    return list;
}

// With what the band rests on, where there is one.
JsonObject banded_json(const BandedTotal& total) {
    JsonObject json = span_json(total.span);
    if (!total.rests_on) return json;
    JsonObject band;
    band.text("from", total.group->id).whole("residuals", total.rests_on->residuals);
    if (total.rests_on->coverage > 0) band.tidy("coverage", total.rests_on->coverage);
    json.put("band", std::move(band));
    return json;
}

JsonObject model_json(const Request& request, const ModelChoice& choice) {
    const Model& model = choice.model;
    JsonObject json;
    json.text("name", model.name).text("architecture", model.architecture);
    if (!choice.exact_parameters && !model.declared_parameters) return json;
    const double total = model.declared_parameters ? model.declared_parameters->value() : *choice.exact_parameters;
    const double trainable = request.task == Task::training ? trainable_parameters(model, request.training) : 0;
    double towers = 0;
    for (const Tower& tower : model.towers)
        if (tower.name != "mtp") towers += parameters<double>(tower);
    JsonObject parts;
    parts.whole("language", total - towers);
    for (const Tower& tower : model.towers) parts.whole(tower.name.c_str(), parameters<double>(tower));
    JsonObject counts;
    counts.whole("total", total)
        .whole("active", active_parameters(model))
        .whole("trainable", trainable)
        .put("parts", std::move(parts));
    json.put("parameters", std::move(counts));
    if (!request.inference.mix.empty() && request.explain != Explain::none)
        json.put("tensor_types", tensor_types_json(model, request.inference.mix));
    return json;
}

JsonObject allocator_json(const Phases& phases, const Replay& replay) {
    JsonObject json;
    json.put("first_step", moments_json(phases, replay.first));
    json.put("later_steps", moments_json(phases, replay.later));
    return json;
}

Json notes_json(const std::vector<Note>& notes) {
    Json list = Json::array();
    for (const Note& note : notes) {
        JsonObject entry;
        entry.text("code", note.code).text("where", note.where).text("text", note.text);
        if (!note.values.is_null()) entry.put("values", tidied(note.values));
        entry.append_to(list);
    }
    return list;
}

JsonObject symbols_json(const Explainer& explainer) {
    JsonObject symbols;
    for (const auto& [name, symbol] : explainer.symbols()) {
        JsonObject entry;
        entry.tidy("value", symbol.value);
        if (!symbol.source.empty()) entry.text("source", symbol.source);
        if (!symbol.formula.empty()) entry.put("formula", tokens_json(symbol.formula));
        symbols.put(name.c_str(), std::move(entry));
    }
    return symbols;
}

Json assumptions_to_json(const std::vector<Assumption>& assumptions) {
    Json list = Json::array();
    for (const Assumption& assumption : assumptions) {
        JsonObject json;
        json.text("field", assumption.field)
            .put("value", assumed(assumption.value))
            .text("why", assumption.why)
            .append_to(list);
    }
    return list;
}

Json error_reply(const Error& error) {
    JsonObject json, reply;
    json.text("code", error.code).text("where", error.where).text("what", error.what).text("hint", error.hint);
    return reply.whole("schema", 1).put("error", std::move(json)).take();
}

}  // namespace plimsoll
