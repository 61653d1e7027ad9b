// Hunyuan-A13B: Hunyuan's attention; routed experts and a shared one, all of `intermediate_size`. Per-layer lists say
// the same for every layer. Source: transformers, models/hunyuan_v1_moe/configuration_hunyuan_v1_moe.py and
// modeling_hunyuan_v1_moe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Traced count_or_list(Reader& config, const char* field) {
    const std::vector<double>* list = config.numbers(field);
    return list && !list->empty() && list->front() >= 1
               ? Traced::leaf(field, list->front(), "config.json: " + std::string(field) + ", first of its list")
               : config.count({field});
}

Model build_hunyuan_moe(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    MixtureShape mixture;
    mixture.experts = count_or_list(config, "num_experts");
    mixture.active = count_or_list(config, "moe_topk");
    check_choices(config, mixture.active, mixture.experts);
    mixture.intermediate = config.count({"intermediate_size"});
    mixture.shared = mixture.intermediate;
    shape.mixture = mixture;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture hunyuan_moe{{"hunyuan_v1_moe"},
                                      {"HunYuanMoEV1ForCausalLM"},
                                      "HunYuanMoEV1Config",
                                      {{"vocab_size", 290943},
                                       {"hidden_size", 4096},
                                       {"intermediate_size", 11008},
                                       {"num_hidden_layers", 32},
                                       {"num_attention_heads", 32},
                                       {"num_experts", 1},
                                       {"moe_topk", 1},
                                       {"max_position_embeddings", 2048}},
                                      build_hunyuan_moe};

}  // namespace plimsoll::architecture
