// `devices` and `parallel` of a request, whatever its task: what is left out follows from the rest.
#include "api/request/degrees.h"

#include "number/traced.h"

namespace plimsoll {
namespace {

struct Degree {
    const char* name;
    double Degrees::*value;
};

// Those that multiply to the devices come first; a shared sequence is of them where the rule says so.
constexpr Degree all_degrees[] = {{"tensor", &Degrees::tensor},
                                  {"pipeline", &Degrees::pipeline},
                                  {"data", &Degrees::data},
                                  {"context", &Degrees::context},
                                  {"expert", &Degrees::expert}};

bool multiplies(const Degree& degree, const DegreeRule& rule) {
    if (degree.value == &Degrees::expert) return false;
    return degree.value != &Degrees::context || rule.context_is_apart;
}

double product(const Degrees& degrees, const DegreeRule& rule) {
    double all = 1;
    for (const Degree& degree : all_degrees)
        if (multiplies(degree, rule)) all *= degrees.*degree.value;
    return all;
}

// The fewest devices of the rest that hold the groups which are made of the devices of other degrees.
double needed(const Degrees& degrees, const DegreeRule& rule) {
    if (rule.context_is_apart) return ceiling(degrees.expert / (degrees.tensor * degrees.context));
    return maximum(ceiling(degrees.expert / (rule.experts_over_data ? degrees.data : 1)), degrees.context);
}

void refuse_uneven(const Degrees& degrees, const DegreeRule& rule, const Fields& parallel, Reading& reading) {
    for (const Degree& degree : all_degrees)
        if (multiplies(degree, rule) && !is_whole(degrees.devices / degrees.*degree.value))
            reading.fail({"out_of_range", parallel.path(degree.name), "the devices do not divide by it",
                          "a divisor of devices, or another number of devices"});
    reading.fail({"out_of_range", "parallel",
                  rule.context_is_apart ? "data × tensor × pipeline × context is not the number of devices"
                                        : "tensor × pipeline × data is not the number of devices",
                  "change a degree, or devices"});
}

const char* name_of(double Degrees::*value) {
    for (const Degree& degree : all_degrees)
        if (degree.value == value) return degree.name;
    return "";
}

}  // namespace

Degrees read_degrees(Fields& top, Fields& parallel, const DegreeRule& rule, Reading& reading) {
    Degrees degrees;
    const char* rest = name_of(rule.rest);
    for (const Degree& degree : all_degrees) degrees.*degree.value = parallel.optional_number(degree.name).value_or(1);
    const std::optional<double> devices = top.optional_number("devices");
    const std::optional<double> given = devices ? devices : rule.listed;
    const bool follows = !parallel.optional_number(rest);
    if (follows) degrees.*rule.rest = given ? *given / product(degrees, rule) : needed(degrees, rule);
    degrees.devices = given.value_or(product(degrees, rule));
    if (reading.error) return degrees;
    if (!is_whole(degrees.*rule.rest) || product(degrees, rule) != degrees.devices) {
        if (follows) degrees.*rule.rest = 1;
        refuse_uneven(degrees, rule, parallel, reading);
        return degrees;
    }
    if (!given && degrees.devices > 1)
        reading.assume("devices", degrees.devices, "as many as the degrees of parallelism multiply to");
    if (follows && degrees.*rule.rest > 1) reading.assume(parallel.path(rest), degrees.*rule.rest, rule.why);
    return degrees;
}

}  // namespace plimsoll
