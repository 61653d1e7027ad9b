/// Hugging Face's config.json to facts.
#pragma once

#include "formats/json/json.h"
#include "model/read/facts.h"

namespace plimsoll {

/// Every number, switch, word and plain list of a configuration by name; nested objects as `rope_scaling.factor`.
/// `origin` says in sources where a value stands, `where` in errors.
Result<Facts> read_config(const Json& config, std::string origin, std::string where);

/// The same facts as a config.json, nested names as objects.
Json facts_to_json(const Facts& facts);

}  // namespace plimsoll
