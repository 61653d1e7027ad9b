// What can be looked for, and among which values.
#include "api/solve/sought.h"

#include <cmath>

namespace plimsoll {
namespace {

// What bounds a whole number, beside the schema.
enum class End : unsigned char {
    schema,
    positions,
    layers,
    layers_and_head,
    devices,
    memory,
    stages_of_zero,
    hundredths,
    images
};

struct Kind {
    const char* field;
    Wanted wanted;
    End end;
    std::int64_t first;
    std::int64_t last;
};

constexpr std::int64_t most_tokens = 100000000, most_batch = 1000000;
constexpr Kind numbers[] = {
    {"inference.context", Wanted::greatest, End::positions, 1, most_tokens},
    {"inference.sequences", Wanted::greatest, End::schema, 1, most_batch},
    {"inference.prompt", Wanted::greatest, End::positions, 1, most_tokens},
    {"inference.batch_tokens", Wanted::greatest, End::schema, 1, most_batch},
    {"inference.memory_fraction", Wanted::least, End::hundredths, 1, 100},
    {"inference.offload.gpu_layers", Wanted::greatest, End::layers_and_head, 0, 0},
    {"inference.offload.experts_on_cpu", Wanted::least, End::layers, 0, 0},
    {"training.micro_batch", Wanted::greatest, End::schema, 1, most_batch},
    {"training.sequence", Wanted::greatest, End::positions, 1, most_tokens},
    {"training.accumulation", Wanted::least, End::schema, 1, most_batch},
    {"training.lora.rank", Wanted::greatest, End::schema, 1, 65536},
    {"training.images.count", Wanted::greatest, End::images, 1, 0},
    {"training.freeze.trainable_layers", Wanted::greatest, End::layers, 1, 0},
    {"devices", Wanted::least, End::devices, 1, 0},
    {"parallel.data", Wanted::least, End::devices, 1, 0},
    {"parallel.tensor", Wanted::least, End::devices, 1, 0},
    {"parallel.pipeline", Wanted::least, End::devices, 1, 0},
    {"parallel.context", Wanted::least, End::devices, 1, 0},
    {"parallel.expert", Wanted::least, End::devices, 1, 0},
    {"parallel.zero", Wanted::least, End::stages_of_zero, 0, 3},
    {"device.used_by_others_bytes", Wanted::greatest, End::memory, 0, 0},
};

constexpr const char* lists[] = {"weights.encoding",       "inference.kv_encoding", "training.optimizer",
                                 "training.checkpointing", "training.method",       "training.towers",
                                 "device.preset",          "model.preset"};

template <class Presets>
void add_ids(const Presets& presets, std::vector<Json>& values) {
    for (const auto& [id, preset] : presets) values.emplace_back(id);
}

void add_names(std::string_view names, std::vector<Json>& values) {
    for (size_t at = 0; !name_at(names, at).empty(); ++at) values.emplace_back(std::string(name_at(names, at)));
}

// Those that the request's runtime can hold weights, or a cache, in.
void add_encodings(const Request& request, const Library& library, bool of_cache, std::vector<Json>& values) {
    const Runtime* runtime = request.task == Task::inference ? request.inference.runtime : nullptr;
    for (const auto& [id, encoding] : library.encodings)
        if (id == encoding.id && (!runtime || (of_cache ? runtime->caches(encoding) : runtime->loads(encoding))))
            values.emplace_back(id);
}

// Those that the request's runtime runs on.
void add_devices(const Request& request, const Library& library, std::vector<Json>& values) {
    const Runtime* runtime = request.task == Task::inference ? request.inference.runtime : nullptr;
    for (const auto& [id, device] : library.devices)
        if (!runtime || runtime->runs_on(device)) values.emplace_back(id);
}

std::vector<Json> values_of(const std::string& field, const Request& request, const Library& library) {
    std::vector<Json> values;
    if (field == "weights.encoding") add_encodings(request, library, false, values);
    if (field == "inference.kv_encoding") add_encodings(request, library, true, values);
    if (field == "training.optimizer") add_ids(library.optimizers, values);
    if (field == "training.checkpointing") add_names(choice_names<Checkpointing>, values);
    if (field == "training.towers") add_names(choice_names<TrainedTowers>, values);
    if (field == "training.method") add_names(choice_names<MethodKind>, values);
    if (field == "device.preset") add_devices(request, library, values);
    if (field == "model.preset") add_ids(library.models, values);
    return values;
}

}  // namespace

class SoughtReader {
public:
    SoughtReader(Point& point, const SoughtIn& in) : point_(point), in_(in) {}

    Result<Sought> read(const std::string& field) {
        sought_.field_ = field;
        for (const Kind& kind : numbers)
            if (field == kind.field) return number(kind);
        for (const char* list : lists)
            if (field == list) return chosen();
        return Error{"unknown_value", "find", "this field cannot be looked for",
                     "one of: " + std::string(sought_fields())};
    }

private:
    const Request& request() { return point_.read(); }

    Result<Sought> number(const Kind& kind) {
        if (in_.values)
            return Error{"not_supported", "values", "a field of whole numbers is looked through by itself",
                         "leave it out"};
        sought_.wanted_ = kind.wanted;
        Range& range = sought_.range_;
        range.first = kind.first;
        range.last = last(kind);
        if (kind.end == End::hundredths) sought_.unit_ = 0.01;
        if (const auto error = keep_batch()) return *error;
        const auto own = given();
        if (own && *own > static_cast<double>(range.last)) range.last = std::max(kind.last, range.last);
        if (in_.within) {
            range.first = std::max(range.first, rounded(in_.within->first));
            range.last = std::min(std::max(range.last, kind.last), rounded(in_.within->second));
        }
        if (range.first > range.last)
            return Error{"out_of_range", in_.within ? "within" : "find", "there is no value to look at",
                         "take a wider range"};
        range.expected = own ? rounded(*own) : range.first;
        range.monotone = monotone(kind);
        if (planned() && sought_.field_ == "inference.context") range.stretch = cells();
        return sought_;
    }
    std::int64_t rounded(double value) const { return static_cast<std::int64_t>(std::llround(value / sought_.unit_)); }
    std::int64_t last(const Kind& kind) {
        const auto layers = static_cast<std::int64_t>(point_.model().model.order.size());
        switch (kind.end) {
            case End::layers: return layers;
            case End::layers_and_head: return layers + 1;
            case End::devices: return static_cast<std::int64_t>(in_.most_devices);
            case End::memory: return request().device ? static_cast<std::int64_t>(request().device->memory_bytes) : 0;
            case End::images: {
                const TrainingBatch& batch = request().training.request.batch;
                sought_.end_source_ = "the tokens of a sequence";
                return batch.images.tokens > 0 ? static_cast<std::int64_t>(batch.sequence / batch.images.tokens) : 1;
            }
            case End::positions: {
                const double positions = point_.model().model.context_limit;
                if (positions < 1) return kind.last;
                sought_.end_source_ = "the model's positions";
                return static_cast<std::int64_t>(positions);
            }
            default: return kind.last;
        }
    }
    // What the request says of the field itself.
    std::optional<double> given() const {
        const Json* at = value_at(point_.json(), sought_.field_);
        if (!at || !at->is_number()) return std::nullopt;
        return at->get<double>();
    }
    // Accumulation is looked for at a fixed product with the micro-batch.
    std::optional<Error> keep_batch() {
        if (sought_.field_ != "training.accumulation") return std::nullopt;
        const Json* training = member(point_.json(), "training");
        const double* micro_batch = training ? number_member(*training, "micro_batch") : nullptr;
        const double* steps = training ? number_member(*training, "accumulation") : nullptr;
        sought_.global_batch_ = (micro_batch ? *micro_batch : 1) * (steps ? *steps : 1);
        sought_.range_.last = static_cast<std::int64_t>(sought_.global_batch_);
        return std::nullopt;
    }
    bool planned() {
        return request().task == Task::inference && !request().reading.error &&
               request().inference.runtime->allocation == Allocation::llama_cpp;
    }
    std::int64_t cells() {
        return request().inference.request.flash_attention
                   ? 256
                   : static_cast<std::int64_t>(request().inference.graph_rules.cells);
    }
    bool monotone(const Kind& kind) {
        if (kind.end == End::memory) return true;
        return request().task == Task::inference && !planned();
    }

    Result<Sought> chosen() {
        if (in_.within)
            return Error{"not_supported", "within", "a list has no range",
                         "list the values that are looked at in values"};
        sought_.values_ = values_of(sought_.field_, request(), point_.library());
        if (sought_.field_ == "device.preset") sought_.wanted_ = Wanted::least;
        if (in_.values) {
            sought_.values_.clear();
            for (const Json& value : *in_.values) sought_.values_.push_back(value);
        }
        if (sought_.values_.empty())
            return Error{"missing_field", "values", "there is nothing to look through", "list the values"};
        sought_.range_ = {1, static_cast<std::int64_t>(sought_.values_.size()), 1, false, 1};
        return sought_;
    }

    Point& point_;
    const SoughtIn& in_;
    Sought sought_;
};

Result<Sought> read_sought(const std::string& field, Point& point, const SoughtIn& in) {
    return SoughtReader(point, in).read(field);
}

std::string_view sought_fields() {
    static const std::string names = [] {
        std::string all;
        for (const Kind& kind : numbers) all += std::string(kind.field) + ", ";
        for (const char* list : lists) all += std::string(list) + (list == lists[std::size(lists) - 1] ? "" : ", ");
        return all;
    }();
    return names;
}

Json Sought::value(std::int64_t number) const {
    if (is_list()) return values_[static_cast<size_t>(number - 1)];
    if (unit_ == 1) return number;
    return std::round(static_cast<double>(number)) / 100;
}

bool Sought::set(Point& point, std::int64_t number) const {
    if (global_batch_ > 0) {
        const auto batch = static_cast<std::int64_t>(global_batch_);
        if (batch % number != 0) return false;
        point.set("training.micro_batch", batch / number);
    }
    return point.set(field_, value(number));
}

}  // namespace plimsoll
