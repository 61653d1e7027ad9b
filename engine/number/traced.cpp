#include "number/traced.h"

namespace plimsoll {
namespace {

Traced made(Made kind, double value, const Name& name, std::string_view source, const NodePtr& left,
            const NodePtr& right) {
    return Traced(NodePtr(new Node{kind, value, name.text(), std::string(source), left, right}));
}

Traced combined(Made kind, double value, const Traced& left, const Traced& right) {
    return made(kind, value, "", {}, left.node(), right.node());
}

Traced applied(Made kind, double value, const Traced& to) { return made(kind, value, "", {}, to.node(), {}); }

}  // namespace

std::string Name::text() const {
    std::string text;
    for (const std::string_view piece : pieces) text += piece;
    return text;
}

void NodePtr::release(const Node* node) {
    if (--node->users == 0) delete node;
}

Traced::Traced(double literal) : Traced(made(Made::literal, literal, "", {}, {}, {})) {}

Traced Traced::leaf(const Name& name, double value, std::string_view source) {
    return made(Made::leaf, value, name, source, {}, {});
}

Traced Traced::leaf(const char* name, double value, const char* source) {
    return leaf(Name(name), value, std::string_view(source));
}

Traced Traced::name(Made kind, const Name& name, const Traced& of) {
    return made(kind, of.value(), name, {}, of.node_, {});
}

Traced Traced::name(Made kind, const char* name, const Traced& of) { return Traced::name(kind, Name(name), of); }

// Literal 0 and 1 are folded away so that a printed line holds only what matters; values stay those of plain doubles.
Traced operator+(const Traced& a, const Traced& b) {
    if (a.is_literal(0)) return b;
    if (b.is_literal(0)) return a;
    return combined(Made::add, a.value() + b.value(), a, b);
}

Traced operator-(const Traced& a, const Traced& b) {
    if (b.is_literal(0)) return a;
    return combined(Made::subtract, a.value() - b.value(), a, b);
}

Traced operator*(const Traced& a, const Traced& b) {
    if (a.is_literal(0) || b.is_literal(0)) return Traced(0);
    if (a.is_literal(1)) return b;
    if (b.is_literal(1)) return a;
    return combined(Made::multiply, a.value() * b.value(), a, b);
}

Traced operator/(const Traced& a, const Traced& b) {
    if (b.is_literal(1)) return a;
    return combined(Made::divide, a.value() / b.value(), a, b);
}

Traced maximum(const Traced& a, const Traced& b) {
    return combined(Made::maximum, maximum(a.value(), b.value()), a, b);
}
Traced minimum(const Traced& a, const Traced& b) {
    return combined(Made::minimum, minimum(a.value(), b.value()), a, b);
}
Traced ceiling(const Traced& a) { return applied(Made::ceiling, ceiling(a.value()), a); }
Traced rounded_down(const Traced& a) { return applied(Made::floor, rounded_down(a.value()), a); }
double power(double base, double whole) {
    double result = 1;
    for (double left = rounded_down(whole); left > 0; left = rounded_down(left / 2)) {
        if (!is_multiple(left, 2)) result *= base;
        base *= base;
    }
    return result;
}
Traced power(const Traced& base, const Traced& whole) {
    return combined(Made::power, power(base.value(), whole.value()), base, whole);
}
Traced root(const Traced& a) { return applied(Made::root, root(a.value()), a); }

}  // namespace plimsoll
