// Family by family, member by member.
#include "api/plan/search.h"

#include <algorithm>
#include <set>

#include "api/solve/timely.h"
#include "plan/traffic.h"

namespace plimsoll {
namespace {

constexpr double most_layouts = 4000000;
constexpr double few = 200;  // so many are all shown, and their count is exact; of a part, its share of them

// Rows that neither a micro-batch nor what is recomputed changes.
bool is_fixed(const RowId& id) {
    return id == RowId::weights || id == RowId::master_weights || id == RowId::optimizer || id == RowId::device_context;
}

bool is_no_slack(const RowId& id) { return !(id == RowId::slack); }

double most_of(const Placed<double>& placed, bool (*rows)(const RowId&)) {
    double most = 0;
    for (const DeviceClass<double>& device : placed.devices)
        for (size_t phase = 0; phase < device.ledger.phases.size(); ++phase)
            most = maximum(most, total_at(device.ledger, phase, rows));
    return most;
}

// What is refused at a degree is refused whatever else a family's members choose.
bool is_of_family(const std::string& where) {
    for (const char* field : {"parallel.tensor", "parallel.context", "parallel.expert", "parallel.expert_tensor",
                              "parallel.zero", "parallel.framework", "parallel.data", "devices"})
        if (where == field) return true;
    return false;
}

}  // namespace

// What is known of a family once some of it is computed.
struct PlanSearch::Bounds {
    std::optional<Error> refused;  ///< all of it
    bool too_large = false;        ///< its fixed rows
    bool beyond = false;           ///< the micro-batch before
};

std::optional<Error> PlanSearch::run() {
    bool too_many = false;
    walk_.families([&](const Family& family) {
        const double number = family_++;
        if (number - question_.of * rounded_down(number / question_.of) != question_.part) return true;
        look_at(family);
        too_many = counted_.all > most_layouts;
        return !too_many && !asks_;
    });
    if (too_many)
        return Error{"out_of_range", "bounds", "there are more than 4,000,000 layouts",
                     "bound some fields, or say them in the request"};
    return std::nullopt;
}

// Fields that an earlier layout set and this one leaves alone become what the request says of them.
bool PlanSearch::set(const Choices& family, const Choices& member_choices) {
    std::map<std::string, Json, std::less<>> now;
    for (const Choices* choices : {&family, &member_choices})
        for (const Chosen& each : *choices) now[std::string(each.field)] = each.value;
    for (const auto& [field, value] : set_)
        if (now.find(field) == now.end()) now[field] = nullptr;
    for (const auto& [field, value] : now) {
        const auto before = set_.find(field);
        if (before != set_.end() && before->second == value) continue;
        if (!point_.set(field, value)) return false;
    }
    set_ = std::move(now);
    return true;
}

void PlanSearch::look_at(const Family& family) {
    const std::vector<Member> members = walk_.members(family);
    if (members.empty()) {
        ++counted_.all;
        return refuse({"out_of_range", "global_batch", "the copies of the model cannot share it evenly",
                       "a multiple of the data-parallel degree"},
                      family.choices, {});
    }
    Bounds bounds;
    for (const Member& one : members) {
        ++counted_.all;
        if (!one.grows) bounds.beyond = false;
        if (bounds.refused && question_.prune) {
            refuse(*bounds.refused, family.choices, one.choices);
        } else if (question_.prune && (bounds.too_large || (bounds.beyond && one.accumulation > 1))) {
            ++counted_.bounded;
        } else {
            estimate(family, one, bounds);
        }
        if (asks_) return;
    }
}

void PlanSearch::refuse(const Error& error, const Choices& family, const Choices& member_choices) {
    if (asks_the_whole(error)) asks_ = error;
    ++counted_.refused;
    const auto [found, is_new] =
        refusal_of_.emplace(error.code + " " + error.where + " " + error.what, refusals_.size());
    if (is_new) {
        refusals_.push_back({error, 0, family});
        refusals_.back().example.insert(refusals_.back().example.end(), member_choices.begin(), member_choices.end());
    }
    ++refusals_[found->second].count;
}

double PlanSearch::room_of(const Request& request) const {
    const double usable = request.device ? value_of(request.device->usable<double>()) : 0;
    return question_.limit.bytes.value_or(usable) - question_.room;
}

void PlanSearch::estimate(const Family& family, const Member& one, Bounds& bounds) {
    if (!set(family.choices, one.choices)) return refuse(in_no_object("parallel"), family.choices, one.choices);
    Request& request = point_.read();
    request.training.formulas_alone = true;
    Computed made = computed(request, point_.model());
    if (made.error && !made.beyond_all) {
        if (is_of_family(made.error->where)) bounds.refused = made.error;
        return refuse(*made.error, family.choices, one.choices);
    }
    ++counted_.estimated;
    if (made.beyond_all) return void(bounds.beyond = true);
    const double room = room_of(request);
    bounds.too_large = most_of(made.placed, is_fixed) > room;
    bounds.beyond = most_of(made.placed, is_no_slack) > room;
    if (bounds.beyond) return;
    Layout layout{family.choices, {}, {}, counted_.all + family_ * 1e7};
    layout.choices.insert(layout.choices.end(), one.choices.begin(), one.choices.end());
    const Ledger<double>& fullest_of = made.placed.devices[fullest(made.placed)].ledger;
    layout.trade.bytes = total_at(fullest_of, peak_phase(fullest_of), is_allocated);
    layout.trade.devices = family.devices;
    layout.figures.room = room;
    if (request.task == Task::training)
        trade_training(layout, request);
    else
        trade_served(layout, request, made.placed.capacity ? made.placed.capacity->sequences : 0);
    layouts_.push_back(std::move(layout));
}

void PlanSearch::trade_training(Layout& layout, const Request& request) const {
    const TrainingInputs& inputs = request.training;
    const Model& model = point_.model().model;
    layout.trade.recompute = recomputed_share(model, inputs);
    layout.trade.bubble = bubble(inputs);
    layout.figures.micro_batch = inputs.request.batch.micro_batch;
    layout.figures.accumulation = inputs.request.batch.accumulation;
    const SentInStep sent = sent_in_a_step(model, inputs, question_.cluster.per_node);
    layout.trade.between = sent.all.between;
    layout.figures.within = sent.all.within;
    if (question_.want != Want::shortest_step) return;
    layout.figures.step = step_seconds(model, inputs, request.speed, question_.cluster.links());
    layout.trade.seconds = layout.figures.step.compared();
}

// `sequences`: that one copy's caches hold at once.
void PlanSearch::trade_served(Layout& layout, const Request& request, double sequences) const {
    const Sent sent = sent_for_a_token(point_.model().model, request.inference, question_.cluster.per_node);
    layout.trade.between = sent.between;
    layout.figures.within = sent.within;
    layout.figures.sequences = sequences * maximum(request.inference.request.data, 1.0);
}

// Follows the allocator, and holds the process against the device as a reply would.
void PlanSearch::show(Layout& layout) {
    if (layout.shown) return;
    Point at(request_of(layout, question_, point_.library()), point_.library());
    Request& request = at.read();
    Computed made = computed(request, at.model());
    layout.shown = true;
    layout.fits = !made.error;
    ++counted_.replayed;
    if (made.error) return;
    const Banding banding = banding_of(request, point_.library());
    for (DeviceClass<double>& each : made.placed.devices) banding.band(each.ledger.rows);
    Limit limit = question_.limit;
    if (question_.room > 0) limit.bytes = room_of(request);
    const Need need = need_of(request, made.placed, banding, limit);
    layout.fits = need.fits;
    layout.figures.process = need.bytes;
    layout.figures.free = room_of(request) - need.bytes;
    layout.figures.verdict = need.verdict;
}

// As a reply to the layout's request would, over the cluster's links; of a request that cannot be timed nothing is told.
void PlanSearch::tell_time(Layout& layout) const {
    if (layout.figures.step.roof > 0) return;
    Json asked = request_of(layout, question_, point_.library());
    asked["time"] = true;
    Point at(std::move(asked), point_.library());
    Request& request = at.read();
    if (request.reading.error) return;
    request.training.formulas_alone = true;
    if (computed(request, at.model()).error) return;
    LinkRates links = question_.cluster.links();
    if (links.within == 0) links.within = request.links.within;
    if (links.between == 0) links.between = request.links.between;
    layout.figures.step = seconds_of(request, at.model().model, links);
}

std::vector<size_t> PlanSearch::ranked() const {
    std::vector<size_t> order(layouts_.size());
    for (size_t at = 0; at < order.size(); ++at) order[at] = at;
    std::vector<Rank> ranks;
    for (const Layout& layout : layouts_) ranks.push_back(rank_of(layout, question_.want));
    std::stable_sort(order.begin(), order.end(),
                     [&ranks](size_t one, size_t other) { return ranks[one] < ranks[other]; });
    return order;
}

void PlanSearch::show_few() {
    if (static_cast<double>(layouts_.size()) * question_.of <= few)
        for (Layout& layout : layouts_) show(layout);
}

std::vector<const Layout*> PlanSearch::best() {
    show_few();
    std::vector<const Layout*> list;
    for (const size_t index : ranked()) {
        if (list.size() == question_.keep) break;
        show(layouts_[index]);
        if (!layouts_[index].fits) continue;
        tell_time(layouts_[index]);
        list.push_back(&layouts_[index]);
    }
    return list;
}

std::vector<const Layout*> PlanSearch::front() {
    for (;;) {
        std::vector<Trade> trades;
        std::vector<size_t> indices;
        for (size_t at = 0; at < layouts_.size(); ++at) {
            if (!layouts_[at].fits) continue;
            trades.push_back(layouts_[at].trade);
            indices.push_back(at);
        }
        std::vector<const Layout*> list;
        std::set<size_t> on_front;
        for (const size_t at : front_of(trades)) on_front.insert(indices[at]);
        bool all_fit = true;
        for (const size_t index : ranked()) {
            if (list.size() == question_.keep || on_front.find(index) == on_front.end()) continue;
            show(layouts_[index]);
            all_fit = all_fit && layouts_[index].fits;
            if (layouts_[index].fits) tell_time(layouts_[index]);
            list.push_back(&layouts_[index]);
        }
        if (all_fit) return list;
    }
}

Counted PlanSearch::counted() const {
    Counted all = counted_;
    for (const Layout& layout : layouts_) {
        all.fit += layout.shown && layout.fits ? 1 : 0;
        all.within_reach += layout.shown ? 0 : 1;
    }
    return all;
}

}  // namespace plimsoll
