// What llama.cpp's own library takes for a model: its buffers by its own account, and for a run what the driver says.
//
//     ask FOLDER < LINES        FOLDER: of the libraries that are loaded beside it (libggml-cuda.so …)
//
// A line is a file's path and pairs name=value, a tab between them: n_ctx, n_ubatch, n_seq, n_outputs_max, flash_attn,
// kv_unified, swa_full, offload_kqv, n_gpu_layers, type_k, type_v (ggml's numbers); and run, prompt, tokens, to load the
// weights and to compute. A JSON line answers each; one that the library refuses holds its last words as `error`.
//
// It is built by hand against the libraries of @node-llama-cpp/linux-x64-cuda 3.22.1, whose parameters begin as here:
//     g++ -std=c++17 -O1 ask.cpp -o ask libllama.cuda.*.so libggml.cuda.*.so libggml-base.so
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// The public C interface, as far as it is used; structures are passed by value, and what they end in is copied unread.
extern "C" {
struct ggml_backend_buffer_type;
struct ggml_backend_device;
struct llama_model;
struct llama_context;
struct ModelParameters {
    void *devices, *overrides;
    int32_t n_gpu_layers, split_mode, load_mode, reserved, main_gpu;
    const float* tensor_split;
    void *progress, *progress_data, *metadata;
    bool vocab_only, check_tensors, extra_buffers, no_host, no_alloc;
    char rest[435];
};
struct ContextParameters {
    uint32_t n_ctx, n_batch, n_ubatch, n_seq_max, n_rs_seq, n_outputs_max;
    int32_t reserved, n_threads, n_threads_batch, kind, rope_scaling, pooling, attention, flash_attn;
    float rope[6];
    uint32_t original_context;
    float defragmentation;
    void *callback, *callback_data;
    int32_t type_k, type_v;
    void *stop, *stop_data;
    bool embeddings, offload_kqv, no_perf, op_offload, swa_full, kv_unified;
    char rest[378];
};
struct Batch {
    int32_t n_tokens;
    int32_t* token;
    float* embeddings;
    int32_t *position, *sequences;
    int32_t** sequence;
    int8_t* logits;
};
ModelParameters llama_model_default_params();
ContextParameters llama_context_default_params();
llama_model* llama_model_load_from_file(const char*, ModelParameters);
llama_context* llama_init_from_model(llama_model*, ContextParameters);
void llama_free(llama_context*);
void llama_model_free(llama_model*);
Batch llama_batch_get_one(int32_t*, int32_t);
int32_t llama_decode(llama_context*, Batch);
void llama_synchronize(llama_context*);
void llama_backend_init();
void llama_log_set(void (*)(int, const char*, void*), void*);
const char* ggml_backend_buft_name(ggml_backend_buffer_type*);
void ggml_backend_load_all_from_path(const char*);
size_t ggml_backend_dev_count();
ggml_backend_device* ggml_backend_dev_get(size_t);
int ggml_backend_dev_type(ggml_backend_device*);
void ggml_backend_dev_memory(ggml_backend_device*, size_t*, size_t*);
}
struct Held {
    size_t model = 0, context = 0, compute = 0;
};
std::map<ggml_backend_buffer_type*, Held> llama_get_memory_breakdown(const llama_context*);

namespace {

std::string last_words;

void listen(int level, const char* text, void*) {
    constexpr int error = 4;
    if (level >= error) last_words = text;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Bytes of the first GPU that are in use, by whomever.
size_t in_use() {
    constexpr int gpu = 1;
    for (size_t index = 0; index < ggml_backend_dev_count(); ++index) {
        ggml_backend_device* device = ggml_backend_dev_get(index);
        size_t free = 0, total = 0;
        if (ggml_backend_dev_type(device) != gpu) continue;
        ggml_backend_dev_memory(device, &free, &total);
        return total - free;
    }
    return 0;
}

void fail() {
    std::string words;
    for (const char letter : last_words)
        if (letter >= ' ') words += letter == '"' || letter == '\\' ? '\'' : letter;
    std::cout << R"({"error":")" << words << "\"}" << std::endl;
}

class Line {
public:
    explicit Line(const std::string& text) {
        std::istringstream in(text);
        std::getline(in, file, '\t');
        for (std::string pair; std::getline(in, pair, '\t');)
            values_[pair.substr(0, pair.find('='))] = std::atoi(pair.substr(pair.find('=') + 1).c_str());
    }
    int get(const char* name, int otherwise) const {
        const auto found = values_.find(name);
        return found == values_.end() ? otherwise : found->second;
    }
    bool runs() const { return get("run", 0) != 0; }
    std::string model() const { return file + (runs() ? " run " : " ") + std::to_string(get("n_gpu_layers", -1)); }

    std::string file;

private:
    std::map<std::string, int> values_;
};

llama_model* loaded(const Line& line) {
    constexpr int read = 0, mapped = 1;
    ModelParameters parameters = llama_model_default_params();
    parameters.load_mode = line.runs() ? mapped : read;
    parameters.n_gpu_layers = line.get("n_gpu_layers", -1);
    parameters.no_alloc = !line.runs();
    return llama_model_load_from_file(line.file.c_str(), parameters);
}

ContextParameters context_of(const Line& line) {
    ContextParameters parameters = llama_context_default_params();
    parameters.n_ctx = static_cast<uint32_t>(line.get("n_ctx", 4096));
    parameters.n_ubatch = static_cast<uint32_t>(line.get("n_ubatch", 512));
    parameters.n_seq_max = static_cast<uint32_t>(line.get("n_seq", 1));
    parameters.n_outputs_max = static_cast<uint32_t>(line.get("n_outputs_max", 0));
    parameters.flash_attn = line.get("flash_attn", 1);
    parameters.type_k = line.get("type_k", 1);
    parameters.type_v = line.get("type_v", 1);
    parameters.kv_unified = line.get("kv_unified", 0) != 0;
    parameters.swa_full = line.get("swa_full", 0) != 0;
    parameters.offload_kqv = line.get("offload_kqv", 1) != 0;
    return parameters;
}

void print_buffers(const llama_context* context) {
    const char* between = "";
    std::cout << R"({"buffers":{)";
    for (const auto& [kind, held] : llama_get_memory_breakdown(context)) {
        std::cout << between << '"' << ggml_backend_buft_name(kind) << R"(":{"model":)" << held.model
                  << R"(,"context":)" << held.context << R"(,"compute":)" << held.compute << '}';
        between = ",";
    }
    std::cout << '}';
}

// A prompt at once, then token by token; both timed after some that are not.
void print_run(llama_context* context, const Line& line, const std::array<size_t, 3>& before) {
    const int prompt = line.get("prompt", 512), tokens = line.get("tokens", 32), batch = 2048;
    std::vector<int32_t> ids(static_cast<size_t>(prompt), 1);
    const auto compute = [&](int count) { llama_decode(context, llama_batch_get_one(ids.data(), count)); };
    compute(std::min(prompt, 16));
    llama_synchronize(context);
    double began = now();
    for (int at = 0; at < prompt; at += batch) compute(std::min(batch, prompt - at));
    llama_synchronize(context);
    const double prefill = now() - began;
    for (int warm = 0; warm < 4; ++warm) compute(1);
    llama_synchronize(context);
    began = now();
    for (int token = 0; token < tokens; ++token) {
        compute(1);
        llama_synchronize(context);
    }
    const double decode = now() - began;
    std::cout << R"(,"used":{"before":)" << before[0] << R"(,"loaded":)" << before[1] << R"(,"opened":)" << before[2]
              << R"(,"ran":)" << in_use() << R"(},"seconds":{"prefill":)" << prefill << R"(,"prompt":)" << prompt
              << R"(,"decode":)" << decode << R"(,"tokens":)" << tokens << '}';
}

}  // namespace

int main(int, char** arguments) {
    ggml_backend_load_all_from_path(arguments[1]);
    llama_backend_init();
    llama_log_set(listen, nullptr);
    llama_model* model = nullptr;
    std::string known;
    for (std::string text; std::getline(std::cin, text);) {
        const Line line(text);
        last_words.clear();
        if (line.model() != known && model) llama_model_free(model);
        std::array<size_t, 3> used{in_use()};
        if (line.model() != known) model = loaded(line);
        known = model ? line.model() : "";
        used[1] = in_use();
        llama_context* context = model ? llama_init_from_model(model, context_of(line)) : nullptr;
        used[2] = in_use();
        if (!context) {
            fail();
            continue;
        }
        print_buffers(context);
        if (line.runs()) print_run(context, line, used);
        std::cout << '}' << std::endl;
        llama_free(context);
    }
    std::_Exit(0);  // the libraries' own threads are not waited for
}
