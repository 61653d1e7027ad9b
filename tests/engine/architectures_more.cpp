// Families that tests/measured/models.jsonl has no row of: parameters against published counts, and what their layers
// keep, worked out by hand. "published" is safetensors.total of the repository as public lists of models record it
// (llmfit's data/hf_models.json); where a checkpoint holds buffers beside its weights, the difference is named.
#include "engine/support.h"

using namespace plimsoll::test;

namespace {

struct Published {
    const char* config;
    double parameters;
};

double count(const Json& config) {
    return ask({{"model", {{"config", config}}}, {"explain", "none"}})
        .at("model")
        .at("parameters")
        .at("total")
        .get<double>();
}

double kept(const Json& config, const char* path, double context) {
    return row(ask({{"model", {{"config", config}}}, {"inference", {{"context", context}, {"kv_encoding", "bf16"}}}}),
               path)
        .at("bytes")
        .get<double>();
}

void check_all(std::initializer_list<Published> rows) {
    for (const Published& each : rows) {
        INFO(each.config);
        CHECK(count(Json::parse(each.config)) == each.parameters);
    }
}

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

TEST_CASE("EXAONE, dots.llm1, Ling and Mistral Small 4") {
    check_all({
        // EXAONE-4.0-32B, EXAONE-4.0-1.2B, EXAONE-3.5-2.4B, Ling-lite: published
        {R"({"model_type": "exaone4", "hidden_size": 5120, "intermediate_size": 27392, "num_hidden_layers": 64,
            "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "sliding_window_pattern": "LLLG"})",
         32003216384},
        {R"({"model_type": "exaone4", "hidden_size": 2048, "intermediate_size": 4096, "num_hidden_layers": 30,
            "num_attention_heads": 32, "num_key_value_heads": 8, "sliding_window": null,
            "tie_word_embeddings": true})",
         1279391488},
        {R"({"model_type": "exaone", "hidden_size": 2560, "intermediate_size": 7168, "num_layers": 30,
            "num_attention_heads": 32, "num_key_value_heads": 8, "tie_word_embeddings": true})",
         2405327360},
        {R"({"model_type": "bailing_moe", "hidden_size": 2048, "intermediate_size": 5632,
            "moe_intermediate_size": 1408, "num_experts": 64, "num_shared_experts": 2, "num_attention_heads": 16,
            "num_experts_per_tok": 6, "num_hidden_layers": 28, "num_key_value_heads": 4, "vocab_size": 126464})",
         16801974272},
        // K-EXAONE: published, less the prediction layer's 528,513,280 and the routers' biases, which are buffers
        {R"({"model_type": "exaone_moe", "hidden_size": 6144, "intermediate_size": 18432, "num_hidden_layers": 48,
            "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 153600,
            "num_experts": 128, "moe_intermediate_size": 2048, "num_nextn_predict_layers": 1})",
         237099669632 - 528513280 - 47 * 128},
        // dots.llm1 and Ling-mini-2.0 (as LLaDA2.0-mini of its shape): published, less the routers' buffers
        {R"({"model_type": "dots1", "hidden_size": 4096, "first_k_dense_replace": 1, "n_routed_experts": 128,
            "n_shared_experts": 2, "num_experts_per_tok": 6})",
         142774381696 - 61 * 128},
        {R"({"model_type": "bailing_moe", "architectures": ["BailingMoeV2ForCausalLM"], "hidden_size": 2048,
            "num_hidden_layers": 20, "intermediate_size": 5120, "first_k_dense_replace": 1,
            "moe_intermediate_size": 512, "num_shared_experts": 1, "num_experts": 256, "num_experts_per_tok": 8,
            "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 157184})",
         16255643392 - 19 * 256},
    });
    const Json windowed = Json::parse(R"({"model_type": "exaone4", "num_hidden_layers": 8})");
    CHECK(kept(windowed, "kv_cache", 10000) == 2.0 * 4096 * 2 * (2 * 10000 + 6 * 4096));
    const Json latent = {{"model_type", "mistral4"}};  // the class defaults are those of the 119B
    CHECK(kept(latent, "kv_cache", 1000) == 36.0 * (256 + 64) * 2 * 1000);
}

TEST_CASE("vision towers in front of language models that were known") {
    const Json siglip = Json::parse(R"({"model_type": "siglip_vision_model", "hidden_size": 1152, "patch_size": 14,
        "intermediate_size": 4304, "num_attention_heads": 16, "num_hidden_layers": 27, "vision_use_head": false})");
    const auto with = [&](const char* config, int image, int patch = 14, int layers = 27) {
        Json whole = Json::parse(config);
        if (whole.contains("vision_config")) return count(whole);
        whole["vision_config"] = siglip;
        whole["vision_config"].update({{"image_size", image}, {"patch_size", patch}, {"num_hidden_layers", layers}});
        return count(whole);
    };
    // all published: PaliGemma 3B 224, Aya Vision 8B, Command A Vision, LLaVA-OneVision 0.5B, GLM-4.1V-9B
    CHECK(with(R"({"model_type": "paligemma", "text_config": {"model_type": "gemma", "hidden_size": 2048,
        "num_attention_heads": 8, "intermediate_size": 16384, "num_hidden_layers": 18, "num_key_value_heads": 1,
        "vocab_size": 257216}})",
               224) == 2923466480.0);
    CHECK(
        with(R"({"model_type": "aya_vision", "alignment_intermediate_size": 28672, "text_config": {"hidden_size": 4096,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336}})",
             364) == 8631842032.0);
    CHECK(with(R"({"model_type": "cohere2_vision", "text_config": {"model_type": "cohere2", "hidden_size": 12288,
        "num_hidden_layers": 64, "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128,
        "intermediate_size": 36864}})",
               512, 16) == 111867525360.0);
    CHECK(with(R"({"model_type": "llava_onevision", "text_config": {"model_type": "qwen2", "hidden_size": 896,
        "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2,
        "vocab_size": 152000, "tie_word_embeddings": true}})",
               384, 14, 26) == 893675552.0);
    CHECK(count(Json::parse(R"({"model_type": "glm4v", "text_config": {}, "vision_config": {}})")) == 10292777472.0);
    // GLM-4.5V: published, less the routers' biases
    CHECK(count(Json::parse(R"({"model_type": "glm4v_moe", "text_config": {"attention_bias": true},
        "vision_config": {"intermediate_size": 10944}})")) == 107710933120.0 - 45 * 128);
    // GLM-OCR's tower by hand: 24 layers of 1024 with biases and norms over heads of 64
    const double layer = 2 * 1024.0 + 4 * 1024 * 1025 + 2 * 64 + 2 * 4096 * 1025 + 1024 * 4097,
                 rest = 3 * 2 * 14 * 14 * 1024.0 + 1024 + 1024 + 4 * 1024 * 1536 + 1536 + 1536 * 1536 + 2 * 1536 +
                        3 * 1536 * 3 * 1536;
    const Json ocr = Json::parse(R"({"model_type": "glm_ocr", "text_config": {"hidden_size": 64,
        "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
        "intermediate_size": 128, "vocab_size": 100}, "vision_config": {}})");
    CHECK(count(ocr) == 24 * layer + rest + 200 * 64 + 64 * 192 + 3 * 64 * 128 + 5 * 64);
    // Kimi-VL beyond its language model: 16,407,657,776 − 15,960,111,936 published
    const char* moonlight = R"({"vocab_size": 163840, "hidden_size": 2048, "intermediate_size": 11264,
        "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16, "n_shared_experts": 2,
        "n_routed_experts": 64, "q_lora_rank": null, "first_k_dense_replace": 1, "num_experts_per_tok": 6,
        "model_type": "deepseek_v3"})";
    Json kimi = {{"model_type", "kimi_vl"}, {"text_config", Json::parse(moonlight)}, {"vision_config", Json::object()}};
    CHECK(count(kimi) - count(Json::parse(moonlight)) == 447545840.0);
}

TEST_CASE("audio encoders, and Fuyu's patches") {
    check_all({
        // Qwen2-Audio-7B and Fuyu-8B: published
        {R"({"model_type": "qwen2_audio", "text_config": {"model_type": "qwen2", "hidden_size": 4096,
            "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,
            "num_key_value_heads": 32, "vocab_size": 156032}})",
         8397094912},
        {R"({"model_type": "fuyu"})", 9408238592},
    });
}

TEST_CASE("encoders keep nothing") {
    check_all({
        // distilbert-base-uncased, electra-base, all-mpnet-base-v2, deberta-v3-base, nomic-embed-text-v1.5
        {R"({"model_type": "distilbert", "vocab_size": 30522, "dim": 768, "hidden_dim": 3072, "n_layers": 6,
            "n_heads": 12, "max_position_embeddings": 512})",
         66362880},
        {R"({"model_type": "electra", "vocab_size": 30522, "embedding_size": 768, "hidden_size": 768,
            "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072,
            "max_position_embeddings": 512, "type_vocab_size": 2})",
         108891648},
        {R"({"model_type": "mpnet", "vocab_size": 30527, "hidden_size": 768, "num_hidden_layers": 12,
            "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 514,
            "relative_attention_num_buckets": 32})",
         109486464},
        {R"({"model_type": "deberta-v2", "vocab_size": 128100, "hidden_size": 768, "num_hidden_layers": 12,
            "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 512,
            "type_vocab_size": 0, "relative_attention": true, "position_buckets": 256, "norm_rel_ebd": "layer_norm",
            "share_att_key": true, "position_biased_input": false})",
         183831552},
        {R"({"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_inner": 3072, "n_layer": 12,
            "n_positions": 8192, "type_vocab_size": 2, "vocab_size": 30528, "activation_function": "swiglu",
            "qkv_proj_bias": false, "mlp_fc1_bias": false, "rotary_emb_fraction": 1.0})",
         136731648},
    });
}

TEST_CASE("encoder-decoders of BART's line keep their own keys and their source's") {
    check_all({
        // bart-large-cnn, mbart-large-50, opus-mt-en-de, nllb-200-distilled-600M
        {R"({"model_type": "bart", "vocab_size": 50264})", 406290432},
        {R"({"model_type": "mbart", "vocab_size": 250054})", 610879488},
        {R"({"model_type": "marian", "vocab_size": 58101, "d_model": 512, "encoder_layers": 6, "decoder_layers": 6,
            "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "encoder_attention_heads": 8,
            "decoder_attention_heads": 8, "max_position_embeddings": 512})",
         74410496},
        {R"({"model_type": "m2m_100", "vocab_size": 256206})", 615073792},
    });
    CHECK(kept({{"model_type", "bart"}}, "kv_cache", 1000) == 12.0 * 2 * 2 * 1024 * 2 * 1000);
}

TEST_CASE("decoders of other lines") {
    check_all({
        // codegen-350M, xglm-564M, BioGPT
        {R"({"model_type": "codegen", "n_embd": 1024, "n_layer": 20, "vocab_size": 51200})", 356712448},
        {R"({"model_type": "xglm", "d_model": 1024, "num_layers": 24, "attention_heads": 16, "ffn_dim": 4096,
            "vocab_size": 256008})",
         564463616},
        {R"({"model_type": "biogpt", "vocab_size": 42384, "hidden_size": 1024, "num_hidden_layers": 24,
            "num_attention_heads": 16, "intermediate_size": 4096, "max_position_embeddings": 1024})",
         346763264},
        // recurrentgemma-2b
        {R"({"model_type": "recurrent_gemma", "intermediate_size": 15360, "num_key_value_heads": 1})", 2682862080},
    });
    // Bamba-9B (9.78 billion on its card): 29 mixers and 3 of attention by hand
    const Json bamba = Json::parse(R"({"model_type": "bamba", "vocab_size": 128256, "attn_layer_indices": [9, 18, 27],
        "mamba_d_state": 128})");
    const double dense = 3 * 4096.0 * 14336 + 2 * 4096, attention = 4096.0 * (4096 + 2 * 1024 + 4096),
                 mixer = 4096.0 * (2 * 8192 + 256 + 128) + 5 * (8192 + 256) + 3 * 128 + 8192 + 8192.0 * 4096;
    CHECK(count(bamba) == 32 * dense + 29 * mixer + 3 * attention + 2 * 128256.0 * 4096 + 4096);
    CHECK(kept(bamba, "kv_cache", 1000) == 3.0 * 2 * 1024 * 2 * 1000);
    // norms behind each sub-layer and seven experts; 33.27 billion
    const Json flexible = {{"model_type", "flex_olmo"}, {"num_experts", 7},         {"num_experts_per_tok", 5},
                           {"vocab_size", 100352},      {"hidden_size", 4096},      {"intermediate_size", 11008},
                           {"num_hidden_layers", 32},   {"num_attention_heads", 32}};
    CHECK(count(flexible) ==
          32 * (4 * 4096.0 * 4096 + 4 * 4096 + 7 * 4096 + 7 * 3 * 4096.0 * 11008) + 2 * 100352.0 * 4096 + 4096);
    // a recurrence keeps its vector in fp32, attention its window
    const Json griffin = {{"model_type", "recurrent_gemma"}, {"num_key_value_heads", 1}};
    CHECK(kept(griffin, "state/recurrent", 10000) == 18.0 * 2560 * 4);
    CHECK(kept(griffin, "kv_cache", 10000) == 8.0 * 2 * 256 * 2 * 2048);
}

TEST_CASE("DeepSeek-V4 by hand: a window, entries of many tokens, streams") {
    const Json config = {{"model_type", "deepseek_v4"},
                         {"num_hidden_layers", 5},
                         {"n_routed_experts", 8},
                         {"compress_ratios", {0, 128, 4, 128, 4, 0}}};
    const double attention = 4096.0 * 1024 + 1024 + 1024.0 * 64 * 512 + 4096.0 * 512 + 512 + 64.0 * 512 / 8 * 8 * 1024 +
                             8.0 * 1024 * 4096 + 64,
                 heavy = 2 * 4096.0 * 512 + 128 * 512 + 512,
                 indexed = 2 * 4096.0 * 256 + 4 * 256 + 128 + 1024.0 * 64 * 128 + 4096.0 * 64,
                 sparse = 2 * 4096.0 * 1024 + 4 * 1024 + 512 + indexed, streams = 2 * (24 * 4.0 * 4096 + 24 + 3),
                 experts = 4096.0 * 8 + 9 * 3 * 4096.0 * 2048 + 2 * 4096;
    CHECK(count(config) == 5 * (attention + streams + experts) + 2 * heavy + 2 * sparse + 2 * 129280.0 * 4096 + 4096 +
                               4 * 4.0 * 4096 + 4 + 1);
    CHECK(kept(config, "kv_cache/latents", 12800) == 2.0 * 512 * (5 * 128 + 2 * 12800.0 / 128 + 2 * 12800.0 / 4));
    CHECK(kept(config, "kv_cache/keys", 12800) == 2.0 * 128 * 2 * 12800 / 4);
    // the whole models by the same sums, 284 billion and 1.6 trillion on their cards
    Json flash = {{"model_type", "deepseek_v4"}, {"compress_ratios", {0, 0}}};
    for (int layer = 2; layer < 43; ++layer) flash["compress_ratios"].push_back(layer % 2 ? 128 : 4);
    CHECK(count(flash) == 284332230231.0);
}

TEST_CASE("Trinity by hand: a gate on attention's output, a bias of the router that is a parameter") {
    const Json config = {{"model_type", "afmoe"}, {"num_hidden_layers", 4}, {"num_key_value_heads", 4},
                         {"num_experts", 8},      {"num_dense_layers", 1},  {"vocab_size", 1000}};
    const double attention = 2048.0 * 128 * (16 + 4 + 4 + 16 + 16) + 2 * 128, dense = 3 * 2048.0 * 6144,
                 sparse = 2048.0 * 8 + 8 + (8 + 2) * 3 * 2048.0 * 1408;
    CHECK(count(config) == 4 * (attention + 4 * 2048) + dense + 3 * sparse + 2 * 1000 * 2048.0 + 2048);
    CHECK(kept(config, "kv_cache", 10000) == 2.0 * 2 * 4 * 128 * (10000 + 3 * 1024));
    CHECK(count(Json::parse(R"({"model_type": "afmoe", "hidden_size": 1024, "intermediate_size": 3072,
        "moe_intermediate_size": 256, "num_attention_heads": 8, "num_key_value_heads": 2, "num_dense_layers": 2,
        "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 56, "num_shared_experts": 1})")) ==
          6120003328.0);  // Trinity-Nano-Preview, published
}

TEST_CASE("LFM2-VL and Idefics2") {
    check_all({
        // LFM2-VL-450M and Idefics2-8B: published
        {R"({"model_type": "lfm2_vl", "vision_config": {"model_type": "siglip2_vision_model"}, "text_config": {
            "model_type": "lfm2", "hidden_size": 1024, "num_hidden_layers": 16, "num_attention_heads": 16,
            "block_ff_dim": 6656, "full_attn_idxs": [2, 5, 8, 10, 12, 14]}})",
         450822656},
        {R"({"model_type": "idefics2", "text_config": {"model_type": "mistral", "vocab_size": 32003},
            "vision_config": {"hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27,
            "num_attention_heads": 16, "image_size": 980, "patch_size": 14}})",
         8402768112},
    });
}

TEST_CASE("ERNIE 4.5 VL has experts for images beside those for text; Solar Open has experts in all layers") {
    // published: ERNIE-4.5-VL-28B-A3B-PT, in transformers' names and in the flat ones of its own code
    check_all({
        {R"({"model_type": "ernie4_5_vl_moe", "text_config": {"model_type": "ernie4_5_vl_moe_text"},
            "vision_config": {}})",
         29399294336},
        {R"({"model_type": "ernie4_5_moe_vl", "moe_num_experts": [64, 64], "moe_intermediate_size": [1536, 512],
            "num_hidden_layers": 28, "vision_config": {"embed_dim": 1280, "mlp_ratio": 4}})",
         29399294336},
    });
    const Json open = Json::parse(R"({"model_type": "solar_open", "vocab_size": 1000, "hidden_size": 64,
        "moe_intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "head_dim": 16, "n_routed_experts": 8, "n_shared_experts": 1, "num_experts_per_tok": 2})");
    CHECK(count(open) == 2 * (64 * 192 + 8 * 64 + 9 * 3 * 64 * 32 + 2 * 64) + 2000 * 64 + 64);
}

TEST_CASE("PaddleOCR-VL, Youtu and Jais 2") {
    // published as 958,588,736, with a table of 32768 packed positions and SigLIP's pooling head (15,238,352) that the
    // model does not use
    CHECK(count(Json::parse(R"({"model_type": "paddleocr_vl", "hidden_size": 1024, "tie_word_embeddings": false,
        "vision_config": {"image_size": 384}})")) == 958588736.0 - 32768 * 1152 - 15238352);
    const Json latent = {{"model_type", "youtu"}, {"num_hidden_layers", 2}, {"vocab_size", 1000}};
    const double attention =
        2048.0 * 1536 + 1536 + 1536.0 * 16 * 192 + 2048.0 * 576 + 512 + 512.0 * 16 * 256 + 16 * 128 * 2048.0;
    CHECK(count(latent) == 2 * (attention + 3 * 2048.0 * 6144 + 2 * 2048) + 1000 * 2048.0 + 2048);
    CHECK(kept(latent, "kv_cache", 1000) == 2.0 * 576 * 2 * 1000);
    const Json biased = {{"model_type", "jais2"},    {"num_hidden_layers", 2},   {"hidden_size", 64},
                         {"intermediate_size", 256}, {"num_attention_heads", 4}, {"vocab_size", 100}};
    CHECK(count(biased) == 2 * (4 * 64 * 65 + 64 * 256 * 2 + 256 + 64 + 4 * 64) + 200 * 64 + 128);
}
