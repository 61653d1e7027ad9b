// A training run replayed through PyTorch's allocator, against what the formulas say of the same run, and against a
// run that somebody printed.
#include "engine/support.h"
#include "policies/allocator/caching_allocator.h"

namespace plimsoll::test::replay {

namespace {

Json training(const Json& fields, const char* model_type = "llama") {
    Json config = small_llama();
    config["model_type"] = model_type;
    Json request = {{"schema", 1}, {"task", "training"}, {"model", {{"config", config}}}};
    request["training"] = {{"precision", "bf16"}, {"micro_batch", 2}, {"sequence", 256}};
    for (const auto& [name, value] : fields.items()) request["training"][name] = value;
    return request;
}

Json parts(double layers, const std::vector<std::string>& modules = {"all"},
           const std::vector<std::string>& extra = {}) {
    return {{"method", "freeze"},
            {"freeze", {{"trainable_layers", layers}, {"trainable_modules", modules}, {"extra_modules", extra}}}};
}

std::vector<Json> training_requests() {
    const Json adapters = {{"rank", 8}, {"targets", "all-linear"}};
    return {training({}),
            training({{"precision", "fp32"}, {"attention", "eager"}}),
            training({{"precision", "bf16-autocast"}}),
            training({{"precision", "bf16-mixed"}, {"accumulation", 2}}),
            training({{"checkpointing", "full"}, {"accumulation", 2}}),
            training({{"checkpointing", "selective"}, {"attention", "eager"}}),
            training({{"checkpointing", "full"}, {"recompute_method", "uniform"}, {"recompute_num_layers", 2}}),
            training({{"checkpointing", "full"}, {"recompute_method", "block"}, {"recompute_num_layers", 1}}),
            training({{"checkpointing", "full"}, {"checkpoint_every", 2}}),
            training({{"checkpointing", "full"}, {"use_cache", true}, {"logits_kept", true}}),
            training({{"loss", "fused"}}),
            training({{"loss", "chunked"}, {"logits_cut", true}}),
            training({{"gradients_released", true}}),
            training({{"method", "lora"}, {"lora", adapters}}),
            training({{"method", "qlora"}, {"lora", adapters}, {"checkpointing", "full"}}),
            training({{"method", "lora"}, {"lora", {{"targets", "all-linear"}, {"kernels", "fused"}}}}),
            training({{"attention", "sdpa"}, {"mask", "boolean"}}),
            training({{"attention", "eager"}, {"mask", "additive"}}),
            training(parts(1)),
            training(parts(-1)),
            training(parts(2, {"self_attn"})),
            training(parts(1, {"all"}, {"lm_head"})),
            training(parts(1, {"all"}, {"embed_tokens", "lm_head"})),
            training(parts(0, {"all"}, {"norm", "lm_head"})),
            training({{"loss", "fused"}, {"loss_version", "0.4"}}),
            training({{"loss", "fused"}, {"loss_version", "0.5"}, {"accumulation", 2}}),
            training({{"loss", "fused"}, {"precision", "fp32"}}),
            training({{"loss", "fused"}, {"method", "lora"}, {"lora", adapters}}),
            training({{"optimizer_step", "fused"}, {"expandable_segments", true}}),
            training({{"optimizer", "adagrad"}}),
            training({{"method", "dora"}, {"lora", adapters}, {"checkpointing", "full"}}),
            training({{"checkpointing", "full"}}, "granite"),
            training({}, "granite"),
            training({{"checkpointing", "full"}}, "mixtral"),
            training({{"optimizer", "sgd"}}, "mixtral")};
}

/// What other streams hold at a phase: of fsdp2 what weights have come in, else all that devices exchange.
double exchanged(const Json& reply, size_t phase, bool fsdp2 = false) {
    const Json& at = reply.at("timeline")[phase];
    if (!fsdp2) return at.at("rows").value("communication", 0.0);
    for (const Json& each : reply.at("rows"))
        if (each.at("id") == "communication")
            for (const Json& child : each.at("rows"))
                if (child.at("id") == "all_gather_output")
                    return child.at("by_phase").value(at.at("phase").get<std::string>(), 0.0);
    return 0;
}

double last_reserved(const Json& reply) { return reply.at("allocator").at("later_steps").back().at("reserved"); }

}  // namespace

TEST_CASE("the allocator has what tensors ask for, in blocks, in segments, and gives no segment back") {
    for (const Json& request : training_requests()) {
        const Json reply = ask(request);
        INFO(request.dump());
        double before = 0;
        for (const char* step : {"first_step", "later_steps"})
            for (const Json& phase : reply.at("allocator").at(step)) {
                const double requested = phase.at("requested"), peak = phase.at("peak"),
                             reserved = phase.at("reserved");
                INFO(step << " " << phase.dump());
                CHECK(requested <= peak);
                CHECK(phase.at("allocated").get<double>() <= peak);
                CHECK(peak <= reserved);
                if (phase.at("phase") != "load") CHECK(before <= reserved);
                before = reserved;
            }
    }
}

TEST_CASE("at every phase the replay's tensors are those of the formulas") {
    for (const Json& request : training_requests()) {
        // which matrix is written out, and which parameter is stepped, at the fullest moment, a formula leaves open
        const Json& asked = request.at("training");
        const bool bound = asked.value("method", "") == "qlora" || asked.contains("gradients_released");
        const Json reply = ask(request);
        for (size_t phase = 0; phase < reply.at("timeline").size(); ++phase) {
            const double formula = reply.at("timeline")[phase].at("bytes");
            const double replayed = reply.at("allocator").at("later_steps")[phase].at("requested");
            INFO(request.dump() << " " << reply.at("timeline")[phase].at("phase"));
            if (!bound) CHECK(replayed == formula);
            if (bound) CHECK((replayed <= formula && replayed > 0.97 * formula));
        }
    }
}

TEST_CASE("on several devices the main stream's tensors are those of the formulas without what other streams hold") {
    struct Case {
        Json parallel, fields;
        bool units = false;  ///< shares of the gradients lie with the stream that reduces
    };
    const Json mixed = {{"precision", "bf16-mixed"}}, again = {{"accumulation", 2}, {"checkpointing", "full"}};
    const std::vector<Case> cases = {
        {{{"data", 4}}, {}},
        {{{"data", 4}, {"gradient_as_bucket_view", true}}, {}},
        {{{"framework", "deepspeed"}, {"zero", 1}}, mixed},
        {{{"framework", "fsdp2"}}, mixed, true},
        {{{"framework", "fsdp2"}}, again, true},
        {{{"framework", "fsdp"}}, {{"method", "lora"}}, true},
        {{{"context", 4}}, {}},
        {{{"tensor", 4}}, {}},
        {{{"framework", "fsdp2"}, {"offload", {{"optimizer", "cpu"}, {"parameters", "cpu"}}}}, mixed, true}};
    for (const Case& each : cases) {
        Json request = training(each.fields);
        request["devices"] = 4, request["parallel"] = each.parallel;
        request["model"]["config"]["vocab_size"] = 32000;  // the fullest moment is the logits', whatever is gathered
        const Json reply = ask(request);
        for (size_t phase = 0; phase < reply.at("timeline").size(); ++phase) {
            const Json& at = reply.at("timeline")[phase];
            double formula = at.at("bytes");
            if (each.units && at.at("rows").contains("gradients"))
                formula -= at.at("rows").at("gradients").get<double>();
            formula -= exchanged(reply, phase, each.parallel.value("framework", "") == "fsdp2");
            INFO(request.dump() << " " << at.at("phase"));
            CHECK(reply.at("allocator").at("later_steps")[phase].at("requested") == formula);
        }
    }
}

namespace {

/// A model of eight layers on the stages of a pipeline.
Json pipelined(double stages, const Json& fields, const Json& parallel = Json::object()) {
    Json request = training(fields);
    request["devices"] = stages;
    request["parallel"] = parallel;
    request["parallel"]["pipeline"] = stages;
    request["model"]["config"]["num_hidden_layers"] = 8;
    return request;
}

/// What tensors ask for at a phase of a later step, and what the formulas say of it.
std::pair<double, double> asked_and_said(const Json& reply, size_t phase) {
    const double said = reply.at("timeline")[phase].at("bytes");
    return {reply.at("allocator").at("later_steps")[phase].at("requested"), said - exchanged(reply, phase)};
}

}  // namespace

TEST_CASE("of a pipeline's stages, too: of micro-batches that are under way each keeps its own") {
    const Json adapters = {{"rank", 8}, {"targets", "all-linear"}};
    const std::vector<std::pair<Json, Json>> cases = {
        {{{"accumulation", 8}}, {}},
        {{{"accumulation", 8}, {"checkpointing", "full"}}, {}},
        {{{"accumulation", 2}}, {}},  // fewer than stages
        {{{"accumulation", 1}}, {}},
        {{{"accumulation", 4}, {"precision", "bf16-autocast"}}, {}},
        {{{"accumulation", 4}, {"precision", "bf16-mixed"}}, {}},
        {{{"accumulation", 8}, {"method", "lora"}, {"lora", adapters}}, {}},
        {{{"accumulation", 4}}, {{"schedule", "gpipe"}}},
        {{{"accumulation", 4}, {"loss", "chunked"}}, {{"schedule", "gpipe"}}}};
    for (const auto& [fields, parallel] : cases)
        for (const double words : {1000.0, 32000.0})  // the first stage is the fullest, or the last one
            for (const bool tied : {false, true}) {
                Json request = pipelined(4, fields, parallel);
                request["model"]["config"]["vocab_size"] = words;
                request["model"]["config"]["tie_word_embeddings"] = tied;
                const Json reply = ask(request);
                for (size_t phase = 0; phase < reply.at("timeline").size(); ++phase) {
                    INFO(request.dump() << " " << reply.at("total").at("device") << " "
                                        << reply.at("timeline")[phase].at("phase"));
                    const auto [asked, said] = asked_and_said(reply, phase);
                    // both gradients of an adapter, one of which has gone when the other one comes
                    if (fields.contains("lora")) CHECK((asked <= said && asked > said - 16384));
                    if (!fields.contains("lora")) CHECK(asked == said);
                }
            }
}

TEST_CASE("pieces of a stage run in turns: as many as the schedule has under way, each with what its layers keep") {
    Json request = pipelined(2, {{"accumulation", 4}}, {{"virtual_stages", 2}});
    request["model"]["config"]["vocab_size"] = 64;
    const Json reply = ask(request);
    CHECK(reply.at("total").at("device") == "stage 0");
    // in halves of a micro-batch: two for each stage behind, as many as a group has, and the one that runs
    const auto [asked, said] = asked_and_said(reply, 1);
    CHECK(asked == Approx(said).epsilon(0.05));
}

TEST_CASE("micro-batches whose losses all wait for the backward pass keep what it reads") {
    const auto kept = [](const char* schedule) {
        Json request = pipelined(2, {{"accumulation", 4}}, {{"schedule", schedule}});
        if (schedule == std::string("interleaved")) request["parallel"]["virtual_stages"] = 2;
        request["model"]["config"]["vocab_size"] = 32000;
        const Json reply = ask(request);
        REQUIRE(reply.at("total").at("device") == "stage 1");
        return reply.at("timeline")[2].at("rows").at("logits").get<double>();
    };
    const double tokens = 2 * 256, log_softmax = 4 * tokens * 32000, targets = 8 * tokens, sum_of_weights = 4;
    CHECK(kept("gpipe") - kept("1f1b") == 3 * (log_softmax + targets + sum_of_weights));
    CHECK(kept("interleaved") == kept("1f1b"));
}

TEST_CASE("flat parameters are made of whole units, whose segments stay") {
    Json request = training({});
    request["devices"] = 2, request["parallel"] = {{"framework", "fsdp"}};
    const Json reply = ask(request);
    const Json& config = request.at("model").at("config");
    const double h = config.at("hidden_size"), f = config.at("intermediate_size"), V = config.at("vocab_size"),
                 layers = config.at("num_hidden_layers"),
                 kv = h / config.at("num_attention_heads").get<double>() *
                      config.at("num_key_value_heads").get<double>();
    plimsoll::CachingAllocator allocator;
    const auto load_unit = [&allocator](const std::vector<double>& elements) {
        std::vector<plimsoll::CachingAllocator::Block> whole;
        double sum = 0;
        for (const double each : elements) whole.push_back(allocator.allocate(2 * each)), sum += each;
        const auto flat = allocator.allocate(2 * sum);
        allocator.allocate(sum);  // the half of it
        for (const auto block : whole) allocator.release(block);
        allocator.release(flat);
    };
    for (double layer = 0; layer < layers; ++layer)
        load_unit({h, h * h, h * kv, h * kv, h * h, h, h * f, h * f, f * h});
    load_unit({V * h, h, V * h});
    const Json& loaded = reply.at("allocator").at("first_step")[0];
    CHECK(loaded.at("reserved") == allocator.most_reserved());
    CHECK(loaded.at("allocated") == allocator.allocated());
}

TEST_CASE("what fsdp2 gathers comes in a stream of its own, and what it reduces to lies in another") {
    for (const bool on_host : {false, true}) {
        Json request = training({{"precision", "bf16-mixed"}});
        request["devices"] = 4, request["parallel"] = {{"framework", "fsdp2"}};
        if (on_host) request["parallel"]["offload"] = {{"parameters", "cpu"}};
        request["model"]["config"]["vocab_size"] = 32000;
        const Json reply = ask(request);
        const double ends = row(reply, "communication/gathered_ends").at("bytes"),
                     layer = 2 * (2 * 256 + 2 * 256 * 256 + 2 * 256 * 64 + 3 * 256 * 704);
        REQUIRE(ends == 2 * (2 * 32000 * 256 + 256));
        // shares that come from the host in fp32, their casts to 16 bits, and what goes back there
        const double gathered = ends + layer, cast = ends / 4, come = on_host ? 2 * ends / 4 : 0,
                     reduced = on_host ? 2 * ends / 4 : 0;
        const size_t step = reply.at("timeline").size() - 1;
        const Json& main = reply.at("allocator").at("later_steps")[step];
        const double idle = reply.at("timeline")[step].at("rows").at("slack").get<double>() -
                            (main.at("reserved").get<double>() - main.at("requested").get<double>());
        CHECK(std::abs(idle - (gathered + cast + come + reduced)) < 1);
    }
}

TEST_CASE("fsdp2 joins what it reduces where it computes: the ends of the model in one piece, or each by itself") {
    Json request = training({{"precision", "bf16-mixed"}, {"sequence", 16}, {"micro_batch", 1}});
    request["devices"] = 4, request["parallel"] = {{"framework", "fsdp2"}};
    request["parallel"]["offload"] = {{"parameters", "cpu"}};
    request["model"]["config"]["vocab_size"] = 32000;
    const double matrix = 32000 * 256;
    const auto joined = [&request](const char* child) {
        return row(ask(request), child).at("by_phase").at("backward").get<double>();
    };
    CHECK(joined("communication/reduce_scatter_input") == 4 * (2 * matrix + 256));
    request["parallel"]["ends_apart"] = true;
    CHECK(joined("communication/reduce_scatter_input") <= 4 * (matrix + 256));
}

TEST_CASE("what a loop holds of the batch before, until the model has given the next") {
    const Json plain = {{"use_cache", true}, {"logits_kept", true}, {"logits_cut", true}, {"checkpointing", "full"}};
    Json holding = plain;
    holding["previous_tokens"] = 256, holding["loss_in_model"] = true;
    Json before = training(plain), held = training(holding);
    const Json& config = before.at("model").at("config");
    const double tokens = 2 * 256, layers = config.at("num_hidden_layers"),
                 kv = config.at("hidden_size").get<double>() / config.at("num_attention_heads").get<double>() *
                      config.at("num_key_value_heads").get<double>(),
                 logits = 4 * tokens * config.at("vocab_size").get<double>(), cache = layers * 2 * 2 * tokens * kv;
    const Json one = ask(before), two = ask(held);
    for (const size_t phase : {1, 2})
        CHECK(two.at("timeline")[phase].at("bytes").get<double>() -
                  one.at("timeline")[phase].at("bytes").get<double>() ==
              logits + cache);
    CHECK(two.at("timeline")[3].at("bytes") == one.at("timeline")[3].at("bytes"));
    for (size_t phase = 0; phase < two.at("timeline").size(); ++phase)
        CHECK(two.at("allocator").at("later_steps")[phase].at("requested") == two.at("timeline")[phase].at("bytes"));
}

TEST_CASE("what checkpointing of operations keeps is there when the layer runs anew, and is not made again") {
    for (const char* attention : {"sdpa", "eager"}) {
        Json request = training({{"checkpointing", "selective-op"}, {"attention", attention}, {"accumulation", 2}});
        request["model"]["config"]["num_hidden_layers"] = 8;
        const Json reply = ask(request);
        for (size_t phase = 0; phase < reply.at("timeline").size(); ++phase) {
            const auto [asked, said] = asked_and_said(reply, phase);
            const std::string name = reply.at("timeline")[phase].at("phase");
            INFO(attention << " " << name);
            // while a layer runs forward, its first products wait for it to end: the formula has those of others
            if (name.substr(0, 7) == "forward") CHECK((asked >= said && asked < 1.005 * said));
            if (name.substr(0, 7) != "forward") CHECK(asked == said);
        }
    }
}

TEST_CASE("segments that grow take no more than segments of their own") {
    for (Json request : training_requests()) {
        const double common = last_reserved(ask(request));
        request["training"]["expandable_segments"] = true;
        INFO(request.dump());
        CHECK(last_reserved(ask(request)) <= common);
    }
}

TEST_CASE("a printed run of twelve linear layers, to the cent, allocated and reserved") {
    Json request = {{"schema", 1}, {"task", "training"}};
    request["model"]["config"] = {
        {"model_type", "mlp"}, {"num_hidden_layers", 12}, {"hidden_size", 1024}, {"hidden_act", "relu"}};
    request["training"] = {{"precision", "fp32"},
                           {"optimizer", "adam"},
                           {"optimizer_step", "loop"},
                           {"micro_batch", 32},
                           {"sequence", 1},
                           {"holds", {"layer_outputs", "loss"}},
                           {"framework", "CUDA < 11.7 (eager loading)"}};
    const auto printed = [&request](const char* figure) {
        std::vector<double> values;
        const Json reply = ask(request);
        for (const Json& phase : reply.at("allocator").at("first_step"))
            values.push_back(std::round(phase.at(figure).get<double>() / 1048576 * 100) / 100);
        return values;
    };
    CHECK(printed("allocated") == std::vector<double>{48.30, 49.80, 49.92, 97.97, 194.06});
    CHECK(printed("reserved") == std::vector<double>{62, 64, 64, 104, 204});
    for (const Json& only : {Json{"output", "loss"}, Json{"output"}, Json{"loss"}}) {
        request["training"]["holds"] = only;
        const std::vector<double> allocated = printed("allocated");
        CHECK(allocated[3] == (only.size() == 2 ? 96.59 : 96.47));
        CHECK(allocated[4] == (only.size() == 2 ? 192.69 : 192.56));
    }
}

}  // namespace plimsoll::test::replay
