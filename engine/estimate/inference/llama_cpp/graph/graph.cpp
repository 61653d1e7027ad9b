#include "estimate/inference/llama_cpp/graph/graph.h"

namespace plimsoll::llama_cpp {

Shape::Shape(double a, double b, double c, double d) : sides_{a, b, c, d} {}
Shape::Shape(const Size& a, const Size& b, const Size& c, const Size& d) : sides_{a, b, c, d} {}

Id Graph::append(const Tensor& tensor) {
    tensors.push_back(tensor);
    return static_cast<Id>(tensors.size() - 1);
}

Id Graph::input(double width, const Shape& shape) {
    Tensor tensor;
    tensor.place = on_host;
    tensor.input = true;
    tensor.width = width;
    tensor.shape = shape;
    return append(tensor);
}

Id Graph::stored(Place place, double width, const Shape& shape) {
    Tensor tensor;
    tensor.place = place;
    tensor.external = true;
    tensor.width = width;
    tensor.shape = shape;
    return append(tensor);
}

Id Graph::make(Op op, const Shape& shape, std::initializer_list<Id> sources, double width) {
    Tensor tensor;
    tensor.op = op;
    tensor.width = width;
    tensor.shape = shape;
    size_t at = 0;
    for (const Id source : sources)
        if (source != nothing) tensor.sources[at++] = source;
    return append(tensor);
}

Id Graph::show(Op op, Id of, const Shape& shape, std::initializer_list<Id> sources) {
    const Id made = make(op, shape, sources, (*this)[of].width);
    (*this)[made].view = base(of);
    return made;
}

Id Graph::same(Op op, std::initializer_list<Id> sources) {
    const Tensor& first = (*this)[*sources.begin()];
    const Shape shape = first.shape;
    return make(op, shape, sources, first.width);
}

void Graph::expand(Id id) {
    visited_.resize(tensors.size());
    if (visited_[static_cast<size_t>(id)]) return;
    visited_[static_cast<size_t>(id)] = true;
    const Tensor& tensor = (*this)[id];
    for (const Id source : tensor.sources)
        if (source != nothing) expand(source);
    (tensor.op == Op::none ? leaves : nodes).push_back(id);
}

}  // namespace plimsoll::llama_cpp
