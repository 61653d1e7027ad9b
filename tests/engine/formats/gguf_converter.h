/// What llama.cpp's converter would write of a configuration: its rules, model by model, read off conversion/*.py and
/// told here a second time, so that the reader's table is held against something else than itself.
#pragma once

#include <optional>
#include <string>

#include "model/core/model.h"
#include "model/read/facts.h"

namespace plimsoll::test {

struct ConvertedModel {
    std::string header;
    double size = 0;
    Facts config;             ///< the configuration without what the converter does not carry over
    bool prediction = false;  ///< layers that predict further tokens are converted too
};

/// Nothing where llama.cpp has no converter for the model. Tensors are those of `model`, which is the configuration's.
std::optional<ConvertedModel> convert(const Facts& config, const Model& model);

}  // namespace plimsoll::test
