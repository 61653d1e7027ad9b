// Bytes that autograd keeps, against closed forms that were counted on real modules (tests/measured/README.md) and
// published: Korthikanti et al., arXiv:2205.05198, 34sbh + 5as²b a layer.
#include "engine/support.h"

namespace plimsoll::test::closed_forms {

namespace {

struct Shape {
    double h, a, g, f, s, b, layers;
};

Json saved(const Json& config, const Shape& shape, Json training) {
    training["sequence"] = shape.s;
    training["micro_batch"] = shape.b;
    training["optimizer"] = "sgd";
    const Json reply = ask({{"task", "training"}, {"model", {{"config", config}}}, {"training", training}});
    Json groups = Json::object();
    for (const Json& group : row(reply, "activations").at("rows"))
        groups[group.at("id").get<std::string>()] = group.at("by_phase").at("loss");
    return groups;
}

Json gpt(const Shape& shape) {
    return {{"model_type", "gpt2"},         {"n_embd", shape.h},  {"n_head", shape.a},
            {"n_layer", shape.layers},      {"vocab_size", 1000}, {"n_positions", 4096},
            {"activation_function", "gelu"}};
}

Json llama(const Shape& shape) {
    return {{"model_type", "llama"},
            {"hidden_size", shape.h},
            {"num_attention_heads", shape.a},
            {"num_key_value_heads", shape.g},
            {"intermediate_size", shape.f},
            {"num_hidden_layers", shape.layers},
            {"vocab_size", 1000}};
}

const std::vector<Shape> shapes = {{256, 4, 4, 688, 128, 1, 2},
                                   {512, 8, 2, 1376, 64, 4, 1},
                                   {1024, 16, 16, 4096, 256, 2, 3},
                                   {4096, 32, 8, 14336, 2048, 1, 32}};

}  // namespace

TEST_CASE("a GPT layer in bf16 with dropout keeps 34bsh + 5abs² + 16T, part by part") {
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, abss = shape.a * shape.s * T, L = shape.layers;
        const Json kept = saved(gpt(shape), shape, {{"precision", "bf16"}, {"attention", "eager"}, {"dropout", 0.1}});
        CHECK(kept.at("saved.attention").get<double>() == L * (11 * bsh + 5 * abss));
        CHECK(kept.at("saved.feed_forward").get<double>() == L * 19 * bsh);
        CHECK(kept.at("saved.norm").get<double>() == L * (4 * bsh + 16 * T) + (2 * bsh + 8 * T));  // and the final norm
    }
}

TEST_CASE("without dropout the same layer keeps 10bsh + 2abs² and 18bsh") {
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, abss = shape.a * shape.s * T, L = shape.layers;
        const Json kept = saved(gpt(shape), shape, {{"precision", "bf16"}, {"attention", "eager"}, {"dropout", 0}});
        CHECK(kept.at("saved.attention").get<double>() == L * (10 * bsh + 2 * abss));
        CHECK(kept.at("saved.feed_forward").get<double>() == L * 18 * bsh);
        const Json flash = saved(gpt(shape), shape, {{"precision", "bf16"}, {"attention", "flash"}, {"dropout", 0}});
        CHECK(flash.at("saved.attention").get<double>() == L * (10 * bsh + 4 * shape.a * T));
    }
}

TEST_CASE("under autocast a GPT layer keeps fp32 norm inputs, an fp32 softmax and 16-bit casts of its weights") {
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, abss = shape.a * shape.s * T, L = shape.layers;
        const Json kept =
            saved(gpt(shape), shape, {{"precision", "bf16-autocast"}, {"attention", "eager"}, {"dropout", 0}});
        CHECK(kept.at("saved.norm").get<double>() == L * (8 * bsh + 16 * T) + (4 * bsh + 8 * T));
        CHECK(kept.at("saved.attention").get<double>() == L * (10 * bsh + 6 * abss));
        CHECK(kept.at("saved.weight_casts").get<double>() == L * 24 * shape.h * shape.h + 2 * shape.h * 1000);
    }
}

TEST_CASE("a Llama layer in bf16 with flash attention keeps 20bsh + 4Tgd + 8Tf + 4aT + 8T") {
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, d = shape.h / shape.a, L = shape.layers;
        const Json kept = saved(llama(shape), shape, {{"precision", "bf16"}, {"attention", "flash"}});
        const double layers = kept.at("saved.attention").get<double>() + kept.at("saved.feed_forward").get<double>() +
                              kept.at("saved.norm").get<double>();
        const double final_norm = 4 * bsh + 4 * T + 2 * bsh;
        CHECK(layers == L * (20 * bsh + 4 * T * shape.g * d + 8 * T * shape.f + 4 * shape.a * T + 8 * T) + final_norm);
        const Json fused =
            saved(llama(shape), shape, {{"precision", "bf16"}, {"attention", "flash"}, {"norm", "fused"}});
        const double fused_layers = fused.at("saved.attention").get<double>() +
                                    fused.at("saved.feed_forward").get<double>() + fused.at("saved.norm").get<double>();
        CHECK(fused_layers ==
              L * (12 * bsh + 4 * T * shape.g * d + 8 * T * shape.f + 4 * shape.a * T + 8 * T) + (2 * bsh + 4 * T));
    }
}

TEST_CASE("full checkpointing keeps one tensor of the residual stream per layer") {
    for (const Shape& shape : shapes) {
        const double bsh = shape.b * shape.s * shape.h;
        CHECK(saved(llama(shape), shape, {{"precision", "bf16"}, {"checkpointing", "full"}})
                  .at("saved.checkpoints")
                  .get<double>() == 2 * bsh * shape.layers);
        CHECK(saved(llama(shape), shape, {{"precision", "bf16-autocast"}, {"checkpointing", "full"}})
                  .at("saved.checkpoints")
                  .get<double>() == 4 * bsh * shape.layers);
    }
}

TEST_CASE("the loss holds 12 bytes a logit in its backward pass") {
    // long vocabulary, short sequence of layers: the fullest moment of the backward pass is the loss's
    Json config = small_llama();
    config["vocab_size"] = 100000;
    config["num_hidden_layers"] = 1;
    const Json reply =
        ask({{"task", "training"},
             {"model", {{"config", config}}},
             {"training", {{"precision", "fp32"}, {"sequence", 4096}, {"micro_batch", 2}, {"optimizer", "sgd"}}}});
    CHECK(row(reply, "logits").at("by_phase").at("backward").get<double>() ==
          12.0 * 4096 * 2 * 100000 + 8.0 * 4096 * 2 + 8);  // and the targets, and two scalars
}

TEST_CASE("model states: 16 bytes a parameter in fp32, 18 in bf16-mixed, 16 in fp16-mixed, 8 in bf16") {
    const auto per_parameter = [](const char* precision) {
        const Json reply =
            ask({{"task", "training"},
                 {"model", {{"preset", "llama-3-8b"}}},
                 {"training", {{"precision", precision}, {"sequence", 1}, {"optimizer_step", "fused"}}}});
        double bytes = 0;
        for (const Json& each : reply.at("rows"))
            for (const char* state : {"weights", "master_weights", "gradients", "optimizer"})
                if (each.at("id") == state) bytes += each.at("by_phase").at("step").get<double>();
        return bytes / 8030261248.0;
    };
    CHECK(per_parameter("fp32") == 16);
    CHECK(per_parameter("bf16-autocast") == 16);
    CHECK(per_parameter("bf16-mixed") == 18);
    CHECK(per_parameter("fp16-mixed") == 16);
    CHECK(per_parameter("bf16") == 8);
}

TEST_CASE("8-bit AdamW keeps a byte and its share of a scale, and 32 bits for embeddings and small tensors") {
    const Json config = small_llama();
    const Json reply =
        ask({{"task", "training"}, {"model", {{"config", config}}}, {"training", {{"optimizer", "adamw-8bit"}}}});
    const double embedding = 1000 * 256, norms = 7 * 256;
    const double matrices = 3 * (256 * 256 + 2 * 256 * 64 + 256 * 256 + 3 * 256 * 704) + 1000 * 256;
    const double state = 4 * (embedding + norms) + matrices + 4 * std::ceil(matrices / 256);
    CHECK(row(reply, "optimizer").at("by_phase").at("step").get<double>() == 2 * state);
}

TEST_CASE("adapters on every linear layer: what frozen layers keep, and what each adapter adds") {
    // counted on real modules: a frozen linear keeps nothing; a module with input width i keeps its fp32 cast, 4Ti,
    // or with dropout a mask and the dropped copy, 5Ti; and the output of A, 4Tr
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, d = shape.h / shape.a, L = shape.layers, r = 16,
                     Tf = T * shape.f;
        const double inputs = 4 * bsh + 2 * bsh + Tf, core = 4 * bsh + 4 * T * shape.g * d + 4 * shape.a * T + 6 * Tf;
        const auto layers = [&](double dropout) {
            const Json training = {{"method", "lora"},
                                   {"lora", {{"rank", r}, {"targets", "all-linear"}, {"dropout", dropout}}},
                                   {"precision", "bf16"},
                                   {"attention", "flash"}};
            const Json kept = saved(llama(shape), shape, training);
            return kept.at("saved.attention").get<double>() + kept.at("saved.feed_forward").get<double>();
        };
        INFO("h " << shape.h);
        // attention's own input to o is the tensor that flash keeps in 16 bits; the adapter keeps a cast of it
        CHECK(layers(0) == L * (core + 4 * inputs + 7 * 4 * T * r));
        CHECK(layers(0.1) == L * (core + 5 * inputs + 7 * 4 * T * r));
    }
}

TEST_CASE("adapters: parameters, their states, and nothing for the frozen rest") {
    const Json reply = ask({{"task", "training"},
                            {"model", {{"preset", "llama-3-8b"}}},
                            {"training",
                             {{"method", "lora"},
                              {"lora", {{"rank", 8}, {"targets", {"q_proj", "v_proj"}}}},
                              {"optimizer_step", "fused"}}}});
    const double adapters = 32.0 * 8 * (4096 + 4096 + 4096 + 1024);
    CHECK(reply.at("model").at("parameters").at("trainable").get<double>() == adapters);
    CHECK(row(reply, "adapters").at("bytes").get<double>() == 4 * adapters);
    CHECK(row(reply, "optimizer").at("by_phase").at("step").get<double>() == 8 * adapters);
    CHECK(row(reply, "gradients").at("by_phase").at("step").get<double>() == 4 * adapters);
    CHECK(row(reply, "weights").at("bytes").get<double>() == 2 * 8030261248.0);
    CHECK(
        refuse(
            R"({"task": "training", "model": {"preset": "llama-3-8b"}, "training": {"method": "lora", "lora": {"targets": ["q_prj"]}}})")
            .at("where") == "training.lora.targets");
}

}  // namespace plimsoll::test::closed_forms
