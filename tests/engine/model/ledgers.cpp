// One layer's tape against what PyTorch's autograd did on real modules: tests/measured/training_autograd_more.jsonl.
#include <cmath>
#include <sstream>

#include "engine/support.h"
#include "estimate/training/parameters/trained.h"
#include "formats/huggingface/huggingface.h"
#include "model/core/profile.h"
#include "model/read/architecture.h"
#include "model/transform/frozen_parts.h"
#include "model/transform/seen_images.h"
#include "policies/training/precision.h"

namespace plimsoll::test::ledgers {

using plimsoll::test::Json;

namespace {

Pass<double> pass_of(const Json& row) {
    Pass<double> pass;
    pass.batch = row.at("b"), pass.sequence = pass.keys = row.at("s");
    pass.tokens = pass.batch * pass.sequence;
    const std::string precision = row.at("prec"), attention = row.at("attn");
    pass.options.numerics = precision_of(precision.rfind("amp", 0) == 0 ? "bf16-autocast" : precision)->numerics;
    if (precision == "amp16") pass.options.numerics.parameter = Dtype::sixteen_bit;
    pass.options.attention = attention == "eager"   ? AttentionKernel::eager
                             : attention == "flash" ? AttentionKernel::flash
                                                    : AttentionKernel::sdpa;
    pass.options.norm = row.at("norm") == "fused" ? NormKernel::fused : NormKernel::reference;
    pass.options.experts = row.value("experts", "grouped") == "loop" ? ExpertsKernel::loop : ExpertsKernel::grouped;
    pass.options.dropout = row.at("dropout");
    const std::string mask = row.value("mask", "none");
    pass.options.mask = mask == "boolean"    ? AttentionMask::boolean
                        : mask == "additive" ? AttentionMask::additive
                                             : AttentionMask::none;
    for (const Json& name : row.value("recompute_modules", Json::array()))
        for (size_t module = 0; module < recomputed_module_count; ++module)
            if (name.get<std::string>() == name_at(choice_names<RecomputedModule>, module))
                pass.options.recomputed.add(static_cast<RecomputedModule>(module));
    pass.training = true;
    return pass;
}

Model model_of(const Json& row) {
    const auto facts = read_config(row.at("config"), "row", "config");
    REQUIRE(static_cast<bool>(facts));
    const auto model = read_model(*facts);
    REQUIRE(static_cast<bool>(model));
    return *model;
}

/// The first kind of layer of the row's model, run over its tokens.
Tape<double> tape_of(const Json& row, const Pass<double>& pass) {
    const Model model = model_of(row);
    return run<double>(model.kinds.front().block, pass, model.hidden_size->value());
}

/// The layers of the tower of the row's model, over its patches.
Tape<double> tape_of_tower(const Json& row, const Pass<double>& pass) {
    const Model model = model_of(row);
    for (const Tower& tower : model.towers)
        for (const LayerKind& kind : tower.kinds)
            if (kind.stream == Stream::patches_of_layer)
                return run<double>(kind.block, pass, width_of(kind, *model.hidden_size).value());
    FAIL("no layers of a tower");
    return Tape<double>(pass);
}

double saved_bytes(const Tape<double>& tape) {
    double bytes = 0;
    for (const auto& saved : tape.saved())
        if (saved.recomputed == Brackets::none) bytes += saved.elements * bytes_of<double>(saved.dtype).n;
    return tape.options().numerics.autocast ? bytes + 2 * tape.cast_matrices() : bytes;
}

bool is_adapted(const Json& row) { return row.contains("lora"); }
bool is_not_adapted(const Json& row) { return !is_adapted(row); }

/// What is trained in a row's layers.
Adapter adapter_of(const Json& row) {
    Adapter adapter;
    adapter.rank = row.value("r", 0.0);
    adapter.block = row.value("oft_block_size", 0.0);
    adapter.dtype = row.at("lora_dtype") == "float32" ? Dtype::float32 : Dtype::sixteen_bit;
    for (const Json& name : row.at("lora")) adapter.targets.push_back(name.get<std::string>() + "_proj");
    return adapter;
}

/// Those rows of a kind that are wanted; returns how many they are.
template <class Wanted, class Check>
int for_each_row(const char* kind, Wanted wanted, Check check) {
    std::istringstream lines(test::read("tests/measured/training_autograd_more.jsonl"));
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        if (row.at("kind") != kind || !wanted(row)) continue;
        INFO(row.at("family") << " " << row.at("prec") << " " << row.at("attn") << " " << row.dump());
        check(row);
        ++rows;
    }
    return rows;
}

}  // namespace

TEST_CASE("every kind of layer keeps what autograd keeps, to the byte") {
    CHECK(for_each_row("layer", is_not_adapted, [](const Json& row) {
              CHECK(saved_bytes(tape_of(row, pass_of(row))) * row.at("L").get<double>() == row.at("total"));
          }) > 150);
}

TEST_CASE("the layers of vision towers keep what autograd keeps, to the byte") {
    CHECK(for_each_row("tower_layer", is_not_adapted, [](const Json& row) {
              CHECK(saved_bytes(tape_of_tower(row, pass_of(row))) * row.at("L").get<double>() == row.at("total"));
          }) == 45);
}

TEST_CASE("what is alive at most in a layer comes near what is alive at PyTorch's operations") {
    double forward = 0, backward = 0;
    const auto off = [](double answer, double truth) { return std::abs(answer - truth) / truth; };
    const int rows = for_each_row("layer_peak", is_not_adapted, [&](const Json& row) {
        const Tape<double> tape = tape_of(row, pass_of(row));
        if (row.contains("recompute_modules") && row.at("attn") == "flash" && !row.contains("experts"))
            CHECK(std::abs(tape.backward_peak().alive.n - row.at("backward_peak").get<double>()) <=
                  8);  // a CPU's scalars
        const double before = off(tape.forward_peak().alive.n, row.at("forward_peak")),
                     after = off(tape.backward_peak().alive.n, row.at("backward_peak"));
        CHECK(before < 0.25);  // long sequences with eager attention
        CHECK(after < 0.25);
        forward += before, backward += after;
    });
    REQUIRE(rows == 62);
    CHECK(forward / rows < 0.06);
    CHECK(backward / rows < 0.06);
}

TEST_CASE("a layer whose inputs are turned has at most what PyTorch's operations have") {
    const auto off = [](double answer, double truth) { return std::abs(answer - truth) / truth; };
    const auto turned = [](const Json& row) { return row.contains("oft_block_size"); };
    const int rows = for_each_row("layer_peak", turned, [&](const Json& row) {
        const Adapter adapter = adapter_of(row);
        Pass<double> pass = pass_of(row);
        pass.options.adapter = &adapter, pass.trainable = false;
        const Tape<double> tape = tape_of(row, pass);
        CHECK(off(tape.forward_peak().alive.n, row.at("forward_peak")) < 0.085);
        // of 48 tokens, the gradients of a block's matrices are not small; they are not followed
        CHECK(off(tape.backward_peak().alive.n, row.at("backward_peak")) <
              (adapter.targets.size() == 2 ? 0.001 : 0.085));
    });
    CHECK(rows == 20);
}

TEST_CASE("experts in one product have at most what PyTorch's operations have, trained and frozen") {
    const auto grouped = [](const Json& row) {
        return row.value("experts", "") == "grouped" && !row.contains("recompute_modules");
    };
    const int rows = for_each_row("layer_peak", grouped, [](const Json& row) {
        Pass<double> pass = pass_of(row);
        Adapter adapter;
        if (is_adapted(row)) {
            adapter = adapter_of(row);
            pass.options.adapter = &adapter, pass.trainable = false;
        }
        const Tape<double> tape = tape_of(row, pass);
        Bytes<double> own{0};
        const double backward = tape.backward_peak(Tape<double>::Gradients::stay, 0, &own).alive.n + own.n,
                     counted = row.at("backward_peak_with_gradients");
        CHECK(std::abs(backward - counted) < 0.01 * counted);
    });
    CHECK(rows == 28);
}

TEST_CASE("a model of which named parts are trained keeps what autograd keeps, to the byte") {
    const int rows = for_each_row("frozen", is_not_adapted, [](const Json& row) {
        Model model = model_of(row);
        TrainingRequest request;
        const Json& named = row.at("freeze");
        request.method.parts =
            TrainedParts{named.at("trainable_layers"), named.at("trainable_modules"), named.at("extra_modules")};
        freeze_all_but(model, *request.method.parts);
        const Pass<double> pass = pass_of(row);
        const auto kept = [&](const Block& block) {
            return saved_bytes(run<double>(block, pass, model.hidden_size->value()));
        };
        double total = kept(model.embedding) + kept(model.head);
        for (const unsigned short kind : model.order) total += kept(model.kinds[kind].block);
        CHECK(total == row.at("total"));
        CHECK(trainable_parameters<double>(model, request) == row.at("trained"));
    });
    CHECK(rows == 84);
}

}  // namespace plimsoll::test::ledgers
