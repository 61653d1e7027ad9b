// Training on many devices: what each framework divides, and what it holds to communicate. The ZeRO paper's table,
// Megatron-LM's bytes per parameter, and invariants that hold whatever the layout.
#include "engine/support.h"

namespace plimsoll::test::layouts {

namespace {

bool has_row(const Json& reply, const char* id) {
    for (const Json& row : reply.at("rows"))
        if (row.at("id") == id) return true;
    return false;
}

/// Bytes of model states at the backward pass, where gradients are.
double model_states(const Json& reply, const char* phase = "backward") {
    double bytes = 0;
    for (const char* id : {"weights", "master_weights", "optimizer", "gradients"})
        if (has_row(reply, id)) bytes += row(reply, id).at("by_phase").at(phase).get<double>();
    return bytes;
}

Json bare(const char* parameters, const Json& parallel, const char* precision) {
    return ask({{"task", "training"},
                {"model", {{"parameters", Json::parse(parameters)}}},
                {"parallel", parallel},
                {"training", {{"precision", precision}}}});
}

Json on(const Json& parallel, Json training = Json::object()) {
    if (!training.contains("sequence")) training["sequence"] = 128;
    return ask(
        {{"task", "training"}, {"model", {{"config", small_llama()}}}, {"parallel", parallel}, {"training", training}});
}

Json refused(const Json& parallel, Json request = Json::object()) {
    request.update({{"task", "training"}, {"model", {{"config", small_llama()}}}, {"parallel", parallel}});
    return refuse(request.dump());
}

double at(const Json& reply, const char* path, const char* phase) {
    return row(reply, path).at("by_phase").at(phase).get<double>();
}

}  // namespace

TEST_CASE("the ZeRO paper's table: 7.5 billion parameters in fp16, on any number of devices") {
    const double P = 7.5e9;
    for (const double devices : {4.0, 16.0, 64.0, 256.0, 1024.0}) {
        const auto stage = [&](int zero) {
            return model_states(bare(
                "7.5e9", {{"data", devices}, {"zero", zero}, {"framework", zero ? "deepspeed" : "ddp"}}, "fp16-mixed"));
        };
        CHECK(stage(0) == 16 * P);
        CHECK(stage(1) == 4 * P + std::ceil(4 * P / devices) + std::ceil(8 * P / devices));
        CHECK(stage(2) - (2 * P + 14 * P / devices) < 4);
        CHECK(stage(3) - 16 * P / devices < 4);
        for (const int zero : {1, 2, 3}) CHECK(stage(zero) < stage(zero - 1));
    }
}

TEST_CASE("Megatron-LM's bytes a parameter: 18, and with its distributed optimizer 6 + 12 / d") {
    const double P = 1e9;
    CHECK(model_states(bare("1e9", {{"data", 8}, {"framework", "megatron"}}, "bf16-mixed")) == 18 * P);
    for (const double d : {2.0, 8.0, 64.0})
        CHECK(model_states(bare("1e9", {{"data", d}, {"framework", "megatron"}, {"zero", 1}}, "bf16-mixed")) ==
              6 * P + 12 * P / d);
}

TEST_CASE("states in 16 bits beside fp32 master weights: 14 bytes a parameter for 18") {
    const auto states = [](const char* encoding, const char* optimizer) {
        return model_states(
            ask({{"task", "training"},
                 {"model", {{"parameters", 1e9}}},
                 {"parallel", {{"data", 8}, {"framework", "megatron"}}},
                 {"training", {{"precision", "bf16-mixed"}, {"state_encoding", encoding}, {"optimizer", optimizer}}}}));
    };
    CHECK(states("fp32", "adamw") == 18e9);
    CHECK(states("bf16", "adamw") == 14e9);
    CHECK(states("fp16", "adamw") == 14e9);
    CHECK(states("bf16", "adamw-8bit") == states("fp32", "adamw-8bit"));  // these have bits of their own
    const Json request{
        {"task", "training"}, {"model", {{"config", small_llama()}}}, {"training", {{"state_encoding", "int3"}}}};
    CHECK(refuse(request.dump()).at("where") == "training.state_encoding");
}

TEST_CASE("one device is one device, whatever it is called") {
    const Json alone = on(Json::object());
    for (const char* framework : {"ddp", "deepspeed", "fsdp", "fsdp2", "megatron"}) {
        Json reply = on({{"data", 1}, {"tensor", 1}, {"pipeline", 1}, {"framework", framework}});
        CHECK(reply.at("rows") == alone.at("rows"));
        CHECK(reply.at("total") == alone.at("total"));
    }
}

TEST_CASE("DeepSpeed runs one device as it runs many: a share is the whole, and nothing is gathered") {
    const Json training = {{"precision", "bf16-mixed"}, {"accumulation", 2}};
    const auto alone = [&training](int zero, Json more = Json::object()) {
        more.update({{"framework", "deepspeed"}, {"zero", zero}, {"reduce_bucket", 1e6}});
        return on(more, training);
    };
    const double parameters = alone(2).at("model").at("parameters").at("total").get<double>();
    for (const int zero : {2, 3}) {
        const Json reply = alone(zero);
        CHECK(at(reply, "weights", "step") == 2 * parameters);
        CHECK(at(reply, "master_weights", "step") == 4 * parameters);
        CHECK(at(reply, "gradients", "forward_2") == 2 * parameters);
        // of the sub-group that is stepped, which is all of so small a model: in one piece, and in fp32
        CHECK(at(reply, "gradients", "step") == (2 + 2 + 4) * parameters);
        CHECK(at(reply, "communication/reduce_buckets", "backward_2") == 2e6);
        CHECK(row(reply, "communication").at("rows").size() == 1);
        const Json& step = reply.at("allocator").at("later_steps").back();
        CHECK(step.at("requested") == reply.at("timeline").back().at("bytes"));
    }
    CHECK(at(alone(3), "gradients", "load") == 2 * parameters);
    CHECK(at(alone(2, {{"overlap_communication", true}}), "communication/reduce_buckets", "backward_2") == 4e6);
    CHECK(at(alone(3, {{"sub_group", 1e5}}), "gradients", "step") == 2 * parameters + 6e5);
    const Json offloaded = alone(2, {{"offload", {{"optimizer", "cpu"}}}});  // ZeRO-Offload of a single device
    CHECK_FALSE(has_row(offloaded, "optimizer"));
    CHECK(offloaded.at("host").at("bytes").get<double>() == 16 * parameters);
    // unasked, one device is one device
    CHECK(on({{"zero", 3}}, training).at("rows") == on(Json::object(), training).at("rows"));
}

TEST_CASE("shards add up to the whole, and a higher stage never needs more model state") {
    const Json whole = on({{"data", 6}});
    for (const double n : {2.0, 3.0, 6.0}) {
        double before = 1e18;
        for (const int zero : {1, 2, 3}) {
            const Json reply = on({{"data", n}, {"zero", zero}});
            const double kept = model_states(reply, "step") - at(reply, "gradients", "step");
            CHECK(kept <= before);
            before = kept;
        }
        const Json reply = on({{"data", n}, {"zero", 3}});
        for (const char* id : {"weights", "master_weights", "optimizer"}) {
            const double shard = at(reply, id, "step"), all = at(whole, id, "step");
            CHECK(n * shard >= all);
            CHECK(n * shard < all + n * 16);  // a row's children are rounded up each
        }
    }
}

TEST_CASE("DistributedDataParallel: buckets for all gradients, or gradients that lie in them") {
    const Json plain = on({{"data", 2}}, {{"precision", "bf16"}});
    const Json views = on({{"data", 2}, {"gradient_as_bucket_view", true}}, {{"precision", "bf16"}});
    const double parameters = plain.at("model").at("parameters").at("total").get<double>();
    CHECK(at(plain, "communication/gradient_buckets", "load") == 2 * parameters);
    CHECK(at(plain, "communication/gradient_buckets", "step") == 2 * parameters);
    CHECK_FALSE(has_row(views, "communication"));
    CHECK(at(views, "gradients", "forward") == 2 * parameters);
}

TEST_CASE("fully sharded: fp32 shards, two units at once in 16 bits, and the ends of the model throughout") {
    const double h = 256, kv = 64, f = 704, V = 1000;
    const double layer = 2 * h * h + 2 * h * kv + 3 * h * f + 2 * h, ends = 2 * V * h + h;
    const Json reply = on({{"data", 4}, {"framework", "fsdp2"}});
    CHECK(at(reply, "communication/gathered_ends", "loss") == 2 * ends);
    CHECK(at(reply, "communication/gathered_ends", "load") == 0);
    CHECK(row(reply, "communication/gathered_units").at("by_phase").at("backward").get<double>() <= 2 * 2 * layer);
    const double parameters = reply.at("model").at("parameters").at("total").get<double>();
    CHECK(std::abs(at(reply, "weights", "step") - parameters) < 16);  // 4 bytes over 4 devices
    CHECK(std::abs(at(reply, "gradients", "step") - parameters) < 16);
    CHECK_FALSE(has_row(reply, "master_weights"));
    // kept gathered, all layers wait for the backward pass
    const Json stays = on({{"data", 4}, {"framework", "fsdp2"}, {"reshard_after_forward", false}});
    CHECK(at(stays, "communication/gathered_units", "loss") == 3 * 2 * layer);
}

TEST_CASE("gradients are whole over an accumulation that does not reduce") {
    const Json training{{"accumulation", 2}};
    const Json reduces = on({{"data", 4}, {"framework", "fsdp2"}}, training);
    const Json waits = on({{"data", 4}, {"framework", "fsdp2"}, {"no_sync", true}}, training);
    CHECK(std::abs(at(waits, "gradients", "step") - 4 * at(reduces, "gradients", "step")) < 16);
}

TEST_CASE("hybrid sharding divides among the devices of a group") {
    const Json all = on({{"data", 2}, {"framework", "fsdp2"}});
    const Json groups = on({{"data", 8}, {"framework", "fsdp2"}, {"shard_group", 2}});
    CHECK(row(groups, "weights").at("bytes") == row(all, "weights").at("bytes"));
    CHECK(row(groups, "optimizer").at("bytes") == row(all, "optimizer").at("bytes"));
}

TEST_CASE("off-loaded states and weights lie in the host's memory") {
    const Json states = on({{"data", 4}, {"zero", 2}, {"offload", {{"optimizer", "cpu"}}}});
    CHECK_FALSE(has_row(states, "master_weights"));
    CHECK_FALSE(has_row(states, "optimizer"));
    const double parameters = states.at("model").at("parameters").at("total").get<double>();
    const double host = states.at("host").at("bytes").get<double>();
    CHECK(std::abs(host - 16 * parameters / 4) < 64);  // master weights, two states, fp32 gradients
    const Json both = on({{"data", 4}, {"zero", 3}, {"offload", {{"optimizer", "cpu"}, {"parameters", "cpu"}}}});
    CHECK_FALSE(has_row(both, "weights"));
    CHECK(both.at("host").at("bytes").get<double>() > 12 * parameters / 4);
    const Json disk = on({{"data", 4}, {"zero", 3}, {"offload", {{"parameters", "nvme"}}}});
    CHECK(disk.at("host").at("bytes").get<double>() == 5 * 1e8 * 2);
}

TEST_CASE("gradients that go to the host leave what arrives on the device, and the checkpoints beside it") {
    const Json training = {{"checkpointing", "full"}, {"sequence", 4096}, {"precision", "bf16"}};
    const Json reply = on({{"data", 8}, {"framework", "fsdp2"}, {"offload", {{"parameters", "cpu"}}}}, training);
    const Json& gradients = row(reply, "gradients").at("by_phase");
    CHECK(gradients.at("step") == 0);
    CHECK(gradients.at("backward").get<double>() > 0);
    // at the fullest moment of the backward pass all layers' inputs are still there
    const Json& checkpoints = row(reply, "activations/saved.checkpoints").at("by_phase");
    CHECK(checkpoints.at("backward") == checkpoints.at("forward"));
    for (const Json& phase : reply.at("allocator").at("later_steps"))
        CHECK(reply.at("total").at("bytes").get<double>() >= phase.at("requested").get<double>());
    const Json states = on({{"data", 8}, {"zero", 2}, {"offload", {{"optimizer", "cpu"}}}}, training);
    CHECK(row(states, "gradients").at("by_phase").at("step") == 0);
}

TEST_CASE("a flat parameter's gradient is put together of its weights' gradients, then added to what is there") {
    Json config = small_llama();
    config["vocab_size"] = 20000;  // so that the fullest moment is at the embedding
    const auto backward = [&config](const char* framework) {
        const Json reply = ask({{"task", "training"},
                                {"model", {{"config", config}}},
                                {"parallel", {{"data", 2}, {"framework", framework}, {"no_sync", true}}},
                                {"training", {{"precision", "bf16"}, {"accumulation", 2}, {"sequence", 128}}}});
        return at(reply, "gradients", "backward_2") - at(reply, "gradients", "step");
    };
    const double matrix = 2 * 20000 * 256;
    CHECK(backward("fsdp") == 4 * matrix);  // embedding and head, each by itself and together
    CHECK(backward("fsdp2") == 0);          // each waits by itself, and the loss is fuller
}

TEST_CASE("frozen weights in one flat parameter with adapters get gradients, whole over an accumulation") {
    const double h = 256, kv = 64, f = 704, r = 4;
    const double layer = 2 * h * h + 2 * h * kv + 3 * h * f + 2 * h;
    const double adapters = 2 * r * (h + h) + 2 * r * (h + kv);  // q, o; k, v
    Json training{{"method", "lora"}, {"precision", "bf16"}, {"accumulation", 2}};
    training["lora"] = {{"rank", r}, {"targets", {"q_proj", "k_proj", "v_proj", "o_proj"}}, {"encoding", "bf16"}};
    const Json apart = on({{"data", 2}, {"framework", "fsdp"}, {"no_sync", true}}, training);
    const Json parallel{{"data", 2}, {"framework", "fsdp"}, {"no_sync", true}, {"frozen_joined", true}};
    const Json joined = on(parallel, training);
    CHECK(at(apart, "gradients", "step") == 2 * 3 * adapters);
    CHECK(at(joined, "gradients", "step") == 2 * 3 * (layer + adapters));
    CHECK(at(joined, "optimizer", "forward_2") == at(apart, "optimizer", "forward_2"));  // the adapters alone step
    // what the projections and norms read is kept for those gradients
    CHECK(at(joined, "activations/saved.feed_forward", "loss") > at(apart, "activations/saved.feed_forward", "loss"));
    Json wide = training;
    wide["lora"]["encoding"] = "fp32";
    const auto where = [](const Json& layout, const Json& trained) {
        const Json request{
            {"task", "training"}, {"model", {{"config", small_llama()}}}, {"parallel", layout}, {"training", trained}};
        return refuse(request.dump()).at("where").get<std::string>();
    };
    CHECK(where(parallel, wide) == "parallel.frozen_joined");
    CHECK(where({{"data", 2}, {"framework", "fsdp2"}, {"frozen_joined", true}}, training) == "parallel.frozen_joined");
}

TEST_CASE("where each process loads the whole model, a device has all of it until it is divided") {
    const Json divided = on({{"data", 4}, {"framework", "fsdp2"}});
    const Json whole = on({{"data", 4}, {"framework", "fsdp2"}, {"loading", "whole"}});
    const double share = at(divided, "weights", "load");
    CHECK(at(whole, "loading", "load") == 3 * share);
    CHECK(at(whole, "loading", "forward") == 0);
    CHECK(row(whole, "weights") == row(divided, "weights"));
    CHECK_FALSE(has_row(divided, "loading"));
    CHECK(on({{"data", 4}, {"framework", "fsdp2"}, {"loading", "divided"}}).at("rows") == divided.at("rows"));
    CHECK(refused({{"data", 4}, {"framework", "deepspeed"}, {"zero", 2}, {"loading", "whole"}}).at("where") ==
          "parallel.loading");
    const Json gathered_once = on({{"data", 4}, {"framework", "fsdp2"}, {"zero", 2}, {"loading", "whole"}});
    CHECK(at(gathered_once, "loading", "load") == 3 * share);
}

TEST_CASE("a communicator for each group that a device is in, outside of what is allocated") {
    const double one = 1.6 * 1073741824;
    const auto collectives = [](const Json& parallel) {
        const Json reply = on(parallel);
        const Json& context = row(reply, "device_context");
        CHECK(reply.at("total").at("bytes").get<double>() + row(reply, "slack").at("bytes").get<double>() +
                  context.at("bytes").get<double>() ==
              reply.at("total").at("process").at("bytes").get<double>());
        return context.contains("rows") ? row(reply, "device_context/collectives").at("bytes").get<double>() : 0.0;
    };
    CHECK(collectives(Json::object()) == 0);
    CHECK(std::abs(collectives({{"data", 4}}) - one) < 1);
    CHECK(std::abs(collectives({{"data", 4}, {"framework", "fsdp2"}, {"shard_group", 2}}) - 2 * one) < 2);
    CHECK(std::abs(collectives({{"data", 2}, {"tensor", 2}, {"pipeline", 3}}) - 3 * one) < 2);
    CHECK(std::abs(collectives({{"tensor", 2}, {"context", 2}}) - 3 * one) < 2);  // gradients are those of its copies
    CHECK(collectives({{"data", 4}, {"backend", "rccl"}}) == collectives({{"data", 4}}));
    CHECK(collectives({{"data", 4}, {"backend", "gloo"}}) == 0);
    CHECK(refused({{"data", 4}, {"backend", "mpi"}}).at("where") == "parallel.backend");
}

TEST_CASE("what reduces gradients is there from the loss's backward pass on") {
    // a wide vocabulary, and layers that keep nothing: the loss is the fullest moment
    const Json reply =
        ask({{"task", "training"},
             {"model", {{"preset", "gemma-2b"}}},
             {"parallel", {{"framework", "deepspeed"}, {"zero", 2}, {"data", 8}}},
             {"training", {{"checkpointing", "full"}, {"micro_batch", 8}, {"sequence", 4096}, {"precision", "bf16"}}}});
    CHECK(row(reply, "communication").at("bytes") == 5e8 * 2);  // one bucket of reduce_bucket_size
}

TEST_CASE("layouts that cannot be are refused, and say why") {
    CHECK(refused({{"data", 8}, {"zero", 1}, {"framework", "ddp"}}).at("where") == "parallel.zero");
    CHECK(refused({{"data", 8}, {"zero", 3}, {"framework", "megatron"}}).at("where") == "parallel.zero");
    CHECK(refused({{"data", 8}, {"framework", "fsdp2"}, {"shard_group", 3}}).at("where") == "parallel.shard_group");
    CHECK(refused({{"data", 8}, {"offload", {{"optimizer", "cpu"}}}}).at("where") == "parallel.offload.optimizer");
    CHECK(refused({{"data", 8}, {"zero", 2}, {"offload", {{"parameters", "cpu"}}}}).at("where") ==
          "parallel.offload.parameters");
    CHECK(refused({{"data", 3}}, {{"devices", 8}}).at("where") == "parallel.data");
    CHECK(refused({{"data", 2}}, {{"devices", 8}}).at("where") == "parallel");
}

}  // namespace plimsoll::test::layouts
