// What trainers print at each step or at the end, each one's own counters under its own names.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

// torchtitan, components/metrics.py: the most reserved since the last line, and its share of the device.
constexpr Line of_torchtitan[] = {
    {"memory:~%b(%n%%)", "reserved_peak -"},
    {"capacity: %t with %b memory", "=device device_total"},
    {"CUDA memory usage for model: %b(%n%%)", "allocated -"},
};

// axolotl, core/trainers/base.py; to 0.12 the keys had small letters, since then the values are texts.
constexpr Line of_axolotl[] = {
    {"GPU memory baseline: %M MB.", "device_used"},  // what nvidia-smi says, to August 2023
    {"GPU memory after model load: %M MB.", "device_used"},
    {"GPU memory after adapters: %M MB.", "device_used"},
    {"GPU memory while training: %M MB.", "device_used"},
    {"GPU memory active: %b, allocated: %b, reserved: %b", "active_peak allocated_peak reserved"},
    {"memory/max_active (GiB)~%G", "active_peak"},
    {"memory/max_allocated (GiB)~%G", "allocated_peak"},
    {"memory/device_reserved (GiB)~%G", "reserved"},
    {"memory/max_mem_active(gib)~%G", "active_peak"},
    {"memory/max_mem_allocated(gib)~%G", "allocated_peak"},
    {"memory/device_mem_reserved(gib)~%G", "reserved"},
    {"memory/max_memory_active~%G", "active_peak"},
    {"memory/max_memory_allocated~%G", "allocated_peak"},
    {"memory/device_memory_reserved~%G", "reserved"},
    {"memory usage %t: %b (+%b cache, +%b misc)", "- allocated unallocated non_torch"},  // utils/bench.py, to 0.5
    {"[axolotl.", ""},
};

// ms-swift, utils/torch_utils.py: the most reserved on any device.
constexpr Line of_swift[] = {
    {"memory(GiB)~%G", "reserved_peak"},
};

// Unsloth's banner and the lines of its and TRL's notebooks: `max_memory_reserved() / 1024 / 1024 / 1024`.
constexpr Line of_unsloth[] = {
    {"Unsloth %t: Fast ", "!"},
    {"Max memory: %b. Platform", "device_total"},
    {"Max memory = %b.", "device_total"},
    {"%b of memory reserved.", "reserved"},
    {"Peak reserved memory = %b.", "reserved_peak"},
    {"Peak reserved memory for training = %b.", "reserved_increase"},
    {"Batch size per device = %i", "=per_device_train_batch_size"},
    {"Gradient accumulation steps = %i", "=gradient_accumulation_steps"},
};

// accelerate estimate-memory, commands/estimate.py: weights, and four times of it for a training with Adam.
constexpr Line of_accelerate[] = {
    {"Memory Usage for loading %w", "=model"},
    {"float32~|~%b~|~%b~|~%b~|", "?largest_layer ?weights ?training_total"},
    {"float16~|~%b~|~%b~|~%b~|", "?largest_layer ?weights ?training_total"},
    {"bfloat16~|~%b~|~%b~|~%b~|", "?largest_layer ?weights ?training_total"},
    {"int8~|~%b~|~%b~|~%b~|", "?largest_layer ?weights ?training_total"},
    {"int4~|~%b~|~%b~|~%b~|", "?largest_layer ?weights ?training_total"},
    {"float32~│~%b~│~%b~│~%b", "?largest_layer ?weights ?training_total"},
    {"float16~│~%b~│~%b~│~%b", "?largest_layer ?weights ?training_total"},
    {"int8~│~%b~│~%b~│~%b", "?largest_layer ?weights ?training_total"},
    {"int4~│~%b~│~%b~│~%b", "?largest_layer ?weights ?training_total"},
};

// Arguments of transformers', TRL's and PEFT's classes, as code, lists of arguments and Trainer's first lines have them:
// they tell no tool.
constexpr Line of_arguments[] = {
    {"per_device_train_batch_size~=~%i", "=per_device_train_batch_size"},
    {"gradient_accumulation_steps~=~%i", "=gradient_accumulation_steps"},
    {"Instantaneous batch size per device = %i",
     "=per_device_train_batch_size"},  // transformers' Trainer, as it begins
    {"Gradient Accumulation steps = %i", "=gradient_accumulation_steps"},
    {"num_generations~=~%i", "=num_generations"},
    {"max_seq_length~=~%i", "=max_seq_length"},
    {"lora_alpha~=~%i", "=lora_alpha"},
    {"LoraConfig(~r~=~%i", "=lora_r"},
    {"get_peft_model(~model,~r~=~%i", "=lora_r"},
    // peft, PeftModel.print_trainable_parameters; Unsloth's banner; transformers' Trainer.
    {"trainable params: %i || all params: %i || trainable%%: %n", "=trainable_params =all_params -"},
    {"Trainable parameters = %i of %i (%n%% trained)", "=trainable_params =all_params -"},
    {"Trainable parameters = %i/%i (%n%% trained)", "=trainable_params =all_params -"},
    {"Number of trainable parameters = %i", "=trainable_params"},
};

}  // namespace

extern const Tool torchtitan, axolotl, ms_swift, unsloth, accelerate_estimate, training_arguments;
const Tool torchtitan = tool_of("torchtitan", of_torchtitan);
const Tool axolotl = tool_of("axolotl", of_axolotl);
const Tool ms_swift = tool_of("ms-swift", of_swift);
const Tool unsloth = tool_of("unsloth", of_unsloth);
const Tool accelerate_estimate = tool_of("accelerate-estimate", of_accelerate);
const Tool training_arguments = tool_of("", of_arguments);

}  // namespace plimsoll::logs
