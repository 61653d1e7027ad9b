// What is refused is refused at its field: each row of tests/refusals/requests.jsonl is a request, the error's code, the
// field that it names, and where several refusals share a field, a word of what it says.
#include <sstream>

#include "engine/support.h"

namespace plimsoll::test::refusals {

TEST_CASE("each refusal names its field") {
    std::istringstream lines(read("tests/refusals/requests.jsonl"));
    size_t rows = 0;
    for (std::string line; std::getline(lines, line); ++rows) {
        const Json row = Json::parse(line);
        INFO(row["request"].dump());
        const Json error = refuse(row["request"].dump());
        CHECK(error.at("code") == row["code"]);
        CHECK(error.at("where") == row["where"]);
        const std::string said = error["what"].get<std::string>() + error["hint"].get<std::string>();
        CHECK(said.find(row.value("says", "")) != std::string::npos);
    }
    CHECK(rows > 100);
}

}  // namespace plimsoll::test::refusals
