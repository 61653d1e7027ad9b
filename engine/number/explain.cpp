#include "number/explain.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

constexpr int binds_sum = 1, binds_product = 2;

bool same(const NodePtr& a, const NodePtr& b) {
    if (a == b) return true;
    if (!a || !b) return false;
    return a->made == b->made && a->value == b->value && a->name == b->name && a->source == b->source &&
           same(a->left, b->left) && same(a->right, b->right);
}

const char* call_name(Made made) {
    switch (made) {
        case Made::divide: return "/";
        case Made::minimum: return "min";
        case Made::maximum: return "max";
        case Made::ceiling: return "ceil";
        case Made::floor: return "floor";
        case Made::power: return "pow";
        default: return "sqrt";
    }
}

// A leaf may have several sources, a line each.
void add_lines(const std::string& source, std::vector<std::string>& into) {
    for (size_t begin = 0; begin < source.size();) {
        const size_t end = std::min(source.find('\n', begin), source.size());
        std::string line = source.substr(begin, end - begin);
        if (!line.empty() && std::find(into.begin(), into.end(), line) == into.end()) into.push_back(std::move(line));
        begin = end + 1;
    }
}

void collect(const NodePtr& node, std::set<const Node*>& seen, std::vector<std::string>& into) {
    if (!node || !seen.insert(node.get()).second) return;
    add_lines(node->source, into);
    collect(node->left, seen, into);
    collect(node->right, seen, into);
}

}  // namespace

Formula Explainer::formula(const Traced& of) {
    Formula tokens;
    const NodePtr& node = of.node();
    const bool is_name = node->made == Made::row || node->made == Made::term;
    print(is_name ? node->left : node, 0, tokens);
    return tokens;
}

std::vector<std::string> Explainer::sources(const Traced& of) const {
    std::vector<std::string> found;
    std::set<const Node*> seen;
    collect(of.node(), seen, found);
    return found;
}

std::string Explainer::refer(const NodePtr& node) {
    if (const auto known = names_.find(node.get()); known != names_.end()) return known->second;
    // The same name may stand for two different things in one answer (two kinds of layers): number the later ones.
    std::string name = node->name;
    for (int copy = 2;; ++copy) {
        const auto taken = symbols_.find(name);
        if (taken == symbols_.end()) break;
        const auto twin = std::find_if(names_.begin(), names_.end(),
                                       [&name = name](const auto& entry) { return entry.second == name; });
        if (same(NodePtr(twin->first), node)) {
            names_.emplace(node.get(), name);
            return name;
        }
        name = node->name + " (" + std::to_string(copy) + ")";
    }
    names_.emplace(node.get(), name);
    symbols_.emplace(name, Symbol{node->value, node->source, {}});
    if (node->made == Made::term) {
        Formula below;
        print(node->left, 0, below);
        symbols_[name].formula = std::move(below);
    }
    return name;
}

void Explainer::print(const NodePtr& node, int binding, Formula& into) {
    switch (node->made) {
        case Made::literal: into.push_back({Token::Kind::value, {}, node->value}); return;
        case Made::leaf:
        case Made::term: into.push_back({Token::Kind::reference, refer(node), node->value}); return;
        case Made::row: into.push_back({Token::Kind::row, node->name, node->value}); return;
        case Made::add:
        case Made::subtract:
        case Made::multiply: {
            const bool product = node->made == Made::multiply;
            const int own = product ? binds_product : binds_sum;
            const bool parenthesised = own < binding;
            if (parenthesised) into.push_back({Token::Kind::infix, "("});
            print(node->left, own, into);
            const char* sum = node->made == Made::add ? "+" : "-";
            into.push_back({Token::Kind::infix, product ? "*" : sum});
            // a - (b + c) needs its parentheses; a + (b + c) and a * (b * c) do not
            print(node->right, node->made == Made::subtract ? binds_product : own, into);
            if (parenthesised) into.push_back({Token::Kind::infix, ")"});
            return;
        }
        case Made::divide:
        case Made::minimum:
        case Made::maximum:
        case Made::ceiling:
        case Made::floor:
        case Made::power:
        case Made::root: {
            Token call{Token::Kind::call, call_name(node->made), node->value};
            for (const NodePtr& argument : {node->left, node->right}) {
                if (!argument) continue;
                call.arguments.emplace_back();
                print(argument, 0, call.arguments.back());
            }
            into.push_back(std::move(call));
            return;
        }
    }
}

}  // namespace plimsoll
