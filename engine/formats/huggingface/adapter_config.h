/// adapter_config.json of PEFT: what an adapter adds to which layers, or how it turns their inputs.
#pragma once

#include <string>
#include <vector>

#include "formats/json/json.h"

namespace plimsoll {

struct AdapterConfig {
    std::string kind;  ///< `peft_type` in small letters: `lora`, `loha`, `prefix_tuning`, …
    std::string base_model;
    double rank = 8, alpha = 8, dropout = 0;  ///< LoraConfig's defaults
    double block = 0;                         ///< of OFT: inputs turned together; 0: told by how many blocks there are
    std::vector<std::string> targets;         ///< names of layers, `all-linear`, or one regular expression
    bool targets_are_pattern = false;
    std::vector<std::string> modules_to_save;
    bool use_dora = false, use_rslora = false;
    bool varied = false;  ///< `rank_pattern` or `alpha_pattern`: not all layers have this rank
    std::string bias = "none";
};

/// Errors: no `peft_type`, a rank that is no whole number of at least 1, a field of the wrong type.
Result<AdapterConfig> read_adapter_config(const Json& config, const std::string& where);

}  // namespace plimsoll
