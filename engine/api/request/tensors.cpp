// `model.tensors` of a request: a checkpoint's groups, as `inspect` writes them.
#include <cmath>

#include "api/inspect/inspection.h"
#include "api/reply/json_object.h"

namespace plimsoll {
namespace {

constexpr size_t most_groups = 100000;
constexpr double largest_amount = 4503599627370496;  // 2^52

Error wrong(const std::string& where, std::string_view field) {
    return {"wrong_type", where + "." + std::string(field), "missing, of the wrong type or out of range",
            "take the list from `plimsoll inspect FILE --json`, as it is"};
}

std::optional<double> amount(const Json& group, const char* field) {
    const double* value = number_member(group, field);
    if (!value || !(*value >= 0 && *value <= largest_amount)) return std::nullopt;
    return *value;
}

Result<TensorGroup> read_group(const Json& json, const std::string& where) {
    TensorGroup group;
    const std::string *part = text_member(json, "part"), *type = text_member(json, "type");
    if (!part) return wrong(where, "part");
    if (!type || (bits_of_type(*type) == 0 && !type->empty())) return wrong(where, "type");
    group.part = *part;
    group.type = *type;
    if (const std::string* purpose = text_member(json, "purpose")) {
        for (const Purpose known : {Purpose::parameter, Purpose::scale, Purpose::buffer})
            if (*purpose == purpose_name(known)) group.purpose = known;
    }
    if (const double* layer = number_member(json, "layer")) {
        if (!(*layer >= 0 && *layer <= 9999) || *layer != std::floor(*layer)) return wrong(where, "layer");
        group.layer = static_cast<int>(*layer);
    }
    const auto count = amount(json, "count"), parameters = amount(json, "parameters"), bytes = amount(json, "bytes");
    if (!count) return wrong(where, "count");
    if (!parameters) return wrong(where, "parameters");
    if (!bytes) return wrong(where, "bytes");
    group.count = *count;
    group.parameters = *parameters;
    group.bytes = *bytes;
    return group;
}

// Bytes of one parameter of the embedding and the head, outside the layers.
double bytes_outside(const Checkpoint& checkpoint) {
    double parameters = 0, bytes = 0;
    for (const TensorGroup& group : checkpoint.groups())
        if (group.part == "language" && group.layer < 0 && group.purpose == Purpose::parameter)
            parameters += group.parameters, bytes += group.bytes;
    return parameters > 0 ? bytes / parameters : 0;
}

}  // namespace

Json tensors_to_json(const Checkpoint& checkpoint) {
    Json list = Json::array();
    for (const TensorGroup& group : checkpoint.groups()) {
        JsonObject json;
        json.text("part", group.part);
        if (group.layer >= 0) json.whole("layer", group.layer);
        json.text("type", group.type).text("purpose", purpose_name(group.purpose));
        json.whole("count", group.count).tidy("parameters", group.parameters).whole("bytes", group.bytes);
        json.append_to(list);
    }
    return list;
}

Result<Checkpoint> tensors_from_json(const Json& tensors, const std::string& where) {
    if (!tensors.is_array() || tensors.empty() || tensors.size() > most_groups)
        return Error{"wrong_type", where, "must be a list of tensors", "take it from `plimsoll inspect FILE --json`"};
    Checkpoint checkpoint;
    for (size_t i = 0; i < tensors.size(); ++i) {
        Result<TensorGroup> group = read_group(tensors[i], where + "[" + std::to_string(i) + "]");
        if (!group) return group.error();
        checkpoint.add(*group);
    }
    if (!(checkpoint.bytes() <= largest_amount) || !(checkpoint.parameters() <= largest_amount))
        return Error{"out_of_range", where, "more bytes than a checkpoint can have", "see `plimsoll inspect`"};
    return checkpoint;
}

void store(const Checkpoint& checkpoint, Model& model) {
    const int layers = static_cast<int>(model.order.size());
    for (const TensorGroup& group : checkpoint.groups()) {
        if (group.part == "mtp" || (layers > 0 && group.layer >= layers)) continue;
        std::string name = group.part;
        if (group.purpose != Purpose::parameter) name = group.purpose == Purpose::scale ? "scales" : "buffers";
        size_t at = 0;
        while (at < model.stored.size() && model.stored[at].name != name) ++at;
        if (at == model.stored.size()) model.stored.push_back({name, 0});
        model.stored[at].bytes += group.bytes;
    }
    // a tied head that is stored again is loaded and thrown away
    if (const double head = head_stored_again(model, checkpoint); head > 0)
        for (StoredPart& part : model.stored)
            if (part.name == "language") part.bytes -= head * bytes_outside(checkpoint);
}

// Blocks of ggml's: Q4_K, IQ2_XS, TQ1_0 …
bool is_gguf(const Checkpoint& checkpoint) {
    for (const TensorGroup& group : checkpoint.groups()) {
        const std::string_view type = group.type;
        const size_t kind = type.substr(0, 2) == "IQ" || type.substr(0, 2) == "TQ" ? 1 : 0;
        if (type.size() > kind && type[kind] == 'Q') return true;
    }
    return false;
}

std::string usual_encoding(const Checkpoint& checkpoint) {
    struct Known {
        std::string_view type;
        const char* encoding;
        double bytes = 0;
    };
    Known known[] = {{"BF16", "bf16"}, {"F16", "fp16"}, {"F32", "fp32"}};
    for (const TensorGroup& group : checkpoint.groups())
        for (Known& each : known)
            if (each.type == group.type) each.bytes += group.bytes;
    const Known* most = known;
    for (const Known& each : known)
        if (each.bytes > most->bytes) most = &each;
    return most->bytes > 0 ? most->encoding : "";
}

}  // namespace plimsoll
