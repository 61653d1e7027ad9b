#include "api/request/inference/loader.h"

#include <algorithm>

#include "policies/allocator/torch_allocator.h"

namespace plimsoll {

double read_release(Fields& fields, Reading& reading) {
    const std::string text = fields.word("release", "", "");
    double numbers[3] = {0, 0, 0};
    size_t number = 0, digits = 0;
    const bool build = !text.empty() && text.front() == 'b';  // llama.cpp counts its builds: b5398
    const size_t most_digits = build ? 6 : 3;
    for (const char letter : text.substr(build ? 1 : 0)) {
        if (letter >= '0' && letter <= '9' && digits < most_digits)
            numbers[number] = numbers[number] * 10 + (letter - '0'), ++digits;
        else if (letter == '.' && digits > 0 && number < 2)
            ++number, digits = 0;
        else
            break;
    }
    if (!text.empty() && ((number == 0 && !build) || digits == 0))
        reading.fail({"wrong_type", fields.path("release"), "\"" + text.substr(0, 60) + "\" is no release",
                      "such as 4.38 or b5398"});
    return text.empty() ? 0 : numbers[0] * 1000 + numbers[1] + numbers[2] / 1000;
}

Loaded loaded_of(const Model& model, const InferenceInputs& inputs) {
    Loaded loaded;
    const Runtime& runtime = *inputs.runtime;
    if (!runtime.torch_allocator || inputs.weights_as_stored || model.declared_parameters || !model.missing.empty() ||
        inputs.weights->wide == Wide::gguf)
        return loaded;
    const auto names = [&inputs](const std::vector<std::string>& ids) {
        return std::find(ids.begin(), ids.end(), inputs.weights->id) != ids.end();
    };
    loaded.left_over = bytes_left_over(equal_tensors(model, *inputs.weights, inputs.mix));
    loaded.quantised = inputs.weights->wide != Wide::none;
    loaded.tied_head_loaded = names(runtime.loader.tied_head_loaded);
    loaded.tied_head_kept = names(runtime.loader.tied_head_kept);
    if (names(runtime.loader.dequantised)) loaded.dequantised = largest_matrix(model, *inputs.weights, inputs.mix);
    return loaded;
}

}  // namespace plimsoll
