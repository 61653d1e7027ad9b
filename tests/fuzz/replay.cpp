// Stands in for libFuzzer's main where there is none: tries every file of the folders it is given once, and where the target
// has a grammar some inputs that it makes of each. PLIMSOLL_DRAWN: how many.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                                     std::size_t most, unsigned seed);

namespace {

std::minstd_rand random_bytes;

/// Changes an input some times over, each time what came of the last, and tries each.
int draw(const std::string& bytes, int count) {
    constexpr std::size_t most = 1 << 16;
    std::vector<std::uint8_t> data(most);
    std::size_t size = 0;
    for (int i = 0; i < count; ++i) {
        if (i % 8 == 0) {
            size = std::min(bytes.size(), most);
            std::copy_n(bytes.begin(), size, data.begin());
        }
        size = LLVMFuzzerCustomMutator(data.data(), size, most, static_cast<unsigned>(random_bytes()));
        LLVMFuzzerTestOneInput(data.data(), size);
    }
    return count;
}

}  // namespace

/// libFuzzer's own changes of bytes, as far as a replay needs them: one byte becomes another.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t) {
    if (size > 0) data[random_bytes() % size] = static_cast<std::uint8_t>(random_bytes());
    return size;
}

int main(int count, char* arguments[]) {
    const char* drawn = std::getenv("PLIMSOLL_DRAWN");
    const int each = drawn ? std::atoi(drawn) : 16;
    int tried = 0;
    for (int i = 1; i < count; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++tried;
            if (LLVMFuzzerCustomMutator) tried += draw(bytes, each);
        }
    }
    std::printf("%d inputs\n", tried);
    return tried > 0 ? 0 : 1;
}
