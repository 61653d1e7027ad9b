/// The number that graphs are laid out with: a size as a line over the cells of the cache. A graph is laid out at one
/// number of cells, and each comparison and each step that is no line says how far from there it would come out alike:
/// as far, the buffers' sizes are lines as well, and nothing need be laid out anew.
#pragma once

namespace plimsoll::llama_cpp {

/// Steps of the cache, of `cells_each` cells, down and up from the number that a graph was laid out at, over which
/// every decision stays as it is.
struct Steps {
    static constexpr double cells_each = 256;  ///< caches are padded to these
    double down = 1048576, up = 1048576;       ///< beyond are more cells than are ever asked for

    void none() { down = up = 0; }
};

class Size {
public:
    Size(double value = 0) : value_(value) {}
    /// `gain`: what each step of the cache adds.
    Size(double value, double gain, Steps* steps) : value_(value), gain_(gain), steps_(gain == 0 ? nullptr : steps) {}

    double value() const { return value_; }
    double gain() const { return gain_; }

    // Out of line: graphs add and multiply at hundreds of places, in an engine whose bytes a page waits for.
    friend Size operator+(const Size& a, const Size& b);
    friend Size operator-(const Size& a, const Size& b);
    friend Size operator*(const Size& a, const Size& b);
    friend Size operator/(const Size& a, const Size& b);
    Size& operator+=(const Size& b) { return *this = *this + b; }
    Size& operator-=(const Size& b) { return *this = *this - b; }

    /// The value, which holds here alone where there is a gain.
    double here() const;

    /// The next multiple of `unit`.
    Size padded(double unit) const;

    friend bool operator<(const Size& a, const Size& b);
    friend bool operator>(const Size& a, const Size& b) { return b < a; }
    friend bool operator>=(const Size& a, const Size& b) { return !(a < b); }
    friend bool operator<=(const Size& a, const Size& b) { return !(b < a); }
    friend bool operator==(const Size& a, const Size& b);

private:
    static Steps* steps_of(const Size& a, const Size& b) { return a.steps_ ? a.steps_ : b.steps_; }
    static Size no_line(const Size& from, double value);
    static void keep_less(const Size& a, const Size& b, bool less);
    static void keep_equal(const Size& a, const Size& b, bool equal);

    double value_, gain_ = 0;
    Steps* steps_ = nullptr;  ///< of a size that has a gain
};

}  // namespace plimsoll::llama_cpp
