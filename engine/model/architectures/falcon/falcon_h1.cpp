// Falcon-H1: attention and a Mamba 2 mixer side by side in every layer, then a gated feed-forward.
// Source: transformers, models/falcon_h1/configuration_falcon_h1.py and modeling_falcon_h1.py.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

Model build_falcon_h1(Reader& config) {
    LayerShape shape = read_layer(config);
    const Traced& hidden = shape.attention.hidden;
    Mamba2Shape mixer = read_mamba2(
        config, hidden,
        config.count_or({"mamba_d_ssm"}, config.count({"mamba_expand"}) * hidden, "null: mamba_expand × hidden_size"));
    mixer.output_bias = config.flag_or({"projectors_bias"}, false);
    mixer.norm = config.flag_or({"mamba_rms_norm"}, false);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    shape.mixer = mamba2(mixer, "mamba_out");
    append_attention(*shape.mixer, shape.attention, "normed", "attention_out");
    shape.mixer->ops.push_back(Add{Part::mixer, "mamba_out", "attention_out", "mixed"});
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture falcon_h1{{"falcon_h1"},
                                    {"FalconH1ForCausalLM"},
                                    "FalconH1Config",
                                    {{"vocab_size", 128000},
                                     {"hidden_size", 4096},
                                     {"intermediate_size", 14336},
                                     {"num_hidden_layers", 32},
                                     {"num_attention_heads", 32},
                                     {"num_key_value_heads", 8},
                                     {"max_position_embeddings", 8192},
                                     {"mamba_d_ssm", 1024},
                                     {"mamba_n_heads", 128},
                                     {"mamba_n_groups", 1},
                                     {"mamba_d_state", 256},
                                     {"mamba_d_conv", 4},
                                     {"mamba_expand", 2}},
                                    build_falcon_h1,
                                    true};

}  // namespace plimsoll::architecture
