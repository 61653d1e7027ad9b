// Trainers and frameworks. The forms are the sources' own; the figures are made up.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::others {

TEST_CASE("DeepSpeed's GB are GiB, and its last figure is rounded to a whole one") {
    const logs::Log log = logs::read_log(
        "[2024-09-15 00:13:21,213] [INFO] [utils.py:781:see_memory_usage] Before initializing optimizer states\n"
        "[2024-09-15 00:13:21,214] [INFO] [utils.py:782:see_memory_usage] MA 1.50 GB         Max_MA 1.75 GB         CA "
        "1.80 GB  "
        "       Max_CA 2 GB\n[2024-09-15 00:13:21,214] [INFO] [utils.py:789:see_memory_usage] CPU Virtual Memory:  "
        "used = 81.5 "
        "GB, percent = 8.1%\nDeepSpeed Basic Optimizer = AdamW\nCreating torch.bfloat16 ZeRO stage 3 optimizer\n");
    CHECK(log.tool == "deepspeed-see-memory");
    CHECK(bytes(log, "allocated") == 1.5 * gib);
    CHECK(bytes(log, "allocated_peak") == 1.75 * gib);
    CHECK(bytes(log, "reserved_peak") == 2 * gib);
    CHECK(figure(log, "reserved_peak").low == 1.5 * gib);
    CHECK(bytes(log, "host_used") == 81.5 * gib);
    CHECK(setting(log, "optimizer") == "AdamW");
    CHECK(setting(log, "dtype") == "bfloat16");
    CHECK(setting(log, "zero_stage") == "3");
}

TEST_CASE("Megatron's ranks and its arguments") {
    const logs::Log log = logs::read_log(
        "  num_layers ...................................... 64\n  bf16 ............................................ "
        "True\n"
        "  encoder_num_layers .............................. 12\n"
        "[Rank 43] (after 1 iterations) memory (MB) | allocated: 15492.5 | max allocated: 15500.25 | reserved: 18738.0 "
        "| max "
        "reserved: 18740.0\n[Rank 2] (after 1 iterations) memory (MB) | allocated: 15492.5 | max allocated: 15500.25 | "
        "reserved: 18738.0 | max reserved: 18740.0 | total device memory used: 19000.5\n"
        "Theoretical memory footprints: weight and optimizer=46038.50 MB\n");
    CHECK(log.tool == "megatron");
    CHECK(setting(log, "num_layers") == "64");
    CHECK(setting(log, "bf16") == "True");
    REQUIRE(figures(log, "allocated_peak").size() == 2);
    CHECK(figures(log, "allocated_peak")[0].device == "rank 43");
    CHECK(figures(log, "allocated_peak")[1].bytes == 15500.25 * mib);
    CHECK(bytes(log, "device_used") == 19000.5 * mib);
    CHECK(figure(log, "weights_and_optimizer").estimate);
}

TEST_CASE("Megatron-LM's table of arguments") {
    const logs::Log log = logs::read_log(
        "  accumulate_allreduce_grads_in_fp32 .............. True\n"
        "  global_batch_size ............................... 256\n"
        "  recompute_method ................................ uniform\n"
        "  recompute_num_layers ............................ 1\n"
        "  sequence_parallel ............................... True\n"
        "  use_distributed_optimizer ....................... True\n"
        "  virtual_pipeline_model_parallel_size ............ None\n");
    CHECK(log.tool == "megatron");
    CHECK(setting(log, "accumulate_allreduce_grads_in_fp32") == "True");
    CHECK(setting(log, "global_batch_size") == "256");
    CHECK(setting(log, "recompute_method") == "uniform");
    CHECK(setting(log, "recompute_num_layers") == "1");
    CHECK(setting(log, "sequence_parallel") == "True");
    CHECK(setting(log, "use_distributed_optimizer") == "True");
    CHECK(setting(log, "virtual_pipeline_model_parallel_size").empty());
}

TEST_CASE("what is trained of all parameters, by PEFT, Unsloth and Trainer") {
    const logs::Log peft =
        logs::read_log("trainable params: 4,194,304 || all params: 6,742,609,920 || trainable%: 0.0622");
    CHECK(setting(peft, "trainable_params") == "4194304");
    CHECK(setting(peft, "all_params") == "6742609920");
    CHECK(peft.figures.empty());
    CHECK(peft.tool.empty());
    const logs::Log unsloth = logs::read_log("Trainable parameters = 33,030,144 of 8,063,291,392 (0.41% trained)");
    CHECK(setting(unsloth, "all_params") == "8063291392");
    CHECK(setting(logs::read_log("Trainable parameters = 33,030,144/3,240,592,896 (1.02% trained)"),
                  "trainable_params") == "33030144");
    CHECK(setting(logs::read_log("  Number of trainable parameters = 41,943,040"), "trainable_params") == "41943040");
}

TEST_CASE("trainers' lines of a step") {
    CHECK(bytes(logs::read_log("step: 10  loss: 5.1  memory: 48.50GiB(51.44%)  tps: 4,376  mfu: 25.62%"),
                "reserved_peak") == 48.5 * gib);
    const logs::Log axolotl = logs::read_log(
        "{'loss': '1.5', 'memory/max_active (GiB)': '2.5', 'memory/max_allocated (GiB)': '2.25', "
        "'memory/device_reserved "
        "(GiB)': '7.75'}\n{'memory/max_mem_active(gib)': 14.5}");
    CHECK(axolotl.tool == "axolotl");
    CHECK(figures(axolotl, "active_peak").size() == 2);
    CHECK(bytes(axolotl, "reserved") == 7.75 * gib);
    CHECK(bytes(logs::read_log("{'loss': 1.4, 'memory(GiB)': 4.75, 'train_speed(iter/s)': 0.34}"), "reserved_peak") ==
          4.75 * gib);
    const logs::Log unsloth = logs::read_log(
        "==((====))==  Unsloth 2026.4.4: Fast Gemma4 patching. Transformers: 5.5.0.\n"
        "   \\\\   /|    Tesla T4. Num GPUs = 2. Max memory: 14.5 GB. Platform: Linux.\n"
        "9.75 GB of memory reserved.\nPeak reserved memory = 10.5 GB.\nPeak reserved memory for training = 0.75 GB.\n"
        "Peak reserved memory % of max memory = 73.577 %.\n");
    CHECK(unsloth.version == "2026.4.4");
    CHECK(bytes(unsloth, "device_total") == 14.5 * gib);
    CHECK(bytes(unsloth, "reserved_peak") == 10.5 * gib);
    CHECK(unsloth.figures.size() == 4);
}

TEST_CASE("accelerate's table, with bars and with lines") {
    for (const char* row :
         {"| float16 | 42.50 MB      | 206.50 MB  | 1.25 GB             |", "│float16│ 42.50 MB│206.50 MB │1.25 GB│"}) {
        const logs::Log log = logs::read_log(row);
        CHECK(log.tool == "accelerate-estimate");
        CHECK(bytes(log, "weights") == 206.5 * mib);
        CHECK(bytes(log, "training_total") == 1.25 * gib);
        CHECK(figure(log, "weights").estimate);
    }
}

TEST_CASE("TensorFlow and JAX say the request that failed") {
    const logs::Log tensorflow = logs::read_log(
        "W bfc_allocator.cc:243] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.50GiB with "
        "freed_by_count=0.");
    CHECK(figure(tensorflow, "requested").device == "GPU_0");
    CHECK(bytes(tensorflow, "requested") == 2.5 * gib);
    const logs::Log exact = logs::read_log(
        "failed to allocate 343.34M (360015104 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory");
    CHECK(bytes(exact, "requested") == 360015104);
    CHECK(bytes(logs::read_log("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 86.50GiB."), "requested") ==
          86.5 * gib);
    CHECK(bytes(logs::read_log("RESOURCE_EXHAUSTED: Out of memory allocating 34359738368 bytes."), "requested") ==
          34359738368);
    const logs::Log maxtext = logs::read_log(
        "Memstats: After params initialized:\n\tUsing (GB) 44.5 / 95.75 (46.6%) on TPU_0(process=0,(0,0,0,0))");
    CHECK(maxtext.tool == "maxtext");
    CHECK(figure(maxtext, "device_used").device == "TPU_0");
    CHECK(bytes(maxtext, "device_total") == 95.75 * gib);
}

TEST_CASE("accelerate's row of bfloat16 has no room beside its bars") {
    const logs::Log log = logs::read_log("|bfloat16|  250.50 MB   | 2.25 GB |      9.00 GB      |");
    CHECK(bytes(log, "largest_layer") == 250.5 * mib);
    CHECK(bytes(log, "weights") == 2.25 * gib);
    CHECK(log.figures.size() == 3);
}

TEST_CASE("axolotl of 2023 asked nvidia-smi, and of 2025 it says its peaks in one line") {
    const logs::Log old = logs::read_log(
        "[2023-08-09 08:13:36,085] [INFO] [axolotl.scripts.train:254] [PID:741158] GPU memory baseline: 322 MB.\n"
        "[2023-08-09 08:13:48,165] [INFO] [axolotl.load_model:329] [PID:741158] GPU memory after model load: 4837 MB.\n"
        "[2023-08-09 08:14:41,233] [INFO] [axolotl.callbacks:95] [PID:741158] GPU memory while training: 21573 MB.\n");
    CHECK(old.tool == "axolotl");
    REQUIRE(figures(old, "device_used").size() == 3);
    CHECK(logs::read_log("GPU memory after loading: 5.20 GB").figures.empty());  // anybody's script
    CHECK(figures(old, "device_used")[2].bytes == 21573 * mib);
    const logs::Log later = logs::read_log(
        "[axolotl.utils.bench:127] [PID:1] [RANK:3] GPU memory active: 14.50GiB, allocated: 14.25GiB, reserved: "
        "15.25GiB\n{'memory/max_memory_active': 17.5, 'memory/device_memory_reserved': 19.75}");
    CHECK(figures(later, "active_peak").size() == 2);
    CHECK(bytes(later, "allocated_peak") == 14.25 * gib);
    CHECK(figures(later, "active_peak")[0].device == "rank 3");
}

TEST_CASE("arguments of trainers are settings, and tell no tool") {
    const logs::Log log = logs::read_log(
        "model = FastLanguageModel.get_peft_model(\n    model,\n    r = 16, # any number\n    lora_alpha = 32,\n)\n"
        "args = SFTConfig(per_device_train_batch_size=2, gradient_accumulation_steps = 8, num_generations = 4,\n"
        "    max_seq_length = 2048)\n");
    CHECK(log.tool.empty());
    CHECK(log.figures.empty());
    CHECK(setting(log, "lora_r") == "16");
    CHECK(setting(log, "lora_alpha") == "32");
    CHECK(setting(log, "per_device_train_batch_size") == "2");
    CHECK(setting(log, "gradient_accumulation_steps") == "8");
    CHECK(setting(log, "num_generations") == "4");
    CHECK(setting(log, "max_seq_length") == "2048");
    CHECK(logs::read_log("LoraConfig(r=8, lora_alpha=16)\nPeak reserved memory = 10.5 GB.").tool == "unsloth");
    const logs::Log begins = logs::read_log(
        "***** Running training *****\n  Instantaneous batch size per device = 4\n  Gradient Accumulation steps = 2\n");
    CHECK(setting(begins, "per_device_train_batch_size") == "4");
    CHECK(setting(begins, "gradient_accumulation_steps") == "2");
}

TEST_CASE("Megatron's active memory, and XLA's account of one program") {
    const logs::Log megatron = logs::read_log(
        "[Rank 0] (after 1 iterations) memory (GB) | mem-allocated-gigabytes: 18.25 | mem-active-gigabytes: 18.50 | "
        "mem-reserved-gigabytes: 20.5 | mem-max-allocated-gigabytes: 25.5 | mem-max-reserved-gigabytes: 26.0\n"
        "Activation memory footprint per transformer layer: 2170.5 MB\n");
    CHECK(bytes(megatron, "active") == 18.5 * gib);
    CHECK(figure(megatron, "reserved_peak").device == "rank 0");
    CHECK(megatron.figures.size() == 5);
    const logs::Log xla = logs::read_log(
        "BufferAssignment stats:\n             parameter allocation:  372.76MiB\n"
        "     preallocated temp allocation:    4.50GiB\n                 total allocation:   14.50GiB\n"
        "              total fragmentation:  680.30MiB (4.60%)\n");
    CHECK(xla.tool == "jax");
    CHECK(bytes(xla, "total") == 14.5 * gib);
    CHECK(figure(xla, "activations").estimate);
    CHECK(xla.figures.size() == 2);
    const logs::Log tpu = logs::read_log(
        "RuntimeError: RESOURCE_EXHAUSTED: TPU backend error: Attempting to allocate 3.25G.\nTotal hbm usage >= "
        "18.50G:\n");
    CHECK(bytes(tpu, "requested") == 3.25 * gib);
    CHECK(figure(tpu, "total").restated);
    const logs::Log intel = logs::read_log(
        "E itex/core/devices/bfc_allocator.cc:98] Allocator ran out of memory trying to allocate 117964800 Bytes "
        "(rounded to 117964800 Bytes)");
    CHECK(intel.tool == "tensorflow-oom");
    CHECK(bytes(intel, "requested") == 117964800);
    CHECK(intel.figures.size() == 1);
}

}  // namespace plimsoll::test::others
