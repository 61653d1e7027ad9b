// llama.cpp's compute buffers, held against what it reserved itself: to the byte.
#include "estimate/inference/llama_cpp/llama_graph.h"

#include <algorithm>
#include <fstream>

#include "engine/support.h"
#include "estimate/inference/llama_cpp/llama_cpp.h"
#include "formats/huggingface/huggingface.h"
#include "model/read/architecture.h"
#include "policies/runtimes/llama_cpp.h"

namespace plimsoll::test::llama_graph {

namespace {

Model model_of(const Json& config) {
    const Result<Facts> facts = read_config(config, "config.json", "model.config");
    REQUIRE(facts);
    Result<Model> model = read_model(*facts);
    REQUIRE(model);
    return *model;
}

LlamaContext context_of(const Json& row, const Model& model) {
    const Json& said = row.at("context");
    LlamaContext context;
    context.cells = said.at("cells");
    context.window_cells = said.value("window_cells", 0.0);
    context.micro_batch = said.value("micro_batch", 512.0);
    context.sequences = said.value("sequences", 1.0);
    context.outputs = said.value("outputs", 0.0);
    context.unified = said.value("unified", false);
    context.flash_attention = said.value("flash_attention", true);
    context.key_bytes = said.value("key_bytes", 2.0);
    context.value_bytes = said.value("value_bytes", 2.0);
    const double all = static_cast<double>(model.order.size()) + 1;
    context.placement = llama_cpp_placement(model.order.size(), {said.value("device_layers", all), {1}});
    if (row.at("backend") == "cpu") {
        context.backend = LlamaContext::Backend::cpu;
        context.alignment = {"cpu", 32, 32, 1, {}};
    }
    return context;
}

}  // namespace

TEST_CASE("llama.cpp reserves the compute buffers that its graph's live tensors need") {
    const Json configs = *parse_json(read("tests/measured/gguf_models.json"), "configs");
    std::ifstream rows(PLIMSOLL_SOURCE_DIR "/tests/measured/llama_graphs.jsonl");
    std::string config;
    Model model;
    int checked = 0;
    for (std::string line; std::getline(rows, line); ++checked) {
        const Json row = *parse_json(line, "row");
        if (row.at("config") != config) {
            config = row.at("config").get<std::string>();
            model = model_of(configs.at(config));
        }
        const GraphBuffers found = plimsoll::llama_graph(model, context_of(row, model)).at;
        INFO(line);
        CHECK(found.of(0) == row.value("device", 0.0));
        CHECK(found.host == row.at("host").get<double>());
    }
    CHECK(checked > 300);
}

TEST_CASE("buffers of other lengths are known from one graph as far as it says, and to the byte") {
    const Json configs = *parse_json(read("tests/measured/gguf_models.json"), "configs");
    std::ifstream rows(PLIMSOLL_SOURCE_DIR "/tests/measured/llama_graphs.jsonl");
    constexpr int of_all = 8;  // a graph takes some milliseconds
    int grown = 0, at = 0;
    for (std::string line; std::getline(rows, line);) {
        if (at++ % of_all != 0) continue;
        const Json row = *parse_json(line, "row");
        const Model model = model_of(configs.at(row.at("config").get<std::string>()));
        LlamaContext context = context_of(row, model);
        const GrowingBuffers known = plimsoll::llama_graph(model, context);
        INFO(line);
        for (const double steps : {-std::min(known.down, 3.0), std::min(known.up, 40.0)}) {
            context.cells = known.cells + 256 * steps;
            if (steps == 0 || context.cells <= 0) continue;
            CHECK(known.hold(context.cells));
            const GraphBuffers found = known.with(context.cells), truth = plimsoll::llama_graph(model, context).at;
            CHECK(found.devices == truth.devices);
            CHECK(found.host == truth.host);
            grown += found.host != known.at.host || found.devices != known.at.devices;
        }
        CHECK(!known.hold(known.cells + 256 * (known.up + 1)));
        CHECK(!known.hold(known.cells - 256 * (known.down + 1)));
    }
    CHECK(grown > 40);
}

TEST_CASE("each sequence gets logits of its own token and of those a draft proposed") {
    InferenceRequest request;
    request.sequences = 4;
    CHECK(outputs_at_once(request) == 4);
    request.draft_tokens = 3;  // tools/server/server-context.cpp: n_parallel · (1 + n_draft)
    CHECK(outputs_at_once(request) == 16);
}

TEST_CASE("a model whose width is not known has no graph") {
    const GraphBuffers found = plimsoll::llama_graph(Model{}, LlamaContext{}).at;
    CHECK(found.devices.empty());
    CHECK(found.host == 0);
}

TEST_CASE("CUDA runs the graph in its own order, and holds what fused experts read and copies of a quantised cache") {
    const Json configs = *parse_json(read("tests/measured/gguf_models.json"), "configs");
    LlamaContext context;
    context.cells = 8192;
    const auto on = [&](const char* config, LlamaContext::Backend backend) {
        context.backend = backend;
        return plimsoll::llama_graph(model_of(configs.at(config)), context).at.of(0);
    };
    const double held = on("Qwen3-30B-A3B", LlamaContext::Backend::cuda);
    context.rules.fusions = false;
    CHECK(on("Qwen3-30B-A3B", LlamaContext::Backend::cuda) == on("Qwen3-30B-A3B", LlamaContext::Backend::vulkan));
    CHECK(held > on("Qwen3-30B-A3B", LlamaContext::Backend::cuda));
    context.cells = 32768;
    context.outputs = 1;
    const double wide = on("Gemma-2-9B", LlamaContext::Backend::cuda);
    context.key_bytes = context.value_bytes = 17.0 / 16;
    const double copied = on("Gemma-2-9B", LlamaContext::Backend::cuda);
    constexpr double keys_and_values = 2.0 * 8 * 256 * 32768 * 2;
    CHECK(copied > keys_and_values);
    CHECK(copied > wide);
    context.rules.half_copies = false;
    CHECK(on("Gemma-2-9B", LlamaContext::Backend::cuda) < copied);
}

TEST_CASE("a recurrence that llama.cpp has no graph for is answered, and nothing ends", "[llama.cpp]") {
    const Json reply =
        ask({{"model", {{"config", {{"model_type", "recurrent_gemma"}}}}}, {"inference", {{"runtime", "llama.cpp"}}}});
    CHECK(reply.contains("total"));
}

}  // namespace plimsoll::test::llama_graph
