// Losses by themselves against CUDA: Liger-Kernel's benchmark (benchmark/data/all_benchmark_data.csv), whose loop holds
// the logits and their gradient as leaves. Rows of tests/measured/training.jsonl.
#include <cmath>
#include <limits>
#include <sstream>

#include "engine/support.h"
#include "estimate/training/loss/loss.h"
#include "estimate/training/replay/replayed_memory.h"

namespace plimsoll::test::kernels {

using plimsoll::test::Json;

namespace {

/// Calls `check(settings, bytes)` for every row of a kernel as this provider has it.
template <class Check>
int for_each_row(const std::string& where, Check check) {
    std::istringstream lines(test::read("tests/measured/training.jsonl"));
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        if (row.at("where") != where) continue;
        INFO(line);
        check(row.at("settings"), row.at("bytes").get<double>());
        ++rows;
    }
    return rows;
}

}  // namespace

TEST_CASE(
    "cross-entropy over fp32 logits: its backward pass beside the logits and their gradient, within 1,024 bytes") {
    const int rows = for_each_row("cross_entropy/huggingface/full", [](const Json& settings, double measured) {
        TrainingInputs inputs;
        inputs.request.batch.micro_batch = settings.at("B"), inputs.request.batch.sequence = settings.at("T");
        Pass<double> pass;
        pass.batch = inputs.request.batch.micro_batch, pass.sequence = inputs.request.batch.sequence;
        pass.tokens = pass.batch * pass.sequence;
        pass.options.numerics = precision_of("fp32")->numerics;
        const double vocabulary = settings.at("V"), leaf = 4 * pass.tokens * vocabulary;
        const double backward = at_once<double>(inputs, pass, vocabulary, 0).backward.value();
        CHECK(std::abs(2 * leaf + backward - measured) <= 1024);
    });
    CHECK(rows == 4);
}

namespace {

// Both the plain head and Liger's are made before either is measured: two matrices, and the gradient of one.
double held_by_the_benchmark(double tokens, double vocabulary, double hidden) {
    constexpr double workspace = 8519680;  // cuBLAS, of the thread that runs forward and of autograd's
    return 3 * 2 * vocabulary * hidden + 2 * 2 * tokens * hidden + 2 * workspace;
}

struct HeadCase {
    TrainingInputs inputs;
    Pass<double> pass;
    double vocabulary, hidden, held;
};

HeadCase head_case(const Json& settings) {
    HeadCase made;
    made.inputs.request.batch.sequence = made.pass.sequence = made.pass.tokens = settings.at("BT");
    made.pass.batch = 1;
    made.inputs.request.loss.logits_in_fp32 = false;
    made.pass.options.numerics = precision_of("bf16")->numerics;
    made.vocabulary = settings.at("V"), made.hidden = settings.at("H");
    made.held = held_by_the_benchmark(made.pass.tokens, made.vocabulary, made.hidden);
    return made;
}

double bytes_of_group(const Groups<double>& groups, RowId::Known id) {
    for (const Group<double>& group : groups.list())
        if (group.id == id) return group.bytes.n;
    return 0;
}

}  // namespace

TEST_CASE("vocabulary product and cross-entropy in bf16: the loss's backward pass, within 1,024 bytes") {
    const int rows =
        for_each_row("fused_linear_cross_entropy/huggingface/full", [](const Json& settings, double measured) {
            const HeadCase head = head_case(settings);
            const auto at = at_once<double>(head.inputs, head.pass, head.vocabulary, head.hidden);
            CHECK(std::abs(head.held + at.backward.value() - measured) <= 1024);
        });
    CHECK(rows == 4);
}

namespace {

/// Liger's benchmark of the fused loss, played from its first line on: speed of a forward pass, speed of a whole one,
/// memory; Liger's head and then the plain one; all lengths. One process does all of it, so that the allocator's blocks
/// are those that earlier tensors have left, and what is not cut off of these is counted with the tensors in them.
/// (Liger-Kernel, benchmark/scripts/benchmark_fused_linear_cross_entropy.py, utils.py; triton.testing.do_bench)
class BenchmarkOfHeads {
public:
    explicit BenchmarkOfHeads(const std::vector<HeadCase>& cases) : cases_(cases) {}

    /// The most allocated in a whole pass of Liger's, for each length.
    std::vector<double> play() {
        for (const bool backward : {false, true})
            for (const bool liger : {true, false})
                for (const HeadCase& head : cases_) {
                    begin(head);
                    pass(head, liger, backward);
                    constexpr double cache = 256e6;  // that do_bench clears between passes
                    Handle cleared = memory_.make(cache);
                    for (int again = 0; again < 2; ++again) pass(head, liger, backward);
                    memory_.free(cleared);
                    memory_.free(leaves_);
                }
        std::vector<double> peaks;
        for (const HeadCase& head : cases_) {
            begin(head);
            pass(head, true, true);  // the first makes the gradients that the others add to
            memory_.allocator().begin_phase();
            pass(head, true, true);
            peaks.push_back(memory_.allocator().peak());
            memory_.free(leaves_);
        }
        return peaks;
    }

private:
    using Handle = ReplayedMemory::Handle;
    static constexpr double workspace = 8519680;  // cuBLAS, of the thread that runs forward and of autograd's

    static double matrix(const HeadCase& head) { return 2 * head.vocabulary * head.hidden; }
    static double states(const HeadCase& head) { return 2 * head.pass.tokens * head.hidden; }

    void begin(const HeadCase& head) {
        for (const double bytes : {matrix(head), matrix(head), states(head), 8 * head.pass.tokens})  // two heads
            leaves_.push_back(memory_.make(bytes));
        has_gradients_ = false;
    }
    void needs_workspaces(size_t count) {
        for (; workspaces_ < count; ++workspaces_) memory_.make(workspace);
    }
    // Of leaves: the first stays, later ones are added to it.
    void give(Handle& matrix, Handle& states) {
        if (has_gradients_) return memory_.free(matrix), memory_.free(states);
        leaves_.push_back(states), leaves_.push_back(matrix);
        has_gradients_ = true;
    }
    void pass(const HeadCase& head, bool liger, bool backward) {
        liger ? fused(head, backward) : plain(head, backward);
    }
    void fused(const HeadCase& head, bool backward) {
        TrainingInputs inputs = head.inputs;
        inputs.request.loss.version = FusedLoss::upcast;
        const auto at = fused_loss<double>(inputs, head.pass, head.vocabulary, head.hidden, true);
        Handle of_matrix = memory_.make(matrix(head)),
               of_states = memory_.make(bytes_of_group(at.loss, RowId::hidden_gradient));
        std::vector<Handle> own = {memory_.make(bytes_of_group(at.loss, RowId::token_losses)),
                                   memory_.make(bytes_of_group(at.loss, RowId::scalars))};
        needs_workspaces(1);
        const auto chunk = chunk_of_fused_loss<double>(inputs, head.pass, head.vocabulary, head.hidden, true);
        const FusedLossEvents turns = events_of_turns(chunk, FusedLoss::upcast);
        std::vector<Handle> slots(turns.slots, ReplayedMemory::none);
        for (const MemoryEvent& event : turns.events)
            if (event.kind == MemoryEvent::Kind::makes)
                slots[event.slot] = memory_.make(event.bytes);
            else
                memory_.free(slots[event.slot]);
        memory_.free(own);
        if (backward) return give(of_matrix, of_states);
        memory_.free(of_matrix), memory_.free(of_states);
    }
    void plain(const HeadCase& head, bool backward) {
        const auto at = at_once<double>(head.inputs, head.pass, head.vocabulary, head.hidden);
        needs_workspaces(1);
        Handle logits = memory_.make(bytes_of_group(at.forward, RowId::logits));
        Handle log_softmax = memory_.make(bytes_of_group(at.loss, RowId::log_softmax));
        memory_.free(logits);
        if (!backward) return memory_.free(log_softmax);
        needs_workspaces(2);
        Handle of_loss = memory_.make(bytes_of_group(at.backward, RowId::loss_gradient));
        Handle of_logits = memory_.make(bytes_of_group(at.backward, RowId::logits_gradient));
        memory_.free(of_loss), memory_.free(log_softmax);
        Handle of_states = memory_.make(states(head)), of_matrix = memory_.make(matrix(head));
        memory_.free(of_logits);
        give(of_matrix, of_states);
    }

    const std::vector<HeadCase>& cases_;
    ReplayedMemory memory_{false, std::numeric_limits<double>::infinity()};
    std::vector<Handle> leaves_;
    bool has_gradients_ = false;
    size_t workspaces_ = 0;
};

}  // namespace

TEST_CASE("Liger's fused product and cross-entropy: its benchmark played through the allocator, within 1,024 bytes") {
    std::vector<HeadCase> cases;
    std::vector<double> measured;
    for_each_row("fused_linear_cross_entropy/liger/full", [&](const Json& settings, double bytes) {
        cases.push_back(head_case(settings));
        measured.push_back(bytes);
    });
    REQUIRE(cases.size() == 4);
    const std::vector<double> peaks = BenchmarkOfHeads(cases).play();
    for (size_t each = 0; each < cases.size(); ++each) {
        INFO(cases[each].pass.tokens);
        CHECK(std::abs(peaks[each] - measured[each]) <= 1024);
    }
}

TEST_CASE("Liger's fused loss: what a chunk's turn makes, in three versions, with the matrix trained and frozen") {
    HeadCase head = head_case({{"BT", 8192}, {"H", 4096}, {"V", 128256}});
    const double chunk = 256.0 * 128256, matrix = 4096.0 * 128256, states = 2 * 8192 * 4096;
    const auto bytes = [&](FusedLoss version, bool trains) {
        head.inputs.request.loss.version = version;
        const auto at = fused_loss<double>(head.inputs, head.pass, head.vocabulary, head.hidden, trains);
        const double counted = version == FusedLoss::upcast ? 12 : 8192;
        return at.loss.value() - states - 4 * 8192 - counted;
    };
    for (const bool trains : {false, true}) {
        CHECK(bytes(FusedLoss::upcast, trains) == 8 * chunk);
        CHECK(bytes(FusedLoss::inside, trains) == 4 * chunk);
    }
    CHECK(bytes(FusedLoss::apart, false) == 4 * chunk);
    CHECK(bytes(FusedLoss::apart, true) == 2 * chunk + 6 * matrix);  // the product in 16 bits, and its upcast copy
    head.pass.options.numerics = precision_of("fp32")->numerics;
    head.inputs.request.loss.version = FusedLoss::apart;
    const auto at = fused_loss<double>(head.inputs, head.pass, head.vocabulary, head.hidden, true);
    CHECK(bytes_of_group(at.loss, RowId::matrix_gradient_of_a_chunk) == 4 * matrix);
    CHECK(bytes_of_group(at.loss, RowId::logits) == 4 * chunk);
}

TEST_CASE("a gated feed-forward in bf16: its backward pass with all that is saved kept, within 1,024 bytes") {
    // benchmark_swiglu.py and benchmark_geglu.py of the same table, provider huggingface, A100: width 4,096 and 11,008;
    // tokens, and MiB. The pass is asked to retain its graph; output, its gradient and all leaves stay
    struct Case {
        double tokens, mebibytes;
    };
    for (const auto& [tokens, mebibytes] : {Case{4096, 1294.25}, Case{8192, 1992.25}, Case{16384, 3452.25},
                                            Case{32768, 6372.25}, Case{65536, 12212.25}}) {
        Pass<double> pass;
        pass.batch = 1, pass.sequence = pass.keys = pass.tokens = tokens;
        pass.options.numerics = precision_of("bf16")->numerics;
        pass.training = true;
        const Traced hidden(4096), wide(11008);
        const Part part = Part::feed_forward;
        const Block block{{Linear{"gate_proj", part, hidden, wide, false, "x", "gate"},
                           Activation{part, Activation::Kind::one_kernel, "gate", "activated"},
                           Linear{"up_proj", part, hidden, wide, false, "x", "up"},
                           Multiply{part, "activated", "up", "product"},
                           Linear{"down_proj", part, wide, hidden, false, "product", "y"}}};
        const Tape<double> tape = run<double>(block, pass, 4096);
        double kept = 0;
        std::vector<double> alive(block.ops.size(), 0);
        tape.backward_lives(Tape<double>::Gradients::left_out, [&](const Tape<double>::Life& life) {
            const double bytes = life.elements * bytes_of<double>(life.dtype).n;
            if (life.kept != Tape<double>::not_kept && life.name != "x") kept += bytes;
            if (life.tensor == Tape<double>::no_storage || life.tensor == tape.output()) return;
            for (int step = life.first; step <= life.last; ++step) alive[static_cast<size_t>(step)] += bytes;
        });
        for (const TrainedTensor& own : trained_tensors(block, {})) alive[own.operation] += 2 * own.weight.elements();
        double most = 0;
        for (const double bytes : alive) most = bytes > most ? bytes : most;
        const double weights = 3 * 2 * 4096.0 * 11008, states = 2 * tokens * 4096;
        const double leaves = 2 * weights + 4 * states + 2 * 8519680;  // x and y, and a gradient of each
        INFO(tokens);
        CHECK(std::abs(leaves + kept + most - mebibytes * 1048576) <= 1024);
    }
}

TEST_CASE("an RMSNorm of Python operations, bf16 in and an fp32 weight: its backward pass, within 1,024 bytes") {
    // benchmark_rms_norm.py of the same table, provider huggingface, A100: 2,048 tokens; width, and MiB. The pass is
    // asked to retain its graph, and is given a bf16 gradient, whose fp32 copy autograd's engine holds throughout
    struct Case {
        double width, mebibytes;
    };
    constexpr double tokens = 2048;
    for (const auto& [width, mebibytes] :
         {Case{1024, 80.01953125}, Case{2048, 160.03125}, Case{4096, 320.0546875}, Case{8192, 640.1015625},
          Case{16384, 1280.1953125}, Case{32768, 2560.3828125}}) {
        Pass<double> pass;
        pass.batch = 1, pass.sequence = pass.keys = pass.tokens = tokens;
        pass.options.numerics = precision_of("bf16-autocast")->numerics;  // 16-bit values meet an fp32 weight
        pass.training = true;
        const double elements = tokens * width;
        Tape<double> tape(pass);
        tape.makes("x", elements, Dtype::sixteen_bit);
        tape.begin(0, Part::norm);
        Norm{"norm", Norm::Kind::rms, Traced(width), true, false, "x", "normed"}.forward(tape);
        // x, its gradient of the run before, the output, its gradient and that one's copy; what is normalised stays
        const double beside = (2 + 2 + 4 + 2 + 4 + 2) * elements, vectors = 3 * 4 * width;
        INFO(width);
        CHECK(std::abs(tape.backward_peak().alive.n + beside + vectors - mebibytes * 1048576) <= 1024);
    }
}

TEST_CASE("LayerNorm in fp32: what its backward pass reads and makes, beside leaves, within 1,024 bytes") {
    const int rows = for_each_row("layer_norm/huggingface/full", [](const Json& settings, double measured) {
        Pass<double> pass;
        pass.batch = 1, pass.sequence = pass.keys = pass.tokens = settings.at("M");
        pass.options.numerics = precision_of("fp32")->numerics;
        pass.training = true;
        const double width = settings.at("N"), activation = 4 * pass.tokens * width;
        const Block block{{Norm{"norm", Norm::Kind::layer, Traced(width), true, true, "x", "normed"}}};
        Bytes<double> arriving{0};
        const double alive =
            run<double>(block, pass, width).backward_peak(Tape<double>::Gradients::pass, 0, &arriving).alive.n;
        // the output and the input's gradient of the run before; two modules, and the gradients of one
        const double leaves = 2 * activation + 2 * 8 * width + 8 * width;
        CHECK(std::abs(alive + arriving.n + leaves - measured) <= 1024);
    });
    CHECK(rows == 4);
}

TEST_CASE("cut cross-entropy: a megabyte for the loss of Gemma 2 2B, and a gigabyte with its gradients") {
    // arXiv:2411.09009: 8,192 tokens, 256,000 words, width 2304, bf16; the loss takes 24 GB with all logits at once and
    // 1 MB so, the head with its gradients 28 GB and 1 GB. cce_backward.py makes no others than these two in 16 bits
    Pass<double> pass;
    pass.batch = 1, pass.sequence = pass.tokens = 8192;
    pass.options.numerics = precision_of("bf16")->numerics;
    const double vocabulary = 256000, hidden = 2304, tokens = 8192, predicted = 8191;
    const auto at = cut_loss<double>(pass, vocabulary, hidden, true);
    const double saved = 4 * predicted + 8 * predicted + 8 * tokens + 4 * vocabulary;
    CHECK(at.forward.value() == 0);
    CHECK(at.loss.value() == saved + 4 * predicted);
    CHECK(at.backward.value() == saved);
    CHECK(at.head.value() == saved + 4 * vocabulary + 4 * 36 * (64 + 2000));
    CHECK(std::round((at.loss.value() - 8 * tokens) / 1048576) == 1);
    const double gradients = 2 * hidden * (vocabulary + tokens);
    CHECK(std::round((at.head.value() - 8 * tokens + gradients) / 1073741824) == 1);
    pass.options.numerics = precision_of("bf16-autocast")->numerics;
    CHECK(cut_loss<double>(pass, vocabulary, hidden, true).head.value() == at.head.value() + gradients);
}

}  // namespace plimsoll::test::kernels
