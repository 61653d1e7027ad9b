// Reads a question about layouts, and refuses what it does not know at its field.
#include "api/plan/plan_question.h"

#include "api/request/shape.h"

namespace plimsoll {
namespace {

constexpr double most_devices = 16384;
constexpr size_t most_values = 256, most_kept = 1000;
constexpr std::string_view example =
    R"({"request": {…}, "cluster": {"device": {"preset": "h100-sxm-80gb"}, "devices_per_node": 8, "nodes": 8}})";

class PlanQuestionReader {
public:
    explicit PlanQuestionReader(const Json& json) : json_(json) {}

    Result<PlanQuestion> read() {
        if (!json_.is_object()) return Error{"wrong_type", "", "must be an object", example};
        check_keys(json_, "",
                   {"schema", "request", "cluster", "bounds", "want", "keep", "global_batch", "limit", "room", "sure",
                    "prune", "part"});
        const Json* request = member(json_, "request");
        if (!request || !request->is_object())
            return Error{"missing_field", "request", "a plan needs a request", example};
        question_.request = *request;
        read_cluster();
        read_bounds();
        read_want();
        read_limit();
        read_part();
        if (error_) return *error_;
        return question_;
    }

private:
    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }
    void check_keys(const Json& object, const std::string& block, std::initializer_list<const char*> known) {
        for (const auto& [key, value] : object.items()) {
            bool found = false;
            for (const char* each : known) found = found || key == each;
            if (!found) fail({"unknown_field", block + key, "a plan has no such field", "leave it out"});
        }
    }
    // A whole number from `least` to `most`, or nothing where it is not said.
    std::optional<double> count(const Json& object, const char* key, const std::string& block, double least,
                                double most) {
        const Json* value = member(object, key);
        if (!value || value->is_null()) return std::nullopt;
        const double* number = number_member(object, key);
        if (number && *number >= least && *number <= most && is_whole(*number)) return *number;
        fail({"out_of_range", block + key,
              "must be a whole number from " + json_text(Json(static_cast<std::int64_t>(least))) + " to " +
                  json_text(Json(static_cast<std::int64_t>(most))),
              "change it, or leave it out"});
        return std::nullopt;
    }
    bool flag(const char* key, bool otherwise) {
        const Json* value = member(json_, key);
        if (!value || value->is_null()) return otherwise;
        if (!value->is_boolean()) fail({"wrong_type", key, "must be true or false", "change it, or leave it out"});
        return value->is_boolean() ? value->get<bool>() : otherwise;
    }

    void read_cluster() {
        const Json* cluster = member(json_, "cluster");
        if (cluster && cluster->is_array())
            return fail({"not_supported", "cluster", "a search by itself, or a part of one, is over one cluster",
                         "ask for each cluster by itself"});
        if (!cluster || !cluster->is_object())
            return fail({"missing_field", "cluster", "a plan needs to know which devices there are", example});
        check_keys(*cluster, "cluster.",
                   {"device", "devices_per_node", "nodes", "bandwidth_within", "bandwidth_between"});
        const Json* device = member(*cluster, "device");
        if (device && device->is_array())
            return fail({"not_supported", "cluster.device", "layouts over devices of several kinds are not searched",
                         R"(a cluster for each kind: "cluster": [{…}, {…}])"});
        if (device && !device->is_null()) question_.request["device"] = *device;
        if (!member(question_.request, "device"))
            fail({"missing_field", "cluster.device", "the kind of device is not said", "name a preset of it"});
        question_.cluster.per_node = count(*cluster, "devices_per_node", "cluster.", 1, most_devices).value_or(8);
        question_.cluster.nodes = count(*cluster, "nodes", "cluster.", 1, most_devices).value_or(1);
        question_.cluster.bandwidth_within = count(*cluster, "bandwidth_within", "cluster.", 1, 1e15).value_or(0);
        question_.cluster.bandwidth_between = count(*cluster, "bandwidth_between", "cluster.", 1, 1e15).value_or(0);
        if (question_.cluster.devices() > most_devices)
            fail({"out_of_range", "cluster.nodes", "there are more than 16384 devices", "take fewer nodes"});
    }

    void read_bounds() {
        const Json* bounds = member(json_, "bounds");
        if (!bounds || bounds->is_null()) return;
        if (!bounds->is_object())
            return fail({"wrong_type", "bounds", "must be an object of fields", R"({"parallel.tensor": [1, 8]})"});
        for (const auto& [field, values] : bounds->items()) read_bound(field, values);
    }
    void read_bound(const std::string& field, const Json& values) {
        const std::string where = "bounds." + field;
        if (!values.is_array() || values.empty() || values.size() > most_values)
            return fail({"wrong_type", where, "must be a list of values, or the first and the last number",
                         R"([1, 8] or ["none", "full"])"});
        Reading reading;
        const DescribedField described(field, reading);
        Bound bound{field, {}, {}};
        for (const Json& value : values) {
            if (!reading.error) described.check(value, reading);
            bound.values.push_back(value);
        }
        if (reading.error) {
            reading.error->where = where;
            return fail(*reading.error);
        }
        if (values.size() == 2 && values[0].is_number() && values[1].is_number()) {
            bound.range = {values[0].get<double>(), values[1].get<double>()};
            if (bound.range->first > bound.range->second)
                return fail({"out_of_range", where, "the first number is larger than the last", "exchange them"});
        }
        question_.bounds.push_back(std::move(bound));
    }

    void read_want() {
        const Json* want = member(json_, "want");
        if (want && !want->is_null()) {
            const std::string* name = text_member(json_, "want");
            const size_t place = name ? place_in(want_names, *name) : count_of(want_names);
            if (place == count_of(want_names))
                return fail({"unknown_value", "want", shown_json(*want) + " is nothing that a layout can be best at",
                             "one of: " + std::string(want_names)});
            question_.want = static_cast<Want>(place);
            if (question_.want == Want::shortest_step) ask_for_time();
        }
        question_.keep = static_cast<size_t>(count(json_, "keep", "", 1, most_kept).value_or(10));
        question_.global_batch = count(json_, "global_batch", "", 1, 1e9).value_or(0);
    }

    // A step takes as long as its slowest link: without the links' rates it is not known which layout is the fastest.
    void ask_for_time() {
        question_.request["time"] = true;
        const Cluster& cluster = question_.cluster;
        const auto need = [this](const char* field, bool is_needed, const char* hint) {
            if (is_needed)
                fail({"missing_field", field, "how much a device sends in a second decides which step is the shortest",
                      hint});
        };
        need("cluster.bandwidth_within", cluster.per_node > 1 && cluster.bandwidth_within == 0,
             "bytes a second, one way: 450000000000 for NVLink of 900 GB/s");
        need("cluster.bandwidth_between", cluster.nodes > 1 && cluster.bandwidth_between == 0,
             "bytes a second of one device: 50000000000 for a network card of 400 Gb/s");
    }

    void read_limit() {
        question_.limit.sure = flag("sure", false);
        question_.prune = flag("prune", true);
        question_.room = count(json_, "room", "", 0, 9e15).value_or(0);
        const Json* limit = member(json_, "limit");
        if (!limit || limit->is_null()) return;
        if (!limit->is_object()) return fail({"wrong_type", "limit", "must be an object", R"({"bytes": 80000000000})"});
        check_keys(*limit, "limit.", {"bytes", "host_bytes"});
        question_.limit.bytes = count(*limit, "bytes", "limit.", 0, 9e15);
        question_.limit.host_bytes = count(*limit, "host_bytes", "limit.", 0, 9e15);
    }

    void read_part() {
        const Json* part = member(json_, "part");
        if (!part || part->is_null()) return;
        const bool pair = part->is_array() && part->size() == 2 && (*part)[0].is_number() && (*part)[1].is_number();
        if (pair) {
            question_.part = (*part)[0].get<double>();
            question_.of = (*part)[1].get<double>();
        }
        const bool legal = pair && is_whole(question_.part) && is_whole(question_.of) && question_.part >= 0 &&
                           question_.part < question_.of && question_.of <= 65536;
        if (!legal)
            fail(
                {"wrong_type", "part", "must be which part is searched, from 0 on, and of how many", "such as [0, 4]"});
    }

    const Json& json_;
    PlanQuestion question_;
    std::optional<Error> error_;
};

}  // namespace

bool Bound::admits(double number) const {
    if (range) return number >= range->first && number <= range->second;
    for (const Json& value : values)
        if (value.is_number() && value.get<double>() == number) return true;
    return false;
}

const Bound* PlanQuestion::bound(std::string_view field) const {
    for (const Bound& each : bounds)
        if (each.field == field) return &each;
    return nullptr;
}

Result<PlanQuestion> read_plan_question(const Json& json) { return PlanQuestionReader(json).read(); }

}  // namespace plimsoll
