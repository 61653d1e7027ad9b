// Ollama's server: llm/memory.go to 0.11, ml/device.go since, server/sched.go, discover/types.go. `HumanBytes2` counts by
// 2^10. What memory.go prints is expected before anything is loaded.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line ollama_lines[] = {
    {"level=%w source=", "-"},
    {"Ollama is running", ""},

    {"\"system memory\" total=\"%b\" free=\"%b\"", "host_total host_free"},
    {"\"inference compute\" id=%v %*library=%w %*description=%v %*total=\"%b\" available=\"%b\"",
     "- @ =device device_total device_free"},
    {"\"inference compute\" id=%v %*library=%w %*name=%v %*total=\"%b\" available=\"%b\"",
     "- @ =device device_total device_free"},
    {"\"inference compute\" id=%v %*library=%w %*total=\"%b\" available=\"%b\"", "- @ device_total device_free"},
    {"\"gpu memory\" id=%v %*available=\"%b\" free=\"%b\"", "@ device_available device_free"},
    {"\"updated VRAM based on existing loaded models\" gpu=%w library=%w total=\"%b\" available=\"%b\"",
     "@ - device_total device_free"},
    {"\"vram-based default context\" total_vram=\"%b\" default_num_ctx=%i", "- =context_default"},
    {"%w CUDA totalMem %M mb", "@ device_total"},  // 0.1, DEBUG
    {"%w CUDA freeMem %M mb", "@ device_free"},
    // What is free now; what was before it stands first. DEBUG, to 0.11.
    {"memory data\" gpu=%w %*now.total=\"%b\" now.free=\"%b\" now.used=\"%b\"",
     "@ device_total device_free device_used"},
    {"now.total=\"%b\" now.free=\"%b\" now.free_swap", "host_total host_free"},

    // Expected (to 0.11). `fulloffload` and the rest of the older line, 0.1.
    {"layers.model=%i", "layers_total&=layers_total&=layers"},
    {"layers.offload=%i", "layers_offloaded&=layers_offloaded"},
    {"memory.required.full=\"%b\"", "?total_if_offloaded"},
    {"memory.required.partial=\"%b\"", "?total"},
    {"memory.required.kv=\"%b\"", "?kv_cache"},
    {"memory.weights.total=\"%b\"", "?weights"},
    {"memory.weights.repeating=\"%b\"", "?repeating_weights"},
    {"memory.weights.nonrepeating=\"%b\"", "?other_weights"},
    {"memory.graph.full=\"%b\"", "?compute_buffer_if_offloaded"},
    {"memory.graph.partial=\"%b\"", "?compute_buffer"},
    {"projector.weights=\"%b\"", "?projector_weights"},
    {"projector.graph=\"%b\"", "?projector_compute_buffer"},
    {"required=\"%b\" used=\"%b\" available=\"%b\" kv=\"%b\" fulloffload=\"%b\" partialoffload=\"%b\"",
     "?total_if_offloaded ?total device_free ?kv_cache ?compute_buffer_if_offloaded ?compute_buffer"},
    {"available=%i required=\"%b\"", "- ?total"},
    {"layers.real=%i layers.estimate=%i", "- layers_offloaded&=layers_offloaded"},  // 0.1
    {"predicted=\"%b\" available=\"%b\" gpu_free=\"%b\" system_free=\"%b\"",
     "?total device_available device_free host_free"},

    // What it allocated.
    {"\"model weights\" device=%w size=\"%b\"", "@ weights"},
    {"\"model weights\" buffer=%w size=\"%b\"", "@ weights"},
    {"\"kv cache\" device=%w size=\"%b\"", "@ kv_cache"},
    {"\"compute graph\" device=%w size=\"%b\"", "@ compute_buffer"},
    {"\"compute graph\" backend=%w %*size=\"%b\"", "@ compute_buffer"},
    {"\"total memory\" size=\"%b\"", "~total_of_all_devices"},

    {"\"model layers\"=%i", "=layers"},
    // The runner's own request: its cache is of all sequences together.
    {"Parallel:%i BatchSize:%i FlashAttention:%w KvSize:%i KvCacheType:%w NumThreads",
     "=n_parallel =n_batch =flash_attn =n_ctx =kv_cache_type"},
    {"Parallel:%i BatchSize:%i FlashAttention:%w KvSize:%i KvCacheType:", "=n_parallel =n_batch =flash_attn =n_ctx"},
    {"architecture=%w file_type=%v name=%v", "=arch =file_type =model"},
    {"OLLAMA_CONTEXT_LENGTH:%i", "=context_default"},
    {"OLLAMA_KV_CACHE_TYPE:%w", "=kv_cache_type"},
    {"OLLAMA_NUM_PARALLEL:%i", "=num_parallel"},
    {"OLLAMA_FLASH_ATTENTION:%w", "=flash_attention"},
};

}  // namespace

extern const Tool ollama;
const Tool ollama = tool_of("ollama", ollama_lines);

}  // namespace plimsoll::logs
