// What optimizers keep and what their steps make, on a model small enough to count by hand. The figures marked as
// counted were counted on the optimizers' own code, state by state, with PyTorch 1.13 on tensors of these shapes.
#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::optimizers {

namespace {

struct Shape {
    double rows, columns, tensors;
    bool hidden = true;  // between embedding and head
};

constexpr double h = 256, kv = 64, f = 704, L = 3, V = 1000;
constexpr Shape matrices[] = {{V, h, 1, false}, {h, h, 2 * L}, {kv, h, 2 * L},
                              {f, h, 2 * L},    {h, f, L},     {V, h, 1, false}};
constexpr double vectors = (2 * L + 1) * h, outer = 2 * V * h + vectors;

template <class Each>
double over_matrices(Each each) {
    double sum = 0;
    for (const Shape& shape : matrices) sum += shape.tensors * each(shape);
    return sum;
}

const double parameters = over_matrices([](const Shape& m) { return m.rows * m.columns; }) + vectors;

Json trained(const char* optimizer, const char* precision = "fp32", Json training = Json::object()) {
    training["optimizer"] = optimizer;
    training["precision"] = precision;
    training["sequence"] = 64;
    return ask({{"task", "training"}, {"model", {{"config", small_llama()}}}, {"training", training}});
}

/// Bytes at a phase; states alone are there before the step.
double at(const Json& reply, const char* path, const char* phase) {
    return row(reply, path).at("by_phase").at(phase).get<double>();
}
double states(const Json& reply) { return at(reply, "optimizer", "forward"); }
double states(const char* optimizer, const char* precision = "fp32", const Json& training = Json::object()) {
    return states(trained(optimizer, precision, training));
}
double temporaries(const Json& reply, const char* phase = "step") {
    return at(reply, "optimizer", phase) - states(reply);
}

double larger(const Shape& m) { return std::max(m.rows, m.columns); }
double smaller(const Shape& m) { return std::min(m.rows, m.columns); }

}  // namespace

TEST_CASE("optimizers of PyTorch: so many tensors a parameter, in its type") {
    const std::pair<const char*, double> kept[] = {{"sgd", 0},
                                                   {"sgd-momentum", 1},
                                                   {"sgd-nesterov", 1},
                                                   {"adam", 2},
                                                   {"adamw", 2},
                                                   {"adam-amsgrad", 3},
                                                   {"adamw-amsgrad", 3},
                                                   {"nadam", 2},
                                                   {"radam", 2},
                                                   {"adamax", 2},
                                                   {"adagrad", 1},
                                                   {"adadelta", 2},
                                                   {"rmsprop", 1},
                                                   {"rmsprop-momentum", 2},
                                                   {"rmsprop-centered", 2},
                                                   {"rmsprop-momentum-centered", 3},
                                                   {"asgd", 1},
                                                   {"rprop", 2},
                                                   {"lion", 1},
                                                   {"schedule-free-adamw", 2}};
    for (const auto& [id, tensors] : kept) {
        INFO(id);
        CHECK(states(id) == 4 * tensors * parameters);
        CHECK(states(id, "bf16") == 2 * tensors * parameters);
        CHECK(states(id, "bf16-mixed") == 4 * tensors * parameters);  // of the fp32 master copy
    }
}

TEST_CASE("states as counted on the optimizers' own code") {
    struct Counted {
        const char *id, *precision;
        double bytes;
    };
    const Counted counted[] = {{"adafactor", "fp32", 35648 + 28928 + 7168},
                               {"adafactor", "bf16", 35648 + 28928 + 7168},
                               {"adafactor-momentum", "bf16", 10509312 + 35648 + 28928 + 7168},
                               {"soap", "fp32", 2.0 * 10509312 + 2.0 * 33542656},
                               {"muon", "fp32", 8454144 + 2.0 * 2055168},
                               {"muon", "bf16", 4227072 + 2.0 * 1027584},
                               {"galore-adamw", "fp32", 4030464 + 2.0 * 6478848},
                               {"galore-adamw", "bf16", 1032192 + 2.0 * 3239424},
                               {"apollo-mini", "fp32", 16896 + 2.0 * 2092800},
                               {"apollo-mini", "bf16", 8448 + 2.0 * 1046400}};
    for (const Counted& each : counted) {
        INFO(each.id << " " << each.precision);
        CHECK(states(each.id, each.precision) == each.bytes);
    }
}

TEST_CASE("Adafactor: a number a row and a column, vectors are not factored") {
    const double factors = over_matrices([](const Shape& m) { return m.rows + m.columns; });
    CHECK(states("adafactor") == 4 * (factors + vectors));
    CHECK(states("adafactor-momentum") == 4 * (factors + vectors + parameters));
    CHECK(states("adalomo") == 4 * (factors + vectors));
}

TEST_CASE("Shampoo and SOAP: a matrix over each side") {
    const auto side = [](double rows, double columns) {  // blocks of at most 1024: none of these sides is longer
        return rows * rows + columns * columns;
    };
    const double over_sides = over_matrices([&](const Shape& m) { return side(m.rows, m.columns); });
    CHECK(states("soap") == 4 * (2 * parameters + 2 * over_sides));
    CHECK(states("shampoo") == 4 * (2 * parameters + 2 * (over_sides + (2 * L + 1) * h * h)));
    Json wide = small_llama();
    wide["intermediate_size"] = 2500;  // two blocks of 1024 and one of 452, each with its square over both sides
    wide["num_hidden_layers"] = 1;
    const auto of_wide = [&wide](const char* path, const char* precision) {
        const Json reply = ask({{"task", "training"},
                                {"model", {{"config", wide}}},
                                {"training", {{"optimizer", "shampoo"}, {"precision", precision}, {"sequence", 8}}}});
        return at(reply, path, "forward");
    };
    const double blocks = 3 * (2 * 1024.0 * 1024 + 452.0 * 452 + 3 * h * h);
    const double others = 2 * (V * V + h * h) + 2 * (h * h + h * h) + 2 * (kv * kv + h * h) + 3 * h * h;
    CHECK(of_wide("optimizer/factor_matrices", "bf16") == 4 * (blocks + others));
}

TEST_CASE("SOAP leaves out sides beyond 10000") {
    const Json reply = ask({{"task", "training"},
                            {"model", {{"preset", "llama-3-8b"}}},
                            {"training", {{"optimizer", "soap"}, {"precision", "bf16"}, {"sequence", 8}}}});
    const double hidden = 4096, keys = 1024;  // vocabulary and 14336 have none
    const double layer = 2 * 2 * hidden * hidden + 2 * (hidden * hidden + keys * keys) + 3 * hidden * hidden;
    CHECK(at(reply, "optimizer/GG", "forward") == 4 * (32 * layer + 2 * hidden * hidden));
}

TEST_CASE("projected gradients: rank by the larger side, and the projector over the smaller") {
    constexpr double rank = 32;
    const Json galore = {{"galore", {{"rank", rank}}}};
    double moments = 0, projectors = 0, whole = 0;
    for (const Shape& m : matrices) {
        if (!m.hidden) continue;
        moments += m.tensors * rank * larger(m);
        projectors += m.tensors * rank * smaller(m);
        whole += m.tensors * smaller(m) * smaller(m);
    }
    CHECK(states("galore-adamw", "bf16", galore) == 2 * (2 * (moments + outer) + projectors));
    CHECK(states("galore-adamw", "fp32", galore) == 4 * (2 * (moments + outer) + whole));
    CHECK(states("apollo", "fp32", galore) == 4 * (2 * (moments + outer) + projectors));
    const Json attention = {{"galore", {{"rank", rank}, {"targets", {"attention"}}}}};
    const double without = 3 * L * h * f;  // the feed-forward layers have whole moments
    const double narrow = 2 * L * rank * (h + h), few = 2 * L * rank * (h + kv);
    CHECK(states("apollo", "fp32", attention) == 4 * (2 * (narrow + without + outer) + few));
    // transformers' all-linear has the vocabulary head in it
    const Json all = {{"galore", {{"rank", rank}, {"targets", "all-linear"}}}};
    CHECK(states("apollo", "fp32", all) == 4 * (2 * (moments + rank * V + outer - V * h) + projectors + rank * h));
    CHECK(refuse(R"({"task": "training", "model": {"preset": "llama-3-8b"},
                     "training": {"optimizer": "apollo", "galore": {"rank": 0}}})")
              .at("where") == "training.galore.rank");
}

TEST_CASE("narrow states: a scale a block, a table a tensor, small tensors wide") {
    const double wide = V * h + vectors, packed = parameters - wide, inner = parameters - vectors;
    CHECK(states("lion-8bit") == packed + packed / 256 * 4 + 4 * wide);
    CHECK(states("ademamix-8bit") == 3 * (packed + packed / 256 * 4 + 4 * wide));
    const double tensors = 7 * L + 2;
    CHECK(states("adamw-4bit", "bf16") == 2 * (inner / 2 + inner / 128 * 4 + 64 * tensors + 2 * vectors));
    CHECK(states("adamw-fp8", "fp32") == 2 * (inner + inner / 256 * 4 + 4 * vectors));
    CHECK(states("adamw-8bit-torchao", "bf16") == 2 * (inner + inner / 256 * 4 + 1024 * tensors + 2 * vectors));
    CHECK(states("adamw-32bit", "bf16") == 8 * parameters);
}

TEST_CASE("paged states lie on the host, small tensors and scales on the device") {
    const Json reply = trained("paged-adamw-8bit", "bf16");
    const Json& host = reply.at("host").at("rows").at(0);
    CHECK(host.at("id") == "optimizer");
    CHECK(host.at("pinned") == true);
    const double embedding = 4 * V * h, head = V * h, layers = L * 3 * h * f;  // of at least 100 000 elements
    CHECK(host.at("bytes").get<double>() == 2 * (embedding + head + layers));
    CHECK(host.at("bytes").get<double>() + states(reply) == states("adamw-8bit", "bf16"));
    CHECK(reply.at("notes").at(0).at("code") == "paged_optimizer");
}

TEST_CASE("a step's temporaries: lists with foreach, one parameter's with a loop, none when fused") {
    const auto step = [](const char* optimizer, const char* way, const char* precision = "fp32") {
        return temporaries(trained(optimizer, precision, {{"optimizer_step", way}}));
    };
    CHECK(step("adamw", "foreach") == 4 * parameters);
    CHECK(step("adamw", "foreach", "bf16") == 2 * parameters);
    // PyTorch 2.0: the list of roots, and that of denominators (torch/optim/adamw.py, _multi_tensor_adamw)
    CHECK(step("adamw", "foreach-2.0") == 8 * parameters);
    CHECK(step("adam", "foreach-2.0", "bf16") == 4 * parameters);
    CHECK(refuse(R"({"task": "training", "model": {"preset": "llama-3-8b"},
                     "training": {"optimizer": "lion", "optimizer_step": "foreach-2.0"}})")
              .at("where") == "training.optimizer_step");
    CHECK(step("adadelta", "foreach") == 8 * parameters);
    CHECK(step("sgd-momentum", "foreach") == 0);
    CHECK(step("adamw", "fused") == 0);
    // gate, then up: the denominator of the one is there while the root and the quotient of the other are made
    CHECK(step("adamw", "loop") == 4 * 3 * h * f);
    CHECK(step("sgd-nesterov", "loop") == 4 * V * h);
    CHECK(step("radam", "loop") == 4 * (4 * V * h + h));  // the final norm is before the head
    // counted, with factors of rows and columns that are left out here: 2 162 976, 4 101 312
    CHECK(temporaries(trained("adafactor")) == 3 * 4 * h * f);
    CHECK(temporaries(trained("adafactor", "bf16")) == 4 * (4 * V * h + h));
    CHECK(refuse(R"({"task": "training", "model": {"preset": "llama-3-8b"},
                     "training": {"optimizer": "nadam", "optimizer_step": "fused"}})")
              .at("where") == "training.optimizer_step");
}

TEST_CASE("without a word, PyTorch's optimizers step with foreach, and those of fp32 master weights are fused") {
    CHECK(temporaries(trained("adamw")) == 4 * parameters);
    CHECK(temporaries(trained("adamw", "bf16-mixed")) == 0);
    CHECK(temporaries(trained("nadam", "bf16-mixed")) == 4 * parameters);
    CHECK(temporaries(trained("adamw-8bit")) == 0);
}

TEST_CASE("Muon makes four bf16 copies of one matrix and two Gram matrices") {
    const double matrix = f * h, gram = h * h;
    const double orthogonalised = 4 * matrix + 4 * 2 * matrix + 2 * 2 * gram;
    CHECK(temporaries(trained("muon")) == std::max(orthogonalised, 4 * outer));
}

TEST_CASE("an optimizer that releases gradients has them one layer at a time, and no step of its own") {
    const Json reply = trained("lomo", "bf16");
    CHECK(states(reply) == 0);
    CHECK(at(reply, "gradients", "step") == 0);
    CHECK(at(reply, "optimizer", "step") == 0);
    CHECK(at(reply, "optimizer", "backward") == 2 * 4 * V * h);  // fp32 copies of gradient and parameter
    CHECK(at(reply, "gradients", "backward") < at(trained("sgd", "bf16"), "gradients", "step"));
}

TEST_CASE("where only the number of parameters is known, states count all of them") {
    const auto of = [](const char* optimizer) {
        const Json reply = ask({{"task", "training"},
                                {"model", {{"parameters", 7e9}}},
                                {"training", {{"optimizer", optimizer}, {"precision", "bf16"}, {"sequence", 8}}}});
        return states(reply);
    };
    CHECK(of("adamw") == 28e9);
    CHECK(of("adamw-8bit") == 2 * (7e9 + 4 * std::ceil(7e9 / 256)));
    CHECK(of("adafactor") > 0);
    CHECK(of("adafactor") < of("adamw") / 100);
    CHECK(of("galore-adamw") < of("adamw"));
}

TEST_CASE("the method galore: full training in 16 bits with an optimizer that projects gradients") {
    const Json reply = ask({{"task", "training"},
                            {"model", {{"config", small_llama()}}},
                            {"training", {{"method", "galore"}, {"sequence", 64}}}});
    CHECK(states(reply) == states("galore-adamw", "bf16"));
    CHECK(row(reply, "weights").at("bytes").get<double>() == 2 * parameters);
    CHECK(refuse(R"({"task": "training", "model": {"preset": "llama-3-8b"},
                     "training": {"method": "galore", "optimizer": "adamw"}})")
              .at("where") == "training.optimizer");
}

TEST_CASE("fp8 products: copies of linear layers from the forward to the backward pass, and histories that stay") {
    const Json reply = trained("adamw", "fp8-mixed");
    const double linear = parameters - outer, products = 7 * L;
    CHECK(at(reply, "fp8/weight_copies", "forward") == linear);
    CHECK(at(reply, "fp8/weights_transposed", "backward") == linear);
    CHECK(at(reply, "fp8", "step") == products * 5 * 1025 * 4);
    const Json mixed = trained("adamw", "bf16-mixed");
    for (const char* path : {"weights", "master_weights", "gradients", "optimizer"})
        CHECK(at(reply, path, "step") == at(mixed, path, "step"));
    CHECK(trained("adamw", "tf32").at("total").at("process") == trained("adamw", "fp32").at("total").at("process"));
    CHECK(trained("adamw", "fp8-dynamic").at("rows").size() == trained("adamw", "bf16").at("rows").size());
}

TEST_CASE("fp8 recipes: scales of tensors, of blocks of 128 by 128, or of every 32, both ways round") {
    Json request = {{"task", "training"},
                    {"model", {{"config", small_llama()}}},
                    {"training", {{"precision", "fp8-mixed"}, {"sequence", 128}}}};
    const auto fp8 = [&request](const char* path, const char* phase, const char* recipe) {
        request["training"]["fp8_recipe"] = recipe;
        return at(ask(request), path, phase);
    };
    const double layers = 3, products = 7 * layers, linear = layers * (2 * h * h + 2 * h * kv + 3 * h * f);
    CHECK(fp8("fp8", "step", "current") == products * 5 * 4);
    CHECK(fp8("fp8/scales_and_histories", "forward", "mxfp8") == 2 * linear / 32);
    CHECK(fp8("fp8", "step", "mxfp8") == 0);
    // 256 and 704 are 2 and 6 blocks of 128, a key-value head's 64 are one
    CHECK(fp8("fp8/scales_and_histories", "forward", "blockwise") ==
          2 * 4 * layers * (2 * 2 * 2 + 2 * 2 * 1 + 3 * 2 * 6));
    for (const char* recipe : {"delayed", "current", "blockwise", "mxfp8"})
        CHECK(fp8("fp8/weights_transposed", "backward", recipe) == linear);
}

TEST_CASE("modules that give up their output are recomputed in fp8 by blocks, which is told") {
    const Json request = {{"task", "training"},
                          {"model", {{"config", small_llama()}}},
                          {"training",
                           {{"precision", "fp8-mixed"},
                            {"checkpointing", "selective"},
                            {"recompute_modules", {"layernorm"}},
                            {"sequence", 128}}}};
    const Json reply = ask(request);
    bool told = false;
    for (const Json& each : reply.at("assumptions"))
        told = told || (each.at("field") == "training.fp8_recipe" && each.at("value") == "blockwise");
    CHECK(told);
    CHECK(at(reply, "fp8", "step") == 0);
}

TEST_CASE("Adagrad's sums are there before the first step, as its constructor makes them, and Adam's are not") {
    CHECK(at(trained("adagrad"), "optimizer", "load") == 4 * parameters);
    CHECK(at(trained("adamw"), "optimizer", "load") == 0);
    const Json reply = trained("adagrad");
    const Json& allocator = reply.at("allocator");
    CHECK(allocator.at("first_step")[0].at("requested").get<double>() >= 2 * 4 * parameters);
}

}  // namespace plimsoll::test::optimizers
