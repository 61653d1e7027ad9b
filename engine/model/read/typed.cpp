// A decoder from numbers typed by hand. What is not typed is left out and named, rather than guessed.
#include <cmath>

#include "model/build/decoder.h"
#include "model/read/usual_decoder.h"

namespace plimsoll {
namespace {

struct Typed {
    std::optional<Traced> hidden, layers, heads, kv_heads, head_dim, intermediate, vocab;
};

Typed read(Reader& config) {
    Typed typed{config.optional_count({"hidden_size"}),
                config.optional_count({"num_hidden_layers"}),
                config.optional_count({"num_attention_heads"}),
                config.optional_count({"num_key_value_heads"}),
                config.optional_count({"head_dim"}),
                config.optional_count({"intermediate_size"}),
                config.optional_count({"vocab_size"})};
    if (typed.heads && !typed.kv_heads)
        typed.kv_heads = config.count_or({"num_key_value_heads"}, *typed.heads,
                                         "not stated: as many key-value heads as attention heads");
    if (typed.heads && typed.kv_heads) config.require_multiple(*typed.heads, *typed.kv_heads, "num_key_value_heads");
    if (!typed.head_dim && typed.hidden && typed.heads) typed.head_dim = config.head_dim(*typed.hidden, *typed.heads);
    return typed;
}

Block layer_of(const Typed& typed) {
    Block layer;
    append_normed(layer, Norm::Kind::rms, false, *typed.hidden, "x", "normed");
    if (typed.heads && typed.head_dim) {
        AttentionShape attention;
        attention.hidden = *typed.hidden, attention.heads = *typed.heads, attention.kv_heads = *typed.kv_heads,
        attention.head_dim = *typed.head_dim;
        append_attention(layer, attention, "normed", "attention_out");
        layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_attended"});
    }
    append_normed(layer, Norm::Kind::rms, false, *typed.hidden, typed.heads ? "x_attended" : "x", "normed_2");
    if (typed.intermediate) {
        append_feed_forward(layer, {*typed.hidden, *typed.intermediate}, "normed_2", "feed_forward_out");
        layer.ops.push_back(Add{Part::feed_forward, "x_attended", "feed_forward_out", "x_out"});
    }
    return layer;
}

}  // namespace

Facts usual_decoder(double parameters, double vocabulary, bool tied) {
    // layers of 12 h² weights, h being 128 times their number (arXiv:2001.08361, figure 5: the ratio matters little)
    constexpr double step = 256;
    double hidden = step;
    const auto weights_of_width = [](double width) { return 12 * width * width * width / 128; };
    while (weights_of_width(hidden + step / 2) < parameters) hidden += step;
    Facts facts;
    facts.origin = "a usual decoder";
    facts.values = {{"hidden_size", hidden},
                    {"num_hidden_layers", hidden / 128},
                    {"num_attention_heads", hidden / 128},
                    {"head_dim", 128.0},
                    {"intermediate_size", std::ceil(hidden / 96) * step},
                    {"vocab_size", vocabulary},
                    {"tie_word_embeddings", tied}};
    return facts;
}

Result<Model> read_typed(const Facts& facts) {
    Reader config(facts, "typed by hand", {});
    const Typed typed = read(config);
    Model model;
    model.declared_parameters = config.optional_amount("parameters", 1e15);
    model.name = "typed by hand";
    model.architecture = "generic decoder";
    model.hidden_size = typed.hidden;
    model.vocab_size = typed.vocab;
    model.generic = true;
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    // biases, norms and a head that may be tied are not asked for
    if (!model.declared_parameters) model.uncertainty = 0.05;
    const auto lacks = [&model](const std::optional<Traced>& value, const char* name) {
        if (!value) model.missing.emplace_back(name);
    };
    lacks(typed.hidden, "hidden_size"), lacks(typed.layers, "num_hidden_layers"),
        lacks(typed.heads, "num_attention_heads");
    lacks(typed.intermediate, "intermediate_size"), lacks(typed.vocab, "vocab_size");
    if (!model.missing.empty() && !model.declared_parameters) model.missing.insert(model.missing.begin(), "parameters");
    if (typed.hidden && typed.layers && !config.error()) {
        if (typed.layers->value() > 10000)
            config.fail("num_hidden_layers", "out_of_range", "no model has so many layers",
                        "type the number of layers");
        else {
            model.kinds.push_back({"layer", *typed.layers, layer_of(typed)});
            model.order.assign(static_cast<size_t>(typed.layers->value()), 0);
        }
    }
    if (typed.vocab && typed.hidden)
        model.embedding.ops.push_back(Lookup{"embed_tokens", Part::embedding, *typed.vocab, *typed.hidden, false, "x"});
    if (typed.hidden)
        model.head.ops.push_back(Norm{"final_norm", Norm::Kind::rms, *typed.hidden, true, false, "x", "final"});
    if (config.error()) return *config.error();
    append_head(model);
    model.assumptions = config.assumptions();
    return model;
}

}  // namespace plimsoll
