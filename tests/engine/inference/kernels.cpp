// What a server's kernels make of packed weights: which is chosen, and what it pads, widens, drops or keeps twice.
#include "engine/support.h"

namespace plimsoll::test::kernels {

namespace {

constexpr double gibibyte = 1073741824;

Json packed(const char* model, const char* encoding, const char* device, const char* release = nullptr) {
    Json request = {{"model", {{"preset", model}}},
                    {"weights", {{"encoding", encoding}}},
                    {"device", {{"preset", device}}},
                    {"inference", {{"runtime", "vllm"}, {"context", 4096}}}};
    if (release) request["inference"]["release"] = release;
    return request;
}

double bytes_of(const Json& reply, const std::string& path) { return row(reply, path).at("bytes").get<double>(); }

std::string kernel_of(const Json& reply) {
    for (const Json& assumed : reply.at("assumptions"))
        if (assumed.at("field") == "weights.kernel") return assumed.at("value").get<std::string>();
    return "";
}

bool notes(const Json& reply, const char* code) {
    for (const Json& note : reply.at("notes"))
        if (note.at("code") == code) return true;
    return false;
}

// gpt-oss: hidden size and experts' width 2880, 4-bit values and a scale of 8 bits for 32 of them.
double experts(double layers, double count, double inputs, double width) {
    return layers * count * 3 * inputs * width * (4 + 8.0 / 32) / 8;
}

}  // namespace

TEST_CASE("vLLM's logs of gpt-oss-120b: padded by Marlin, with scales twice by Triton") {
    const Json marlin = ask(packed("gpt-oss-120b", "mxfp4", "h100-sxm-80gb", "0.10.1"));
    CHECK(kernel_of(marlin) == "marlin");
    CHECK(bytes_of(marlin, "weights") / gibibyte == Approx(65.9651).epsilon(0.001));
    const Json triton = ask(packed("gpt-oss-120b", "mxfp4", "h100-sxm-80gb", "0.14.1"));
    CHECK(kernel_of(triton) == "triton");
    CHECK(bytes_of(triton, "weights") / gibibyte == Approx(64.38).epsilon(0.001));
}

TEST_CASE("a kernel goes by the device's compute capability and by the release") {
    const auto chosen = [](const char* device, const char* release) {
        return kernel_of(ask(packed("gpt-oss-20b", "mxfp4", device, release)));
    };
    CHECK(chosen("b200", nullptr) == "flashinfer-trtllm");
    CHECK(chosen("a100-sxm-80gb", nullptr) == "marlin");
    CHECK(chosen("h100-sxm-80gb", "0.11") == "marlin");  // triton_kernels is no part of the package yet
    CHECK(chosen("h100-sxm-80gb", nullptr) == "triton");
    CHECK(chosen("rtx-5090", "0.20") == "marlin");
    CHECK(chosen("rtx-5090", nullptr) == "flashinfer-cutlass");
    Json nowhere = packed("gpt-oss-20b", "mxfp4", "b200");
    nowhere.erase("device");
    CHECK(notes(ask(nowhere), "kernel_unsaid"));
    CHECK(kernel_of(ask(nowhere)).empty());
    CHECK(kernel_of(ask(packed("llama-3-8b", "bf16", "b200"))).empty());
}

TEST_CASE("both widths of the experts are rounded up, and their biases with them") {
    const Json reply = ask(packed("gpt-oss-20b", "mxfp4", "b200"));
    const double layers = 24, count = 32,
                 matrices = experts(layers, count, 3072, 3072) - experts(layers, count, 2880, 2880),
                 biases = layers * count * ((2 * 3072 + 3072) * 4 - (2 * 2880 + 2880) * 2.0);
    CHECK(bytes_of(reply, "weights/kernel_layout") == matrices + biases);
    Json shared = packed("gpt-oss-20b", "mxfp4", "a100-sxm-80gb");
    shared["devices"] = 4;
    shared["parallel"] = {{"tensor", 4}};
    const Json marlin = ask(shared);  // 720 of the experts' width on each device: 768
    const double each = experts(layers, count, 3072, 768) - experts(layers, count, 2880, 720);
    const double wide = layers * count * ((2 * 768 + 3072) * 2.0 - (2 * 2880 + 2880) * 2.0);
    CHECK(bytes_of(marlin, "weights/kernel_layout") == each + wide);
}

TEST_CASE("a kernel that is asked for is taken, and one that there is not is refused") {
    Json request = packed("gpt-oss-20b", "mxfp4", "h100-sxm-80gb");
    request["weights"]["kernel"] = "marlin";
    const Json reply = ask(request);
    CHECK(kernel_of(reply).empty());
    CHECK(row(reply, "weights") == row(ask(packed("gpt-oss-20b", "mxfp4", "a100-sxm-80gb")), "weights"));
    request["weights"]["kernel"] = "deepgemm";
    CHECK(refuse(request.dump()).at("where") == "weights.kernel");
    request["inference"]["runtime"] = "transformers";
    CHECK(refuse(request.dump()).at("where") == "weights.kernel");
}

TEST_CASE("Marlin drops symmetric zero points and indices, where FP8 is not native, blocks' scales are each output's") {
    const auto scales = [](const char* encoding, const char* device) {
        return bytes_of(ask(packed("llama-3-8b", encoding, device)), "weights/scales");
    };
    const double hidden = 4096, inner = 14336, keys = 1024, layers = 32;
    const double elements = layers * (hidden * (2 * hidden + 2 * keys) + 3 * hidden * inner);
    CHECK(scales("gptq-4bit-128g", "rtx-4090") == elements / 128 * 2);
    const double indices = layers * (4 * hidden + 2 * hidden + inner) * 4;  // one for each input of seven matrices
    CHECK(scales("gptq-4bit-128g", "h100-sxm-80gb") == elements / 128 * 2.5 + indices);
    CHECK(scales("fp8-block-128", "h100-sxm-80gb") == elements / (128 * 128) * 4);
    CHECK(scales("fp8-block-128", "a100-sxm-80gb") == elements / 128 * 2);
    CHECK(scales("fp8-block-128", "b200") == elements / 128);
}

TEST_CASE("modules that a quantisation leaves out by name are in 16 bits, of all layers or of some") {
    const auto weights = [](const Json& left) {
        Json config = small_llama();
        config["quantization_config"] = {{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}, {"ignore", left}};
        return row(ask({{"model", {{"config", config}}}, {"inference", {{"runtime", "transformers"}}}}), "weights")
            .at("bytes")
            .get<double>();
    };
    const double wide = 2 - (0.5 + 1.0 / 16), matrix = 8;  // bytes of an element; two scales of each matrix
    const double packed = weights({"lm_head"}), down = 704 * 256 * wide - matrix;
    CHECK(weights({"model.layers.1.mlp.down_proj"}) - packed == down);
    CHECK(weights({"model.layers.0.mlp.down_proj", "model.layers.2.mlp.down_proj"}) - packed == 2 * down);
    CHECK(weights({"re:.*down_proj"}) - packed == 3 * down);
    const double attention = (2 * 256 * 256 + 2 * 256 * 64) * wide - 4 * matrix;
    CHECK(weights({"model.layers.*.self_attn*"}) - packed == 3 * attention);
    CHECK(weights({"self_attn"}) - packed == 3 * attention);
    CHECK(weights({"model.layers.2"}) - packed == attention + 3 * down);
}

}  // namespace plimsoll::test::kernels
