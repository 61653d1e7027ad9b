// The one list of tools: a new one is a name here, and a file with its lines.
#include <array>

#include "formats/logs/reading.h"

namespace plimsoll::logs {

// Servers and trainers, whose logs hold other tools' lines, before the tools that print one thing.
extern const Tool sglang, vllm, tensorrt_llm, ollama, lm_studio, lm_studio_messages, llama_cpp, mlx, ollama_ps;
extern const Tool deepspeed, megatron, axolotl, unsloth, ms_swift, torchtitan, accelerate_estimate, training_arguments;
extern const Tool torch_out_of_memory, torch_memory_summary, torch_memory_stats, torch_peaks;
extern const Tool tensorflow, maxtext, jax;
extern const Tool nvidia_smi, nvitop, gpustat, rocm_smi, amd_smi, xpu_smi;

namespace {

constexpr std::array<const Tool*, 30> in_order = {&sglang,
                                                  &vllm,
                                                  &tensorrt_llm,
                                                  &ollama,
                                                  &lm_studio,
                                                  &lm_studio_messages,
                                                  &llama_cpp,
                                                  &mlx,
                                                  &ollama_ps,
                                                  &deepspeed,
                                                  &megatron,
                                                  &axolotl,
                                                  &unsloth,
                                                  &ms_swift,
                                                  &torchtitan,
                                                  &accelerate_estimate,
                                                  &training_arguments,
                                                  &torch_out_of_memory,
                                                  &torch_memory_summary,
                                                  &torch_memory_stats,
                                                  &torch_peaks,
                                                  &tensorflow,
                                                  &maxtext,
                                                  &jax,
                                                  &nvidia_smi,
                                                  &nvitop,
                                                  &gpustat,
                                                  &rocm_smi,
                                                  &amd_smi,
                                                  &xpu_smi};

}  // namespace

Tools all_tools() { return {in_order.data(), in_order.size()}; }

}  // namespace plimsoll::logs
