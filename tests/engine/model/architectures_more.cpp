// Families that tests/measured/models.jsonl has no row of: parameters against published counts, and what their layers
// keep, worked out by hand. "published" is safetensors.total of the repository as public lists of models record it
// (llmfit's data/hf_models.json); where a checkpoint holds buffers beside its weights, the difference is named.
#include "engine/model/counting.h"

namespace plimsoll::test::architectures_more {

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

TEST_CASE("ERNIE 4.5 VL has experts for images beside those for text, Solar Open has experts in all layers") {
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

}  // namespace plimsoll::test::architectures_more
