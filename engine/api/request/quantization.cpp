// `quantization_config` of a config.json (`quantization` in MLX's files) to the id of an encoding.
// Source: transformers, utils/quantization_config.py; compressed-tensors, quantization/quant_args.py; mlx_lm, utils.py.
#include "api/request/request.h"
#include "number/shown.h"

namespace plimsoll {
namespace {

class Quantization {
public:
    explicit Quantization(const Facts& facts) : facts_(facts) {}

    std::string encoding() const {
        std::string method = word("quant_method");
        if (method.empty()) return number("group_size", 0) > 0 ? "mlx" + packed("bits", "group_size") : method;
        if (method == "gptq") return method + packed("bits", "group_size");
        if (method == "awq")
            return method + packed(find("bits") ? "bits" : "w_bit", find("bits") ? "group_size" : "q_group_size");
        if (method == "hqq")
            return method +
                   packed("quant_config.weight_quant_params.nbits", "quant_config.weight_quant_params.group_size");
        if (method == "bitsandbytes") return bitsandbytes();
        if (method == "fp8" && is_word("expert_dtype", "fp4")) return "fp8-fp4-experts";
        if (method == "fp8")
            return std::get_if<std::vector<double>>(find("weight_block_size")) ? "fp8-block-128" : "fp8-tensor";
        if (method == "fbgemm_fp8") return "fp8-channel";
        if (method == "compressed-tensors") return compressed_tensors();
        if (method == "torchao") return torchao();
        if (method == "modelopt") return word("quant_algo") == "NVFP4" ? "nvfp4" : "fp8-tensor";
        if (method == "exl2" || method == "exl3") return bits_per_weight(method);
        return method;
    }

    // Modules that stay in 16 bits, by name.
    std::vector<std::string> unquantised() const {
        for (const char* key :
             {"ignore", "exclude_modules", "modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules"})
            if (const auto* found = std::get_if<std::vector<std::string>>(find(key))) return *found;
        return {};
    }

private:
    // MLX writes `quantization`, and in newer releases the other name as well; of a model with towers, some write what
    // is quantised where its language model is described (Kimi K2.5).
    const FactValue* find(const char* name) const {
        for (const char* block : {"quantization_config.", "quantization.", "text_config.quantization_config."})
            if (const FactValue* found = facts_.find(std::string(block) += name)) return found;
        return nullptr;
    }
    std::string word(const char* name) const {
        const std::string* found = std::get_if<std::string>(find(name));
        return found ? *found : std::string();
    }
    // Of the configuration itself.
    bool is_word(const char* name, const char* value) const {
        const std::string* found = std::get_if<std::string>(facts_.find(name));
        return found && *found == value;
    }
    bool flag(const char* name) const {
        const bool* found = std::get_if<bool>(find(name));
        return found && *found;
    }
    double number(const char* name, double otherwise) const {
        const double* found = std::get_if<double>(find(name));
        return found ? *found : otherwise;
    }
    // "-4bit-128g"
    std::string packed(const char* bits, const char* group) const {
        return "-" + shown(number(bits, 4)) + "bit-" + shown(number(group, 128)) + "g";
    }
    std::string bitsandbytes() const {
        if (flag("load_in_8bit") || flag("_load_in_8bit")) return "int8-llm";
        std::string type = word("bnb_4bit_quant_type");
        if (type.empty()) type = "fp4";
        return flag("bnb_4bit_use_double_quant") ? type + "-dq" : type;
    }
    std::string compressed_tensors() const {
        const bool eight = number("config_groups.group_0.weights.num_bits", 4) == 8;
        if (word("config_groups.group_0.weights.type") == "float") {
            const std::string strategy = word("config_groups.group_0.weights.strategy");
            if (!eight) return "nvfp4";
            if (strategy == "block") return "fp8-block-128";
            return strategy == "channel" ? "fp8-channel" : "fp8-tensor";
        }
        if (eight) return find("config_groups.group_0.input_activations.num_bits") ? "ct-w8a8" : "ct-w8a16";
        return "ct-w4a16-" + shown(number("config_groups.group_0.weights.group_size", 128)) + "g";
    }
    std::string torchao() const {
        std::string type = word("quant_type");
        if (type.empty()) type = word("quant_type.default._type");
        const auto names = [&type](const char* part) { return type.find(part) != std::string::npos; };
        if (names("loat8")) return "torchao-float8";
        if (names("nt4")) return "torchao-int4-128g";
        return names("nt8") ? "torchao-int8" : "torchao " + type;
    }
    std::string bits_per_weight(const std::string& method) const {
        const std::string bits = shown(number("bits", 4));
        return method + "-" + bits + (bits.find('.') == std::string::npos ? ".0bpw" : "bpw");
    }

    const Facts& facts_;
};

}  // namespace

void read_quantization(const Facts& facts, const Library& library, ModelChoice& choice) {
    const std::string id = Quantization(facts).encoding();
    if (id.empty()) return;
    const auto found = library.encodings.find(id);
    if (found == library.encodings.end()) {
        choice.quantised = "quantization_config says " + id.substr(0, 60) + ", which is not known: counted unquantised";
        return;
    }
    choice.dtype = found->second.id;
    choice.quantised = "quantization_config of config.json";
    choice.unquantised = Quantization(facts).unquantised();
}

}  // namespace plimsoll
