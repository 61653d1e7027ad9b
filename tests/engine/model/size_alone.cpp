// A model of which a number of parameters was typed, and nothing else: what can be said of it is what a usual decoder of that
// size has, by hand.
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::size_alone {

namespace {

struct Bits {
    double mean, low, high;
};

/// Bits per weight in a format of 4 bits that leaves embedding and head in 16: 4, and 16 and 4 for each 128.
Bits bits_of(double parameters) {
    const Json reply = ask({{"model", {{"parameters", parameters}}},
                            {"weights", {{"encoding", "gptq-4bit-128g"}}},
                            {"inference", {{"context", 512}}}});
    const Json& weights = row(reply, "weights");
    const auto bits = [&](const char* key) { return weights.at(key).get<double>() * 8 / parameters; };
    return {bits("bytes"), bits("low"), bits("high")};
}

constexpr double packed = 4 + (16.0 + 4) / 128;

/// The width whose embedding and head have the share of 16-bit weights that these bits show.
double width(double bits, double parameters, double rows) {
    return (bits - packed) / (16 - packed) * parameters / rows;
}

}  // namespace

TEST_CASE("a size alone has the bits of a model as wide as those of its size") {
    // Llama 3: 4,096 wide with 8 billion parameters, 8,192 with 70, and 128,256 tokens in embedding and head
    CHECK(width(bits_of(8.03e9).mean, 8.03e9, 2 * 128256) == Approx(4096).epsilon(0.1));
    CHECK(width(bits_of(7.06e10).mean, 7.06e10, 2 * 128256) == Approx(8192).epsilon(0.13));
    const Json llama = ask({{"model", {{"preset", "llama-3-8b"}}}, {"weights", {{"encoding", "gptq-4bit-128g"}}}});
    CHECK(bits_of(8030261248).mean ==
          Approx(row(llama, "weights").at("bytes").get<double>() * 8 / 8030261248).epsilon(0.03));
}

TEST_CASE("the band of a size alone reaches from a small vocabulary, tied, to a large one") {
    for (const double parameters : {3e9, 8e9, 3e10, 7e10, 4e11}) {
        const Bits bits = bits_of(parameters);
        const double wide = width(bits.mean, parameters, 2 * 128256);
        INFO(parameters << ": " << bits.low << " " << bits.mean << " " << bits.high);
        CHECK(width(bits.low, parameters, 32000) == Approx(wide).epsilon(0.15));
        CHECK(width(bits.high, parameters, 2 * 262144) == Approx(wide).epsilon(0.15));
    }
}

TEST_CASE("a mean is told where the format stores weights in several ways and no tensor is known") {
    const auto noted = [](const Json& model, const char* encoding) {
        const Json reply =
            ask({{"model", model}, {"weights", {{"encoding", encoding}}}, {"inference", {{"context", 512}}}});
        for (const Json& note : reply.at("notes"))
            if (note.at("code") == "mean_bits") return true;
        return false;
    };
    CHECK(noted({{"parameters", 8e9}}, "gptq-4bit-128g"));
    CHECK_FALSE(noted({{"parameters", 8e9}}, "bf16"));
    CHECK_FALSE(noted({{"preset", "llama-3-8b"}}, "gptq-4bit-128g"));
}

}  // namespace plimsoll::test::size_alone
