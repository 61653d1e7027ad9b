/// What is known besides the request: the presets that were handed over, by id.
#pragma once

#include <map>
#include <string>

#include "api.h"
#include "formats/presets/presets.h"

namespace plimsoll {

class Library {
public:
    std::map<std::string, Device, std::less<>> devices;
    Encodings encodings;
    std::map<std::string, Optimizer, std::less<>> optimizers;
    std::map<std::string, Runtime, std::less<>> runtimes;
    std::map<std::string, Trainer, std::less<>> trainers;
    std::map<std::string, Bands, std::less<>> bands;
    std::map<std::string, Speed, std::less<>> speeds;
    std::map<std::string, Json, std::less<>> models;  ///< whole preset files

    /// Reads `{"devices": [...], ...}`; the number of presets taken, or what is wrong with the first bad one.
    Result<int> provide(const Json& presets);
};

}  // namespace plimsoll
