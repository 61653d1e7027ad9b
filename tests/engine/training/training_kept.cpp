// What frameworks keep and make beside the mathematics of a training step: fused projections, packed layers' inputs and
// written-out matrices, copies trained beside adapters, buffers. Counted by hand on a small Llama.
#include "engine/support.h"

namespace plimsoll::test::training_kept {

namespace {

constexpr double h = 256, q = 256, kv = 64, f = 704, L = 3, V = 1000, T = 128;

Json asked(const Json& training, Json request = Json::object()) {
    request["task"] = "training";
    request["model"] = {{"config", small_llama()}};
    request["training"] = training;
    request["training"]["sequence"] = T;
    return ask(request);
}

Json adapted(Json training = Json::object(), const Json& lora = Json::object()) {
    training["method"] = "lora";
    training["lora"] = {{"rank", 8}, {"targets", {"q_proj", "v_proj"}}, {"encoding", "bf16"}};
    training["lora"].update(lora);
    return asked(training);
}

Json packed(Json training, const Json& weights = Json::object()) {
    training["method"] = "qlora";
    training["lora"] = {{"rank", 8}, {"targets", {"q_proj", "v_proj"}}, {"encoding", "bf16"}};
    Json request;
    request["weights"] = {{"encoding", "nf4"}};
    request["weights"].update(weights);
    return asked(training, request);
}

double at(const Json& reply, const char* path, const char* phase) {
    return row(reply, path).at("by_phase").at(phase).get<double>();
}
double more(const Json& after, const Json& before, const char* path, const char* phase) {
    return at(after, path, phase) - at(before, path, phase);
}

}  // namespace

TEST_CASE(
    "queries, keys and values of one product: whoever keeps the values keeps all, adapters of parts read one input") {
    const Json plain = adapted(), fused = adapted({{"fused_qkv", true}});
    CHECK(at(fused, "weights", "load") == at(plain, "weights", "load"));
    CHECK(at(fused, "adapters", "load") == at(plain, "adapters", "load"));
    // values are a view of the whole output; what the adapters give is kept by the copy into its place
    CHECK(more(fused, plain, "activations/saved.attention", "loss") == L * 2 * T * ((q + kv) + (q + kv)));
    const Json all = adapted({{"fused_qkv", true}}, {{"targets", {"q_proj", "k_proj", "v_proj"}}});
    CHECK(more(fused, all, "activations/saved.attention", "loss") == L * 2 * T * (q + kv - 8));
}

TEST_CASE("an adapter's dropout on a fused product: one mask and one dropped input") {
    const Json plain = adapted({}, {{"dropout", 0.1}}), fused = adapted({{"fused_qkv", true}}, {{"dropout", 0.1}});
    const double once = L * 3 * T * h, view = L * 2 * T * (q + kv), copied = view;
    CHECK(more(fused, plain, "activations/saved.attention", "loss") == view + copied - once);
}

TEST_CASE("packed layers that keep their input, and hold it until the graph goes") {
    const Json none = {{"checkpointing", "none"}};  // PEFT switches it on beside packed layers
    const auto with = [&none](Json training) {
        training.update(none);
        return packed(training);
    };
    const Json plain = with({{"precision", "bf16"}}), kept = with({{"frozen_keeps_input", true}});
    // both norms' outputs (the first is the adapters' own already) and the product; attention's output is kept anyway
    CHECK(more(kept, plain, "activations", "loss") == L * 2 * T * (h + f));
    const Json held = with({{"frozen_keeps_input", true}, {"previous_tokens", T / 2}});
    CHECK(more(held, kept, "activations", "loss") == L * 2 * (T / 2) * (3 * h + f));
    CHECK(more(held, kept, "activations", "backward") == 0);
}

TEST_CASE("a packed matrix is written out while its product runs") {
    const Json full = {{"checkpointing", "full"}};
    const Json one = packed(full);
    const auto with = [&](const char* name, const Json& value) {
        Json training = full;
        training[name] = value;
        return packed(training);
    };
    CHECK(more(with("dequantised_copies", 2), one, "activations/in_flight", "forward") == 2 * h * f);
    CHECK(more(with("dequantised_kept", true), one, "activations/in_flight", "forward") ==
          2 * (h * (2 * q + 2 * kv) + 3 * h * f - h * f));
    const Json head = packed({}, {{"packed_head", true}}), wide = packed({});
    CHECK(at(wide, "weights/head", "load") == 2 * h * V);
    CHECK(at(head, "weights/head", "load") < 0.6 * h * V);
}

TEST_CASE("modules_to_save: a copy in the base's type, with its gradient and states, beside adapters in theirs") {
    const Json plain = adapted({}, {{"encoding", "fp32"}});
    const Json saved = adapted({}, {{"encoding", "fp32"}, {"modules_to_save", {"wte", "lm_head"}}});
    CHECK(at(saved, "adapters", "load") == at(plain, "adapters", "load"));
    CHECK(at(saved, "modules_to_save", "load") == 2 * 2 * h * V);
    CHECK(more(saved, plain, "optimizer/exp_avg", "forward") == 2 * 2 * h * V);
    CHECK(more(saved, plain, "gradients", "step") == 2 * 2 * h * V);
    CHECK(more(saved, plain, "optimizer/step_temporaries", "step") == 2 * 2 * h * V);
    const Json head = adapted({}, {{"encoding", "fp32"}, {"modules_to_save", "lm_head"}});
    CHECK(at(head, "modules_to_save", "load") == 2 * h * V);
    CHECK(refuse(R"({"task": "training", "model": {"preset": "llama-3-8b"}, "training": {"method": "lora",
                     "lora": {"modules_to_save": ["q_proj"]}}})")
              .at("where") == "training.lora.modules_to_save");
}

TEST_CASE("a loss that a compiler fused stores no fp32 logits and no softmax of them") {
    const Json compiled = asked({{"precision", "bf16"}, {"loss_compiled", true}});
    const double own = 2 * T * V, rest = 12 * T;  // a log-sum-exp and a label for each token
    CHECK(at(compiled, "logits", "loss") == own + rest);
    const Json chunked = asked({{"precision", "bf16"},
                                {"loss_compiled", true},
                                {"loss", "chunked"},
                                {"loss_chunks", 4},
                                {"attention", "eager"}});
    CHECK(at(chunked, "logits/logits", "loss") == own);
    // a model that upcasts by itself hands over fp32 logits, which a caller may hold while the layers go backward
    const Json upcast = asked({{"precision", "bf16"}, {"loss_compiled", true}, {"logits_returned_in_fp32", true}});
    CHECK(at(upcast, "logits", "loss") == 2 * own + rest);
    CHECK(at(upcast, "logits", "backward") == 0);
    const Json kept = asked({{"precision", "bf16"}, {"loss_compiled", true}, {"logits_kept", true}});
    CHECK(at(kept, "logits", "loss") == 2 * own + rest);
    CHECK(at(kept, "logits", "backward") == 2 * own);
}

TEST_CASE("gradients that are set to zero, and buckets that they are gathered in") {
    const Json plain = asked({{"precision", "fp32"}}),
               zeroed = asked({{"precision", "fp32"}, {"gradients_zeroed", true}});
    CHECK(at(plain, "gradients", "forward") == 0);
    CHECK(at(zeroed, "gradients", "forward") == at(plain, "gradients", "step"));
    CHECK(at(zeroed, "gradients", "load") == 0);
    const Json buckets = asked({{"precision", "bf16"}, {"gradient_bucket", 1e6}});
    CHECK(at(buckets, "communication/reduce_buckets", "backward") == 2e6);
    CHECK(at(buckets, "communication/reduce_buckets", "step") == 0);
}

TEST_CASE("a cap on the logits keeps its tanh") {
    Json config = small_llama();
    const auto kept = [&] {
        return ask({{"task", "training"},
                    {"model", {{"config", config}}},
                    {"training", {{"precision", "bf16"}, {"sequence", T}}}});
    };
    const Json plain = kept();
    config["final_logit_softcapping"] = 30;
    CHECK(at(kept(), "activations/saved.head", "loss") - at(plain, "activations/saved.head", "loss") == 2 * T * V);
}

}  // namespace plimsoll::test::training_kept
