// Lists of modules' names are read by one reader: unknown names are refused, with what was probably meant.
#include "engine/support.h"

namespace plimsoll::test::modules {

namespace {

Json training(const Json& block) {
    return {{"task", "training"}, {"model", {{"preset", "llama-3-8b"}}}, {"training", block}};
}

struct List {
    const char* field;
    Json request;
    std::string near;  ///< a name that it may have
};

/// Every field that is a list of modules' names, with `names`.
std::vector<List> lists(const Json& names) {
    const Json served{{"model", {{"preset", "llama-3-8b"}}},
                      {"device", {{"preset", "h100-sxm-80gb"}}},
                      {"inference", {{"runtime", "vllm"}, {"context", 4096}, {"lora", {{"targets", names}}}}}};
    return {{"training.lora.targets", training({{"method", "lora"}, {"lora", {{"targets", names}}}}), "q_proj"},
            {"training.lora.modules_to_save", training({{"method", "lora"}, {"lora", {{"modules_to_save", names}}}}),
             "lm_head"},
            {"training.galore.targets", training({{"method", "galore"}, {"galore", {{"targets", names}}}}), "q_proj"},
            {"training.freeze.trainable_modules",
             training({{"method", "freeze"}, {"freeze", {{"trainable_modules", names}}}}), "self_attn"},
            {"training.freeze.extra_modules", training({{"method", "freeze"}, {"freeze", {{"extra_modules", names}}}}),
             "lm_head"},
            {"inference.lora.targets", served, "q_proj"}};
}

}  // namespace

TEST_CASE("a module that the model has not is refused, with the nearest that it has") {
    for (const List& list : lists({"unheard"})) {
        const Json error = refuse(list.request.dump());
        INFO(list.field);
        CHECK(error.at("where") == list.field);
        CHECK(error.at("hint").get<std::string>().rfind("some of: ", 0) == 0);
    }
    for (const char* wrong : {"q_prj", "lm_hed", "selfattn"})
        for (const List& list : lists({wrong})) {
            const bool meant = list.near[0] == wrong[0];
            const std::string hint = refuse(list.request.dump()).at("hint").get<std::string>();
            INFO(list.field << ": " << hint);
            CHECK((hint.find("did you mean " + list.near) == 0) == meant);
        }
}

TEST_CASE("names stand in a list or in one text, and nothing else is a list of names") {
    for (const List& named : lists({"x"})) {
        for (const List& list : lists({named.near}))
            if (std::string(list.field) == named.field) {
                INFO(list.field);
                Json text = list.request;
                text.at(Json::json_pointer("/" + [&] {
                    std::string path = list.field;
                    for (char& each : path)
                        if (each == '.') each = '/';
                    return path;
                }())) = named.near;
                CHECK(ask(text) == ask(list.request));
            }
    }
    for (const Json& wrong : {Json(3), Json::array({3}), Json{{"a", 1}}})
        for (const List& list : lists(wrong)) {
            INFO(list.field);
            const Json error = refuse(list.request.dump());
            CHECK(error.at("where") == list.field);
            CHECK(error.at("code") == "wrong_type");
        }
}

TEST_CASE("a packed reference has the layers of the policy that is trained, as they are built") {
    for (Json policy : {Json{{"fused_qkv", true}}, Json{{"method", "lora"}, {"fused_qkv", true}},
                        Json{{"method", "freeze"}, {"freeze", {{"trainable_layers", 2}}}}}) {
        policy["objective"] = "dpo";
        policy["models"] = {{"reference", {{"weights", {{"encoding", "nf4"}}}}}};
        const Json reply = ask(training(policy));
        CHECK(row(reply, "reference").at("bytes").get<double>() > 0);
    }
}

}  // namespace plimsoll::test::modules
