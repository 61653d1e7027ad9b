/// What happens to tensors while a block runs: which are made, which of them autograd keeps for the backward pass, and
/// for how long the others live. Operations write the tape; nobody else needs to know how an operation works.
///
///     x ──norm──▶ h ──linear──▶ q      makes:  h, q        saves:  h (q's linear needs its input)
///     └────────────────── add ──▶      lives:  x until the add, h until its last reader has run
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/capabilities.h"
#include "inputs/workload.h"
#include "model/core/brackets.h"
#include "number/quantity.h"

namespace plimsoll {

/// Which part of a model something belongs to; rows and their children are named after these.
enum class Part : unsigned char {
    embedding,
    attention,
    feed_forward,
    router,
    experts,
    shared_experts,
    norm,
    head,
    mixer
};

inline constexpr size_t part_count = 9;

inline const char* part_name(Part part) {
    constexpr const char* names[] = {"embedding",      "attention", "feed_forward", "router", "experts",
                                     "shared_experts", "norm",      "head",         "mixer"};
    return names[static_cast<int>(part)];
}

/// Bytes of one element.
template <class N>
Bytes<N> bytes_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::float64: return {input<N>("bytes_fp64", 8, "IEEE 754 binary64")};
        case Dtype::float32: return {input<N>("bytes_fp32", 4, "IEEE 754 binary32")};
        case Dtype::sixteen_bit: return {input<N>("bytes_16bit", 2, "IEEE 754 binary16 and bfloat16 are 16 bits wide")};
        case Dtype::boolean: return {input<N>("bytes_bool", 1, "PyTorch stores torch.bool in one byte")};
        case Dtype::int64: return {input<N>("bytes_int64", 8, "torch.int64 is 64 bits wide")};
        case Dtype::byte: return {N(1)};
    }
    return {N(0)};
}

/// One pass over a block: how many tokens, and by which rules.
template <class N>
struct Pass {
    N batch, sequence;  ///< sequences, and tokens computed of each
    N keys;             ///< tokens of each sequence that attention looks at
    N tokens;           ///< batch × sequence, named once
    PassOptions options;
    bool training = false;  ///< whether anything is kept for a backward pass
    bool trainable = true;  ///< whether this block's own weights get gradients
    N stream_shares{1};     ///< devices that share the tokens between the products of a tensor-parallel group

    /// Whether they do.
    bool tokens_divided() const { return value_of(stream_shares) > 1; }
    /// Tokens of the residual stream on this device.
    [[gnu::noinline]] N stream_tokens() const { return tokens_divided() ? tokens / stream_shares : tokens; }
};

template <class N>
class Tape {
public:
    struct Tensor {
        Label name;
        size_t storage;  ///< index of the tensor whose memory this is; a view's is its origin's
        N elements;
        Dtype dtype;
        int born, dies;
        size_t gradient;                  ///< index of the tensor whose gradient this one's is: a sum passes its own on
        size_t bracket = Brackets::none;  ///< that it is made in
        bool differentiable = true;       ///< a gradient of it is asked for
        bool remade = false;              ///< in the backward pass, in place of being kept
    };
    struct Saved {
        Label name;
        Part part;
        N elements;
        Dtype dtype;
        int last;  ///< the last operation that needs it: backward reaches this one first
        int first;
        size_t storage = no_storage;         ///< of the tensor that is kept; a copy of autograd's own has none
        size_t recomputed = Brackets::none;  ///< by this bracket; none: it stays from the forward pass on
        bool apart = false;                  ///< made apart from the operation's product
    };
    static constexpr size_t no_storage = static_cast<size_t>(-1);

    explicit Tape(const Pass<N>& pass) : pass_(pass) {
        tensors_.reserve(32);  // a layer's worth: sweeps make a tape per point
        parts_.reserve(32);
    }
    const Pass<N>& pass() const { return pass_; }
    const PassOptions& options() const { return pass_.options; }
    bool tokens_divided() const { return pass_.tokens_divided(); }
    N stream_tokens() const { return pass_.stream_tokens(); }
    bool gradients() const { return capabilities.training && pass_.training; }
    /// Whether the operation that runs is frozen by name.
    bool is_frozen() const { return frozen_; }
    bool weight_gradients() const { return gradients() && pass_.trainable && !frozen_; }

    /// The type that a matrix product computes in when it is given `dtype`.
    Dtype compute(Dtype dtype) const { return options().numerics.autocast ? options().numerics.compute : dtype; }
    /// The type of an element-wise operation's result with a parameter or a table in the weights' type: where autocast
    /// is over fp32 ones, so is what they are multiplied with.
    Dtype widened(Dtype dtype) const { return options().numerics.parameter == Dtype::float32 ? Dtype::float32 : dtype; }
    /// The type that an operation runs in which autocast runs in fp32.
    Dtype listed_in_fp32(Dtype dtype) const { return options().numerics.autocast ? Dtype::float32 : dtype; }

    /// The tensor last made under this name: a layer with two attentions makes two called `q`.
    const Tensor& at(Label name) {
        for (auto tensor = tensors_.rbegin(); tensor != tensors_.rend(); ++tensor)
            if (tensor->name == name) {
                storage_of(*tensor).dies = step_;
                if (capabilities.training && storage_of(*tensor).differentiable) asked_ = true;
                if (capabilities.training && brackets_.open() != Brackets::none) keep_given(storage_of(*tensor));
                return *tensor;
            }
        makes(name, N(0), Dtype::float32);
        return tensors_.back();
    }
    void makes(Label name, const N& elements, Dtype dtype) {
        const size_t own = tensors_.size();
        tensors_.push_back({name, own, elements, dtype, step_, step_, own,
                            capabilities.training ? brackets_.open() : Brackets::none, !follows_});
    }
    /// `name` is (a part of) the memory of `of`.
    void views(Label name, Label of, const N& elements) {
        const Tensor origin = at(of);
        tensors_.push_back({name, origin.storage, elements, origin.dtype, step_, step_, origin.storage});
    }
    /// From here on, no gradient is asked for of what frozen operations make of tensors of which none is, nor is
    /// anything kept for one. `given`: whether one of the block's input is.
    void follow(bool given) {
        follows_ = true;
        tensors_.front().differentiable = given;
    }
    /// Whether a gradient is asked for of a tensor that an operation reads.
    bool asks(Label name) { return storage_of(at(name)).differentiable || !capabilities.training; }
    /// Autograd keeps an existing tensor; whoever else keeps it too costs nothing more.
    void saves(Label name, Part part) {
        const Tensor& tensor = storage_of(at(name));  // whoever keeps it has read it
        if (gradients() && !in_kernel_) keep(tensor, part);
    }
    /// An element-wise operation reads it in its backward pass. In a compiled layer it makes what another one made anew
    /// within its own kernel. A product or attention reads memory: what they need is kept, for it would be written out
    /// either way. (PyTorch, _functorch/partitioners.py, min_cut_rematerialization_partition, is_materialized_backwards)
    void saves_for_elements(Label name, Part part) {
        if (!storage_of(at(name)).remade) saves(name, part);
    }
    /// What was last made is an element-wise operation's, which a compiled layer can make anew.
    void remakes() { tensors_.back().remade = capabilities.training && options().compiled; }
    /// Autograd keeps a copy of its own, which no other operation shares.
    void saves_copy(Label name, Part part, const N& elements, Dtype dtype) {
        if (gradients() && !in_kernel_)
            saved_.push_back({name, part, elements, dtype, step_, step_, no_storage, brackets_.open(), apart_});
    }
    /// Autograd keeps a tensor in the type `dtype`: itself where it has that type, else a copy.
    void saves_as(Label name, Dtype dtype, Label copy, Part part) {
        const Tensor tensor = at(name);
        if (tensor.dtype == dtype || options().compiled)
            saves(name, part);
        else
            saves_copy(copy, part, tensor.elements, dtype);
    }
    /// Until it is called with false, autograd keeps nothing: one kernel decides for the operations in between.
    void keeps_nothing(bool begins) { in_kernel_ = begins; }
    /// `to` is a sum, and `from` one of the terms: autograd hands both the same gradient.
    void shares_gradient(Label to, Label from) {
        const size_t sum = at(to).storage, term = at(from).storage;
        if (tensors_[sum].dtype == tensors_[term].dtype) tensors_[term].gradient = sum;
    }
    /// Memory that only this operation uses while it runs; `backward`: while its backward pass runs, beside what it
    /// saved and the gradients of what it took and made.
    void scratch(const N& elements, Dtype dtype, int tensors = 1) {
        for (; tensors > 0; --tensors) scratch_.push_back({step_, elements, dtype, Brackets::none, apart_});
    }
    void scratch_backward(const N& elements, Dtype dtype, int tensors = 1) {
        for (; tensors > 0 && gradients(); --tensors)
            backward_scratch_.push_back({step_, elements, dtype, Brackets::none, apart_});
    }
    /// Until it is called with false, the operation tells what it does apart from its product: after it in the forward
    /// pass, before it in the backward pass.
    void apart(bool begins) { apart_ = begins; }
    /// The same of tensors of several types, which are given as their bytes together.
    void scratch_bytes(const Bytes<N>& bytes) { scratch(bytes.n, Dtype::byte); }
    void scratch_bytes_backward(const Bytes<N>& bytes) { scratch_backward(bytes.n, Dtype::byte); }
    /// Elements of this operation's own parameters, whose gradients its backward pass makes.
    void trains(const N& elements, Dtype dtype) {
        if (capabilities.training) trained_.push_back({step_, elements, dtype, Brackets::none, apart_});
    }
    /// The gradient of the operation's weight of this name comes apart from the others.
    void trains_apart(Label name) { apart_weight_ = name; }
    /// Its weights' gradients, in the order of `own`; see `trains`.
    template <class Weights>
    void trains_all(const Weights& own) {
        for (const auto& weight : own) {
            apart_ = weight.name == apart_weight_;
            trains(weight.elements(), options().numerics.parameter);
        }
        apart_ = false;
    }
    /// Whether the gradient of an operation's parameter, by its number among them, comes before its product's; an
    /// adapter's all come together.
    bool comes_apart(int step, size_t number) const {
        bool apart = false;
        for (const Scratch& own : trained_) {
            if (own.step != step) continue;
            apart = own.apart;
            if (number-- == 0) break;
        }
        return apart;
    }
    /// Under autocast: 16-bit copies of weights in `own`, which is fp32. Those of weights that are trained are made once and live until
    /// the backward pass has ended; a frozen weight's is kept by the product that it was made for. A vector's is not
    /// kept.
    void casts_weight(const N& elements, bool saved) { casts_weight(elements, saved, options().numerics.parameter); }
    void casts_weight(const N& elements, bool saved, Dtype own) {
        if (!capabilities.training || !options().numerics.autocast || own == options().numerics.compute) return;
        if (options().compiled) return scratch_backward(elements, options().numerics.compute);
        N& kept = saved ? cast_matrices_ : cast_vectors_;
        (brackets_.open() != Brackets::none ? recomputed_casts_ : kept) += elements;
        casts_.push_back({step_, elements, options().numerics.compute, brackets_.open(), apart_});
    }
    /// From here to `leave` runs one of the modules that may be recomputed (brackets.h); `hook`: it gives up what it
    /// makes when that operation has run.
    [[gnu::noinline]] void enter(RecomputedModule module, int hook = Brackets::no_hook) {
        if (gradients() && options().recomputed.has(module)) brackets_.enter(step_, hook);
    }
    [[gnu::noinline]] void leave(RecomputedModule module) {
        if (gradients() && options().recomputed.has(module)) brackets_.leave(step_, tensors_.back().storage);
    }
    int step() const { return step_; }
    /// `frozen`: the operation's weights are not trained.
    void begin(int step, Part part, bool frozen = false) {
        step_ = step;
        apart_weight_ = "";
        parts_.push_back(part);
        if (!capabilities.training || !follows_) return;
        frozen_ = frozen;
        asked_ = !frozen;
        before_ = {tensors_.size(), saved_.size(),  backward_scratch_.size(),
                   casts_.size(),   cast_matrices_, cast_vectors_};
    }
    /// What the operation has made has a gradient if one of what it has read or of its weights is asked for.
    [[gnu::noinline]] void end();

    const std::vector<Saved>& saved() const { return saved_; }
    const N& cast_matrices() const { return cast_matrices_; }
    const N& cast_vectors() const { return cast_vectors_; }
    /// Of the weights of what is recomputed: from its cache they go with the forward pass.
    const N& recomputed_casts() const { return recomputed_casts_; }

    /// At which moments of its first and of its last step something is there. A step has two: its product (whatever the
    /// operation computes first), and what it does apart. Backward, they come in the other order, as the steps do.
    enum class Moments : unsigned char { both, product, apart };
    static int moments_of_a_step() { return capabilities.training ? 2 : 1; }
    static int product_of(int step) { return moments_of_a_step() * step; }
    static int step_of(int moment) { return moment / moments_of_a_step(); }
    static bool is_product(int moment) { return moment % moments_of_a_step() == 0; }

    /// A piece of memory, and the steps of a pass at which it is there. Backward, steps run from the last to the first.
    struct Life {
        Label name;
        const N& elements;
        Dtype dtype;
        int first, last;
        size_t tensor = no_storage;  ///< whose memory it is, backward whose gradient; none: the operation's own
        size_t kept = not_kept;      ///< what autograd keeps has one number in both passes
        size_t part = part_count;    ///< that it is kept for; `trained`: it is a parameter's gradient
        bool recomputed = false;     ///< kept, it is not there between the passes
        Moments moments = Moments::both;

        int first_moment() const { return product_of(first) + (capabilities.training && moments == Moments::apart); }
        int last_moment() const { return product_of(last) + (capabilities.training && moments != Moments::product); }
        bool there(int moment) const { return first_moment() <= moment && moment <= last_moment(); }
    };
    /// The fullest moment of a pass.
    struct Peak {
        Bytes<N> alive{N(0)};
        bool product = false;  ///< a product runs at it
    };
    static constexpr size_t not_kept = static_cast<size_t>(-1), trained = part_count + 1;
    /// What becomes of the parameters' gradients as the backward pass makes them: they are not looked at, stay, or are
    /// given on at once (added to what is there, or used up by the optimizer).
    enum class Gradients : unsigned char { left_out, stay, pass };

    /// Calls `visit` with all that is alive in the forward pass; what is kept lives to its end.
    template <class Visit>
    void forward_lives(Visit visit) const;
    /// The same for the backward pass.
    template <class Visit>
    void backward_lives(Gradients gradients, Visit visit) const;
    /// The block's last tensor, and the tensor whose gradient is that of `tensor`, by their memory.
    size_t output() const { return tensors_.back().storage; }
    size_t gradient_of(size_t tensor) const {
        while (tensors_[tensor].gradient != tensor) tensor = tensors_[tensor].gradient;
        return tensor;
    }

    /// Bytes alive at the fullest moment of the forward pass, the block's input included; term by term, for a pass that
    /// keeps nothing. `matrix`: bytes that are there beside while a product runs, which `alive` leaves out.
    Peak forward_peak(double matrix = 0) const;
    /// The same by part, for a pass that keeps much.
    Peak keeping_peak(double matrix = 0) const;
    /// The same of the backward pass: what is still saved, and the gradients in flight. Where those of the block's
    /// parameters are looked at, `parameters` becomes their bytes at that moment.
    Peak backward_peak(Gradients gradients = Gradients::left_out, double matrix = 0,
                       Bytes<N>* parameters = nullptr) const;

private:
    struct Scratch {
        int step;
        N elements;
        Dtype dtype;
        size_t bracket = Brackets::none;
        bool apart = false;
    };
    Tensor& storage_of(const Tensor& tensor) { return tensors_[tensor.storage]; }
    bool owns_memory(const Tensor& tensor) const { return &tensor == &tensors_[tensor.storage]; }
    int steps() const { return static_cast<int>(parts_.size()); }

    /// Autograd keeps a tensor's memory; the operation that does so may stand in a bracket, and the tensor's maker.
    [[gnu::noinline]] void keep(const Tensor& tensor, Part part) {
        const size_t recomputed = brackets_.recomputed_by(tensor.bracket, brackets_.open());
        for (Saved& saved : saved_)
            if (saved.storage == tensor.storage && saved.recomputed == recomputed) {
                saved.last = step_;
                return;
            }
        saved_.push_back({tensor.name, part, tensor.elements, tensor.dtype, step_, step_, tensor.storage, recomputed});
    }
    /// What a bracket is given is kept to recompute it.
    [[gnu::noinline]] void keep_given(const Tensor& tensor) {
        if (!in_kernel_ && !brackets_.within(tensor.bracket, brackets_.open()))
            keep(tensor, parts_[static_cast<size_t>(step_)]);
    }

    /// The last step of the forward pass at which a tensor is alive. An argument of a function stays referenced until
    /// the function returns, so what a part takes lives to its end; the block's input is held by the caller throughout.
    int released(const Tensor& tensor) const;
    /// Which entry of `kept` a tensor's memory is; none for what autograd does not keep.
    size_t kept_as(size_t storage) const {
        size_t recomputed = not_kept;
        for (size_t each = 0; each < saved_.size(); ++each) {
            if (saved_[each].storage != storage) continue;
            if (saved_[each].recomputed == Brackets::none) return each;
            if (recomputed == not_kept) recomputed = each;
        }
        return recomputed;
    }
    /// What a bracket's own backward pass refers to: the recomputed output, and its gradient, whose life begins
    /// (backward: ends) with the bracket.
    template <class Visit>
    void visit_recomputed_outputs(std::vector<int>& born, Visit visit) const;
    /// Of the forward pass, what is kept beside the block's tensors: autograd's own copies, and those of weights.
    template <class Visit>
    void visit_copies(Visit visit) const;
    /// The last step of the forward pass at which what autograd keeps is there.
    int kept_until(const Saved& saved) const;
    /// The fullest moment, by a walk over the lifetimes.
    template <class Lifetimes>
    int fullest(Lifetimes lifetimes, double matrix) const;
    static Moments moments_of(bool apart, Moments otherwise = Moments::both) {
        return capabilities.training && apart ? Moments::apart : otherwise;
    }

    Pass<N> pass_;
    std::vector<Tensor> tensors_;
    std::vector<Saved> saved_;
    std::vector<Scratch> scratch_, backward_scratch_;
    std::vector<Scratch> casts_;    ///< of weights, from the step that makes them on
    std::vector<Scratch> trained_;  ///< parameters of a step
    std::vector<Part> parts_;
    N cast_matrices_{0}, cast_vectors_{0}, recomputed_casts_{0};
    Brackets brackets_;
    int step_ = 0;
    Label apart_weight_;
    bool in_kernel_ = false, apart_ = false;
    bool follows_ = false, frozen_ = false, asked_ = true;
    struct Counts {
        size_t tensors = 0, saved = 0, backward_scratch = 0, casts = 0;
        N cast_matrices{0}, cast_vectors{0};
    };
    Counts before_;  ///< the operation that runs
};

}  // namespace plimsoll

#include "model/core/tape_peaks.h"
