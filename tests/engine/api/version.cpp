#include "api.h"
#include "engine/catch.h"

namespace plimsoll::test::version {

TEST_CASE("the engine names its version as three numbers") {
    const std::string version{plimsoll::version()};
    int dots = 0;
    for (char c : version) {
        dots += c == '.';
        CHECK((c == '.' || (c >= '0' && c <= '9')));
    }
    CHECK(dots == 2);
}

}  // namespace plimsoll::test::version
