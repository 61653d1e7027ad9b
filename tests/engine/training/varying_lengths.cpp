// Batches of many lengths: which lengths, and what the allocator keeps of them.
#include "estimate/training/replay/varying_lengths.h"

#include "engine/support.h"
#include "policies/allocator/caching_allocator.h"

namespace plimsoll::test::varying_lengths {

using plimsoll::CachingAllocator;
using plimsoll::LengthDistribution;
using plimsoll::record_lengths;

namespace {

constexpr double mebibyte = 1048576;

// Mean and deviation of x(E), E a standard exponential, by summing over small steps of its level.
std::pair<double, double> moments(const LengthDistribution& lengths) {
    constexpr double step = 1.0 / 256;
    double mean = 0, square = 0;
    for (double level = step / 2; level < 60; level += step) {
        const double share = std::exp(-level) * step, x = lengths.at(level);
        mean += share * x, square += share * x * x;
    }
    return {mean, std::sqrt(square - mean * mean)};
}

Json training(const Json& fields) {
    Json request = {{"schema", 1}, {"task", "training"}, {"model", {{"config", small_llama()}}}};
    request["model"]["config"]["model_type"] = "llama";
    request["model"]["config"]["vocab_size"] = 64000;  // logits of 125 MiB in fp32
    request["training"] = {{"precision", "bf16"}, {"sequence", 512}, {"method", "lora"}, {"checkpointing", "full"}};
    for (const auto& [name, value] : fields.items()) request["training"][name] = value;
    return request;
}

double reserved(const Json& request) { return ask(request).at("total").at("reserved").at("bytes"); }

}  // namespace

TEST_CASE("two lengths in turn: the shorter one's segment lies idle, unless segments grow or the device is full") {
    for (const bool expandable : {false, true}) {
        CachingAllocator memory(expandable);
        memory.release(memory.allocate(30 * mebibyte));
        memory.release(memory.allocate(40 * mebibyte));  // does not fit into the 30 MiB that are free
        memory.release(memory.allocate(30 * mebibyte));
        CHECK(memory.reserved() == (expandable ? 40 : 70) * mebibyte);
    }
    CachingAllocator full(false, 60 * mebibyte);
    full.release(full.allocate(30 * mebibyte));
    const CachingAllocator::Block longer = full.allocate(40 * mebibyte);  // the 30 MiB are given back first
    CHECK(full.reserved() == 40 * mebibyte);
    CHECK(full.most_reserved() == 40 * mebibyte);
    full.allocate(30 * mebibyte);  // what is in use is not
    CHECK(full.reserved() == 70 * mebibyte);
    full.release(longer);
    full.allocate(39 * mebibyte);
    CHECK(full.reserved() == 70 * mebibyte);
}

TEST_CASE("lengths have the mean and the deviation that were asked for") {
    for (const double deviation : {0.0, 200.0, 523.0, 790.0, 1000.0, 1500.0, 2000.0}) {
        const auto [mean, spread] = moments(LengthDistribution(1000, deviation));
        INFO(deviation);
        CHECK(std::abs(mean - 1000) < 5);
        CHECK(std::abs(spread - deviation) < 5);
    }
}

TEST_CASE("each batch of the series is longer than those before it, and the last is as long as one may be") {
    const std::vector<double> cut = record_lengths({3234, 2547, false}, 1, 4096),
                              left_out = record_lengths({3234, 2547, true}, 1, 4096),
                              four = record_lengths({3234, 2547, true}, 4, 4096);
    for (const std::vector<double>& lengths : {cut, left_out, four}) {
        CHECK(lengths.back() == 4096);
        for (size_t index = 1; index < lengths.size(); ++index) CHECK(lengths[index] >= lengths[index - 1]);
    }
    for (size_t index = 0; index + 1 < cut.size(); ++index) {
        CHECK(left_out[index] < cut[index] + 1);
        CHECK(left_out[index] < four[index]);  // padded to the longest of four
    }
    CHECK(cut[1] == 4096);  // as e^-2 of the samples would be 5,900 tokens and more
    CHECK(record_lengths({512, 0, false}, 1, 512) == std::vector<double>(7, 512));
}

TEST_CASE("where lengths vary more is reserved, and with expandable segments no more than for the longest") {
    const Json lengths = {{"mean", 300}, {"deviation", 250}};
    const Json plain = ask(training({})), varying = ask(training({{"lengths", lengths}}));
    const double constant = plain.at("total").at("reserved").at("bytes");
    CHECK(varying.at("total").at("reserved").at("bytes").get<double>() > 1.3 * constant);
    CHECK(varying.at("total").at("bytes") == plain.at("total").at("bytes"));
    CHECK(varying.at("allocator").at("first_step") == plain.at("allocator").at("first_step"));
    CHECK(reserved(training({{"lengths", {{"mean", 512}, {"deviation", 0}}}})) == constant);
    const Json grows = {{"expandable_segments", true}, {"lengths", lengths}};
    // but for autograd's workspace, which lies where the shortest batch had room, and parts it
    CHECK(reserved(training(grows)) <= 1.08 * reserved(training({{"expandable_segments", true}})));
}

TEST_CASE("what is reserved stays within the device where the batches do") {
    Json request = training({{"lengths", {{"mean", 300}, {"deviation", 250}}}});
    const double needed = ask(training({})).at("total").at("process").at("bytes");
    request["device"] = {{"memory_bytes", std::ceil(1.1 * needed)}};
    CHECK(ask(request).at("total").at("process").at("bytes").get<double>() <= 1.1 * needed + 1);
}

TEST_CASE("where no allocator is followed, lengths change nothing, and the reply says so") {
    const Json lengths = {{"mean", 300}, {"deviation", 250}};
    const Json followed = ask(training({{"lengths", lengths}}));
    const Json returned = {{"checkpointing", "none"}, {"use_cache", true}};
    Json varying = returned;
    varying["lengths"] = lengths;
    const Json reply = ask(training(varying));
    CHECK(followed.at("notes").empty());
    CHECK(reply.at("notes").front().at("code") == "lengths_not_followed");
    CHECK(reply.at("total") == ask(training(returned)).at("total"));
    Json request = training({{"lengths", lengths}});
    request["devices"] = 2;
    for (const Json& parallel : {Json{{"pipeline", 2}}, Json{{"data", 2}, {"framework", "fsdp2"}}}) {
        request["parallel"] = parallel;
        CHECK(ask(request).at("notes").empty());
    }
}

TEST_CASE("lengths that cannot be are refused where they stand") {
    const auto where = [](const Json& lengths) { return refuse(training({{"lengths", lengths}}).dump()).at("where"); };
    CHECK(where({{"mean", 300}, {"deviation", 601}}) == "training.lengths.deviation");
    CHECK(where({{"mean", 0}}) == "training.lengths.mean");
    CHECK(where({{"longer", "folded"}}) == "training.lengths.longer");
}

}  // namespace plimsoll::test::varying_lengths
