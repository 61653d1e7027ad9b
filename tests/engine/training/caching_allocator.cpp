// PyTorch's caching allocator, against a run that somebody printed: 12 layers Linear(1024, 1024) + ReLU in fp32, batch
// 32, MSELoss and Adam's plain loop, with a list that holds every ReLU's output. Figures in MiB, as printed.
#include "policies/allocator/caching_allocator.h"

#include <array>

#include "engine/support.h"

namespace plimsoll::test::caching_allocator {

using plimsoll::CachingAllocator;

namespace {

constexpr double mebibyte = 1048576, layers = 12, matrix = 1024 * 1024 * 4, bias = 1024 * 4, tensor = 32 * 1024 * 4;

double printed(double bytes) { return std::round(bytes / mebibyte * 100) / 100; }

struct Run {
    CachingAllocator memory;

    void parameters(int copies) {
        for (int layer = 0; layer < layers; ++layer)
            for (int copy = 0; copy < copies; ++copy) memory.allocate(matrix), memory.allocate(bias);
    }
    void shows(double allocated, double reserved) {
        CHECK(printed(memory.allocated()) == allocated);
        CHECK(printed(memory.reserved()) == reserved);
    }
};

}  // namespace

TEST_CASE("the printed run of twelve linear layers, allocated and reserved, to the cent") {
    Run run;
    run.parameters(1);
    run.memory.allocate(tensor), run.memory.allocate(tensor);  // input and target
    run.shows(48.30, 62);
    for (int layer = 0; layer < layers; ++layer) {
        const auto product = run.memory.allocate(tensor);
        run.memory.release(run.memory.allocate(mebibyte));  // cublasLt's workspace, while the product with bias runs
        run.memory.allocate(tensor);                        // ReLU's output, which the list holds
        run.memory.release(product);
    }
    run.shows(49.80, 64);
    run.memory.allocate(tensor);  // the element-wise losses, whose storage the mean owns
    run.shows(49.92, 64);
    for (int layer = 0; layer < layers; ++layer) {
        const auto output = run.memory.allocate(tensor), product = run.memory.allocate(tensor);
        run.memory.allocate(matrix), run.memory.allocate(bias);
        run.memory.release(output), run.memory.release(product);
    }
    run.shows(97.97, 104);
    run.parameters(2);  // exp_avg and exp_avg_sq
    run.shows(194.06, 204);
}

TEST_CASE("a block keeps up to a mebibyte that is left over, and free neighbours become one") {
    CachingAllocator memory;
    const auto first = memory.allocate(10.5 * mebibyte);  // a segment of 12 MiB: 1.5 MiB are left, and cut off
    CHECK(memory.allocated() == 10.5 * mebibyte);
    const auto second = memory.allocate(11.5 * mebibyte);  // half a mebibyte is left and stays
    CHECK(memory.allocated() == 22.5 * mebibyte);
    CHECK(memory.reserved() == 24 * mebibyte);
    memory.release(first);
    memory.allocate(12 * mebibyte);  // into the two pieces of the first segment, which are one again
    CHECK(memory.reserved() == 24 * mebibyte);
    memory.release(second);
    CHECK(memory.allocated() == 12 * mebibyte);
    CHECK(memory.peak() == 24 * mebibyte);
}

TEST_CASE("expandable segments grow by what is missing where common ones take a new one") {
    const auto grown = [](bool expandable) {
        CachingAllocator memory(expandable);
        for (int size = 30; size <= 60; size += 10) {  // each a little longer than the last, as lengths of batches vary
            memory.release(memory.allocate(size * mebibyte));
        }
        return memory.reserved() / mebibyte;
    };
    CHECK(grown(false) == 30 + 40 + 50 + 60);
    CHECK(grown(true) == 60);
}

}  // namespace plimsoll::test::caching_allocator
