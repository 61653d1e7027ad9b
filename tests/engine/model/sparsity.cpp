// `weights.sparsity`: what is left out of a format, and what is taken out of a model.
#include "engine/support.h"

namespace plimsoll::test::sparsity {

namespace {

Json sparse(const Json& model, const std::string& encoding, const Json& sparsity) {
    Json request = {{"model", model}, {"weights", {{"encoding", encoding}}}, {"inference", {{"context", 128}}}};
    if (!sparsity.is_null()) request["weights"]["sparsity"] = sparsity;
    return request;
}

double weights(const Json& request) { return row(ask(request), "weights").at("bytes").get<double>(); }

double keys(const Json& request) { return row(ask(request), "kv_cache").at("bytes").get<double>(); }

Json structured(const char* of, double fraction) {
    return {{"kind", "structured"}, {"of", of}, {"fraction", fraction}};
}

// Of small_llama(): by hand.
constexpr double linear = 3 * (2 * 256 * 256 + 2 * 256 * 64 + 3 * 256 * 704), norms = 7 * 256, tables = 2 * 1000 * 256;

const Json llama = {{"config", small_llama()}};

}  // namespace

TEST_CASE("2:4 keeps half of the linear layers' values and two bits for each") {
    const Json half = {{"kind", "2:4"}, {"fraction", 0.5}};
    CHECK(weights(sparse(llama, "bf16", half)) == linear * 2 * 9 / 16 + 2 * (norms + tables));
    CHECK(weights(sparse(llama, "int8", half)) == linear * 10 / 16 + norms + tables);
    // scales stay; g_idx and scales of GPTQ lie beside the values
    const double dense = weights(sparse(llama, "gptq-4bit-128g", nullptr));
    CHECK(weights(sparse(llama, "gptq-4bit-128g", {{"kind", "2:4"}})) == dense - linear / 2 + linear * 3 / 8);
}

TEST_CASE("zeros anywhere save nothing, and a note says so") {
    const Json reply = ask(sparse(llama, "bf16", {{"kind", "unstructured"}, {"fraction", 0.9}}));
    CHECK(row(reply, "weights").at("bytes") == 2 * (linear + norms + tables));
    bool said = false;
    for (const Json& note : reply.at("notes")) said = said || note.at("code") == "sparsity_saves_nothing";
    CHECK(said);
}

TEST_CASE("structured pruning makes the model that a smaller config.json says") {
    const auto same = [](const Json& sparsity, const char* field, const Json& value, const char* other = nullptr,
                         const Json& second = nullptr) {
        Json config = small_llama();
        config[field] = value;
        if (other) config[other] = second;
        config["head_dim"] = 32;
        const Json pruned = sparse(llama, "bf16", sparsity), smaller = sparse({{"config", config}}, "bf16", nullptr);
        INFO(sparsity.dump());
        CHECK(weights(pruned) == weights(smaller));
        CHECK(keys(pruned) == keys(smaller));
    };
    same(structured("intermediate", 0.5), "intermediate_size", 352);
    same(structured("intermediate", 0.3), "intermediate_size", 493);  // 492.8, rounded up
    same(structured("layers", 0.34), "num_hidden_layers", 2);
    same(structured("layers", 0.99), "num_hidden_layers", 1);
    // four query heads share a key-value head, and go together
    same(structured("heads", 0.5), "num_attention_heads", 4, "num_key_value_heads", 1);
}

TEST_CASE("every model of the tests can be pruned, or says why not") {
    for (const char* preset : {"llama-3-8b", "mixtral-8x7b", "phi-2", "phi-3-mini-4k", "qwen2-72b", "gemma-2-27b"})
        for (const char* of : {"heads", "intermediate", "layers"}) {
            const Json model = {{"preset", preset}};
            INFO(preset << " " << of);
            CHECK(weights(sparse(model, "bf16", structured(of, 0.5))) < weights(sparse(model, "bf16", nullptr)));
            CHECK(weights(sparse(model, "bf16", structured(of, 0))) == weights(sparse(model, "bf16", nullptr)));
        }
}

TEST_CASE("of a model that sees, the language model is pruned and the tower is not") {
    const auto part = [](const Json& sparsity, const char* path) {
        return row(ask(sparse({{"preset", "gemma-3-4b"}}, "bf16", sparsity)), path).at("bytes").get<double>();
    };
    for (const char* of : {"heads", "intermediate", "layers"}) {
        INFO(of);
        const Json half = structured(of, 0.5);
        CHECK(part(half, "weights/vision") == part(nullptr, "weights/vision"));
        const bool attention = std::string(of) != "intermediate", feed_forward = std::string(of) != "heads";
        CHECK((part(half, "weights/attention") < 0.6 * part(nullptr, "weights/attention")) == attention);
        CHECK((part(half, "weights/feed_forward") < 0.6 * part(nullptr, "weights/feed_forward")) == feed_forward);
    }
}

TEST_CASE("a sweep over the fraction reads another model at each point") {
    Json request = sparse(llama, "bf16", structured("intermediate", 0));
    const Json over = {{"field", "weights.sparsity.fraction"}, {"values", {0, 0.5}}};
    const Json reply = Json::parse(engine().sweep(Json{{"request", request}, {"over", {over}}}.dump()));
    const Json& swept = reply.at("rows").at("weights");
    CHECK(swept[0].get<double>() - swept[1].get<double>() == 3 * 3 * 256 * 352 * 2);
}

TEST_CASE("what is wrong with a sparsity names its field") {
    const auto where = [](const Json& model, const char* encoding, const Json& sparsity) {
        return refuse(sparse(model, encoding, sparsity).dump()).at("where").get<std::string>();
    };
    CHECK(where(llama, "bf16", {{"fraction", 0.5}}) == "weights.sparsity.kind");
    CHECK(where(llama, "bf16", {{"kind", "block"}}) == "weights.sparsity.kind");
    CHECK(where(llama, "bf16", {{"kind", "2:4"}, {"fraction", 0.75}}) == "weights.sparsity.fraction");
    CHECK(where(llama, "gguf-q4_k_m", {{"kind", "2:4"}}) == "weights.sparsity.kind");
    CHECK(where(llama, "bf16", {{"kind", "2:4"}, {"of", "heads"}}) == "weights.sparsity.of");
    CHECK(where(llama, "bf16", {{"kind", "structured"}, {"fraction", 0.5}}) == "weights.sparsity.of");
    CHECK(where(llama, "bf16", {{"kind", "structured"}, {"of", "heads"}}) == "weights.sparsity.fraction");
    CHECK(where(llama, "bf16", structured("layers", 1)) == "weights.sparsity.fraction");
    CHECK(where({{"parameters", 7e9}}, "bf16", {{"kind", "2:4"}}) == "model");
    CHECK(where({{"parameters", 7e9}}, "bf16", structured("layers", 0.5)) == "weights.sparsity");
    CHECK(where({{"preset", "gpt2"}}, "bf16", structured("intermediate", 0.5)) == "weights.sparsity.fraction");
    const Json training = {
        {"model", llama}, {"training", Json::object()}, {"weights", {{"sparsity", {{"kind", "2:4"}}}}}};
    CHECK(refuse(training.dump()).at("where") == "weights.sparsity.kind");
}

}  // namespace plimsoll::test::sparsity
