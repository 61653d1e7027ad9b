/// One value tried: the request with it is read, computed and held against the limit.
#pragma once

#include <map>

#include "api/engine.h"
#include "api/solve/search.h"
#include "api/sweep/point.h"

namespace plimsoll {

/// What a request must stay within.
struct Limit {
    std::optional<double> bytes;                   ///< of each device's process; absent: what its device has for it
    std::optional<double> host_bytes;              ///< of the host's memory; absent: not looked at
    bool sure = false;                             ///< all of the band must fit, not the estimate alone
    std::optional<double> token_seconds = {};      ///< of a step of one token of each sequence; absent: of any length
    std::optional<double> tokens_per_second = {};  ///< at least, of all sequences or of a training

    bool asks_time() const { return token_seconds || tokens_per_second; }
};

/// What a computed request needs, on the device that has least room left for it.
struct Need {
    bool fits = false, beyond = false;  ///< as of a Probe
    double bytes = 0;                   ///< of that device's process at its peak
    double over = 0;                    ///< by so many bytes it is too much; 0 where it fits, or a cache holds too few
    bool host = false;                  ///< it is the host's memory that is too small
    size_t device = 0, phase = 0;       ///< which class of devices, and its phase
    const char* verdict = "fits";       ///< as a reply's
    const char* slow = nullptr;         ///< memory would do: the limit of time that is not kept
};

Need need_of(const Request& request, const Placed<double>& placed, const Banding& banding, const Limit& limit);

/// What stands for a number of the search in a request.
struct Setting {
    virtual ~Setting() = default;
    /// False where the number stands for nothing legal.
    virtual bool set(Point& point, std::int64_t value) const = 0;
};

/// Whether this engine left the request to the whole one.
bool asks_the_whole(const std::optional<Error>& error);

/// Values of a request's field, tried and remembered.
class Fitting : public Trial {
public:
    Fitting(Point& point, const Setting& setting, const Limit& limit)
        : point_(point), setting_(setting), limit_(limit) {}

    Probe at(std::int64_t value) override;

    struct Tried {
        std::optional<Error> refused;
        Need need;
    };
    /// What was found at a value; it is computed where that has not been done.
    const Tried& tried(std::int64_t value);

    /// How many requests were computed.
    double estimates() const { return estimates_; }
    /// The first refusal, if there was one; one that asks the whole engine before all others.
    const std::optional<Error>& refusal() const { return refusal_; }
    /// The first of which it cannot be told how long it takes.
    const std::optional<Error>& untold() const { return untold_; }
    const std::map<std::int64_t, Tried>& all() const { return all_; }

private:
    Tried trying(std::int64_t value);
    void hold_against_time(const Request& request, Tried& tried);

    Point& point_;
    const Setting& setting_;
    const Limit& limit_;
    std::map<std::int64_t, Tried> all_;
    std::optional<Error> refusal_, untold_;
    double estimates_ = 0;
};

}  // namespace plimsoll
