// Requests changed field by field, held to what is so of every reply: rows make their total in each phase, a band holds its
// value, an exact row has none, a refusal names a place, and a sweep's point is the single answer.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "presets.h"
#include "with_grammar.h"

PLIMSOLL_FUZZ_BY(plimsoll::fuzz::request_grammar)

namespace {

using Json = nlohmann::ordered_json;

void demand(bool so, const char* law, const Json& what) {
    if (so) return;
    std::fprintf(stderr, "%s: %s\n", law, what.dump().c_str());
    std::abort();
}

void check_row(const Json& row) {
    const double bytes = row.at("bytes"), low = row.value("low", bytes), high = row.value("high", bytes);
    demand(bytes >= 0 && low <= bytes && bytes <= high, "a band holds its value", row);
    if (row.value("basis", "") == "exact") demand(low == high, "an exact row has no band", row);
    if (!row.contains("rows") || row.at("rows").empty()) return;
    for (const auto& [phase, whole] : row.at("by_phase").items()) {
        double sum = 0;
        for (const Json& child : row.at("rows")) sum += child.at("by_phase").value(phase, 0.0);
        demand(std::abs(sum - whole.get<double>()) <= 1e-12 * sum + 1, "children make their row", row);
    }
    for (const Json& child : row.at("rows")) check_row(child);
}

void check_reply(const Json& reply) {
    if (const auto error = reply.find("error"); error != reply.end()) {
        demand(!error->at("code").get<std::string>().empty() && error->at("code") != "internal", "no defect", *error);
        demand(!error->at("what").get<std::string>().empty(), "a refusal says what", *error);
        return;
    }
    if (reply.contains("rows"))
        for (const Json& row : reply.at("rows")) check_row(row);
}

void check_sweep(const plimsoll::Engine& engine, const Json& request, const Json& reply) {
    const auto inference = request.find("inference");
    if (reply.contains("error") || inference == request.end() || !inference->is_object()) return;
    if (!inference->contains("context") || !inference->at("context").is_number()) return;
    const Json one = {{"request", request},
                      {"over", {{{"field", "inference.context"}, {"values", {inference->at("context")}}}}}};
    const Json swept = Json::parse(engine.sweep(one.dump()));
    if (swept.contains("error") || !reply.contains("total")) return;
    demand(swept.at("bytes").at(0) == reply.at("total").at("bytes"), "a sweep's point is the answer", swept);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const plimsoll::Engine engine = plimsoll::fuzz::with_presets(
        {"devices", "encodings", "optimizers", "runtimes", "trainers", "bands", "speeds", "models"});
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const Json reply = Json::parse(engine.estimate(text));
    check_reply(reply);
    const Json request = Json::parse(text, nullptr, false);
    if (request.is_object()) check_sweep(engine, request, reply);
    return 0;
}
