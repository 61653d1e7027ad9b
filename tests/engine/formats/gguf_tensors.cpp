#include "engine/formats/gguf_tensors.h"

#include <set>

#include "model/core/profile.h"

namespace plimsoll::test {
namespace {

constexpr struct {
    std::string_view weight, tensor;
} renamed[] = {
    {"q_proj", "attn_q"},
    {"k_proj", "attn_k"},
    {"v_proj", "attn_v"},
    {"qkv_proj", "attn_qkv"},
    {"o_proj", "attn_output"},
    {"q_norm", "attn_q_norm"},
    {"k_norm", "attn_k_norm"},
    {"q_a_proj", "attn_q_a"},
    {"q_b_proj", "attn_q_b"},
    {"kv_a_proj", "attn_kv_a_mqa"},
    {"kv_b_proj", "attn_kv_b"},
    {"gate_proj", "ffn_gate"},
    {"up_proj", "ffn_up"},
    {"gate_up_proj", "ffn_up"},
    {"down_proj", "ffn_down"},
    {"router", "ffn_gate_inp"},
    {"in_proj", "ssm_in"},
    {"x_proj", "ssm_x"},
    {"dt_proj", "ssm_dt"},
    {"out_proj", "ssm_out"},
    {"conv1d", "ssm_conv1d"},
    {"mixer_norm", "ssm_norm"},
    {"A_log", "ssm_a"},
    {"D", "ssm_d"},
    {"embed_tokens", "token_embd"},
    {"embed_tokens_per_layer", "per_layer_token_embd"},
    {"laurel_left", "laurel_l"},
    {"laurel_right", "laurel_r"},
    {"position_embedding", "position_embd"},
    {"token_type_embedding", "token_types"},
    {"embedding_norm", "token_embd_norm"},
    {"final_norm", "output_norm"},
    {"lm_head", "output"},
    {"pooler", "cls"},
    {"dense", "cls"},
    {"classifier", "cls.output"},
};

std::string tensor_name(std::string_view weight, Part part, const TensorStyle& style) {
    std::string name(weight);
    for (const auto& [from, to] : renamed)
        if (weight == from) name = to;
    if (part == Part::shared_experts) return name + "_shexp";
    if (part == Part::experts) return name + "_exps";
    if (style.short_convolution && part == Part::mixer)
        return "shortconv." + std::string(weight == "conv1d" ? "conv" : weight);
    return name;
}

class Blocks {
public:
    Blocks(GgufWriter& out, const TensorStyle& style) : out_(out), style_(style) {}

    void write(const Block& block, const std::string& at) {
        int norms = 0;
        std::set<std::string> seen;
        for (const Op& op : block.ops) {
            const Linear* linear = op.as<Linear>();
            if (linear && linear->name == "qkv_proj" && linear->part == Part::attention && !style_.fused) {
                split(block, *linear, at);
                continue;
            }
            std::string name;
            for (const Weight<double>& weight : weights_of<double>(Block{{op}})) {
                const bool bias = weight.name == "bias" && !name.empty();
                if (!bias) name = weight.name == "norm" ? norm(norms++) : tensor_name(weight.name, weight.part, style_);
                double rows = weight.rows * weight.copies, inner = weight.cols;
                if (linear && !bias) std::swap(inner, rows);
                if (name == "relative_attention_bias") {
                    for (int layer = 0; layer < style_.bias_tables; ++layer)
                        out_.tensor("dec.blk." + std::to_string(layer) + ".attn_rel_b.weight", inner,
                                    rows / style_.bias_tables);
                    continue;
                }
                if (name == "per_layer_token_embd" && style_.layer_tokens > 0) rows = style_.layer_tokens;
                if (name == "position_embd") rows -= style_.cut_positions;
                const std::string tensor = name + (bias ? ".bias" : ".weight");
                // a decoder's attention to the encoder has the names of its own attention
                out_.tensor(at + (seen.insert(tensor).second ? "" : "cross_") + tensor, inner, rows);
            }
        }
    }

private:
    std::string norm(int index) const {
        const char* second = style_.norm_per_branch ? "attn_norm_2" : "ffn_norm";
        return index == 0 ? "attn_norm" : index == 1 ? second : "post_norm_" + std::to_string(index);
    }
    // The converter takes the three matrices out of one.
    void split(const Block& block, const Linear& linear, const std::string& at) {
        const auto part = [&](const char* name, double rows) {
            out_.tensor(at + name + ".weight", linear.in.value(), rows);
            if (linear.bias) out_.tensor(at + name + ".bias", rows, 1);
        };
        for (const Op& op : block.ops)
            if (const Attention* attention = op.as<Attention>()) {
                const double width = attention->head_dim.value();
                part("attn_q", attention->heads.value() * width);
                part("attn_k", attention->kv_heads.value() * width);
                part("attn_v", attention->kv_heads.value() * width);
            }
    }

    GgufWriter& out_;
    const TensorStyle& style_;
};

}  // namespace

void write_tensors(GgufWriter& out, const Model& model, const TensorStyle& style) {
    Blocks blocks(out, style);
    bool encoder = false;
    for (const Tower& tower : model.towers)
        if (tower.name == "encoder") {
            encoder = true;
            for (int layer = 0; layer < static_cast<int>(tower.kinds.front().count.value()); ++layer)
                blocks.write(tower.kinds.front().block, "enc.blk." + std::to_string(layer) + ".");
        }
    blocks.write(model.embedding, "");
    for (size_t layer = 0; layer < model.order.size(); ++layer)
        blocks.write(model.kinds[model.order[layer]].block,
                     (encoder ? "dec.blk." : "blk.") + std::to_string(layer) + ".");
    blocks.write(model.head, "");
}

}  // namespace plimsoll::test
