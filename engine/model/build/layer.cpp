// From a layer's description to its operations, in the order in which they run.
#include "model/build/layer.h"

namespace plimsoll {
namespace {

/// What the tensors of one sub-layer are called.
struct Tensors {
    Label normed, made, made_normed, dropped, sum, sum_normed;
};
constexpr Tensors of_attention{"normed",     "attention_out", "attention_normed", "attention_dropped",
                               "x_attended", "normed_2"};
constexpr Tensors of_mixer{"normed", "mixed", "mixed_normed", "mixed_dropped", "x_mixed", "normed_2"};
constexpr Tensors of_cross{"normed_2", "cross_out", "cross_normed", "cross_dropped", "x_crossed", "normed_3"};
constexpr Tensors of_feed_forward{"normed_2", "feed_forward_out", "feed_forward_normed", "feed_forward_dropped",
                                  "x_out",    "x_normed"};

class Layering {
public:
    explicit Layering(const LayerShape& shape)
        : shape_(shape),
          before_(shape.place == NormPlace::before || shape.place == NormPlace::both),
          after_(shape.place == NormPlace::after || shape.place == NormPlace::both) {}

    Block in_sequence() {
        Label x = "x";
        if (!shape_.mixer || !shape_.mixer->ops.empty()) x = sub_layer(first_, shape_.mixer_sum, x, &Layering::mix);
        if (shape_.cross) x = sub_layer(of_cross, Part::attention, x, &Layering::cross);
        if (!shape_.other_feed_forward || !shape_.other_feed_forward->ops.empty())
            sub_layer(of_feed_forward, second_, x, &Layering::feed);
        return std::move(layer_);
    }

    Block side_by_side() {
        const bool two_norms = shape_.branches == Branches::parallel_two_norms;
        norm("x", "normed");
        mix("normed", first_.made);
        const Label mixed = drop(first_, Part::attention, first_.made);
        if (two_norms) norm("x", "normed_2");
        feed(two_norms ? "normed_2" : "normed", of_feed_forward.made);
        const Label fed = drop(of_feed_forward, second_, of_feed_forward.made);
        if (shape_.residual_first) {
            append(Add{Part::attention, "x", mixed, "x_attended"});
            append(Add{second_, "x_attended", fed, "x_out"});
            return std::move(layer_);
        }
        append(Add{second_, mixed, fed, "sum"});
        const bool drops_sum = shape_.dropout && shape_.dropped == Dropped::sum;
        if (drops_sum) append(Dropout{second_, *shape_.dropout, "sum", "sum_dropped"});
        append(Add{second_, drops_sum ? "sum_dropped" : "sum", "x", "x_out"});
        return std::move(layer_);
    }

private:
    void append(Op op) { layer_.ops.push_back(std::move(op)); }
    void append(const Block& block) { layer_.ops.insert(layer_.ops.end(), block.ops.begin(), block.ops.end()); }

    void norm(Label from, Label to) {
        append(Norm{"norm", shape_.norm, shape_.attention.hidden, shape_.norm_weight, shape_.norm_bias, from, to});
    }

    /// Dropout on a sub-layer's output, where the code has one; returns what is added to the stream.
    Label drop(const Tensors& names, Part part, Label from) {
        const bool feeds = names.made == of_feed_forward.made;
        const bool drops = shape_.dropped == Dropped::each || (shape_.dropped == Dropped::feed_forward && feeds);
        if (!shape_.dropout || !drops) return from;
        append(Dropout{part, *shape_.dropout, from, names.dropped});
        return names.dropped;
    }

    void mix(Label from, Label to) {
        if (shape_.mixer)
            append(*shape_.mixer);
        else if (shape_.latent)
            append_latent_attention(layer_, shape_.attention, *shape_.latent, from, to);
        else
            append_attention(layer_, shape_.attention, from, to);
    }

    void cross(Label from, Label to) { append_attention(layer_, *shape_.cross, from, to); }

    void feed(Label from, Label to) {
        if (shape_.other_feed_forward)
            append(*shape_.other_feed_forward);
        else if (shape_.mixture)
            append_mixture(layer_, shape_.attention.hidden, *shape_.mixture, from, to);
        else
            append_feed_forward(layer_, shape_.feed_forward, from, to);
    }

    /// Norm, the sub-layer, norm, dropout, sum, norm, of which each layer has some; returns the stream after it.
    Label sub_layer(const Tensors& names, Part part, Label x, void (Layering::*work)(Label from, Label to)) {
        if (before_) norm(x, names.normed);
        (this->*work)(before_ ? names.normed : x, names.made);
        if (after_) norm(names.made, names.made_normed);
        const Label added = drop(names, part, after_ ? names.made_normed : names.made);
        append(Add{part, x, added, names.sum});
        if (shape_.place != NormPlace::after_sum) return names.sum;
        norm(names.sum, names.sum_normed);
        return names.sum_normed;
    }

    const LayerShape& shape_;
    const bool before_, after_;
    const Tensors& first_ = shape_.mixer ? of_mixer : of_attention;
    const Part second_ = shape_.mixture ? Part::experts : shape_.feed_forward_sum;
    Block layer_;
};

}  // namespace

LayerShape::LayerShape() = default;
LayerShape::LayerShape(const LayerShape& other) = default;
LayerShape& LayerShape::operator=(const LayerShape& other) = default;
LayerShape::~LayerShape() = default;

void LayerShape::layer_norms() {
    norm = Norm::Kind::layer;
    norm_bias = true;
}

LayerShape read_layer(Reader& config, bool bias) {
    LayerShape shape;
    shape.attention = read_attention(config);
    shape.attention.bias = shape.attention.output_bias = config.flag_or({"attention_bias"}, bias);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.feed_forward.hidden = shape.attention.hidden;
    return shape;
}

LayerShape read_dense_layer(Reader& config, bool bias) {
    LayerShape shape = read_layer(config, bias);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.feed_forward.activation = read_activation(config, "silu");
    shape.feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    return shape;
}

LayerShape read_vision_layer(Reader& config) {
    LayerShape shape = read_dense_layer(config, true);
    shape.feed_forward.bias = true;
    shape.attention.rotary = shape.feed_forward.gated = false;
    shape.layer_norms();
    return shape;
}

Block layer_of(const LayerShape& shape) {
    Layering layering(shape);
    return shape.branches == Branches::in_sequence ? layering.in_sequence() : layering.side_by_side();
}

}  // namespace plimsoll
