/// What one image is to a model: patches that its tower sees, and tokens of the decoder.
#pragma once

#include "api/request/request.h"

namespace plimsoll {

struct ImageShape {
    double patches = 0, tokens = 0;
};

/// Of a block with `width`, `height` and `tokens`, each of which may be left out; `model`: the request's. An error where
/// neither block nor configuration says how many tokens there are.
ImageShape read_image_shape(Fields& images, const Json& model, const Library& library, Reading& reading);

/// What the request's `model` says of itself: the configuration, or null.
const Json* config_of(const Json& model, const Library& library);

}  // namespace plimsoll
