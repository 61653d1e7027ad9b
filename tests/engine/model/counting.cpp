#include "engine/model/counting.h"

namespace plimsoll::test {

double count(const Json& config) {
    return ask({{"model", {{"config", config}}}, {"explain", "none"}})
        .at("model")
        .at("parameters")
        .at("total")
        .get<double>();
}

double kept(const Json& config, const char* path, double context) {
    return row(ask({{"model", {{"config", config}}}, {"inference", {{"context", context}, {"kv_encoding", "bf16"}}}}),
               path)
        .at("bytes")
        .get<double>();
}

void check_all(std::initializer_list<Published> rows) {
    for (const Published& each : rows) {
        INFO(each.config);
        CHECK(count(Json::parse(each.config)) == each.parameters);
    }
}

}  // namespace plimsoll::test
