// llama.cpp from 2023 to today, and its forks: llama.cpp, src/llama-model.cpp, llama-context.cpp, llama-kv-cache*.cpp,
// common/fit.cpp, ggml's backends. MiB are 2^20, and so is the MB of 2023.
#include "formats/logs/servers/command.h"
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line llama_cpp_lines[] = {
    {"main: build = %t", "!"},  // `build = 1026 (c63bb1d)`, to 2024
    {"build: %t with ", "!"},   // `build: 5622 (97340b4c) with cc …`
    {"build_info: b%w", "!"},   // `b9036-b863d41c7`

    // Aug to Dec 2023: totals over all devices, `MB` until the end of November.
    {"ggml ctx size = %b", "context_size"},
    {"mem required = %b", "host_weights"},
    {"system memory used = %b", "host_weights"},
    {"[cublas] total VRAM used: %b", "total"},
    {"total VRAM used: %b (model: %b, context: %b)", "total ~weights context"},
    {"total VRAM used: %b", "total"},
    {"VRAM used: %b", "weights"},
    {"VRAM used = %b", "weights"},
    {"compute buffer total size = %b", "compute_buffer"},
    {"kv self size = %b", "kv_cache"},
    {"KV self size = %b, K (%w): %b, V (%w): %b", "~kv_cache =kv_type_k - =kv_type_v -"},
    {"KV self size = %b, c^KV (%w): %b", "~kv_cache =kv_type_k -"},  // latents, ik_llama.cpp
    {"KV self size = %b", "~kv_cache"},

    // From 2024: each device its buffers. A cache's own line says all of its buffers again.
    {"%d model buffer size = %b", "@ model_buffer"},
    {"%d KV buffer size = %b", "@ kv_buffer"},
    {"%d RS buffer size = %b", "@ rs_buffer"},
    {"%d compute buffer size = %b", "@ compute_buffer"},
    {"%d output buffer size = %b", "@ output_buffer"},
    {"%d input buffer size = %b", "@ input_buffer"},
    {"llm_load_tensors: %t buffer size = %b", "@ model_buffer"},
    {"cells, %i layers, %*), K (%w): %b, V (%w): %b", "- =kv_type_k - =kv_type_v -"},
    {"llama_kv_cache: size = %b (", "~kv_cache"},
    {"llama_kv_cache_unified: size = %b (", "~kv_cache"},
    {"llama_kv_cache_init: size = %b (", "~kv_cache"},
    {"llama_memory_recurrent: size = %b (", "~state"},
    {"model size = %b (%n BPW", "file_size -"},
    {"file size = %b (%n BPW", "file_size -"},
    {"using device %w (%* - %b free", "@ device_free"},
    {"Device %i: %t, compute capability %n, VMM: %w, VRAM: %b", "@ +devices - - device_total"},
    {"Device %i: %t, compute capability", "- +devices"},
    {"Device %i: %t, gfx%t, VMM: %w, Wave Size: %i, VRAM: %b", "@ +devices - - - device_total"},  // ROCm
    {"Device %i: %t, gfx%t, VMM:", "- +devices -"},
    {"common_param: - CPU : %t (%b, %b free)", "- host_total host_free"},  // from b9000, and --list-devices
    {"common_param: - %w : %t (%b, %b free)", "@ +devices device_total device_free"},
    {"%d (%b, %b free)", "+devices device_total device_free"},
    {"ggml_metal_init: found device: %t", "+devices"},
    {"ggml_vulkan: %i = %t |", "- +devices"},

    // What is expected before anything is loaded, with the context that was asked for.
    {"projected to use %b of device memory vs. %b of free device memory", "?total device_free"},
    {"projected to use %b of device memory vs. a total of %b", "?total -"},  // b7400
    {"projected to use %b of host memory vs. %b of", "?host_buffers -"},
    {"_fit_impl: - %t: %M total, %M used, %M", "@ - ?~total -"},
    {"_fit_impl: - %t: %i layers%*, %b used, %b free", "@ - ?total -"},
    {"_params_fit: - %t: %M total, %M used, %M", "@ - ?~total -"},

    // The account at the end. The host's row is one sum; what is unaccounted for wraps around below zero where a backend
    // reports all of its memory as free.
    {"_memory_breakdown_print: | - %t | %M = %M + (~%M = %M + %M + %M)",
     "@ device_total device_free total ~weights ~context ~compute_buffer"},
    {"_memory_breakdown_print: | - %t | %M = %M + %M + %M", "@ host_buffers - - -"},

    // Of images and sound (mtmd).
    {"load_hparams: model size: %b", "projector_weights"},

    // What failed.
    {"allocating %b on device %i: cudaMalloc failed", "requested @"},
    {"failed to allocate %w buffer of size %B", "@ ~requested"},
    {"failed to allocate buffer of size %B", "~requested"},
    {"Device memory allocation of size %B failed", "requested"},
    {"failed to allocate %b of pinned memory", "requested"},
    {"Requested buffer size exceeds device memory allocation limit", ""},

    // Settings.
    {"n_ctx~=~%i", "=n_ctx"},
    {"n_batch~=~%i", "=n_batch"},
    {"n_ubatch~=~%i", "=n_ubatch"},
    {"n_seq_max~=~%i", "=n_seq_max"},
    {"perplexity over %i chunks, n_ctx=%i, batch_size=%i, n_seq=%i", "- =n_ctx =n_batch =n_seq_max"},
    {"flash_attn~=~%w", "=flash_attn"},
    {"kv_unified~=~%w", "=kv_unified"},
    {"mla_attn~=~%i", "=mla_attn"},
    {"kv_size = %i, offload = %i, type_k = %v, type_v = %v", "=n_ctx - =kv_type_k =kv_type_v"},
    {"offloaded %i/%i layers to GPU", "=layers_offloaded =layers_total"},
    {"general.name = %t", "=model_name"},
    {"general.name str = %t", "=model_name"},
    {"model type = %t", "=model_type"},
    {"model ftype = %t", "=ftype"},
    {"file type = %t", "=ftype"},
    {"model params = %t", "=params"},
    {"arch = %w", "=arch"},
    {"tensors from %t (version", "=model_file"},
    {"load_model: loading model %v", "=model_file"},
    {"n_layer = %i", "=n_layer"},
    {"n_embd = %i", "=n_embd"},
    {"n_head = %i", "=n_head"},
    {"n_head_kv = %i", "=n_head_kv"},
    {"n_expert = %i", "=n_expert"},
    {"n_vocab = %i", "=n_vocab"},
};

// `recommendedMaxWorkingSetSize`: printed by 2^20 as long as llama.cpp wrote MB for it everywhere, and by 10^6 since it
// writes MiB elsewhere (ggml-metal.m). The tool's other lines tell the two apart.
constexpr Line metal_of_old = {"recommendedMaxWorkingSetSize = %b", "budget"};
constexpr Line metal_of_today = {"recommendedMaxWorkingSetSize = %m", "budget"};

void also_llama_cpp(Reading& reading) {
    const std::string_view text = reading.plain();
    const bool today = text.find(" MiB") != std::string_view::npos;
    const Pattern pattern(today ? metal_of_today.pattern : metal_of_old.pattern);
    Match match;
    for (std::size_t at = text.find(pattern.anchor()); at != std::string_view::npos;
         at = text.find(pattern.anchor(), at + 1))
        if (pattern.holds(text, at, match)) reading.take(llama_cpp, metal_of_today.says, match);
    read_commands(reading);
}

}  // namespace

const Tool llama_cpp = tool_of("llama.cpp", llama_cpp_lines, Units::binary, also_llama_cpp);

}  // namespace plimsoll::logs
