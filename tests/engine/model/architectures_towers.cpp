// Vision and audio towers, encoders and encoder-decoders, as in architectures_more.cpp.
#include "engine/model/counting.h"

namespace plimsoll::test::architectures_towers {

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
    CHECK(count(Json::parse(R"({"model_type": "glm4v_moe", "text_config": {"vocab_size": 151552, "head_dim": 128},
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

}  // namespace plimsoll::test::architectures_towers
