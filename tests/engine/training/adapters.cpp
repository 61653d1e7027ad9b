// What an adapter's operations make beside the product that they are added to: bytes a token, as the source of PEFT says
// (tuners/lora/layer.py: Linear.forward), and as a measured run has them.
#include "engine/support.h"
#include "estimate/training/timeline/block_events.h"
#include "policies/training/precision.h"

namespace plimsoll::test::adapters {

namespace {

using Tape = plimsoll::Tape<double>;
using plimsoll::Dtype;

constexpr double tokens = 1024, in = 4096, out = 14336, rank = 8;

plimsoll::Adapter adapter_of(double dropout) {
    plimsoll::Adapter adapter;
    adapter.rank = rank;
    adapter.targets = {"up_proj"};
    adapter.dtype = Dtype::float32;
    adapter.dropout = dropout;
    return adapter;
}

plimsoll::Pass<double> pass_of(const plimsoll::Adapter& adapter, const char* precision, bool training) {
    plimsoll::Pass<double> pass{1, tokens, tokens, tokens, {}, training, false};
    pass.options.numerics = plimsoll::precision_of(precision)->numerics;
    pass.options.adapter = &adapter;
    pass.options.dropout = adapter.dropout;
    return pass;
}

plimsoll::Block product() {
    return {{plimsoll::Linear{"up_proj", plimsoll::Part::feed_forward, plimsoll::Traced(in), plimsoll::Traced(out),
                              false, "x", "y"}}};
}

}  // namespace

TEST_CASE("a 16-bit product with an fp32 adapter: the cast input, and twice the output in fp32, after the product") {
    const plimsoll::Adapter adapter = adapter_of(0);
    const double given = 2 * in, made = 2 * out, cast = 4 * in, twice = 2 * 4 * out;
    for (const bool training : {false, true}) {
        const Tape tape = plimsoll::run<double>(product(), pass_of(adapter, "bf16", training), in);
        const double kept = training ? 4 * rank : 0;  // what A gives
        INFO(training);
        CHECK(tape.forward_peak().alive.n == tokens * (given + made + cast + twice + kept));
        CHECK(!tape.forward_peak().product);
    }
    SECTION("a matrix that is dequantized for the product is not there any more") {
        const Tape tape = plimsoll::run<double>(product(), pass_of(adapter, "bf16", false), in);
        const double matrix = 2 * in * out;
        CHECK(matrix < tokens * (cast + twice));
        CHECK(!tape.forward_peak(matrix).product);
        CHECK(tape.forward_peak(tokens * (cast + twice) + 1).product);
        CHECK(tape.forward_peak(tokens * (cast + twice) + 1).alive.n == tokens * (given + made));
    }
}

TEST_CASE("an adapter's backward pass comes before its product's, with the output's gradient alone") {
    for (const double dropout : {0.0, 0.1}) {
        const plimsoll::Adapter adapter = adapter_of(dropout);
        const Tape tape = plimsoll::run<double>(product(), pass_of(adapter, "bf16", true), in);
        const double kept = 4 * in + (dropout > 0 ? in : 0) + 4 * rank, arriving = 2 * out;
        INFO(dropout);
        CHECK(tape.backward_peak().alive.n == tokens * (kept + arriving + 2 * 4 * out));
        // at its product the adapter's tensors are gone, and the input's gradient is there
        CHECK(tape.backward_peak(Tape::Gradients::left_out, tokens * 100 * out).alive.n ==
              tokens * (arriving + 2 * in));
    }
}

TEST_CASE("where a product narrows, an adapter's backward pass holds its input twice: dropped, or cast") {
    const double wide = out, narrow = in;
    const plimsoll::Block block{{plimsoll::Linear{"down_proj", plimsoll::Part::feed_forward, plimsoll::Traced(wide),
                                                  plimsoll::Traced(narrow), false, "x", "y"}}};
    for (const double dropout : {0.0, 0.1}) {
        plimsoll::Adapter adapter = adapter_of(dropout);
        adapter.targets = {"down_proj"};
        const Tape tape = plimsoll::run<double>(block, pass_of(adapter, "bf16", true), wide);
        const double kept = 4 * wide + (dropout > 0 ? wide : 0) + 4 * rank, arriving = 2 * narrow;
        INFO(dropout);
        CHECK(tape.backward_peak().alive.n == tokens * (kept + arriving + (dropout > 0 ? 4 + 4 : 4 + 2) * wide));
    }
}

TEST_CASE("under autocast an adapter computes in 16 bits, and its input is cast to fp32 first") {
    const plimsoll::Adapter adapter = adapter_of(0);
    plimsoll::Pass<double> pass = pass_of(adapter, "bf16-autocast", false);
    pass.options.numerics.parameter = Dtype::sixteen_bit;
    const auto bytes = [&] { return plimsoll::run<double>(product(), pass, in).forward_peak().alive.n / tokens; };
    CHECK(bytes() == 2 * in + 2 * out + 4 * in + 2 * 2 * out);
    pass.options.frozen_packed = true;  // bitsandbytes' layers leave the cast to autocast
    CHECK(bytes() == 2 * in + 2 * out + 2 * 2 * out);
}

TEST_CASE("adapters that a compiler or a kernel of their own computes make nothing beside the product") {
    const plimsoll::Adapter adapter = adapter_of(0);
    plimsoll::Pass<double> pass = pass_of(adapter, "bf16", false);
    const auto bytes = [&](const plimsoll::Block& block) {
        return plimsoll::run<double>(block, pass, in).forward_peak().alive.n;
    };
    plimsoll::Block fused = product();
    fused.ops.front().as<plimsoll::Linear>()->adapter_kernel = plimsoll::Linear::AdapterKernel::fused;
    CHECK(bytes(fused) == tokens * 2 * (in + out));
    pass.options.compiled = true;
    CHECK(bytes(product()) == tokens * 2 * (in + out));
}

TEST_CASE("an allocator is given an adapter's tensors in the order in which they come and go") {
    const plimsoll::Adapter adapter = adapter_of(0);
    const plimsoll::EventOptions options{.dequantized = {2 * in * out}};
    const plimsoll::BlockEvents events =
        plimsoll::events_of(product(), pass_of(adapter, "bf16", true), in, {}, options);
    const auto fullest = [](const std::vector<plimsoll::MemoryEvent>& list) {
        std::map<size_t, double> live;
        double most = 0, sum = 0;
        for (const plimsoll::MemoryEvent& event : list) {
            if (event.kind == plimsoll::MemoryEvent::Kind::makes) sum += live[event.slot] = event.bytes;
            if (event.kind == plimsoll::MemoryEvent::Kind::frees) sum -= std::exchange(live[event.slot], 0);
            most = std::max(most, sum);
        }
        return most;
    };
    // the matrix is there beside the output, and is gone before the adapter runs
    CHECK(fullest(events.forward) ==
          std::max(2 * in * out + tokens * 2 * out, tokens * (2 * out + 4 * in + 4 * rank + 8 * out)));
    CHECK(fullest(events.backward) >= tokens * 8 * out);
}

TEST_CASE("DoRA measures the rows of the sum in every pass, with an identity that stays only for autograd") {
    plimsoll::Adapter adapter = adapter_of(0);
    adapter.magnitudes = true;
    const auto alive = [&adapter](double from, double to, bool training) {
        const plimsoll::Block block{{plimsoll::Linear{"up_proj", plimsoll::Part::feed_forward, plimsoll::Traced(from),
                                                      plimsoll::Traced(to), false, "x", "y"}}};
        const Tape tape = plimsoll::run<double>(block, pass_of(adapter, "bf16", training), from);
        const double given_and_made = tokens * 2 * (from + to), cast = 4 * tokens * from;
        return tape.forward_peak().alive.n - given_and_made - cast - 4 * (from * rank + from * to);
    };
    const double copy = 4 * in * out, sum = (4 + 4) * in * out, identity = 4 * in * in;
    CHECK(sum > 3 * 4 * tokens * out);
    CHECK(alive(in, out, false) == copy + sum);
    // of a wide input the identity is more than what comes after it
    CHECK(alive(out, in / 8, false) == 4 * out * out);
    // what A gives, the products of the base and of the adapter, and three vectors of the scale are kept
    CHECK(alive(in, out, true) == copy + sum + identity + 4 * tokens * rank + tokens * (2 + 4) * out + 3 * 4 * out);
}

}  // namespace plimsoll::test::adapters
