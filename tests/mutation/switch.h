/// What switches a mutant on: every file of the mutated engine is compiled with this before it. PLIMSOLL_MUTANT names the
/// mutant that is on; with PLIMSOLL_REACHED, a file's name, the sites that ran are written into it at the end.
#pragma once

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace mutation {

constexpr int most = 1 << 24;  // 4,096 files of 4,096 sites

inline const char* const file_of_reached = std::getenv("PLIMSOLL_REACHED");
inline const int active = std::getenv("PLIMSOLL_MUTANT") ? std::atoi(std::getenv("PLIMSOLL_MUTANT")) : -1;

/// 1: a site that ran; 2: one that changes nothing there, as its types have no such operation.
struct Reached {
    unsigned char* sites = file_of_reached ? static_cast<unsigned char*>(std::calloc(most, 1)) : nullptr;
    ~Reached() {
        if (!sites) return;
        std::FILE* file = std::fopen(file_of_reached, "w");
        for (int i = 0; i < most; ++i)
            if (sites[i]) std::fprintf(file, "%d %d\n", i, sites[i]);
        std::fclose(file);
        sites = nullptr;
    }
};
inline Reached reached;

inline bool asked(int site) {
    if (reached.sites) reached.sites[site] |= 1;
    return site == active;
}
/// Whether the mutant `site` is on. In what the compiler computes, none is.
constexpr bool on(int site) { return !std::is_constant_evaluated() && asked(site); }
constexpr void nothing_at(int site) {
    if (!std::is_constant_evaluated() && reached.sites) reached.sites[site] |= 2;
}

/// A literal, or with the mutant on the next value.
template <class T>
constexpr T next(int site, T value) {
    if constexpr (std::is_same_v<T, bool>)
        return on(site) ? !value : value;
    else
        return on(site) ? static_cast<T>(value + 1) : value;
}

/// Stands between an operator and its right operand, with the same operator again: `a + Sign{7} + b`. The first takes `a`
/// along, the second computes what was written, or with the mutant on the other operation. So no precedence changes.
struct Sign {
    int site;
};
template <class A>
struct Held {
    A&& value;
    int site;
};

#define MUTATION_SIGN(WRITTEN, OTHER)                                                                                  \
    template <class A>                                                                                                 \
    constexpr Held<A> operator WRITTEN(A&& a, Sign sign) {                                                             \
        return {std::forward<A>(a), sign.site};                                                                        \
    }                                                                                                                  \
    template <class A, class B>                                                                                        \
    constexpr auto operator WRITTEN(Held<A> a, B&& b)->decltype(std::forward<A>(a.value) WRITTEN std::forward<B>(b)) { \
        using Made = decltype(std::forward<A>(a.value) WRITTEN std::forward<B>(b));                                    \
        if constexpr (requires {                                                                                       \
                          { std::forward<A>(a.value) OTHER std::forward<B>(b) } -> std::same_as<Made>;                 \
                      }) {                                                                                             \
            if (on(a.site)) return std::forward<A>(a.value) OTHER std::forward<B>(b);                                  \
        } else {                                                                                                       \
            nothing_at(a.site);                                                                                        \
        }                                                                                                              \
        return std::forward<A>(a.value) WRITTEN std::forward<B>(b);                                                    \
    }
MUTATION_SIGN(+, -)
MUTATION_SIGN(-, +)
MUTATION_SIGN(*, /)
MUTATION_SIGN(/, *)
MUTATION_SIGN(%, *)
MUTATION_SIGN(<<, >>)
MUTATION_SIGN(>>, <<)
MUTATION_SIGN(&, |)
MUTATION_SIGN(|, &)
MUTATION_SIGN(<, <=)
MUTATION_SIGN(<=, <)
MUTATION_SIGN(>, >=)
MUTATION_SIGN(>=, >)
MUTATION_SIGN(==, !=)
MUTATION_SIGN(!=, ==)
#undef MUTATION_SIGN

}  // namespace mutation
