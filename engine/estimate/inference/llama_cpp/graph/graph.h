/// A compute graph as ggml keeps one: tensors with their sources and views, in the order in which they are computed.
/// Only what decides on memory is kept: shapes, element widths, who reads what. (ggml.c: ggml_build_forward_expand)
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <vector>

#include "estimate/inference/llama_cpp/graph/size.h"
#include "inputs/placement.h"

namespace plimsoll::llama_cpp {

using std::size_t;

/// What the allocator and the orders of nodes tell apart; operations that both treat alike share a name.
enum class Op : unsigned char {
    none,
    reshape,
    view,
    permute,
    transpose,
    add,
    add_id,
    argsort,
    clamp,
    concat,
    cont,
    cpy,
    div,
    fill,
    flash_attention,
    gated_delta_net,
    get_rows,
    glu,
    mul,
    mul_mat,
    mul_mat_id,
    norm,
    repeat,
    rms_norm,
    rope,
    scale,
    set_rows,
    soft_max,
    sqr,
    ssm_conv,
    ssm_scan,
    sum_rows,
    unary,
};

/// Index of a tensor of its graph.
using Id = int;
constexpr Id nothing = -1;

/// Of a tensor whose place follows from its neighbours'.
constexpr Place nowhere = -2;

class Shape {
public:
    // Out of line: a shape is written at a hundred places.
    Shape(double a, double b, double c, double d);
    Shape(const Size& a, const Size& b, const Size& c, const Size& d);
    Size& operator[](size_t side) { return sides_[side]; }
    const Size& operator[](size_t side) const { return sides_[side]; }
    friend bool operator==(const Shape& a, const Shape& b) { return a.sides_ == b.sides_; }

private:
    std::array<Size, 4> sides_;
};

/// Another name for the data of a tensor: nothing is computed.
inline bool is_view_op(Op op) { return op <= Op::transpose; }

struct Tensor {
    Op op = Op::none;
    Place place = nowhere;  ///< where its buffer is, or where its operation must run
    bool input = false;     ///< written before the graph runs
    bool output = false;    ///< read afterwards: never freed
    bool external = false;  ///< a weight or a cache: in a buffer of its own
    bool weight = false;    ///< external, from the model's file
    double width = 4;       ///< bytes of an element
    Shape shape{1, 1, 1, 1};
    Size beyond = 0;    ///< bytes that a backend asks for behind the tensor's own
    Id view = nothing;  ///< the tensor whose data this one shows; never a view itself
    std::array<Id, 7> sources{nothing, nothing, nothing, nothing, nothing, nothing, nothing};

    Size bytes() const { return Size(width) * shape[0] * shape[1] * shape[2] * shape[3]; }
    Size taken() const { return bytes() + beyond; }
};

/// A tensor that is read until another one is there: nodes that a device may run as one kernel.
struct Fused {
    Id result, input;
};

struct Graph {
    std::deque<Tensor> tensors;     ///< one that is appended leaves references to the others valid
    std::vector<Id> leaves, nodes;  ///< in the order in which they were first needed
    std::vector<Fused> fused;       ///< by their results, in the order of the nodes

    const Tensor& operator[](Id id) const { return tensors[static_cast<size_t>(id)]; }
    Tensor& operator[](Id id) { return tensors[static_cast<size_t>(id)]; }
    Id base(Id id) const { return (*this)[id].view == nothing ? id : (*this)[id].view; }

    Id append(const Tensor& tensor);
    /// A leaf that is filled before each run, in host memory.
    Id input(double width, const Shape& shape);
    /// A weight or cache.
    Id stored(Place place, double width = 2, const Shape& shape = {1, 1, 1, 1});
    Id make(Op op, const Shape& shape, std::initializer_list<Id> sources, double width = 4);
    /// The data of `of` in another shape; `op` is one of the four that compute nothing, or writes into the data.
    Id show(Op op, Id of, const Shape& shape, std::initializer_list<Id> sources);
    Id show(Op op, Id of, const Shape& shape) { return show(op, of, shape, {of}); }
    /// Writes over the data that `shown` shows.
    Id same_view(Op op, Id shown) { return show(op, shown, Shape((*this)[shown].shape), {shown}); }
    /// The result has the shape of the first source.
    Id same(Op op, std::initializer_list<Id> sources);

    /// Appends `id` to the nodes, after all that it depends on and that is not there yet, sources from left to right.
    void expand(Id id);

private:
    std::vector<bool> visited_;
};

}  // namespace plimsoll::llama_cpp
