// Gemma 1: Llama's layer with a head dimension of its own, an RMSNorm that multiplies in fp32, and a tied head.
// Source: transformers, models/gemma/configuration_gemma.py and modeling_gemma.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gemma(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.norm = Norm::Kind::rms_gemma;
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    return decoder_of(config, shape, true);
}

}  // namespace

extern const Architecture gemma{{"gemma"},
                                {"GemmaForCausalLM"},
                                "GemmaConfig",
                                {{"vocab_size", 256000},
                                 {"hidden_size", 3072},
                                 {"intermediate_size", 24576},
                                 {"num_hidden_layers", 28},
                                 {"num_attention_heads", 16},
                                 {"num_key_value_heads", 16},
                                 {"head_dim", 256},
                                 {"max_position_embeddings", 8192}},
                                build_gemma};

}  // namespace plimsoll::architecture
