// `quantization_config` of a config.json (`quantization` in MLX's files) to the id of an encoding.
// Source: transformers, utils/quantization_config.py; compressed-tensors, quantization/quant_args.py; mlx_lm, utils.py.
#include "api/request.h"
#include "number/shown.h"

namespace plimsoll {
namespace {

class Quantization {
public:
    explicit Quantization(const Facts& facts) : facts_(facts) {}

    std::string encoding() const {
        const std::string method = word("quantization_config.quant_method");
        if (method.empty()) return unnamed();
        if (method == "gptq" || method == "awq")
            return method + packed({"bits", "w_bit"}, {"group_size", "q_group_size"});
        if (method == "bitsandbytes") return bitsandbytes();
        if (method == "fp8") return blocks("weight_block_size") ? "fp8-block-128" : "fp8-tensor";
        if (method == "fbgemm_fp8") return "fp8-channel";
        if (method == "compressed-tensors") return compressed_tensors();
        if (method == "hqq")
            return "hqq" +
                   packed({"quant_config.weight_quant_params.nbits"}, {"quant_config.weight_quant_params.group_size"});
        if (method == "torchao") return torchao();
        if (method == "modelopt") return word("quantization_config.quant_algo") == "NVFP4" ? "nvfp4" : "fp8-tensor";
        if (method == "exl2" || method == "exl3") return bits_per_weight(method);
        return method;
    }

private:
    std::string word(const std::string& name) const {
        const std::string* found = facts_.get<std::string>(name);
        return found ? *found : std::string();
    }
    bool flag(const std::string& name) const {
        const bool* found = facts_.get<bool>("quantization_config." + name);
        return found && *found;
    }
    bool blocks(const std::string& name) const {
        return facts_.get<std::vector<double>>("quantization_config." + name) != nullptr;
    }
    double number(std::initializer_list<const char*> names, double otherwise) const {
        for (const char* name : names)
            if (const double* found = facts_.get<double>("quantization_config." + std::string(name))) return *found;
        return otherwise;
    }
    // "-4bit-128g"
    std::string packed(std::initializer_list<const char*> bits, std::initializer_list<const char*> group) const {
        return "-" + shown(number(bits, 4)) + "bit-" + shown(number(group, 128)) + "g";
    }
    // MLX names no method: a number of bits and a group.
    std::string unnamed() const {
        for (const char* block : {"quantization", "quantization_config"}) {
            const double* bits = facts_.get<double>(block + std::string(".bits"));
            const double* group = facts_.get<double>(block + std::string(".group_size"));
            if (bits && group) return "mlx-" + shown(*bits) + "bit-" + shown(*group) + "g";
        }
        return {};
    }
    std::string bitsandbytes() const {
        if (flag("load_in_8bit") || flag("_load_in_8bit")) return "int8-llm";
        const std::string type = word("quantization_config.bnb_4bit_quant_type");
        return (type.empty() ? "fp4" : type) + (flag("bnb_4bit_use_double_quant") ? "-dq" : "");
    }
    std::string compressed_tensors() const {
        const std::string group = "quantization_config.config_groups.group_0.", weights = group + "weights.";
        const double* bits = facts_.get<double>(weights + "num_bits");
        const std::string strategy = word(weights + "strategy");
        const bool eight = bits && *bits == 8;
        if (word(weights + "type") == "float") {
            if (!eight) return "nvfp4";
            return strategy == "block" ? "fp8-block-128" : strategy == "channel" ? "fp8-channel" : "fp8-tensor";
        }
        if (!eight) {
            const double* size = facts_.get<double>(weights + "group_size");
            return "ct-w4a16-" + shown(size ? *size : 128) + "g";
        }
        return facts_.find(group + "input_activations.num_bits") ? "ct-w8a8" : "ct-w8a16";
    }
    std::string torchao() const {
        std::string type = word("quantization_config.quant_type");
        if (type.empty()) type = word("quantization_config.quant_type.default._type");
        const auto names = [&type](const char* part) { return type.find(part) != std::string::npos; };
        if (names("float8") || names("Float8")) return "torchao-float8";
        return names("nt4") ? "torchao-int4-128g" : names("nt8") ? "torchao-int8" : "torchao " + type;
    }
    std::string bits_per_weight(const std::string& method) const {
        const std::string bits = shown(number({"bits"}, 4));
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
}

}  // namespace plimsoll
