// AFM: Llama's attention, and a plain feed-forward with a squared ReLU.
// Source: transformers, models/arcee/configuration_arcee.py and modeling_arcee.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_arcee(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.feed_forward.gated = false;
    shape.feed_forward.activation = read_activation(config, "relu2");
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture arcee{{"arcee"},
                                {"ArceeForCausalLM"},
                                "ArceeConfig",
                                {{"vocab_size", 32000},
                                 {"hidden_size", 2560},
                                 {"intermediate_size", 18432},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"max_position_embeddings", 4096}},
                                build_arcee};

}  // namespace plimsoll::architecture
