/// All layouts of a question, one after the other.
///
///     family   how many devices, each degree of parallelism, who divides what copies have in common, virtual stages, and
///              what else `bounds` names: layouts of a family spread weights and states alike
///     member   of a family: sequence parallelism, what is recomputed, micro-batches; of those that are alike but for the
///              micro-batch, the smaller one comes first
///
/// A field that the request says stays as it is said, unless `bounds` names it. What is left free:
///     training    data × tensor × pipeline × context = devices, expert, framework and ZeRO stage, virtual stages,
///                 sequence parallelism, recomputation; with `global_batch` micro-batch and accumulation
///     servers     tensor, pipeline, data, expert, and how many devices take part
///     others      how many devices take part
#pragma once

#include <functional>

#include "api/plan/plan_question.h"
#include "api/sweep/point.h"

namespace plimsoll {

/// A field of a request, and what a layout chooses for it.
struct Chosen {
    std::string_view field;
    Json value;
};
using Choices = std::vector<Chosen>;

struct Family {
    double devices = 1, tensor = 1, pipeline = 1, context = 1, data = 1, expert = 1;
    Choices choices;  ///< as fields
};

struct Member {
    Choices choices;
    double accumulation = 1;
    bool grows = false;  ///< it is the member before it with a larger micro-batch
};

class Walk {
public:
    /// `point` has the question's request, of which the model is read; both must outlive the walk.
    Walk(const PlanQuestion& question, Point& point);

    /// Calls `visit` for each family, until it returns false.
    void families(const std::function<bool(const Family&)>& visit) const;

    /// Those of a family.
    std::vector<Member> members(const Family& family) const;

private:
    struct Sharding;

    bool is_said(std::string_view field) const;
    /// Whether a layout may have this number there: by its bound, else by what the request says, else where it is free.
    bool admits(std::string_view field, double number, bool free) const;
    std::vector<double> device_counts() const;
    std::vector<double> degrees(std::string_view field, double of, bool free) const;
    std::vector<double> experts(const Family& family) const;
    std::vector<Choices> shardings(const Family& family) const;
    bool wants_framework(const std::string& name) const;
    std::vector<Choices> virtual_stages(const Family& family) const;
    bool spread(Family& family, const std::function<bool(const Family&)>& visit) const;
    bool divide(Family& family, const std::function<bool(const Family&)>& visit) const;
    std::vector<Choices> batches(const Family& family) const;
    std::vector<Choices> named(std::string_view field, std::initializer_list<const char*> usual) const;

    const PlanQuestion& question_;
    const Json& request_;
    bool training_ = false, server_ = false;
    double layers_ = 0, experts_ = 0;
    std::vector<Choices> others_;  ///< of what `bounds` names beside all this
};

}  // namespace plimsoll
