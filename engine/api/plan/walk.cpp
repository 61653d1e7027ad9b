// What a layout chooses, and among which values.
#include "api/plan/walk.h"

#include <algorithm>

#include "model/transform/divided_model.h"

namespace plimsoll {
namespace {

constexpr std::string_view walked[] = {"devices",
                                       "parallel.tensor",
                                       "parallel.pipeline",
                                       "parallel.context",
                                       "parallel.data",
                                       "parallel.expert",
                                       "parallel.framework",
                                       "parallel.zero",
                                       "parallel.virtual_stages",
                                       "parallel.sequence_parallel",
                                       "training.checkpointing",
                                       "training.micro_batch",
                                       "training.accumulation"};

// What each framework divides among copies; of ZeRO's stages those that it has.
struct Divides {
    const char* framework;
    std::vector<double> stages;
};
const std::vector<Divides>& divisions() {
    static const std::vector<Divides> all = {
        {"ddp", {0}}, {"deepspeed", {1, 2, 3}}, {"fsdp", {2, 3}}, {"fsdp2", {2, 3}}, {"megatron", {0, 1}}};
    return all;
}

Json number(double value) { return static_cast<std::int64_t>(value); }

std::vector<double> divisors(double of) {
    std::vector<double> list;
    for (double each = 1; each <= of; ++each)
        if (is_whole(of / each)) list.push_back(each);
    return list;
}

// Each of the one with each of the other.
std::vector<Choices> combined(const std::vector<Choices>& some, const std::vector<Choices>& others) {
    std::vector<Choices> all;
    for (const Choices& one : some)
        for (const Choices& other : others) {
            all.push_back(one);
            all.back().insert(all.back().end(), other.begin(), other.end());
        }
    return all;
}

std::vector<double> numbers_of(const Bound& bound) {
    std::vector<double> list;
    if (bound.range)
        for (double each = bound.range->first; each <= bound.range->second; ++each) list.push_back(each);
    else
        for (const Json& value : bound.values) list.push_back(value.get<double>());
    return list;
}

}  // namespace

Walk::Walk(const PlanQuestion& question, Point& point) : question_(question), request_(question.request), others_{{}} {
    const Request& read = point.read();
    training_ = read.task == Task::training;
    server_ = read.task == Task::inference && read.inference.runtime &&
              read.inference.runtime->allocation == Allocation::paged;
    layers_ = static_cast<double>(point.model().model.order.size());
    experts_ = most_experts(point.model().model);
    for (const Bound& bound : question.bounds) {
        if (std::find(std::begin(walked), std::end(walked), bound.field) != std::end(walked)) continue;
        std::vector<Choices> values;
        if (bound.range)
            for (const double each : numbers_of(bound)) values.push_back({{bound.field, number(each)}});
        else
            for (const Json& value : bound.values) values.push_back({{bound.field, value}});
        others_ = combined(others_, values);
    }
}

bool Walk::is_said(std::string_view field) const { return value_at(request_, field) != nullptr; }

bool Walk::admits(std::string_view field, double number, bool free) const {
    if (const Bound* bound = question_.bound(field)) return bound->admits(number);
    const Json* said = value_at(request_, field);
    return said ? *said == number : free;
}

std::vector<double> Walk::degrees(std::string_view field, double of, bool free) const {
    std::vector<double> list;
    for (const double each : divisors(of))
        if (admits(field, each, free || each == 1)) list.push_back(each);
    return list;
}

// A whole cluster trains; generation may leave devices to others, and the fewest may be what is asked for.
std::vector<double> Walk::device_counts() const {
    const double all = question_.cluster.devices(), per_node = question_.cluster.per_node;
    const double* said = number_member(request_, "devices");
    const Bound* bound = question_.bound("devices");
    if (said && !bound) return {*said};
    const bool any = bound || !training_ || question_.want == Want::fewest_devices;
    std::vector<double> list;
    if (!any) return {all};
    for (const double each : divisors(per_node))
        if (each < per_node) list.push_back(each);
    for (double nodes = 1; nodes <= question_.cluster.nodes; ++nodes) list.push_back(nodes * per_node);
    if (bound)
        list.erase(std::remove_if(list.begin(), list.end(), [&](double n) { return !bound->admits(n); }), list.end());
    return list;
}

void Walk::families(const std::function<bool(const Family&)>& visit) const {
    for (const double devices : device_counts()) {
        Family family;
        family.devices = devices;
        if (!spread(family, visit)) return;
    }
}

// The degrees that multiply to the devices.
bool Walk::spread(Family& family, const std::function<bool(const Family&)>& visit) const {
    const bool free = training_ || server_;
    if (!free) {
        family.choices = {{"devices", number(family.devices)}};
        return divide(family, visit);
    }
    for (const double tensor : degrees("parallel.tensor", family.devices, true))
        for (const double pipeline : degrees("parallel.pipeline", family.devices / tensor, true))
            for (const double context : degrees("parallel.context", family.devices / tensor / pipeline, training_)) {
                const double data = family.devices / tensor / pipeline / context;
                if (!admits("parallel.data", data, true)) continue;
                family.tensor = tensor;
                family.pipeline = pipeline;
                family.context = context;
                family.data = data;
                if (!divide(family, visit)) return false;
            }
    return true;
}

std::vector<double> Walk::experts(const Family& family) const {
    const double sharing = family.data * family.tensor * family.context;
    std::vector<double> list = degrees("parallel.expert", sharing, experts_ > 1);
    const auto impossible = [&](double each) {
        return each > experts_ || (server_ && each < sharing && !question_.bound("parallel.expert"));
    };
    list.erase(std::remove_if(list.begin(), list.end(), [&](double each) { return each > 1 && impossible(each); }),
               list.end());
    return list;
}

// Who divides what the copies have in common, and how much of it.
std::vector<Choices> Walk::shardings(const Family& family) const {
    if (!training_) return {{}};
    std::vector<Choices> list;
    const double copies = family.data * family.context;
    for (const Divides& divides : divisions()) {
        const std::string name = divides.framework;
        if (!wants_framework(name)) continue;
        if (family.devices == 1) return {{}};  // nobody to share with
        if (copies == 1) {
            list.push_back({{"parallel.framework", name}});
            continue;
        }
        for (const double each : divides.stages)
            if (admits("parallel.zero", each, true))
                list.push_back({{"parallel.framework", name}, {"parallel.zero", number(each)}});
    }
    return list;
}

bool Walk::wants_framework(const std::string& name) const {
    if (const Bound* bound = question_.bound("parallel.framework"))
        return std::find(bound->values.begin(), bound->values.end(), name) != bound->values.end();
    const Json* parallel = member(request_, "parallel");
    const std::string* said = parallel ? text_member(*parallel, "framework") : nullptr;
    return said ? name == *said : name != "fsdp";
}

std::vector<Choices> Walk::virtual_stages(const Family& family) const {
    const Bound* bound = question_.bound("parallel.virtual_stages");
    if (!training_ || family.pipeline == 1 || (is_said("parallel.virtual_stages") && !bound)) return {{}};
    std::vector<Choices> list;
    for (const double parts : divisors(layers_ / family.pipeline)) {
        if (bound && !bound->admits(parts)) continue;
        list.push_back({});
        if (parts > 1) list.back().push_back({"parallel.virtual_stages", number(parts)});
    }
    if (list.empty() && !bound) list.push_back({});
    return list;
}

bool Walk::divide(Family& family, const std::function<bool(const Family&)>& visit) const {
    const bool degrees_said = training_ || server_;
    const std::vector<Choices> sharing = combined(combined(shardings(family), virtual_stages(family)), others_);
    const std::vector<double> expert_degrees = degrees_said ? experts(family) : std::vector<double>{1};
    for (const double expert : expert_degrees) {
        family.expert = expert;
        for (const Choices& more : sharing) {
            family.choices = {{"devices", number(family.devices)}};
            if (degrees_said)
                for (const auto& [field, degree] : {std::pair{"parallel.data", family.data},
                                                    {"parallel.tensor", family.tensor},
                                                    {"parallel.pipeline", family.pipeline}})
                    family.choices.push_back({field, number(degree)});
            if (family.context > 1) family.choices.push_back({"parallel.context", number(family.context)});
            if (expert > 1) family.choices.push_back({"parallel.expert", number(expert)});
            family.choices.insert(family.choices.end(), more.begin(), more.end());
            if (!visit(family)) return false;
        }
    }
    return true;
}

// Micro-batches, the smallest first; accumulation makes up the global batch.
std::vector<Choices> Walk::batches(const Family& family) const {
    const Bound *sizes = question_.bound("training.micro_batch"), *steps = question_.bound("training.accumulation");
    std::vector<Choices> list;
    const auto add = [&](double size, double step) {
        list.push_back({{"training.micro_batch", number(size)}});
        if (step > 0) list.back().push_back({"training.accumulation", number(step)});
    };
    if (question_.global_batch == 0) {
        if (!sizes && !steps) return {{}};
        const std::vector<double> of = sizes ? numbers_of(*sizes) : std::vector<double>{};
        for (const double size : of) add(size, 0);
        if (!steps) return list;
        std::vector<Choices> counts;
        for (const double step : numbers_of(*steps)) counts.push_back({{"training.accumulation", number(step)}});
        return sizes ? combined(list, counts) : counts;
    }
    const double share = question_.global_batch / family.data;
    if (!is_whole(share)) return {};
    for (const double size : divisors(share)) {
        if (!admits("training.micro_batch", size, true)) continue;
        if (!steps || steps->admits(share / size)) add(size, share / size);
    }
    return list;
}

std::vector<Choices> Walk::named(std::string_view field, std::initializer_list<const char*> usual) const {
    std::vector<Choices> list;
    if (const Bound* bound = question_.bound(field)) {
        for (const Json& value : bound->values) list.push_back({{field, value}});
    } else if (is_said(field)) {
        list.push_back({});
    } else {
        for (const char* value : usual) list.push_back({{field, value}});
    }
    return list;
}

std::vector<Member> Walk::members(const Family& family) const {
    if (!training_) return {{}};
    std::vector<Choices> same{{}};
    if (family.tensor > 1 && question_.bound("parallel.sequence_parallel"))
        same = named("parallel.sequence_parallel", {});
    else if (family.tensor > 1 && !is_said("parallel.sequence_parallel"))
        same = {{{"parallel.sequence_parallel", false}}, {{"parallel.sequence_parallel", true}}};
    same = combined(same, named("training.checkpointing", {"none", "selective", "full"}));
    const std::vector<Choices> all_batches = batches(family);
    std::vector<Member> list;
    for (const Choices& choices : same)
        for (const Choices& batch : all_batches) {
            Member one;
            one.choices = choices;
            one.choices.insert(one.choices.end(), batch.begin(), batch.end());
            for (const Chosen& each : batch)
                if (each.field == "training.accumulation") one.accumulation = each.value.get<double>();
            one.grows = &batch != &all_batches.front() && question_.global_batch > 0;
            list.push_back(std::move(one));
        }
    return list;
}

}  // namespace plimsoll
