// Ling and Ring, 1.5 and 2.0 (remote code): Llama's attention from one matrix, in 2.0 with norms over each head, and
// DeepSeek's experts. Source: modeling_bailing_moe.py of Ling-lite, modeling_bailing_moe_v2.py of Ling-mini-2.0.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_bailing_moe(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.fused = true;
    shape.attention.bias = config.flag_or({"use_qkv_bias"}, false);
    shape.attention.output_bias = config.flag_or({"use_bias"}, false);
    const auto* classes = config.words("architectures");
    const bool second = classes && !classes->empty() && classes->front().find("V2") != std::string::npos;
    if (config.flag_or({"use_qk_norm"}, second || config.word_or({"model_type"}, "") == "bailing_moe_v2"))
        shape.attention.qk_norm = QueryKeyNorm::head;
    MixtureShape mixture = read_mixture(config);
    if (const auto shared = config.optional_count({"num_shared_experts"}))
        mixture.shared =
            *shared * config.count_or({"moe_shared_expert_intermediate_size"}, mixture.intermediate, "the experts'");
    return mixture_decoder(config, shape, mixture);
}

}  // namespace

extern const Architecture bailing_moe{{"bailing_moe", "bailing_moe_v2"},
                                      {"BailingMoeForCausalLM", "BailingMoeV2ForCausalLM"},
                                      "BailingMoeConfig",
                                      {},
                                      build_bailing_moe};

}  // namespace plimsoll::architecture
