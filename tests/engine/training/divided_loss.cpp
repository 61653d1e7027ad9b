// The loss over a vocabulary that devices share: as DTensor, Megatron-LM and DeepSpeed take it.
#include "engine/support.h"

namespace plimsoll::test::divided_loss {

namespace {

constexpr double tokens = 512, words = 32000, degree = 4, elements = tokens * words;

Json with(const char* framework, const Json& fields = Json::object()) {
    Json config = small_llama();
    config["vocab_size"] = words, config["num_attention_heads"] = 8, config["num_key_value_heads"] = 4;
    Json request = {{"task", "training"}, {"model", {{"config", config}}}, {"devices", degree}};
    request["parallel"] = {{"tensor", degree}, {"framework", framework}};
    request["training"] = {{"precision", "bf16"}, {"sequence", tokens}};
    for (const auto& [name, value] : fields.items()) request["training"][name] = value;
    return ask(request);
}

double logits(const Json& reply, const char* phase) {
    const Json& all = row(reply, "logits");
    double targets = 0;
    for (const Json& child : all.at("rows"))
        for (const char* small : {"targets", "scalars", "gradient_of_the_loss"})
            if (child.at("id") == small) targets += child.at("by_phase").value(phase, 0.0);
    return all.at("by_phase").at(phase).get<double>() - targets;
}

}  // namespace

TEST_CASE("DTensor's loss holds four fp32 values a logit in its backward pass, and 16-bit logits where they are held") {
    const Json reply = with("ddp");
    CHECK(logits(reply, "loss") == (2 + 4 + 4 + 4) * elements / degree);
    CHECK(logits(reply, "backward") == 16 * elements / degree);
    const Json held = with("ddp", {{"logits_kept", true}, {"logits_returned_in_fp32", false}});
    CHECK(logits(held, "backward") == 18 * elements / degree);
}

TEST_CASE(
    "Megatron-LM's lies in one fp32 copy, DeepSpeed divides no vocabulary, and each device takes all of the loss") {
    const double padded = tokens * 32256 / degree;  // to a multiple of 128 × 4
    CHECK(logits(with("megatron"), "backward") == (4 + 2) * padded);
    const Json whole = with("deepspeed");
    CHECK(logits(whole, "backward") == 12 * elements);
    double embedding = 0;
    for (const Json& child : row(whole, "weights").at("rows"))
        if (child.at("id") == "embedding") embedding = child.at("bytes");
    CHECK(embedding == 2 * words * 256);
}

}  // namespace plimsoll::test::divided_loss
