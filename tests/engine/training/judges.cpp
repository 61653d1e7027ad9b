// The models beside a policy that learns of its own answers: reference, reward model and critic, each by the rules of the
// policy's own, spread over the devices in its own way.
#include "engine/training/learning.h"

namespace plimsoll::test::judges {

TEST_CASE("without a divergence there is no reference, and with adapters none is held") {
    CHECK(at(ask(learning("grpo", Json::object())), "score", "reference") == 0);
    const Json held = ask(learning("grpo", {{"beta", 0.04}, {"precision", "bf16"}}));
    CHECK(row(held, "reference/weights").at("bytes") == row(held, "weights").at("bytes"));
    CHECK(at(held, "score", "reference") > at(held, "forward", "reference"));
    const Json base = ask(learning("grpo", {{"beta", 0.04}, {"method", "lora"}}));
    CHECK(at(base, "forward", "reference") == 0);
    CHECK(at(base, "score", "reference") > 0);
    const Json unused = ask(learning("dpo", {{"beta", 0.04}}));
    CHECK(unused.at("notes").dump().find("training.beta") != std::string::npos);
}

TEST_CASE("a reward model is a model of its own, with a head of one output") {
    const Json judge = {{"model", {{"config", small_llama()}}}, {"weights", {{"encoding", "nf4-dq"}}}};
    const Json reply = ask(learning("grpo", {{"models", {{"reward", judge}}}}));
    CHECK(row(reply, "reward/weights/head").at("bytes") == 2 * small_llama().at("hidden_size").get<double>());
    CHECK(at(reply, "score", "reward") > at(reply, "forward", "reward"));
    CHECK(at(reply, "forward", "reward") == row(reply, "reward/weights").at("by_phase").at("load"));
}

TEST_CASE("a critic is trained by the policy's own rules, after it") {
    const Json training = {{"micro_batch", 2}, {"accumulation", 2}, {"checkpointing", "full"}};
    const Json reply = ask(learning("ppo", training));
    Json scored = training;
    const Json reward = ask({{"task", "training"},
                             {"model", {{"config", small_llama()}}},
                             {"training",
                              {{"objective", "reward"},
                               {"sequence", 128},
                               {"micro_batch", 1},
                               {"accumulation", 2},
                               {"checkpointing", "full"}}}});  // a pair: two sequences
    for (const char* id : {"weights", "master_weights", "optimizer", "gradients"})
        CHECK(during(reply, (std::string("critic/") + id).c_str(), "critic_backward_2") ==
              at(reward, "backward_2", id));
    for (const char* name : {"forward", "backward"})
        CHECK(during(reply, "critic/activations", (std::string("critic_") + name).c_str()) ==
              at(reward, name, "activations"));
    CHECK(during(reply, "critic/activations", "forward") == 0);
    CHECK(at(reply, "critic_forward", "activations") == 0);
    CHECK(at(reply, "critic_step", "gradients") == at(reply, "step", "gradients"));
    CHECK(row(reply, "reward/weights").at("bytes") == at(reward, "load", "weights"));
}

TEST_CASE("what a critic's adapters are beside: its own head is trained with them") {
    const Json reply = ask(learning("ppo", {{"method", "qlora"}}));
    const double hidden = small_llama().at("hidden_size");
    CHECK(row(reply, "critic/modules_to_save").at("bytes") == 2 * hidden);
    CHECK(during(reply, "critic/adapters", "load") == at(reply, "load", "adapters"));
    CHECK(row(reply, "critic/weights/embedding").at("bytes") == row(reply, "weights/embedding").at("bytes"));
}

TEST_CASE("each model is spread over the devices in its own way") {
    Json request = learning("ppo", {{"micro_batch", 2},
                                    {"models",
                                     {{"reference", {{"parallel", placed("deepspeed", 3)}}},
                                      {"critic", {{"parallel", placed("deepspeed", 3)}}}}}});
    request["devices"] = 4;
    request["parallel"] = placed("deepspeed", 1);
    const Json reply = ask(request);
    Json divided = request;
    divided["parallel"] = placed("deepspeed", 3);
    const Json all = ask(divided);
    const double whole = row(reply, "weights").at("bytes");
    CHECK(row(reply, "reference/weights").at("bytes") == whole / 4);
    CHECK(row(reply, "reward/weights").at("bytes") > whole / 2);
    CHECK(row(reply, "critic/weights").at("bytes") == row(all, "critic/weights").at("bytes"));
    CHECK(during(reply, "critic/communication", "critic_backward") ==
          during(all, "critic/communication", "critic_backward"));
    Json away = placed("deepspeed", 3);
    away["offload"] = {{"parameters", "cpu"}};
    request["training"]["models"]["reference"]["parallel"] = away;
    const Json waits = ask(request);
    CHECK(at(waits, "forward", "reference") == 0);
    CHECK(waits.at("host").at("rows").at(0).at("bytes") == whole / 4);
    request["training"]["models"]["reference"]["parallel"] = {{"tensor", 2}};
    CHECK(row(ask(request), "reference/weights").at("bytes") < whole);
    request["training"]["models"]["reference"]["parallel"] = {{"pipeline", 2}};
    CHECK(refuse(request.dump()).at("where") == "training.models.reference.parallel");
    request["training"]["models"]["reference"]["parallel"] = placed("ddp", 2);
    CHECK(refuse(request.dump()).at("where") == "training.models.reference.parallel.zero");
}

TEST_CASE("a model that waits on the host is on the device while it runs") {
    const Json waits = {{"offload", "cpu"}};
    const Json reply = ask(learning("ppo", {{"models", {{"reference", waits}, {"critic", waits}}}}));
    const Json stays = ask(learning("ppo", Json::object()));
    const double reference = row(stays, "reference/weights").at("bytes");
    CHECK(during(reply, "reference/weights", "score") == reference);
    CHECK(during(reply, "reference/weights", "forward") == 0);
    CHECK(during(reply, "critic/optimizer", "forward") == 0);
    for (const char* name : {"critic_forward", "critic_step"})
        CHECK(at(reply, name, "critic") == at(stays, name, "critic"));
    CHECK(during(reply, "critic/weights", "score") == during(stays, "critic/weights", "score"));
    const Json& host = reply.at("host").at("rows");
    CHECK(host.size() == 2);
    CHECK(host.at(0).at("by_phase").at("forward") == reference);
    CHECK(host.at(1).at("by_phase").at("forward") == at(stays, "forward", "critic"));
    const Json preferred = ask(learning("dpo", {{"models", {{"reference", waits}}}}));
    CHECK(at(preferred, "backward", "reference") == 0);
    CHECK(at(preferred, "loss", "reference") > 0);
    CHECK(refuse(learning("dpo", {{"models", {{"reference", {{"offload", "disk"}}}}}}).dump()).at("where") ==
          "training.models.reference.offload");
}

}  // namespace plimsoll::test::judges
