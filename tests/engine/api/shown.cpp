// Numbers in errors are printf's, without printf.
#include "number/shown.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "engine/catch.h"

namespace plimsoll::test::shown {

namespace {

std::string printed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

}  // namespace

TEST_CASE("a number is shown as printf shows it") {
    for (const double value : {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               0.5,
                               10.0,
                               100.0,
                               1e14,
                               1e15,
                               999999999999999.0,
                               9999999999999995.0,
                               9999999999999999.0,
                               1e16,
                               1e300,
                               1e-300,
                               5e-324,
                               0.0001,
                               0.00001,
                               0.1 + 0.2,
                               1.0 / 3,
                               123456789012345.5,
                               1234567890123456.5,
                               0.000123456789012345678,
                               1.7976931348623157e308,
                               4503599627370497.5,
                               2.5,
                               1e9,
                               131072.0})
        CHECK(plimsoll::shown(value) == printed(value));
    std::uint64_t bits = 88172645463325252;  // xorshift64
    for (int i = 0; i < 5000; ++i) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value = std::ldexp(static_cast<double>(bits >> 20), -static_cast<int>(bits % 50));
        if (i % 2 == 0) std::memcpy(&value, &bits, sizeof value);  // std::bit_cast is not in Emscripten 3.1.6
        if (std::isfinite(value)) CHECK(plimsoll::shown(value) == printed(value));
    }
}

}  // namespace plimsoll::test::shown
