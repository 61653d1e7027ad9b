// Megatron-LM: report_memory (training/utils), report_theoretical_memory, and the table of arguments. Its MB are 2^20.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

// A name, dots up to a column, the value.
#define ARGUMENT(name) \
    { #name " ..%*. %w", "=" #name }

constexpr Line megatron_lines[] = {
    {"memory (MB) | allocated: %M | max allocated: %M | reserved: %M | max reserved: %M | total device memory used: %M",
     "allocated allocated_peak reserved reserved_peak device_used"},
    {"memory (MB) | allocated: %M | max allocated: %M | reserved: %M | max reserved: %M",
     "allocated allocated_peak reserved reserved_peak"},
    {"mem-allocated-gigabytes: %G", "allocated"},
    {"mem-active-gigabytes: %G", "active"},
    {"mem-reserved-gigabytes: %G", "reserved"},
    {"mem-max-allocated-gigabytes: %G", "allocated_peak"},
    {"mem-max-reserved-gigabytes: %G", "reserved_peak"},
    {"Theoretical memory footprints: weight and optimizer=%b, activation=%b, total=%b",
     "?weights_and_optimizer ?activations ?total"},
    {"Theoretical memory footprints: weight and optimizer=%b", "?weights_and_optimizer"},
    {"number of parameters on model parallel rank", ""},
    {"elapsed time per iteration (ms)", ""},

    ARGUMENT(num_layers),
    ARGUMENT(hidden_size),
    ARGUMENT(ffn_hidden_size),
    ARGUMENT(num_attention_heads),
    ARGUMENT(num_query_groups),
    ARGUMENT(num_experts),
    ARGUMENT(seq_length),
    ARGUMENT(padded_vocab_size),
    ARGUMENT(micro_batch_size),
    ARGUMENT(global_batch_size),
    ARGUMENT(tensor_model_parallel_size),
    ARGUMENT(pipeline_model_parallel_size),
    ARGUMENT(context_parallel_size),
    ARGUMENT(expert_model_parallel_size),
    ARGUMENT(data_parallel_size),
    ARGUMENT(world_size),
    ARGUMENT(fp16),
    ARGUMENT(bf16),
    ARGUMENT(params_dtype),
    ARGUMENT(optimizer),
    ARGUMENT(checkpoint_activations),
    ARGUMENT(recompute_granularity),
    ARGUMENT(recompute_method),
    ARGUMENT(recompute_num_layers),
    ARGUMENT(sequence_parallel),
    ARGUMENT(use_distributed_optimizer),
    ARGUMENT(zero_stage),
    ARGUMENT(group_query_attention),
    ARGUMENT(virtual_pipeline_model_parallel_size),
    ARGUMENT(expert_tensor_parallel_size),
    ARGUMENT(cp_comm_type),
    ARGUMENT(accumulate_allreduce_grads_in_fp32),
    ARGUMENT(attention_dropout),
    ARGUMENT(hidden_dropout),
};

#undef ARGUMENT

}  // namespace

extern const Tool megatron;
const Tool megatron = tool_of("megatron", megatron_lines);

}  // namespace plimsoll::logs
