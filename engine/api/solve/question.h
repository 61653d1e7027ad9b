/// A question as it is asked.
#pragma once

#include "api/solve/sought.h"

namespace plimsoll {

struct Question {
    std::vector<std::string> fields;  ///< one, or two for a curve
    Limit limit;
    SoughtIn in;
    Json explain = "none";  ///< of the replies at both values, as the request wants it
};

/// Reads `{"request", "find", "limit", "sure", "values"}`; it points into `json`.
Result<Question> read_question(const Json& json);

}  // namespace plimsoll
