#include "api/request/sparsity.h"

#include "api/request/request_parts.h"
#include "inputs/capabilities.h"
#include "policies/encodings/semi_structured.h"

namespace plimsoll {
namespace {

std::string read_kind(Fields& sparsity, Reading& reading) {
    if (!sparsity.has("kind"))
        reading.fail({"missing_field", sparsity.path("kind"), "the kind of sparsity is missing",
                      "one of: " + std::string(choice_names<SparsityKind>)});
    std::string kind = sparsity.choice("kind", choice_names<SparsityKind>, "", "");
    if (kind != "structured" && sparsity.has("of"))
        reading.fail({"not_supported", sparsity.path("of"), "says what structured pruning takes out; this is " + kind,
                      "leave it out, or set kind to structured"});
    return kind;
}

Pruning::Of read_of(Fields& sparsity, Reading& reading) {
    if (!sparsity.has("of"))
        reading.fail({"missing_field", sparsity.path("of"), "what structured pruning takes out is not said",
                      "one of: " + std::string(choice_names<PrunedPart>)});
    const std::string of = sparsity.choice("of", choice_names<PrunedPart>, "", "");
    if (of == "heads") return Pruning::Of::heads;
    return of == "layers" ? Pruning::Of::layers : Pruning::Of::intermediate;
}

void store_two_of_four(const Fields& sparsity, const ModelChoice& model, InferenceInputs& inputs, Reading& reading) {
    const Encoding& dense = *inputs.weights;
    if (inputs.weights_as_stored)
        return reading.fail({"not_supported", sparsity.path("kind"),
                             "the tensors are counted as the checkpoint has them",
                             "name the format in weights.encoding"});
    if (!dense.semi_structured)
        return reading.fail({"not_supported", sparsity.path("kind"), "no runtime stores " + dense.name + " as 2:4",
                             "another weights.encoding, such as bf16, int8 or gptq-4bit-128g; or leave sparsity out"});
    if (model.model.declared_parameters || !model.model.missing.empty())
        return reading.fail({"missing_field", "model", "2:4 is of linear layers, and the model's shape is not known",
                             "state the model's shape in place of a number of parameters"});
    leave_out_two_of_four(model.model, dense, inputs.mix);
}

}  // namespace

Pruning read_pruning(const Json& request, Reading& reading) {
    Fields sparsity = Fields(&request, "", reading).child("weights").child("sparsity");
    Pruning pruning;
    if (!capabilities.altered_models) {
        if (sparsity.has("kind")) reading.fail(ask_the_whole("weights.sparsity"));
        return pruning;
    }
    if (reading.error || !sparsity.has("kind") || read_kind(sparsity, reading) != "structured") return pruning;
    pruning.of = read_of(sparsity, reading);
    const std::optional<double> fraction = sparsity.optional_number("fraction");
    if (!fraction)
        reading.fail({"missing_field", sparsity.path("fraction"), "how much is taken out is not said", "0.5 for half"});
    else if (*fraction > 0.99)
        reading.fail({"out_of_range", sparsity.path("fraction"), "nothing is left of the model", "at most 0.99"});
    pruning.fraction = fraction.value_or(0);
    return pruning;
}

void read_sparsity(const Fields& weights, const ModelChoice& model, InferenceInputs& inputs, Reading& reading) {
    if (!capabilities.altered_models || !weights.has("sparsity") || weights.raw("sparsity").is_null()) return;
    Fields sparsity = weights.child("sparsity");
    const std::string kind = read_kind(sparsity, reading);
    const std::optional<double> fraction = sparsity.optional_number("fraction");
    if (reading.error || kind == "structured" || !inputs.weights) return;
    if (kind == "unstructured") {
        if (!reading.silent)
            reading.notes.push_back(
                {"sparsity_saves_nothing", "weights.sparsity",
                 "zeros anywhere are stored like other values: no runtime here has a format for them"});
        return;
    }
    if (fraction && *fraction != 0.5)
        return reading.fail(
            {"out_of_range", sparsity.path("fraction"), "2:4 leaves out two of four values", "0.5, or leave it out"});
    store_two_of_four(sparsity, model, inputs, reading);
}

void refuse_sparse_training(const Fields& weights, Reading& reading) {
    if (!weights.has("sparsity") || weights.raw("sparsity").is_null()) return;
    Fields sparsity = weights.child("sparsity");
    if (const std::string kind = read_kind(sparsity, reading); kind != "structured")
        reading.fail({"not_supported", sparsity.path("kind"),
                      "training keeps zeros like other values: " + kind + " saves nothing",
                      "structured, or leave it out"});
}

}  // namespace plimsoll
