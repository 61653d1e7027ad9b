// What must hold for every answer, whatever the model.
#include "engine/support.h"

namespace plimsoll::test::invariants {

namespace {

double sum_of(const Json& rows, const char* key) {
    double sum = 0;
    for (const Json& row : rows) sum += row.at(key).get<double>();
    return sum;
}

void check_children(const Json& row) {
    if (!row.contains("rows")) return;
    for (const auto& [phase, bytes] : row.at("by_phase").items()) {
        double sum = 0;
        for (const Json& child : row.at("rows")) sum += child.at("by_phase").at(phase).get<double>();
        INFO(row.at("id") << " at " << phase);
        CHECK(sum == bytes.get<double>());
    }
    for (const Json& child : row.at("rows")) check_children(child);
}

void check_tokens(const Json& tokens, const Json& symbols) {
    for (const Json& token : tokens) {
        if (token.contains("ref")) {
            INFO("symbol " << token.at("ref"));
            REQUIRE(symbols.contains(token.at("ref").get<std::string>()));
        }
        if (token.contains("args"))
            for (const Json& argument : token.at("args")) check_tokens(argument, symbols);
    }
}

void check_explained(const Json& row, const Json& symbols) {
    INFO(row.dump());
    CHECK_FALSE(row.at("formula").empty());
    CHECK_FALSE(row.at("sources").empty());
    check_tokens(row.at("formula"), symbols);
    if (!row.contains("rows")) return;
    for (const Json& child : row.at("rows")) check_explained(child, symbols);
}

}  // namespace

TEST_CASE("rows sum to the totals, children to their rows, and bands hold the estimate") {
    for (const Json& request : varied_requests()) {
        const Json reply = ask(request);
        INFO(request.dump());
        const Json& total = reply.at("total");
        double allocated = 0, process = 0;
        for (const Json& row : reply.at("rows")) {
            const bool outside = row.at("id") == "slack" || row.at("id") == "device_context";
            process += row.at("bytes").get<double>();
            if (!outside) allocated += row.at("bytes").get<double>();
            CHECK(row.at("low").get<double>() <= row.at("bytes").get<double>());
            CHECK(row.at("bytes").get<double>() <= row.at("high").get<double>());
            if (row.at("basis") == "exact") CHECK(row.at("low") == row.at("high"));
            check_children(row);
        }
        CHECK(allocated == total.at("bytes").get<double>());
        if (request.at("task") != "classic") CHECK(process == total.at("process").at("bytes").get<double>());
        double peak = 0;
        for (const Json& moment : reply.at("timeline")) peak = std::max(peak, moment.at("bytes").get<double>());
        CHECK(peak == total.at("bytes").get<double>());
    }
}

TEST_CASE("a traced answer is the plain answer, bit for bit") {
    for (Json request : varied_requests()) {
        const Json plain = ask(request);
        request["explain"] = "all";
        const Json traced = ask(request);
        INFO(request.dump());
        CHECK(plain.at("total") == traced.at("total"));
        CHECK(plain.at("timeline") == traced.at("timeline"));
        CHECK(sum_of(plain.at("rows"), "high") == sum_of(traced.at("rows"), "high"));
        for (size_t index = 0; index < plain.at("rows").size(); ++index)
            CHECK(plain.at("rows")[index].at("by_phase") == traced.at("rows")[index].at("by_phase"));
    }
}

TEST_CASE("every row has a formula and sources, and every symbol a source or a formula") {
    for (Json request : varied_requests()) {
        request["explain"] = "all";
        const Json reply = ask(request);
        INFO(request.dump());
        for (const Json& row : reply.at("rows")) check_explained(row, reply.at("symbols"));
        for (const auto& [name, symbol] : reply.at("symbols").items()) {
            INFO("symbol " << name);
            CHECK((symbol.contains("source") || symbol.contains("formula")));
            if (symbol.contains("formula")) check_tokens(symbol.at("formula"), reply.at("symbols"));
        }
    }
}

TEST_CASE("no printed line has more than twelve names") {
    for (Json request : varied_requests()) {
        request["explain"] = "all";
        const Json reply = ask(request);
        for (const auto& [name, symbol] : reply.at("symbols").items()) {
            if (!symbol.contains("formula")) continue;
            const auto names =
                std::count_if(symbol.at("formula").begin(), symbol.at("formula").end(),
                              [](const Json& token) { return token.contains("ref") || token.contains("row"); });
            INFO(request.dump() << " symbol " << name);
            CHECK(names <= 12);
        }
    }
}

TEST_CASE("more never needs less") {
    const auto total = [](const Json& request) { return ask(request).at("total").at("bytes").get<double>(); };
    for (const char* field : {"context", "sequences", "replicas"}) {
        double before = 0;
        for (const double value : {1, 2, 3, 100, 101, 4096, 5000}) {
            Json request = {
                {"model", {{"preset", "gemma-2-27b"}}}, {"explain", "none"}, {"inference", {{"context", 300}}}};
            request["inference"][field] = value;
            const double now = total(request);
            INFO(field << " " << value);
            CHECK(now > before);
            before = now;
        }
    }
    for (const char* field : {"sequence", "micro_batch"}) {
        double before = 0;
        for (const double value : {1, 2, 3, 100, 101, 2048, 8192}) {
            Json request = {{"task", "training"},
                            {"model", {{"preset", "mixtral-8x7b"}}},
                            {"explain", "none"},
                            {"training", {{"sequence", 64}}}};
            request["training"][field] = value;
            const double now = total(request);
            INFO(field << " " << value);
            CHECK(now >= before);
            before = now;
        }
    }
}

TEST_CASE("a narrower encoding never needs more") {
    double before = 1e18;
    for (const char* encoding : {"fp64", "fp32", "bf16", "int8", "int4"}) {
        const Json reply = ask({{"model", {{"preset", "llama-3-8b"}}},
                                {"weights", {{"encoding", encoding}}},
                                {"inference", {{"context", 1000}}}});
        const double weights = row(reply, "weights").at("bytes").get<double>();
        CHECK(weights < before);
        before = weights;
    }
}

TEST_CASE("checkpointing saves activations and flash attention the scores") {
    const auto activations = [](const char* checkpointing, const char* attention) {
        const Json reply =
            ask({{"task", "training"},
                 {"model", {{"preset", "llama-3-8b"}}},
                 {"training", {{"checkpointing", checkpointing}, {"attention", attention}, {"sequence", 4096}}}});
        return row(reply, "activations").at("by_phase").at("loss").get<double>();
    };
    CHECK(activations("full", "flash") < activations("none", "flash"));
    CHECK(activations("none", "flash") < activations("none", "eager"));
}

TEST_CASE("a sweep gives the single answers, in row-major order") {
    Json request = {{"model", {{"preset", "mistral-7b-v0.1"}}},
                    {"weights", {{"encoding", "int4"}}},
                    {"inference", {{"context", 1}}}};
    const std::vector<double> contexts = {1, 7, 4095, 4096, 4097, 30000}, sequences = {1, 5};
    const Json sweep = {{"request", request},
                        {"over",
                         {{{"field", "inference.context"}, {"values", contexts}},
                          {{"field", "inference.sequences"}, {"values", sequences}}}}};
    const Json reply = Json::parse(engine().sweep(sweep.dump()));
    INFO(reply.dump());
    REQUIRE(reply.at("bytes").size() == contexts.size() * sequences.size());
    size_t point = 0;
    for (const double context : contexts)
        for (const double count : sequences) {
            request["inference"] = {{"context", context}, {"sequences", count}};
            const Json single = ask(request);
            CHECK(reply.at("bytes")[point] == single.at("total").at("bytes"));
            for (const Json& each : single.at("rows"))
                CHECK(reply.at("rows").at(each.at("id").get<std::string>())[point] == each.at("bytes"));
            ++point;
        }
}

TEST_CASE("a sweep over the model and over training gives the single answers") {
    Json request = {{"task", "training"}, {"model", {{"config", small_llama()}}}, {"training", {{"sequence", 128}}}};
    const Json sweep = {{"request", request},
                        {"over", {{{"field", "model.config.num_hidden_layers"}, {"values", {1, 5, 9}}}}}};
    const Json reply = Json::parse(engine().sweep(sweep.dump()));
    for (size_t point = 0; point < 3; ++point) {
        request["model"]["config"]["num_hidden_layers"] = sweep["over"][0]["values"][point];
        CHECK(reply.at("bytes")[point] == ask(request).at("total").at("bytes"));
    }
}

TEST_CASE("a sweep that cannot be is refused") {
    for (const char* text :
         {"{}", R"({"request": {}, "over": []})",
          R"({"request": {"model": {"preset": "gpt2"}}, "over": [{"field": "inference.context", "values": []}]})",
          R"({"request": {"model": {"preset": "gpt2"}}, "over": [{"field": "inference.context.x", "values": [1]}]})",
          R"({"request": {"model": {"preset": "gpt2"}}, "over": [{"field": "inference.context", "values": [0]}]})"}) {
        INFO(text);
        CHECK(Json::parse(engine().sweep(text)).contains("error"));
    }
}

}  // namespace plimsoll::test::invariants
