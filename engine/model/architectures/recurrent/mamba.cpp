// Mamba 1 and Falcon-Mamba: layers of one norm and one mixer, no attention, no cache that grows.
// Source: transformers, models/mamba/configuration_mamba.py and modeling_mamba.py, models/falcon_mamba.
#include "model/build/decoder.h"
#include "model/build/sub_layers/mixers.h"

namespace plimsoll::architecture {
namespace {

Model build_mamba(Reader& config) {
    MambaShape mixer;
    mixer.hidden = config.count({"hidden_size", "d_model"});
    mixer.inner = config.count_or({"intermediate_size"}, config.count({"expand"}) * mixer.hidden,
                                  "not stated: expand × hidden_size");
    mixer.state = config.count({"state_size"});
    mixer.kernel = config.count({"conv_kernel"});
    mixer.rank = count_or_auto(config, "time_step_rank", ceiling(mixer.hidden / Traced(16)));
    mixer.bias = config.flag_or({"use_bias"}, false);
    mixer.conv_bias = config.flag_or({"use_conv_bias"}, true);
    LayerShape layer;
    layer.attention.hidden = mixer.hidden;
    layer.mixer = mamba(mixer);
    layer.mixer_sum = Part::mixer;
    layer.other_feed_forward.emplace();
    return decoder_of(config, layer, true);
}

}  // namespace

extern const Architecture mamba{{"mamba", "falcon_mamba"},
                                {"MambaForCausalLM", "FalconMambaForCausalLM"},
                                "MambaConfig",
                                {{"vocab_size", 50280},
                                 {"hidden_size", 768},
                                 {"state_size", 16},
                                 {"num_hidden_layers", 32},
                                 {"expand", 2},
                                 {"conv_kernel", 4}},
                                build_mamba};

}  // namespace plimsoll::architecture
