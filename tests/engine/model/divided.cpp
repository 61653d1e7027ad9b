// Tensor, sequence, pipeline, context and expert parallelism: the published closed forms of what a layer keeps, part by
// part, and what must hold whatever the model. Korthikanti et al., arXiv:2205.05198, Table 2 and §4; Narayanan et al.,
// arXiv:2104.04473.
#include "engine/support.h"

namespace plimsoll::test::divided {

namespace {

struct Shape {
    double h, a, s, b, layers, t;
};

/// The paper's 22B and 1T models (Table 3), and a small one.
const std::vector<Shape> shapes = {{6144, 64, 2048, 4, 48, 8}, {25600, 160, 2048, 1, 128, 8}, {256, 8, 64, 2, 4, 2}};

Json gpt(const Shape& shape) {
    return {{"model_type", "gpt2"},         {"n_embd", shape.h},   {"n_head", shape.a},
            {"n_layer", shape.layers},      {"vocab_size", 51200}, {"n_positions", 4096},
            {"activation_function", "gelu"}};
}

/// Bytes that the layers keep of one micro-batch: of attention, feed-forward and norms, without the final norm.
double kept(const Shape& shape, const Json& parallel, const char* checkpointing = "none") {
    const Json reply = ask({{"task", "training"},
                            {"model", {{"config", gpt(shape)}}},
                            {"parallel", parallel},
                            {"training",
                             {{"precision", "bf16"},
                              {"attention", "eager"},
                              {"dropout", 0.1},
                              {"optimizer", "sgd"},
                              {"checkpointing", checkpointing},
                              {"sequence", shape.s},
                              {"micro_batch", shape.b}}}});
    double bytes = 0;
    for (const Json& group : row(reply, "activations").at("rows"))
        for (const char* part : {"saved.attention", "saved.feed_forward", "saved.norm", "saved.checkpoints"})
            if (group.at("id") == part) bytes += group.at("by_phase").at("loss").get<double>();
    return bytes;
}

Json asked(const Json& parallel, Json training = Json::object(), const Json& config = small_llama()) {
    training["sequence"] = 64;
    return ask({{"task", "training"}, {"model", {{"config", config}}}, {"parallel", parallel}, {"training", training}});
}

double at(const Json& reply, const char* path, const char* phase) {
    return row(reply, path).at("by_phase").at(phase).get<double>();
}

Json mixture() {
    Json config = small_llama();
    config.update({{"model_type", "mixtral"}, {"num_local_experts", 8}, {"num_experts_per_tok", 2}});
    return config;
}

/// Two layers of Mamba 2.
Json scanning() {
    return {{"model_type", "mamba2"}, {"hidden_size", 256}, {"num_hidden_layers", 2}, {"num_heads", 16},
            {"head_dim", 32},         {"n_groups", 4},      {"state_size", 16},       {"expand", 2},
            {"conv_kernel", 4},       {"vocab_size", 1000}};
}

}  // namespace

TEST_CASE("tensor parallel: 10 + 24/t + 5as/ht times bsh, with sequence parallel all of it over t") {
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, abss = shape.a * shape.s * T, t = shape.t;
        const double L = shape.layers, statistics = 16 * T, last = 2 * bsh + 8 * T;  // the final norm
        const Json tensor{{"tensor", t}}, both{{"tensor", t}, {"sequence_parallel", true}};
        CHECK(kept(shape, Json::object()) == L * (34 * bsh + 5 * abss + statistics) + last);
        CHECK(kept(shape, tensor) == L * (10 * bsh + 24 * bsh / t + 5 * abss / t + statistics) + last);
        CHECK(kept(shape, both) == L * (34 * bsh + 5 * abss + statistics) / t + last / t);
    }
}

TEST_CASE("selective checkpointing leaves the attention core out, full checkpointing all but a layer's input") {
    for (const Shape& shape : shapes) {
        const double T = shape.b * shape.s, bsh = T * shape.h, t = shape.t, L = shape.layers;
        const double statistics = 16 * T, last = 2 * bsh + 8 * T;
        const Json both{{"tensor", t}, {"sequence_parallel", true}};
        CHECK(kept(shape, {{"tensor", t}}, "selective") == L * (10 * bsh + 24 * bsh / t + statistics) + last);
        CHECK(kept(shape, both, "selective") == L * (34 * bsh + statistics) / t + last / t);
        CHECK(kept(shape, {{"tensor", t}}, "full") == L * 2 * bsh + last);
        CHECK(kept(shape, both, "full") == L * 2 * bsh / t + last / t);
    }
}

TEST_CASE("a pipeline's first stage holds as many micro-batches as there are stages, its last one one") {
    Json config = small_llama();
    config["num_hidden_layers"] = 8;
    config["vocab_size"] = 32;  // so that the last stage's head is small
    const Json alone = asked(Json::object(), {{"precision", "bf16"}, {"accumulation", 16}}, config);
    const double layer = at(alone, "activations/saved.feed_forward", "loss") / 8;
    const auto first = [&](Json parallel, double micro_batches) {
        parallel["pipeline"] = 4;
        const Json reply = asked(parallel, {{"precision", "bf16"}, {"accumulation", micro_batches}}, config);
        CHECK(reply.at("devices").size() == 4);
        if (!parallel.contains("schedule")) CHECK(reply.at("total").at("device") == "stage 0");
        return at(reply, "activations/saved.feed_forward", "loss") / layer;
    };
    CHECK(first(Json::object(), 16) == 4 * 2);  // 1F1B: p micro-batches of L / p layers
    CHECK(first(Json::object(), 3) == 3 * 2);   // there are no more
    CHECK(first({{"schedule", "gpipe"}}, 16) == 16 * 2);
    CHECK(first({{"virtual_stages", 2}}, 16) == 8 * (1 + 3.0 / (4 * 2)));  // L (1 + (p − 1) / pv)
}

TEST_CASE("stages and shards add up to the whole model") {
    Json config = small_llama();
    config["num_hidden_layers"] = 7;  // uneven
    const double whole = row(asked(Json::object(), {}, config), "weights").at("bytes").get<double>();
    const Json stages = asked({{"pipeline", 3}}, {}, config);
    double sum = 0;
    for (const Json& stage : stages.at("devices"))
        for (const Json& each : stage.at("rows"))
            if (each.at("id") == "weights") sum += each.at("bytes").get<double>();
    CHECK(sum == whole);
    const Json tensor = asked({{"tensor", 2}}, {}, config);
    const double norms = row(tensor, "weights/norm").at("bytes").get<double>();
    CHECK(2 * row(tensor, "weights").at("bytes").get<double>() == whole + norms);  // norms are on every device
}

TEST_CASE("the first stage, or the last, may have another share of the layers") {
    Json config = small_llama();
    config["num_hidden_layers"] = 9;
    const auto layers = [&config](Json parallel) {
        const Json reply = asked(parallel, {}, config);
        std::vector<double> counts;
        const double one = 2 * (2 * 256 * 256 + 2 * 256 * 64 + 3 * 256 * 704 + 2 * 256), ends = 2 * 1000 * 256;
        for (const Json& stage : reply.at("devices")) {
            const bool first = counts.empty(), last = &stage == &reply.at("devices").back();
            for (const Json& each : stage.at("rows"))
                if (each.at("id") == "weights")
                    counts.push_back((each.at("bytes").get<double>() - (first ? ends : 0) - (last ? ends + 512 : 0)) /
                                     one);
        }
        return counts;
    };
    CHECK(layers({{"pipeline", 3}}) == std::vector<double>{3, 3, 3});
    CHECK(layers({{"pipeline", 3}, {"first_stage_layers", 5}}) == std::vector<double>{5, 2, 2});
    CHECK(layers({{"pipeline", 3}, {"last_stage_layers", 1}}) == std::vector<double>{4, 4, 1});
    CHECK(layers({{"pipeline", 4}, {"first_stage_layers", 2}, {"last_stage_layers", 1}}) ==
          std::vector<double>{2, 3, 3, 1});
    CHECK(layers({{"pipeline", 2}, {"first_stage_layers", 5}}) == std::vector<double>{5, 4});
    for (const Json& none : {Json{{"first_stage_layers", 2}}, Json{{"pipeline", 3}, {"first_stage_layers", 4}},
                             Json{{"pipeline", 2}, {"first_stage_layers", 9}},
                             Json{{"pipeline", 2}, {"first_stage_layers", 4}, {"last_stage_layers", 4}}}) {
        const Json request{{"task", "training"}, {"model", {{"config", config}}}, {"parallel", none}};
        CHECK(refuse(request.dump()).at("where") == "parallel.first_stage_layers");
    }
}

TEST_CASE("adapters of experts' grouped products: one for each expert, with those of the device") {
    const auto adapted = [](const Json& parallel) {
        Json training{{"method", "lora"}, {"precision", "bf16"}};
        training["lora"] = {{"rank", 4}, {"targets", {"experts"}}, {"encoding", "bf16"}};
        return asked(parallel, training, mixture());
    };
    const double of_one = 4 * (256 + 2 * 704 + 704 + 256), all = 3 * 8 * of_one;
    const Json alone = adapted(Json::object());
    CHECK(row(alone, "adapters").at("bytes") == 2 * all);
    CHECK(at(alone, "gradients", "step") == 2 * all);
    CHECK(at(alone, "optimizer", "forward") == 2 * 2 * all);
    const Json shared = adapted({{"data", 4}, {"expert", 4}, {"framework", "megatron"}, {"zero", 1}});
    CHECK(row(shared, "adapters").at("bytes") == 2 * all / 4);
    CHECK(at(shared, "optimizer", "forward") == 2 * 2 * all / 4);  // no other device has these experts
    const double routed = 64 * 2;  // two of the experts for each token: what both products read, and what each A gives
    Json none{{"method", "lora"}, {"precision", "bf16"}};
    none["lora"] = {{"rank", 4}, {"targets", {"q_proj"}}, {"encoding", "bf16"}};
    CHECK(at(alone, "activations/saved.experts", "loss") -
              at(asked(Json::object(), none, mixture()), "activations/saved.experts", "loss") ==
          3 * 2 * routed * (256 + 704 + 2 * 4));
    const Json dense{{"task", "training"},
                     {"model", {{"config", small_llama()}}},
                     {"training", {{"method", "lora"}, {"lora", {{"targets", {"experts"}}}}}}};
    CHECK(refuse(dense.dump()).at("where") == "training.lora.targets");
}

TEST_CASE("a padded vocabulary, and key-value heads that are fewer than the devices") {
    const Json megatron = asked({{"tensor", 4}, {"framework", "megatron"}});
    CHECK(row(megatron, "weights/embedding").at("bytes").get<double>() == 2 * 256 * 256);  // 1000 to 1024, over 4
    const Json plain = asked({{"tensor", 4}});
    CHECK(row(plain, "weights/embedding").at("bytes").get<double>() == 2 * 250 * 256);
    // queries and output 256² / 4 each; two key-value heads of 32 for four devices: one each
    CHECK(row(plain, "weights/attention").at("bytes").get<double>() == 3 * 2 * (2 * 256 * 64 + 2 * 256 * 32));
}

TEST_CASE("context parallel: a part of each sequence, and keys and values that go round") {
    const Json alone = asked(Json::object(), {{"precision", "bf16"}});
    const Json ring = asked({{"context", 4}, {"gradient_as_bucket_view", true}}, {{"precision", "bf16"}});
    CHECK(4 * at(ring, "activations/saved.feed_forward", "loss") ==
          at(alone, "activations/saved.feed_forward", "loss"));
    CHECK(at(ring, "communication/ring_buffers", "loss") == 2 * (2 * 16 * 64 * 2));
    CHECK(row(ring, "weights").at("bytes") == row(alone, "weights").at("bytes"));
}

TEST_CASE("expert parallel: whole experts, the router on every device, an equal share of the routed tokens") {
    const Json alone = asked(Json::object(), {{"precision", "bf16"}}, mixture());
    const Json shared = asked({{"data", 4}, {"expert", 4}}, {{"precision", "bf16"}}, mixture());
    CHECK(4 * row(shared, "weights/experts").at("bytes").get<double>() ==
          row(alone, "weights/experts").at("bytes").get<double>());
    CHECK(row(shared, "weights/router").at("bytes") == row(alone, "weights/router").at("bytes"));
    CHECK(at(shared, "activations/saved.experts", "loss") == at(alone, "activations/saved.experts", "loss"));
}

TEST_CASE("expert parallel: the device that is chosen most works for more tokens, and keeps more of them") {
    const Json parallel{{"data", 4}, {"expert", 4}};
    Json uneven = parallel;
    uneven["expert_imbalance"] = 1.5;
    const Json even = asked(parallel, {{"precision", "bf16"}}, mixture());
    const Json fullest = asked(uneven, {{"precision", "bf16"}}, mixture());
    CHECK(at(fullest, "activations/saved.experts", "loss") == 1.5 * at(even, "activations/saved.experts", "loss"));
    for (const char* same : {"weights", "activations/saved.router", "activations/saved.attention"})
        CHECK(row(fullest, same).at("bytes") == row(even, same).at("bytes"));
    const Json request{{"task", "training"},
                       {"model", {{"config", mixture()}}},
                       {"parallel", {{"data", 4}, {"expert", 4}, {"expert_imbalance", 5}}}};
    CHECK(refuse(request.dump()).at("where") == "parallel.expert_imbalance");
}

TEST_CASE("what cannot be divided is refused by name") {
    const auto where = [](const Json& parallel, const Json& config) {
        const Json request{{"task", "training"}, {"model", {{"config", config}}}, {"parallel", parallel}};
        return refuse(request.dump()).at("where").get<std::string>();
    };
    CHECK(where({{"tensor", 3}}, small_llama()) == "parallel.tensor");
    CHECK(where({{"pipeline", 4}}, small_llama()) == "parallel.pipeline");  // three layers
    CHECK(where({{"expert", 2}, {"data", 2}}, small_llama()) == "parallel.expert");
    CHECK(where({{"expert", 16}, {"data", 16}}, mixture()) == "parallel.expert");
    CHECK(where({{"sequence_parallel", true}}, small_llama()) == "parallel.sequence_parallel");
    CHECK(where({{"virtual_stages", 2}}, small_llama()) == "parallel.virtual_stages");
}

TEST_CASE("heads exchanged for tokens: attention keeps as much, and its output in both orders") {
    // 8 query heads of 32 over 4 devices; 64 tokens of which each device has 16; two key-value heads for four devices
    Json alone_of_a_part = asked(Json::object(), {{"precision", "bf16"}});
    const double T = 16, h = 256, kv = 64;
    const Json parallel{{"context", 4}, {"context_kind", "ulysses"}, {"gradient_as_bucket_view", true}};
    const Json exchanged = asked(parallel, {{"precision", "bf16"}});
    const double alone = at(alone_of_a_part, "activations/saved.attention", "loss") / 4;
    const double output = 3 * 2 * T * h, repeated = 3 * 2 * 2 * T * kv;  // three layers; k and v twice as large
    CHECK(at(exchanged, "activations/saved.attention", "loss") == alone + output + repeated);
    for (const Json& each : exchanged.at("rows")) CHECK(each.at("id") != "communication");
    const Json two = asked({{"context", 2}, {"context_kind", "ulysses"}}, {{"precision", "bf16"}});  // none repeated
    CHECK(at(two, "activations/saved.attention", "loss") == 2 * (alone + output));
    CHECK(row(two, "weights").at("bytes") == row(exchanged, "weights").at("bytes"));
}

TEST_CASE("heads are exchanged where they divide, and where a kernel attends") {
    const auto where = [](const Json& parallel, Json config, const char* attention = "sdpa") {
        const Json request{{"task", "training"},
                           {"model", {{"config", config}}},
                           {"parallel", parallel},
                           {"training", {{"attention", attention}}}};
        return refuse(request.dump()).at("where").get<std::string>();
    };
    const Json two{{"context", 2}, {"context_kind", "ulysses"}};
    CHECK(where({{"context", 3}, {"context_kind", "ulysses"}}, small_llama()) == "parallel.context");
    CHECK(where({{"context", 4}, {"tensor", 4}, {"context_kind", "ulysses"}}, small_llama()) == "parallel.context");
    CHECK(where(two, small_llama(), "eager") == "training.attention");
    CHECK(where({{"context", 2}, {"context_kind", "spiral"}}, small_llama()) == "parallel.context_kind");
    Json nine = small_llama();
    nine.update({{"num_attention_heads", 12}, {"num_key_value_heads", 3}, {"head_dim", 32}});
    CHECK(where(two, nine) == "parallel.context");
    CHECK(where(two, scanning()) == "parallel.context_kind");
}

TEST_CASE("a shared scan: heads and groups over the devices, all of Mamba 2's matrices but the norms") {
    const double h = 256, inner = 512, state = 16, groups = 4, heads = 16, L = 2;
    const Json alone = asked(Json::object(), {{"precision", "bf16"}}, scanning());
    const double channels = inner + 2 * groups * state;
    for (const double t : {2.0, 4.0}) {
        const Json shared = asked({{"tensor", t}}, {{"precision", "bf16"}}, scanning());
        const double mixer = h * (inner + channels + heads) + 5 * channels + 3 * heads + inner + inner * h;
        CHECK(row(alone, "weights/mixer").at("bytes").get<double>() == 2 * L * mixer);
        CHECK(row(shared, "weights/mixer").at("bytes").get<double>() == 2 * L * mixer / t);
        CHECK(t * at(shared, "activations/saved.mixer", "loss") ==
              at(alone, "activations/saved.mixer", "loss") + (t - 1) * 2 * L * 64 * h);  // in_proj's input is whole
    }
}

TEST_CASE("a gated delta-net divides by its value heads and key heads, a convolution by its channels") {
    const Json refused_groups{{"task", "training"}, {"model", {{"config", scanning()}}}, {"parallel", {{"tensor", 8}}}};
    CHECK(refuse(refused_groups.dump()).at("what").get<std::string>().find("groups") != std::string::npos);
    const auto mixers = [](const Json& config, double tensor) {
        return row(asked({{"tensor", tensor}}, {{"precision", "bf16"}}, config), "weights/mixer")
            .at("bytes")
            .get<double>();
    };
    Json delta = small_llama();
    delta.update({{"model_type", "qwen3_5_text"},
                  {"num_hidden_layers", 4},
                  {"head_dim", 32},
                  {"linear_num_key_heads", 4},
                  {"linear_num_value_heads", 8},
                  {"linear_key_head_dim", 32},
                  {"linear_value_head_dim", 32},
                  {"linear_conv_kernel_dim", 4}});
    const double norms = 3 * 2 * 32;  // of three layers, one weight for all heads, on every device
    CHECK(4 * (mixers(delta, 4) - norms) == mixers(delta, 1) - norms);
    Json convolutions = small_llama();
    convolutions.update(
        {{"model_type", "lfm2"}, {"conv_L_cache", 3}, {"layer_types", {"conv", "full_attention", "conv"}}});
    CHECK(2 * mixers(convolutions, 2) == mixers(convolutions, 1));
}

TEST_CASE("a latent that every device has is whole, however many heads it is shared by") {
    const auto saved = [](const Json& parallel) {
        const Json reply = ask({{"task", "training"},
                                {"model", {{"preset", "deepseek-v2-lite"}}},
                                {"parallel", parallel},
                                {"training", {{"precision", "bf16"}, {"sequence", 512}, {"norm", "fused"}}}});
        return at(reply, "activations/saved.attention", "loss");
    };
    const double whole = 27 * 2 * 512 * (2048 + 512);  // what the projections read: of 27 layers, the norm's output and
                                                       // the latent
    CHECK(2 * saved({{"tensor", 2}}) - saved(Json::object()) == whole);
}

}  // namespace plimsoll::test::divided
