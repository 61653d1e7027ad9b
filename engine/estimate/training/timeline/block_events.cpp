#include "estimate/training/timeline/block_events.h"

namespace plimsoll {
namespace {

using Life = Tape<double>::Life;
using Kind = MemoryEvent::Kind;

// A life from one moment of a pass to another (tape.h), and where its memory is found again: kept tensors have the same
// slot in both passes.
struct Slotted {
    int first, last;
    size_t slot;
    double bytes;
};

class Events {
public:
    Events(const Block& block, const Tape<double>& tape, const EventOptions& options)
        : block_(block),
          tape_(tape),
          options_(options),
          moments_(Tape<double>::product_of(static_cast<int>(block.ops.size()))) {
        size_t most = 0;
        tape.backward_lives(Tape<double>::Gradients::left_out, [&](const Life& life) {
            if (life.kept == not_kept) return;
            if (life.kept >= most) most = life.kept + 1;
        });
        events_.slots = 1 + most;
        events_.casts = (tape.cast_matrices() + tape.cast_vectors()) * bytes_of<double>(Dtype::sixteen_bit).n;
    }
    BlockEvents take(const std::vector<TrainedTensor>& trained) {
        if (options_.products) find_products();
        forward();
        backward(trained);
        return std::move(events_);
    }

private:
    static constexpr int before = -1;  // a step at which nothing runs
    static constexpr size_t not_kept = Tape<double>::not_kept, no_tensor = Tape<double>::no_storage;

    size_t slot_of_kept(size_t kept) const { return kept == input_kept_ ? BlockEvents::input : 1 + kept; }
    static double bytes(const Life& life) { return life.elements * bytes_of<double>(life.dtype).n; }

    void forward() {
        std::vector<Slotted> made, outputs;  // an operation's result comes after what it keeps and needs besides
        tape_.forward_lives([&](const Life& life) {
            if (life.tensor == 0)
                note_input(life, made);
            else
                (life.tensor == no_tensor ? made : outputs).push_back(slotted_forward(life));
        });
        for (int moment = 0; moment < moments_; ++moment) {
            make_forward(made, moment);
            make_forward(outputs, moment);
            if (Tape<double>::is_product(moment)) product_forward(Tape<double>::step_of(moment));
            free_forward(made, moment);
            free_forward(outputs, moment);
        }
    }
    void note_input(const Life& life, std::vector<Slotted>& made) {
        events_.keeps_input = life.kept != not_kept;
        input_kept_ = life.kept;
        if (options_.gives_up && life.kept == not_kept) made.push_back({before, 0, BlockEvents::input, 0});
    }
    Slotted slotted_forward(const Life& life) {
        const bool stays = life.kept != not_kept && !life.recomputed;
        const bool gives = life.tensor != no_tensor && life.tensor == tape_.output();
        const size_t slot = life.kept != not_kept ? slot_of_kept(life.kept) : events_.slots++;
        if (gives) events_.output = slot, events_.keeps_output = stays;
        const bool is_product = note_product(life.tensor, slot);
        const bool to_the_end = stays || gives || (is_product && options_.products_stay);
        return {life.first_moment(), to_the_end ? moments_ : life.last_moment(), slot, bytes(life)};
    }
    void make_forward(const std::vector<Slotted>& list, int moment) {
        for (const Slotted& each : list)
            if (each.first == moment) events_.forward.push_back({Kind::makes, each.slot, each.bytes});
    }
    void free_forward(const std::vector<Slotted>& list, int moment) {
        for (const Slotted& each : list)
            if (each.last == moment) events_.forward.push_back({Kind::frees, each.slot});
    }
    void product_forward(int step) {
        dequantized(step, events_.forward, !options_.dequantized_kept);
        const Linear* product = block_.ops[static_cast<size_t>(step)].as<Linear>();
        if (product && product->bias && options_.biased_product > 0) {
            events_.forward.push_back({Kind::makes, events_.slots, options_.biased_product});
            events_.forward.push_back({Kind::frees, events_.slots++});
        }
    }
    void backward(const std::vector<TrainedTensor>& trained) {
        std::vector<Slotted> lives;
        if (!block_.given_flows) events_.input_gradient = events_.slots++;  // which nothing makes
        tape_.backward_lives(Tape<double>::Gradients::left_out, [&](const Life& life) {
            if (life.kept != not_kept || life.tensor != 0 || options_.given) lives.push_back(slotted_backward(life));
        });
        for (int moment = moments_ - 1; moment >= 0; --moment) {
            const int step = Tape<double>::step_of(moment);
            const bool product = Tape<double>::is_product(moment);
            if (product && !options_.dequantized_kept) dequantized(step, events_.backward, false);
            for (const Slotted& each : lives)
                if (each.last == moment) events_.backward.push_back({Kind::makes, each.slot, each.bytes});
            make_gradients(trained, step, product);
            for (const Slotted& each : lives)
                if (each.first == moment) events_.backward.push_back({Kind::frees, each.slot});
            if (product && dequantized_slot_ > 0 && bytes_dequantized(step) > 0)
                events_.backward.push_back({Kind::frees, dequantized_slot_ + static_cast<size_t>(step)});
        }
    }
    // Backward, what is kept is there from the pass's begin, which is its last moment, on.
    Slotted slotted_backward(const Life& life) {
        const int begin = moments_;
        if (life.kept != not_kept)
            return {life.first_moment(), life.recomputed ? life.last_moment() : begin, slot_of_kept(life.kept),
                    bytes(life)};
        Slotted each{life.first_moment(), life.last_moment(), events_.slots++, bytes(life)};
        if (life.tensor == tape_.gradient_of(tape_.output())) events_.output_gradient = each.slot, each.last = begin;
        if (block_.given_flows && life.tensor == tape_.gradient_of(0))
            events_.input_gradient = each.slot, each.first = before;
        return each;
    }
    void make_gradients(const std::vector<TrainedTensor>& trained, int step, bool product) {
        size_t number = 0;  // of the operation's parameters
        for (size_t each = 0; each < trained.size(); ++each)
            if (static_cast<int>(trained[each].operation) == step && tape_.comes_apart(step, number++) != product)
                events_.backward.push_back({Kind::gradient, each});
    }

    void find_products() {
        Tape<double> looked_up = tape_;  // which takes a look for a use
        for (const KeptProduct& each : kept_products(block_)) products_.push_back(looked_up.at(each.name).storage);
        events_.products.resize(products_.size(), 0);
    }
    /// Whether a tensor is one that checkpointing of operations keeps.
    bool note_product(size_t tensor, size_t slot) {
        bool is_one = false;
        for (size_t each = 0; each < products_.size(); ++each)
            if (tensor != no_tensor && products_[each] == tensor) events_.products[each] = slot, is_one = true;
        return is_one;
    }
    double bytes_dequantized(int step) const {
        return options_.dequantized.empty() ? 0 : options_.dequantized[static_cast<size_t>(step)];
    }
    // A packed matrix becomes one that a product can read; `passing`: no longer than the product runs.
    void dequantized(int step, std::vector<MemoryEvent>& events, bool passing) {
        if (bytes_dequantized(step) == 0) return;
        if (dequantized_slot_ == 0) dequantized_slot_ = events_.slots, events_.slots += options_.dequantized.size();
        const size_t slot = dequantized_slot_ + static_cast<size_t>(step);
        events.push_back({Kind::makes, slot, bytes_dequantized(step)});
        if (passing) events.push_back({Kind::frees, slot});
    }

    size_t dequantized_slot_ = 0;   // of the first operation's
    std::vector<size_t> products_;  // by the tensor whose memory it is
    const Block& block_;
    const Tape<double>& tape_;
    const EventOptions& options_;
    int moments_;
    size_t input_kept_ = not_kept;
    BlockEvents events_;
};

}  // namespace

std::vector<TrainedTensor> trained_tensors(const Block& block, const TrainingRequest& request) {
    std::vector<TrainedTensor> list;
    for (size_t operation = 0; operation < block.ops.size(); ++operation) {
        std::vector<Weight<double>> own;
        const Op& op = block.ops[operation];
        if (block.is_frozen(operation)) continue;
        if (request.method.adapter)
            own = adapter_weights<double>(op, *request.method.adapter);
        else
            op.weights(own);
        for (const Weight<double>& weight : own) list.push_back({operation, weight});
    }
    return list;
}

BlockEvents events_of(const Block& block, const Pass<double>& pass, double hidden,
                      const std::vector<TrainedTensor>& trained, const EventOptions& options) {
    const Tape<double> tape = run<double>(block, pass, hidden);
    return Events(block, tape, options).take(trained);
}

}  // namespace plimsoll
