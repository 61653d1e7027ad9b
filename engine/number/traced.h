/// The second of the two numbers that every formula is written for: a double that remembers how it was made.
/// Run on `double`, a formula is plain arithmetic; run on `Traced`, the same template yields value, formula and
/// sources.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "number/label.h"

namespace plimsoll {

/// How a node of a trace came about. `leaf` is a value that someone stated; `term` and `row` name what lies below them.
enum class Made : unsigned char {
    literal,
    leaf,
    term,
    row,
    add,
    subtract,
    multiply,
    divide,
    minimum,
    maximum,
    ceiling,
    floor,
    root,
    power
};

/// A name of up to three pieces, put together only where it is kept: formulas on doubles have no use for it.
struct Name {
    std::string_view pieces[3];

    Name(std::string_view whole) : pieces{whole} {}
    Name(const char* whole) : pieces{whole} {}
    Name(const std::string& whole) : pieces{whole} {}
    Name(std::string_view first, std::string_view second, std::string_view third = {}) : pieces{first, second, third} {}
    std::string text() const;
};

struct Node;

/// Shares a node. A pointer of our own, for one thread: std::shared_ptr would be twice the size and much code.
class NodePtr {
public:
    NodePtr() = default;
    explicit NodePtr(const Node* node);
    NodePtr(const NodePtr& other) : NodePtr(other.node_) {}
    NodePtr(NodePtr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    NodePtr& operator=(NodePtr other) noexcept {
        std::swap(node_, other.node_);
        return *this;
    }
    ~NodePtr() {
        if (node_) release(node_);
    }

    const Node* get() const { return node_; }
    const Node& operator*() const { return *node_; }
    const Node* operator->() const { return node_; }
    explicit operator bool() const { return node_ != nullptr; }
    friend bool operator==(const NodePtr& a, const NodePtr& b) { return a.node_ == b.node_; }

private:
    static void release(const Node* node);

    const Node* node_ = nullptr;
};

struct Node {
    Made made;
    double value;
    std::string name;    ///< of a leaf, term or row
    std::string source;  ///< of a leaf: who says so, a line for each
    NodePtr left, right;
    mutable int users = 0;
};

inline NodePtr::NodePtr(const Node* node) : node_(node) {
    if (node_) ++node_->users;
}

class Traced {
public:
    Traced(double literal = 0);
    explicit Traced(NodePtr node) : node_(std::move(node)) {}

    double value() const { return node_->value; }
    const NodePtr& node() const { return node_; }

    static Traced leaf(const Name& name, double value, std::string_view source);
    static Traced leaf(const char* name, double value, const char* source);
    /// Gives the expression a name, as a term of the explanation or as a row of the ledger.
    static Traced name(Made kind, const Name& name, const Traced& of);
    static Traced name(Made kind, const char* name, const Traced& of);
    bool is_literal(double value) const { return node_->made == Made::literal && node_->value == value; }

private:
    NodePtr node_;
};

Traced operator+(const Traced& a, const Traced& b);
Traced operator-(const Traced& a, const Traced& b);
Traced operator*(const Traced& a, const Traced& b);
Traced operator/(const Traced& a, const Traced& b);
inline Traced& operator+=(Traced& a, const Traced& b) { return a = a + b; }

// The few functions that formulas may use; each gives the same bits natively and in WebAssembly.
inline double maximum(double a, double b) { return a < b ? b : a; }
inline double minimum(double a, double b) { return b < a ? b : a; }
inline double ceiling(double a) { return std::ceil(a); }
inline double rounded_down(double a) { return std::floor(a); }
inline bool is_whole(double a) { return a == rounded_down(a); }
/// Of whole numbers. (std::fmod is exact for others, too, and half a kilobyte of WebAssembly.)
inline bool is_multiple(double a, double of) { return a == of * rounded_down(a / of); }
inline double root(double a) { return std::sqrt(a); }
/// `base` to a whole, not negative power, by squaring: products alone, which round alike everywhere.
double power(double base, double whole);
Traced maximum(const Traced& a, const Traced& b);
Traced minimum(const Traced& a, const Traced& b);
Traced ceiling(const Traced& a);
Traced rounded_down(const Traced& a);
Traced root(const Traced& a);
Traced power(const Traced& base, const Traced& whole);

inline double value_of(double n) { return n; }
inline double value_of(const Traced& n) { return n.value(); }

/// A leaf: someone said so, and `source` is who.
template <class N>
N input(const Name& name, double value, std::string_view source) {
    if constexpr (std::is_same_v<N, Traced>)
        return Traced::leaf(name, value, source);
    else
        return value;
}
template <class N>
N input(const char* name, double value, const char* source) {
    if constexpr (std::is_same_v<N, Traced>)
        return Traced::leaf(name, value, source);
    else
        return value;
}

/// A named term of the explanation; the identity for double.
template <class N>
N named(const Name& name, const N& n) {
    if constexpr (std::is_same_v<N, Traced>)
        return Traced::name(Made::term, name, n);
    else
        return n;
}
template <class N>
N named(const char* name, const N& n) {
    if constexpr (std::is_same_v<N, Traced>)
        return Traced::name(Made::term, name, n);
    else
        return n;
}

/// A row of the ledger, `name` being its path such as `weights.attention`; the identity for double.
template <class N>
N as_row(const Name& name, const N& n) {
    if constexpr (std::is_same_v<N, Traced>)
        return Traced::name(Made::row, name, n);
    else
        return n;
}

/// A model's shapes are traced once, when it is read; formulas that run on double take their values.
template <class N>
N as(const Traced& shape) {
    if constexpr (std::is_same_v<N, Traced>)
        return shape;
    else
        return shape.value();
}

}  // namespace plimsoll
