// Mamba 2: layers of one norm and one mixer whose heads share B and C by groups.
// Source: transformers, models/mamba2/configuration_mamba2.py and modeling_mamba2.py.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

Model build_mamba2(Reader& config) {
    Mamba2Shape mixer;
    mixer.hidden = config.count({"hidden_size", "d_model"});
    mixer.inner = Traced::name(Made::term, "inner_width", config.count({"expand"}) * mixer.hidden);
    mixer.heads = config.count({"num_heads"});
    mixer.groups = config.count({"n_groups"});
    mixer.state = config.count({"state_size"});
    mixer.kernel = config.count({"conv_kernel"});
    mixer.bias = mixer.output_bias = config.flag_or({"use_bias"}, false);
    mixer.conv_bias = config.flag_or({"use_conv_bias"}, true);
    LayerShape layer;
    layer.attention.hidden = mixer.hidden;
    layer.mixer = mamba2(mixer);
    layer.mixer_sum = Part::mixer;
    layer.other_feed_forward.emplace();
    return decoder_of(config, layer);
}

}  // namespace

extern const Architecture mamba2{{"mamba2"},
                                 {"Mamba2ForCausalLM"},
                                 "Mamba2Config",
                                 {{"vocab_size", 32768},
                                  {"hidden_size", 4096},
                                  {"num_hidden_layers", 64},
                                  {"num_heads", 128},
                                  {"n_groups", 8},
                                  {"state_size", 128},
                                  {"expand", 2},
                                  {"conv_kernel", 4}},
                                 build_mamba2};

}  // namespace plimsoll::architecture
