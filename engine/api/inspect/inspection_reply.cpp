// An inspection as JSON: what people look at, and the request that says the same.
#include "api/inspect/inspection.h"
#include "api/reply/json_object.h"
#include "api/reply/reply.h"
#include "api/request/modules.h"
#include "model/core/profile.h"

namespace plimsoll {
namespace {

Json weights_json(const Block& block) {
    Json list = Json::array();
    for (const Weight<double>& weight : weights_of<double>(block)) {
        Json shape = Json::array();
        if (!weight.vector) shape.push_back(tidy(weight.rows));
        shape.push_back(tidy(weight.cols));
        JsonObject json;
        json.text("name", std::string_view(weight.name))
            .text("part", part_name(weight.part))
            .put("shape", std::move(shape));
        json.tidy("copies", weight.copies).tidy("parameters", weight.elements()).append_to(list);
    }
    return list;
}

void add_layers(Json& layers, std::string_view name, double count, const Block& block) {
    JsonObject json;
    json.text("name", name).tidy("count", count).put("weights", weights_json(block)).append_to(layers);
}

Json parameters_json(const Model& model) {
    JsonObject parts, json;
    for (const PartParameters<double>& part : parameters_by_part<double>(model))
        parts.tidy(std::string(part.name).c_str(), part.elements);
    json.tidy("total", parameters<double>(model)).tidy("active", active_parameters(model));
    for (const Tower& tower : model.towers)
        if (tower.name == "mtp") json.tidy("mtp", parameters<double>(tower));
    return json.put("by_part", std::move(parts)).take();
}

void write_model(const Model& model, JsonObject& reply) {
    reply.text("architecture", model.architecture).put("parameters", parameters_json(model));
    Json layers = Json::array();
    add_layers(layers, "embedding", 1, model.embedding);
    for (const LayerKind& kind : model.kinds) add_layers(layers, kind.name, kind.count.value(), kind.block);
    add_layers(layers, "head", 1, model.head);
    for (const Tower& tower : model.towers)
        for (const LayerKind& kind : tower.kinds)
            add_layers(layers, tower.name + "." + kind.name, kind.count.value(), kind.block);
    reply.put("tied_head", model.tied).put("layers", std::move(layers));
}

// The checkpoint's groups added up by what `key` says of them, in the order in which they come.
template <class Key>
Json summed(const Checkpoint& checkpoint, Key key) {
    std::vector<std::pair<TensorGroup, Json>> sums;
    for (const TensorGroup& group : checkpoint.groups()) {
        Json name = key(group);
        size_t at = 0;
        while (at < sums.size() && sums[at].second != name) ++at;
        if (at == sums.size()) sums.emplace_back(TensorGroup{}, std::move(name));
        TensorGroup& sum = sums[at].first;
        sum.count += group.count;
        sum.parameters += group.parameters;
        sum.bytes += group.bytes;
    }
    Json list = Json::array();
    for (auto& [sum, name] : sums) {
        name["count"] = whole(sum.count);
        name["parameters"] = tidy(sum.parameters);
        name["bytes"] = tidy(sum.bytes);
        list.push_back(std::move(name));
    }
    return list;
}

void write_checkpoint(const Inspection& inspection, JsonObject& reply) {
    const Checkpoint& checkpoint = *inspection.checkpoint;
    JsonObject total;
    total.whole("count", checkpoint.count());
    const bool listed = checkpoint.bytes() > 0 || !inspection.index;
    total.tidy("bytes", listed ? checkpoint.bytes() : inspection.index->total_size);
    total.tidy("parameters", listed ? checkpoint.parameters() : inspection.index->total_parameters);
    if (inspection.index) total.tidy("files", inspection.index->files);
    reply.put("checkpoint", std::move(total));
    const auto part = [](const TensorGroup& group) {
        JsonObject json;
        return json.text("part", group.part).text("purpose", purpose_name(group.purpose)).take();
    };
    reply.put("parts", summed(checkpoint, part));
    if (listed)
        reply.put("types", summed(checkpoint, [](const TensorGroup& group) {
                      JsonObject json;
                      return json.text("type", group.type).take();
                  }));
    reply.put("per_layer", summed(checkpoint, [](const TensorGroup& group) {
                  JsonObject json;
                  json.text("part", group.part);
                  if (group.layer >= 0) json.whole("layer", group.layer);
                  return json.take();
              }));
    if (!inspection.model || !listed) return;
    Json list = Json::array();
    for (const Difference& difference : differences(*inspection.model, checkpoint)) {
        JsonObject json;
        json.text("where", difference.where).tidy("config", difference.config).tidy("file", difference.file);
        if (!difference.why.empty()) json.text("why", difference.why);
        json.append_to(list);
    }
    reply.put("differences", std::move(list));
}

void write_gguf(const Gguf& gguf, JsonObject& reply) {
    JsonObject json;
    json.tidy("version", gguf.version).put("big_endian", gguf.big_endian).text("architecture", gguf.architecture());
    for (const char* name : {"name", "type", "size_label"})
        if (const std::string text = gguf.text(std::string("general.") + name); !text.empty()) json.text(name, text);
    if (const double* type = gguf.metadata.get<double>("general.file_type")) json.tidy("file_type", *type);
    for (const char* count : {"split.count", "split.tensors.count"})
        if (const double* number = gguf.metadata.get<double>(count)) json.tidy(count, *number);
    reply.put("gguf", std::move(json));
}

void write_adapter(const AdapterConfig& adapter, JsonObject& reply) {
    JsonObject json;
    json.text("kind", adapter.kind).tidy("rank", adapter.rank).tidy("alpha", adapter.alpha);
    if (adapter.block > 0) json.tidy("block_size", adapter.block);
    json.tidy("dropout", adapter.dropout).put("targets", texts(adapter.targets));
    json.put("targets_are_pattern", adapter.targets_are_pattern).put("modules_to_save", texts(adapter.modules_to_save));
    json.put("use_dora", adapter.use_dora).put("use_rslora", adapter.use_rslora).text("bias", adapter.bias);
    if (!adapter.base_model.empty()) json.text("base_model", adapter.base_model);
    reply.put("adapter", std::move(json));
}

// The method that trains such an adapter; null: none that is known.
const char* method_of(const AdapterConfig& adapter) {
    if (adapter.kind == "oft") return adapter.block > 1 ? "oft" : nullptr;
    if (adapter.kind != "lora") return nullptr;
    return adapter.use_dora ? "dora" : "lora";
}

// Whether a request can name all that is trained whole.
bool saves_known_modules(const AdapterConfig& adapter) {
    for (const std::string& name : adapter.modules_to_save)
        if (!may_name(modules_that_are_saved(), name)) return false;
    return true;
}

JsonObject training_of(const AdapterConfig& adapter, const char* method) {
    JsonObject lora, training;
    training.text("method", method);
    if (adapter.block > 0) {
        JsonObject oft;
        training.put("oft", std::move(oft.tidy("block_size", adapter.block)));
    } else {
        lora.tidy("rank", adapter.rank).tidy("alpha", adapter.alpha).tidy("dropout", adapter.dropout);
    }
    if (!adapter.targets.empty() && !adapter.targets_are_pattern) lora.put("targets", texts(adapter.targets));
    if (!adapter.modules_to_save.empty() && saves_known_modules(adapter))
        lora.put("modules_to_save", texts(adapter.modules_to_save));
    training.put("lora", std::move(lora));
    return training;
}

void add_note(Json& notes, std::string_view code, std::string_view where, std::string_view text) {
    JsonObject note;
    note.text("code", code).text("where", where).text("text", text).append_to(notes);
}

Json notes_json(const Inspection& inspection) {
    Json notes = Json::array();
    const std::string& first = inspection.files.front().name;
    if (inspection.model && inspection.model->generic)
        add_note(notes, "generic_architecture", first, "not an architecture that is known: counted as a usual decoder");
    if (inspection.model_error) add_note(notes, inspection.model_error->code, first, inspection.model_error->what);
    if (const auto& adapter = inspection.adapter) {
        if (!method_of(*adapter))
            add_note(notes, "adapter_not_estimated", "peft_type", "LoRA, DoRA and OFT of a block size are estimated");
        if (adapter->targets_are_pattern)
            add_note(notes, "pattern_not_used", "target_modules", "a pattern: name the layers by hand");
        if (!saves_known_modules(*adapter))
            add_note(notes, "modules_to_save_not_estimated", "modules_to_save", "estimated without these modules");
        if (adapter->varied)
            add_note(notes, "rank_pattern_not_used", "rank_pattern", "estimated with one rank for all layers");
    }
    return notes;
}

// What the files say, as fields of a request.
Json request_json(const Inspection& inspection) {
    JsonObject model, request;
    if (inspection.config) {
        Json config = *inspection.config;
        if (inspection.gguf)
            config["file_format"] = "gguf";  // by which the request's runtime is llama.cpp, unless it says
        model.put("config", std::move(config));
    }
    const bool bytes = inspection.checkpoint && inspection.checkpoint->bytes() > 0;
    if (bytes) model.put("tensors", tensors_to_json(*inspection.checkpoint));
    if (inspection.config || bytes) request.put("model", std::move(model));
    if (inspection.adapter)
        if (const char* method = method_of(*inspection.adapter))
            request.put("training", training_of(*inspection.adapter, method));
    return request.take();
}

}  // namespace

Json inspection_reply(const Inspection& inspection) {
    Json files = Json::array();
    for (const Inspection::SeenFile& file : inspection.files) {
        JsonObject json;
        json.text("name", file.name).text("kind", file_kind_name(file.kind)).append_to(files);
    }
    const Inspection::SeenFile& first = inspection.files.front();
    JsonObject reply;
    reply.whole("schema", 1).text("kind", inspection.files.size() == 1 ? file_kind_name(first.kind) : "files");
    reply.text("name", first.name).put("files", std::move(files));
    if (inspection.model) write_model(*inspection.model, reply);
    if (inspection.checkpoint) write_checkpoint(inspection, reply);
    if (inspection.gguf) write_gguf(*inspection.gguf, reply);
    if (inspection.adapter) write_adapter(*inspection.adapter, reply);
    reply.put("request", request_json(inspection));
    if (inspection.model) reply.put("assumptions", assumptions_to_json(inspection.model->assumptions));
    return reply.put("notes", notes_json(inspection)).take();
}

}  // namespace plimsoll
