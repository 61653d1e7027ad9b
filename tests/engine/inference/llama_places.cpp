// What llama.cpp says of its own buffers where layers, experts or the cache are on several devices or on the host: 201
// contexts of 15 models, to the byte; and 671 of 27 models on CUDA.
#include <cctype>
#include <fstream>

#include "engine/support.h"

namespace plimsoll::test::llama_places {

namespace {

Json offload_of(const Json& settings) {
    Json offload = Json::object();
    if (settings.contains("n_gpu_layers")) offload["gpu_layers"] = settings.at("n_gpu_layers");
    if (settings.contains("n_cpu_moe")) offload["experts_on_cpu"] = settings.at("n_cpu_moe");
    if (settings.contains("tensor_split")) offload["tensor_split"] = settings.at("tensor_split");
    if (!settings.value("offload_kqv", true)) offload["kv_on_host"] = true;
    return offload;
}

std::string encoding_of(const Json& row) {
    std::string id = "gguf-";
    for (const char letter : row.at("quant").get<std::string>())
        id += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return id;
}

Json request_for(const Json& row, const Json& config) {
    const Json& settings = row.at("settings");
    const bool unified = settings.value("kv_unified", false);
    const int sequences = settings.value("n_seq", 1), total = settings.at("n_ctx").get<int>();
    const auto type = [&settings](const char* name) { return "gguf-" + settings.value(name, std::string("f16")); };
    return {{"task", "inference"},
            {"model", {{"config", config}}},
            {"weights", {{"encoding", encoding_of(row)}}},
            {"devices", settings.value("devices", 1)},
            {"inference",
             {{"runtime", "llama.cpp"},
              {"backend", row.at("backend")},
              {"context", unified ? total : total / sequences},
              {"sequences", sequences},
              {"batch_tokens", settings.at("n_ubatch")},
              {"kv_encoding", {{"k", type("type_k")}, {"v", type("type_v")}}},
              {"flash_attention", settings.value("flash_attn", true)},
              {"logits", settings.contains("n_outputs_max") ? "last" : "all"},
              {"kv_unified", unified},
              {"swa_full", settings.value("swa_full", false)},
              {"offload", offload_of(settings)}}}};
}

double bytes_of(const Json& rows, std::initializer_list<const char*> ids) {
    double sum = 0;
    for (const Json& row : rows)
        for (const char* id : ids)
            if (row.at("id") == id) sum += row.at("bytes").get<double>();
    return sum;
}

struct Buffers {
    double model = 0, context = 0, compute = 0;
};

Buffers said_of(const Json& row, int device) {
    Buffers sum;
    for (const auto& [name, bytes] : row.at("buffers").items()) {
        const size_t number = name.find_first_of("0123456789");  // of `Vulkan0`, `CUDA0`; hosts have none
        if ((number == std::string::npos ? -1 : std::stoi(name.substr(number))) != device) continue;
        sum.model += bytes.at("model").get<double>();
        sum.context += bytes.at("context").get<double>();
        sum.compute += bytes.at("compute").get<double>();
    }
    return sum;
}

void check(const Json& row, const Json& ours, int device) {
    const Buffers said = said_of(row, device);
    CHECK(bytes_of(ours, {"weights"}) == said.model);
    CHECK(bytes_of(ours, {"kv_cache", "state"}) == said.context);
    // it left the choice of attention open, and made the cache before it chose
    if (!row.contains("artifact")) CHECK(bytes_of(ours, {"activations"}) == said.compute);
}

/// Rows of a file, each against what is asked anew. @returns how many
int check_all(const std::string& file) {
    const Json configs = Json::parse(read("tests/measured/gguf_models.json"));
    std::ifstream rows(PLIMSOLL_SOURCE_DIR "/tests/measured/" + file);
    int checked = 0;
    for (std::string line; std::getline(rows, line); ++checked) {
        const Json row = Json::parse(line);
        const Json reply = ask(request_for(row, configs.at(row.at("config").get<std::string>())));
        INFO(line.substr(0, 500));
        check(row, reply.at("host").at("rows"), -1);
        const int devices = row.at("settings").value("devices", 1);
        for (int device = 0; device < devices; ++device)
            check(row, devices > 1 ? reply.at("devices").at(static_cast<size_t>(device)).at("rows") : reply.at("rows"),
                  device);
    }
    return checked;
}

}  // namespace

TEST_CASE("llama.cpp's buffers on each device and on the host, wherever layers, experts and the cache are") {
    CHECK(check_all("llama_cpp_more.jsonl") == 201);
}

TEST_CASE("llama.cpp's buffers on CUDA: padded rows, room behind attention, inputs of fused experts") {
    CHECK(check_all("llama_cuda.jsonl") == 671);
}

TEST_CASE("a compute buffer is exact for the backends and the build that were asked, else it has a band") {
    const auto basis = [](const char* inference) {
        const Json reply = ask(Json::parse(std::string(R"({"model": {"preset": "llama-3-8b"},)") +
                                           R"("weights": {"encoding": "gguf-q4_k_m"}, "inference": {)" +
                                           R"("runtime": "llama.cpp", )" + inference + "}}"));
        const Json& buffer = row(reply, "activations/compute_buffer");
        CHECK((buffer.at("low") == buffer.at("high")) == (buffer.at("basis") == "exact"));
        return buffer.at("basis").get<std::string>();
    };
    CHECK(basis(R"("backend": "vulkan")") == "exact");
    CHECK(basis(R"("backend": "cuda")") == "exact");
    CHECK(basis(R"("backend": "metal")") == "modelled");
    CHECK(basis(R"("backend": "cuda", "release": "b10700")") == "modelled");
    CHECK(basis(R"("backend": "vulkan", "release": "b5398")") == "modelled");
}

TEST_CASE("notes tell what a dry run counts more than a run, and that encoders' compute buffers are not counted") {
    const auto notes = [](const Json& model, int devices) {
        const Json reply = ask({{"model", model},
                                {"weights", {{"encoding", "gguf-f16"}}},
                                {"devices", devices},
                                {"inference", {{"runtime", "llama.cpp"}}}});
        std::string codes;
        for (const Json& note : reply.at("notes")) codes += note.at("code").get<std::string>() + " ";
        return codes;
    };
    const Json decoder = {{"preset", "llama-3-8b"}};
    CHECK(notes(decoder, 1) == "");
    CHECK(notes(decoder, 2) == "dry_run ");
    const Json encoder = {{"config", Json::parse(read("presets/models/bge-m3.json")).at("config")}};
    CHECK(notes(encoder, 1).find("no_compute_buffer") != std::string::npos);
}

TEST_CASE("llama.cpp keeps its cache in types that it has kernels for") {
    const auto refused = [](const char* inference) {
        return refuse(std::string(R"({"task": "inference", "model": {"preset": "llama-3-8b"}, "inference": {)") +
                      R"("runtime": "llama.cpp", )" + inference + "}}");
    };
    const Json packed = refused(R"("kv_encoding": "nf4")");
    CHECK(packed.at("where") == "inference.kv_encoding");
    CHECK(packed.at("hint").get<std::string>().find("q8_0") != std::string::npos);
    CHECK(refused(R"("kv_encoding": {"k": "gguf-q4_k"})").at("where") == "inference.kv_encoding");
    const Json values = refused(R"("kv_encoding": "q8_0", "flash_attention": false)");
    CHECK(values.at("where") == "inference.kv_encoding");
    CHECK(values.at("what").get<std::string>().find("flash attention") != std::string::npos);
}

}  // namespace plimsoll::test::llama_places
