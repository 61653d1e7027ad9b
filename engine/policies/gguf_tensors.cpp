// Source: llama.cpp, convert_hf_to_gguf.py (what is split and stacked, what stays F32), src/llama-quant.cpp
// (tensor_get_category, tensor_allows_quantization).
#include "policies/gguf_tensors.h"

namespace plimsoll {
namespace {

struct NamedRole {
    std::string_view weight;
    TensorRole role;
};

constexpr NamedRole roles[] = {{"embed_tokens", TensorRole::embedding},
                               {"q_proj", TensorRole::query},
                               {"k_proj", TensorRole::key},
                               {"v_proj", TensorRole::value},
                               {"qkv_proj", TensorRole::value},
                               {"in_proj_qkv", TensorRole::value},
                               {"o_proj", TensorRole::attention_output},
                               {"up_proj", TensorRole::up},
                               {"gate_up_proj", TensorRole::up},
                               {"gate_proj", TensorRole::gate},
                               {"down_proj", TensorRole::down},
                               {"lm_head", TensorRole::head}};

TensorRole role_of(const Weight<double>& weight) {
    for (const NamedRole& named : roles)
        if (named.weight == weight.name) return named.role;
    return TensorRole::other;
}

bool is_quantised(const Weight<double>& weight) {
    if (weight.vector || weight.rows <= 1 || weight.cols <= 1) return false;
    if (weight.part == Part::embedding) return weight.name == "embed_tokens";
    return weight.part != Part::router && weight.name != "conv1d";
}

template <class T>
const T* find_op(const Block& block) {
    for (const Op& op : block.ops)
        if (const T* found = std::get_if<T>(&op)) return found;
    return nullptr;
}

// One matrix of ours that files hold as two: keys' and values' way out of the latent, each by head and the first
// transposed; the delta net's q, k and v apart from its gate.
void split(const Block& block, const GgufTensor& whole, const Weight<double>& weight, std::vector<GgufTensor>& list) {
    GgufTensor first = whole, second = whole;
    if (weight.name == "kv_b_proj") {
        const LatentAttention* latent = find_op<LatentAttention>(block);
        if (!latent) return list.push_back(whole);
        first.row = latent->key_width.value() - latent->rope.value();
        first.columns = first.row * latent->heads.heads.value();
        first.stacked = second.stacked = true;
    } else {
        const ShortConvolution* convolution = find_op<ShortConvolution>(block);
        if (!convolution) return list.push_back(whole);
        first.columns = convolution->channels.value();
        first.role = TensorRole::value;
    }
    second.columns = weight.cols - first.columns;
    list.push_back(first);
    list.push_back(second);
}

}  // namespace

std::vector<GgufTensor> gguf_tensors(const Block& block) {
    std::vector<GgufTensor> list;
    const std::vector<Weight<double>> weights = weights_of<double>(block);
    double experts = 0;  // matrices of each, before its bias: up and down, or gate as well
    for (size_t index = 0; index < weights.size(); ++index) {
        const Weight<double>& weight = weights[index];
        GgufTensor tensor{static_cast<unsigned short>(index), role_of(weight), is_quantised(weight), weight.copies > 1,
                          weight.rows};
        if (tensor.role == TensorRole::embedding) tensor.row = weight.cols;
        if (weight.part == Part::experts && weight.copies > 1) {
            if (weight.vector) tensor.tensors = experts;
            ++experts;
        }
        if (weight.name == "kv_b_proj" || weight.name == "in_proj_qkvz")
            split(block, tensor, weight, list);
        else
            list.push_back(tensor);
    }
    return list;
}

}  // namespace plimsoll
