// Gemma 3n and 4, as in architectures_more.cpp.
#include "engine/model/counting.h"

namespace plimsoll::test::architectures_gemma {

namespace {

const char* e2b = R"({"model_type": "gemma4", "vision_config": {"model_type": "gemma4_vision"},
    "audio_config": {"model_type": "gemma4_audio"}, "text_config": {"model_type": "gemma4_text", "hidden_size": 1536,
    "intermediate_size": 6144, "num_hidden_layers": 5, "num_attention_heads": 8, "num_key_value_heads": 1,
    "num_kv_shared_layers": 2, "use_double_wide_mlp": true, "layer_types": ["sliding_attention", "sliding_attention",
    "full_attention", "sliding_attention", "full_attention"]}})";

}  // namespace

TEST_CASE("Gemma 3n counts its streams, low ranks, embeddings for each layer and both towers") {
    check_all({
        {R"({"model_type": "gemma3n", "text_config": {"intermediate_size": 16384}})", 7849978192},  // E4B, published
        {R"({"model_type": "gemma3n", "text_config": {"intermediate_size": [8192, 8192], "num_hidden_layers": 2,
            "num_kv_shared_layers": 0}})",
         // E2B of 30 layers is published as 5,439,438,272; a layer less is its share of the tables and 61,976,944 more
         5439438272 - 28 * (262144.0 * 256 + 2048 * 256) -
             28 * (2 * 2048.0 * 8 * 256 + 2 * 2048 * 512 + 512 + 3 * 2048 * 8192 + 8 * 2048 + 80 + 4 * 2048 +
                   2 * 2048 * 64 + 2 * 2048 * 256)},
        {R"({"model_type": "gemma3n_text"})", 6866696688},  // E4B less 681,348,640, 294,126,912 and 7,805,952
    });
}

TEST_CASE("Gemma 3n's last layers borrow keys and values: they keep none") {
    const Json config = {{"model_type", "gemma3n_text"}};  // 35 layers, the last 15 borrow; each fifth is full
    CHECK(kept(config, "kv_cache", 10000) == 2.0 * 512 * 2 * (4 * 10000 + 16 * 512));
}

TEST_CASE("Gemma 4: experts beside the feed-forward, wider full heads, values that are keys") {
    const char* vision = R"({"hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27,
        "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 72, "position_embedding_size": 10240})";
    Json mixture = Json::parse(R"({"model_type": "gemma4", "text_config": {"attention_k_eq_v": true,
        "enable_moe_block": true, "hidden_size": 2816, "hidden_size_per_layer_input": 0, "intermediate_size": 2112,
        "moe_intermediate_size": 704, "num_attention_heads": 16, "num_experts": 128, "top_k_experts": 8,
        "num_global_key_value_heads": 2, "num_key_value_heads": 8, "sliding_window": 1024}})");
    mixture["vision_config"] = Json::parse(vision);
    CHECK(count(mixture) == 25805936206.0 - 30 - 2 * 1152);  // 26B-A4B, published with scalars and scales as buffers
    CHECK(kept(mixture, "kv_cache", 10000) == 2.0 * 2 * (5 * 2 * 512 * 10000.0 + 25 * 8 * 256 * 1024));
    Json dense = mixture;
    dense["text_config"].update(Json::parse(R"({"enable_moe_block": false, "hidden_size": 5376,
        "intermediate_size": 21504, "num_attention_heads": 32, "num_global_key_value_heads": 4,
        "num_hidden_layers": 60, "num_key_value_heads": 16})"));
    CHECK(count(dense) == 31273088876.0 - 60 - 2 * 1152);  // 31B, likewise
}

TEST_CASE("Gemma 4's E models: embeddings for each layer, last layers without keys and with twice the width") {
    const double audio = 307183904, vision = 168544256;  // by hand, with the projections to 1536
    const double attention = 2 * 1536.0 * 8 * 256 + 256, keys = 2 * 1536.0 * 256 + 256,
                 full = 2 * 1536.0 * 8 * 512 + 512, full_keys = 2 * 1536.0 * 512 + 512, wide = 3 * 1536.0 * 6144,
                 around = 5 * 1536.0 + 2 * 1536 * 256;
    const double layers = 3 * attention + 2 * keys + 2 * full + full_keys + (3 + 2 * 2) * wide + 5 * around;
    const double tables = 262144.0 * 1536 + 1536 + 262144.0 * 5 * 256 + 1536 * 5 * 256 + 256;
    CHECK(count(Json::parse(e2b)) == layers + tables + audio + vision);
    // the whole E2B is published as 5,123,178,051: with 35 scalars, and keys' matrices that the model does not build
    Json whole = Json::parse(e2b);
    whole["text_config"].update({{"num_hidden_layers", 35}, {"num_kv_shared_layers", 20}});
    whole["text_config"]["layer_types"] = Json::array();
    for (int layer = 1; layer <= 35; ++layer)
        whole["text_config"]["layer_types"].push_back(layer % 5 ? "sliding_attention" : "full_attention");
    CHECK(count(whole) == 5123178051.0 - 35 - 16 * keys - 4 * full_keys);
    CHECK(kept(Json::parse(e2b), "kv_cache", 10000) == 2.0 * 2 * (512 * 10000.0 + 2 * 256 * 512));
}

}  // namespace plimsoll::test::architectures_gemma
