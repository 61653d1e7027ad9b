// Reads a question, and refuses what it does not know at its field.
#include "api/solve/question.h"

#include "api/request/shape.h"

namespace plimsoll {
namespace {

class QuestionReader {
public:
    explicit QuestionReader(const Json& json) : json_(json) {}

    Result<Question> read() {
        if (!json_.is_object())
            return wrong("", "must be an object", R"({"request": {…}, "find": "inference.context"})");
        for (const auto& [key, value] : json_.items())
            check_key(key, {"schema", "request", "find", "limit", "sure", "values", "within"}, "");
        const Json* request = member(json_, "request");
        if (!request || !request->is_object())
            return Error{"missing_field", "request", "a question needs a request",
                         R"({"request": {…}, "find": "inference.context"})"};
        if (const Json* explain = member(*request, "explain")) question_.explain = *explain;
        read_fields();
        read_limit();
        read_values();
        read_within();
        if (error_) return *error_;
        return question_;
    }

private:
    static Error wrong(std::string_view where, std::string_view what, std::string_view hint) {
        return {"wrong_type", where, what, hint};
    }
    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }
    void check_key(const std::string& key, std::initializer_list<const char*> known, const std::string& block) {
        for (const char* each : known)
            if (key == each) return;
        fail({"unknown_field", block + key, "a question has no such field", "leave it out"});
    }
    void read_fields() {
        const Json* find = member(json_, "find");
        if (find && find->is_string()) question_.fields.push_back(find->get<std::string>());
        if (find && find->is_array() && find->size() <= 2)
            for (const Json& each : *find)
                if (each.is_string()) question_.fields.push_back(each.get<std::string>());
        if (question_.fields.empty())
            fail(wrong("find", "must name a field, or two in a list", "one of: " + std::string(sought_fields())));
    }
    std::optional<double> amount(const Json& limit, const char* key, double least) {
        const Json* value = member(limit, key);
        if (!value || value->is_null()) return std::nullopt;
        const double* number = number_member(limit, key);
        if (number && *number >= least && *number < 9e15) return *number;
        fail({"out_of_range", std::string("limit.") + key,
              "must be a number of at least " + std::to_string(static_cast<int>(least)), "such as 24000000000 bytes"});
        return std::nullopt;
    }
    void read_limit() {
        const Json* sure = member(json_, "sure");
        if (sure && !sure->is_boolean()) fail(wrong("sure", "must be true or false", "true: all of the band must fit"));
        if (sure && sure->is_boolean()) question_.limit.sure = sure->get<bool>();
        const Json* limit = member(json_, "limit");
        if (!limit || limit->is_null()) return;
        if (!limit->is_object()) return fail(wrong("limit", "must be an object", R"({"bytes": 24000000000})"));
        for (const auto& [key, value] : limit->items())
            check_key(key, {"bytes", "host_bytes", "devices", "token_seconds", "tokens_per_second"}, "limit.");
        question_.limit.token_seconds = amount(*limit, "token_seconds", 0);
        question_.limit.tokens_per_second = amount(*limit, "tokens_per_second", 0);
        for (const auto& each : {question_.limit.token_seconds, question_.limit.tokens_per_second})
            if (each && *each == 0)
                fail({"out_of_range", "limit", "a limit of time must be more than nothing", "such as 0.05 seconds"});
        question_.limit.bytes = amount(*limit, "bytes", 0);
        question_.limit.host_bytes = amount(*limit, "host_bytes", 0);
        if (const auto devices = amount(*limit, "devices", 1)) question_.in.most_devices = minimum(*devices, 65536);
    }
    void read_values() {
        const Json* values = member(json_, "values");
        if (!values || values->is_null()) return;
        if (!values->is_array() || values->empty() || values->size() > 10000)
            return fail(wrong("values", "must be a list of values of the field", R"(["gguf-q4_k_m", "gguf-q8_0"])"));
        question_.in.values = values;
        if (question_.fields.size() != 1) return;
        Reading reading;
        const DescribedField described(question_.fields[0], reading);
        for (const Json& value : *values)
            if (!reading.error) described.check(value, reading);
        if (reading.error) fail(*reading.error);
    }

    void read_within() {
        const Json* within = member(json_, "within");
        if (!within || within->is_null()) return;
        const bool pair =
            within->is_array() && within->size() == 2 && (*within)[0].is_number() && (*within)[1].is_number();
        const double first = pair ? (*within)[0].get<double>() : 0, last = pair ? (*within)[1].get<double>() : -1;
        if (!(first >= 0 && first <= last && last < 9e15))
            return fail(
                wrong("within", "must be the first and the last value that are looked at", "such as [1024, 131072]"));
        question_.in.within = {first, last};
    }

    const Json& json_;
    Question question_;
    std::optional<Error> error_;
};

}  // namespace

Result<Question> read_question(const Json& json) { return QuestionReader(json).read(); }

}  // namespace plimsoll
