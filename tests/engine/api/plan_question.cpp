// A question about layouts: each mistake is refused at its field, and what is left out is what the schema says it is.
#include "engine/support.h"

namespace plimsoll::test::plan_question {
namespace {

Json question() {
    return {
        {"request", {{"model", {{"config", small_llama()}}}, {"training", {{"sequence", 512}, {"method", "full"}}}}},
        {"cluster", {{"device", {{"preset", "h100-sxm-80gb"}}}, {"devices_per_node", 4}, {"nodes", 2}}}};
}

Json reply_to(const Json& asked) { return Json::parse(engine().plan(asked.dump())); }

/// `field` of the question as JSON `value`; a field within another by its path.
Json with(const char* field, const Json& value) {
    Json changed = question();
    changed[Json::json_pointer(field)] = value;
    return changed;
}

void check_refused(const Json& asked, const std::string& where, const std::string& code) {
    const Json reply = reply_to(asked);
    INFO(asked.dump() << "\n" << reply.dump().substr(0, 500));
    REQUIRE(reply.contains("error"));
    CHECK(reply.at("error").at("where") == where);
    CHECK(reply.at("error").at("code") == code);
    CHECK(!reply.at("error").at("what").get<std::string>().empty());
}

}  // namespace

TEST_CASE("a question about layouts that says something wrong is refused at its field") {
    struct Mistake {
        const char* field;
        Json value;
        const char *where, *code;
    };
    const Mistake mistakes[] = {
        {"/clutser", Json::object(), "clutser", "unknown_field"},
        {"/request", nullptr, "request", "missing_field"},
        {"/cluster", nullptr, "cluster", "missing_field"},
        {"/cluster", Json::array(), "cluster", "not_supported"},
        {"/cluster/racks", 4, "cluster.racks", "unknown_field"},
        {"/cluster/device", Json::array(), "cluster.device", "not_supported"},
        {"/cluster/device", nullptr, "cluster.device", "missing_field"},
        {"/cluster/nodes", 0, "cluster.nodes", "out_of_range"},
        {"/cluster/nodes", 1.5, "cluster.nodes", "out_of_range"},
        {"/cluster/nodes", "two", "cluster.nodes", "out_of_range"},
        {"/cluster/nodes", 16384, "cluster.nodes", "out_of_range"},
        {"/cluster/devices_per_node", 16385, "cluster.devices_per_node", "out_of_range"},
        {"/cluster/bandwidth_within", 0, "cluster.bandwidth_within", "out_of_range"},
        {"/bounds", 8, "bounds", "wrong_type"},
        {"/bounds", {{"parallel.tensor", 8}}, "bounds.parallel.tensor", "wrong_type"},
        {"/bounds", {{"parallel.tensor", Json::array()}}, "bounds.parallel.tensor", "wrong_type"},
        {"/bounds", {{"parallel.tensor", {8, 1}}}, "bounds.parallel.tensor", "out_of_range"},
        {"/bounds", {{"parallel.tensor", {"x", "y"}}}, "bounds.parallel.tensor", "wrong_type"},
        {"/want", "best", "want", "unknown_value"},
        {"/want", 3, "want", "unknown_value"},
        {"/want", "shortest_step", "cluster.bandwidth_within", "missing_field"},
        {"/keep", 0, "keep", "out_of_range"},
        {"/global_batch", -8, "global_batch", "out_of_range"},
        {"/sure", "yes", "sure", "wrong_type"},
        {"/prune", 1, "prune", "wrong_type"},
        {"/room", -1, "room", "out_of_range"},
        {"/limit", 80, "limit", "wrong_type"},
        {"/limit", {{"megabytes", 1}}, "limit.megabytes", "unknown_field"},
        {"/limit", {{"bytes", "80 GB"}}, "limit.bytes", "out_of_range"},
        {"/part", 1, "part", "wrong_type"},
        {"/part", {2, 2}, "part", "wrong_type"},
        {"/part", {-1, 2}, "part", "wrong_type"},
        {"/part", {0.5, 2}, "part", "wrong_type"},
        {"/part", {"0", 2}, "part", "wrong_type"},
        {"/part", {0, 65537}, "part", "wrong_type"},
    };
    for (const Mistake& mistake : mistakes)
        check_refused(with(mistake.field, mistake.value), mistake.where, mistake.code);
    check_refused(Json::array(), "", "wrong_type");
    Json linked = with("/want", "shortest_step");  // between nodes, too
    linked["cluster"]["bandwidth_within"] = 450e9;
    check_refused(linked, "cluster.bandwidth_between", "missing_field");
}

TEST_CASE("the shortest step is looked for where a step can be timed, and a request's own mistake comes first") {
    Json timed = with("/want", "shortest_step");
    timed["cluster"]["bandwidth_within"] = 450e9;
    timed["cluster"]["bandwidth_between"] = 50e9;
    CHECK(reply_to(timed).contains("layouts"));
    Json inference = timed;
    inference["request"].erase("training");
    inference["request"]["inference"] = {{"context", 512}, {"runtime", "vllm"}};
    check_refused(inference, "want", "not_supported");
    Json wrong = timed;
    wrong["request"]["training"]["sequence"] = -1;
    check_refused(wrong, "training.sequence", "out_of_range");
}

TEST_CASE("null is as left out in a question about layouts") {
    const std::string plain = reply_to(question()).dump();
    for (const char* field :
         {"/bounds", "/want", "/keep", "/global_batch", "/limit", "/room", "/sure", "/prune", "/part"}) {
        INFO(field);
        CHECK(reply_to(with(field, nullptr)).dump() == plain);
    }
}

TEST_CASE("parts of a search add up to the whole, and bounds are kept") {
    Json bounded = with("/bounds", {{"parallel.tensor", {1, 2}}, {"training.checkpointing", {"none", "full"}}});
    bounded["keep"] = 1000;
    const Json whole = reply_to(bounded);
    REQUIRE(whole.contains("layouts"));
    CHECK(!whole.at("layouts").empty());
    for (const Json& layout : whole.at("layouts")) {
        const Json& request = layout.at("request");
        CHECK(request.at("parallel").value("tensor", 1.0) <= 2);
        const std::string checkpointing = request.at("training").at("checkpointing");
        CHECK((checkpointing == "none" || checkpointing == "full"));
    }
    double all = 0;
    for (int part = 0; part < 3; ++part) {
        bounded["part"] = {part, 3};
        all += reply_to(bounded).at("counted").at("all").get<double>();
    }
    CHECK(all == whole.at("counted").at("all").get<double>());
}

TEST_CASE("each thing that a layout can be best at ranks layouts of the same question") {
    for (const char* want : {"fits", "fewest_devices", "largest_micro_batch", "least_traffic", "least_overhead"}) {
        const Json reply = reply_to(with("/want", want));
        INFO(want << reply.dump().substr(0, 300));
        REQUIRE(reply.contains("layouts"));
        CHECK(reply.at("want") == want);
        CHECK(!reply.at("layouts").empty());
    }
}

TEST_CASE("devices that share a sequence share states as copies do") {
    Json ring = with("/cluster", {{"device", {{"preset", "h100-sxm-80gb"}}}, {"devices_per_node", 2}, {"nodes", 1}});
    ring["request"]["parallel"] = {{"framework", "megatron"}};
    ring["bounds"] = {{"parallel.context", {2}}, {"parallel.data", {1}}};
    ring["keep"] = 100;
    const Json reply = reply_to(ring);
    INFO(reply.dump().substr(0, 500));
    bool whole = false, shared = false;
    for (const Json& layout : reply.at("layouts")) {
        const Json& parallel = layout.at("request").at("parallel");
        CHECK(parallel.at("context") == 2);
        whole = whole || parallel.value("zero", 0.0) == 0;
        shared = shared || parallel.value("zero", 0.0) == 1;
    }
    CHECK((whole && shared));
}

}  // namespace plimsoll::test::plan_question
