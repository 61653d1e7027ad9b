// Models typed by hand, in formats that store weights in several ways.
#include "engine/support.h"

namespace plimsoll::test::typed {

namespace {

Json typed(const Json& model, const std::string& encoding) {
    return {{"model", model}, {"weights", {{"encoding", encoding}}}, {"inference", {{"context", 128}}}};
}

double bits(const Json& model, const std::string& encoding) {
    const Json reply = ask(typed(model, encoding));
    return row(reply, "weights").at("bytes").get<double>() * 8 /
           reply.at("model").at("parameters").at("total").get<double>();
}

const Json shape = {{"hidden_size", 4096},      {"num_hidden_layers", 32},    {"num_attention_heads", 32},
                    {"num_key_value_heads", 8}, {"intermediate_size", 14336}, {"vocab_size", 128256}};

const std::vector<std::string> mixed = {"gguf-q4_k_m",    "gguf-q8_0", "nf4",         "nf4-dq",   "int8-llm",
                                        "gptq-4bit-128g", "mxfp4",     "exl2-4.0bpw", "mlx-4bit", "fp8-block-128"};

}  // namespace

TEST_CASE("a typed shape weighs what the same config weighs") {
    Json config = shape;
    config["model_type"] = "llama";
    for (const std::string& encoding : mixed) {
        INFO(encoding);
        const double known = row(ask(typed({{"config", config}}, encoding)), "weights").at("bytes").get<double>();
        CHECK(row(ask(typed(shape, encoding)), "weights").at("bytes").get<double>() == known);
    }
}

TEST_CASE("a bare number of parameters gets a mean, with a band and a note") {
    for (const double parameters : {1e3, 0.5e9, 1.5e9, 8.03e9, 70.6e9, 1e12})
        for (const std::string& encoding : mixed) {
            INFO(encoding << " of " << parameters);
            const Json reply = ask(typed({{"parameters", parameters}}, encoding));
            const Json& weights = row(reply, "weights");
            CHECK(weights.at("basis") == "rule");
            CHECK(weights.at("low").get<double>() <= weights.at("bytes").get<double>());
            CHECK(weights.at("bytes").get<double>() <= weights.at("high").get<double>());
            bool said = false;
            for (const Json& note : reply.at("notes")) said = said || note.at("code") == "mean_bits";
            CHECK(said);
        }
    // Llama 3.1 8B and 70B in llama.cpp's Q4_K_M: 4.89 and 4.82 bits per weight
    CHECK(std::abs(bits({{"parameters", 8.03e9}}, "gguf-q4_k_m") - 4.89) < 0.15);
    CHECK(std::abs(bits({{"parameters", 70.6e9}}, "gguf-q4_k_m") - 4.82) < 0.15);
}

TEST_CASE("a number of parameters beside a whole shape takes the shape's mean") {
    Json both = shape;
    both["parameters"] = 16.06e9;
    for (const std::string& encoding : mixed) {
        INFO(encoding);
        CHECK(std::abs(bits(both, encoding) - bits(shape, encoding)) < 1e-6);
    }
}

}  // namespace plimsoll::test::typed
