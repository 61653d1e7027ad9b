// What a pass costs, against closed forms: 2·N a token and 6·N a trained one (Kaplan et al., 2001.08361, 2.1), attention's
// 4·s·h (the same, table 1), Megatron-LM's operations of a layer (Narayanan et al., 2104.04473, appendix), PaLM's MFU.
#include "engine/support.h"
#include "formats/huggingface/huggingface.h"
#include "model/core/profile.h"
#include "model/read/architecture.h"

namespace plimsoll::test::costs {

using plimsoll::test::Json;

namespace {

Model model_of(const Json& config) {
    const auto facts = read_config(config, "config.json", "");
    REQUIRE(facts);
    auto model = read_model(*facts);
    REQUIRE(model);
    return std::move(*model);
}

Json llama(double layers, double hidden, double heads, double kv_heads, double inner) {
    return {{"model_type", "llama"},        {"hidden_size", hidden},
            {"num_attention_heads", heads}, {"num_key_value_heads", kv_heads},
            {"intermediate_size", inner},   {"num_hidden_layers", layers},
            {"vocab_size", 32000},          {"tie_word_embeddings", false}};
}

Pass<double> pass(double batch, double sequence, double keys) {
    PassOptions options;
    options.attention = AttentionKernel::flash;
    return {batch, sequence, keys, batch * sequence, options};
}

double sum(const Model& model, const Pass<double>& over, CostKind kind, double Cost<double>::*what) {
    double total = 0;
    const auto add = [&](const Block& block, double layers) {
        for (const BlockCost<double>& each : cost_of<double>(block, over, model.hidden_size->value()))
            if (each.cost.kind == kind) total += layers * each.cost.*what;
    };
    for (const LayerKind& layer : model.kinds) add(layer.block, layer.count.value());
    add(model.head, 1);
    return total;
}

double matrices(const Model& model) {
    double elements = 0;
    for (const LayeredWeight<double>& each : weights_of<double>(model))
        if (!each.weight.vector && each.weight.part != Part::embedding)
            elements += each.layers * each.weight.elements();
    return elements;
}

}  // namespace

TEST_CASE("a token's products are two operations of each weight, and read each of them once") {
    for (const Json& config : {llama(4, 256, 4, 4, 688), llama(32, 4096, 32, 8, 14336), llama(2, 512, 8, 2, 1376)}) {
        const Model model = model_of(config);
        const Pass<double> token = pass(1, 1, 1000);
        CHECK(sum(model, token, CostKind::product, &Cost<double>::operations) == 2 * matrices(model));
        CHECK(sum(model, token, CostKind::product, &Cost<double>::weights) == matrices(model));
        const Pass<double> several = pass(7, 1, 1000);
        CHECK(sum(model, several, CostKind::product, &Cost<double>::operations) == 14 * matrices(model));
        CHECK(sum(model, several, CostKind::product, &Cost<double>::weights) == matrices(model));
    }
}

TEST_CASE("attention is 4·s·h operations a token and layer, and a step reads the cache once") {
    const double layers = 3, hidden = 512, context = 777, sequences = 5;
    const Model model = model_of(llama(layers, hidden, 8, 2, 1376));
    const Pass<double> step = pass(sequences, 1, context);
    CHECK(sum(model, step, CostKind::attention, &Cost<double>::operations) ==
          layers * sequences * 4 * context * hidden);
    CHECK(sum(model, step, CostKind::attention, &Cost<double>::cached) == layers * sequences * context * 2 * 128);
    const Pass<double> prefill = pass(sequences, context, context);  // what a causal mask leaves of s²
    CHECK(sum(model, prefill, CostKind::attention, &Cost<double>::operations) ==
          layers * sequences * 4 * hidden * context * (context + 1) / 2);
}

TEST_CASE("a pass in pieces attends to as many pairs as one pass") {
    const Model model = model_of(llama(1, 256, 4, 4, 688));
    Json windowed = llama(1, 256, 4, 4, 688);
    windowed["model_type"] = "mistral", windowed["sliding_window"] = 100;
    const Model short_sighted = model_of(windowed);
    for (const Model& each : {model, short_sighted}) {
        double pieces = 0;
        for (double past = 0; past < 512; past += 64)
            pieces += sum(each, pass(1, 64, past + 64), CostKind::attention, &Cost<double>::operations);
        CHECK(pieces == sum(each, pass(1, 512, 512), CostKind::attention, &Cost<double>::operations));
    }
    const double seen = 100.0 * 101 / 2 + 412 * 100;  // the first hundred tokens see less than the window
    CHECK(sum(short_sighted, pass(1, 512, 512), CostKind::attention, &Cost<double>::operations) == 4 * 256 * seen);
}

TEST_CASE("experts cost what is routed to them, and read those that a token visits") {
    Json config = llama(2, 256, 4, 4, 688);
    config["model_type"] = "mixtral", config["num_local_experts"] = 8, config["num_experts_per_tok"] = 2;
    const Model model = model_of(config);
    const double expert = 3.0 * 256 * 688;
    const auto experts = [&](const Pass<double>& over, double Cost<double>::*what) {
        double total = 0;
        for (const BlockCost<double>& each : cost_of<double>(model.kinds[0].block, over, 256.0))
            if (each.cost.part == Part::experts && each.cost.kind == CostKind::product) total += each.cost.*what;
        return total;
    };
    CHECK(experts(pass(1, 1, 10), &Cost<double>::operations) == 2 * 2 * expert);
    CHECK(experts(pass(1, 1, 10), &Cost<double>::weights) == 2 * expert);
    CHECK(experts(pass(3, 1, 10), &Cost<double>::weights) == Approx(8 * (1 - 0.75 * 0.75 * 0.75) * expert));
    CHECK(experts(pass(1, 4096, 4096), &Cost<double>::weights) == Approx(8 * expert));
}

TEST_CASE("a step of latent attention reads latents alone, and a prefill computes over whole heads") {
    Json config = llama(1, 512, 8, 8, 1024);
    const Json latent = {{"model_type", "deepseek_v2"}, {"kv_lora_rank", 128},       {"q_lora_rank", 64},
                         {"qk_nope_head_dim", 32},      {"qk_rope_head_dim", 16},    {"v_head_dim", 32},
                         {"n_routed_experts", 8},       {"n_shared_experts", 1},     {"num_experts_per_tok", 2},
                         {"moe_intermediate_size", 64}, {"first_k_dense_replace", 1}};
    config.update(latent);
    const Model model = model_of(config);
    CHECK(sum(model, pass(1, 1, 100), CostKind::attention, &Cost<double>::cached) == 100 * (128 + 16));
    CHECK(sum(model, pass(1, 1, 100), CostKind::attention, &Cost<double>::operations) == 2 * 8 * 100 * (144 + 128));
    CHECK(sum(model, pass(1, 100, 100), CostKind::attention, &Cost<double>::operations) == 2 * 8 * 5050 * (48 + 32));
    CHECK(sum(model, pass(2, 100, 100), CostKind::attention, &Cost<double>::activations) == 200 * 8 * (48 + 32));
}

TEST_CASE("a power is a product, at any whole number") {
    CHECK(power(3.0, 0.0) == 1);
    CHECK(power(3.0, 5.0) == 243);
    CHECK(power(0.5, 10.0) == 1.0 / 1024);
    CHECK(value_of(power(Traced(2), Traced(30))) == 1073741824);
}

}  // namespace plimsoll::test::costs
