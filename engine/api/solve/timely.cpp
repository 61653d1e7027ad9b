// Requests held against limits of time.
#include "api/solve/timely.h"

#include "api/reply/time_json.h"

namespace plimsoll {
namespace {

constexpr const char *token_seconds_limit = "token_seconds", *rate_limit = "tokens_per_second";

double tokens_of(const Request& request) {
    return request.task == Task::training ? tokens_of_step(request.training) : request.inference.request.sequences;
}

// The limit that so many seconds of a pass do not keep.
const char* not_kept(const Request& request, double seconds, const Limit& limit) {
    if (limit.token_seconds && seconds > *limit.token_seconds) return token_seconds_limit;
    if (limit.tokens_per_second && tokens_of(request) / seconds < *limit.tokens_per_second) return rate_limit;
    return nullptr;
}

}  // namespace

PassSeconds seconds_of(const Request& request, const Model& model, const LinkRates& links) {
    if (request.task == Task::training) return step_seconds(model, request.training, request.speed, links);
    return token_seconds(model, request.inference, request.speed, links);
}

Timely timely(const Request& request, const ModelChoice& model, const Limit& limit) {
    const PassSeconds pass = seconds_of(request, model.model, request.links);
    Timely found;
    if (pass.roof > 0) found.slow = not_kept(request, pass.roof, limit);
    if (found.slow) return found;
    if (pass.is_told()) {
        found.slow = not_kept(request, limit.sure ? pass.told.high : pass.told.seconds, limit);
        return found;
    }
    const std::string where = std::string("limit.") + (limit.token_seconds ? token_seconds_limit : rate_limit);
    found.untold = Error{"not_supported", where, why_untimed(pass.untimed),
                         "ask for memory alone, or for a runtime and a device whose speeds are told (docs/speed.md)"};
    return found;
}

std::optional<Error> no_such_limit(const Sought& sought, const Request& request, const Limit& limit) {
    if (limit.token_seconds && request.task != Task::inference)
        return Error{"not_supported", "limit.token_seconds", "a training step has no seconds of a token",
                     "limit.tokens_per_second"};
    const bool more_is_faster = sought.field() == "inference.sequences" || sought.field() == "training.micro_batch";
    if (limit.tokens_per_second && more_is_faster)
        return Error{"not_supported", "limit.tokens_per_second", "more of them compute more tokens a second in all",
                     "limit.token_seconds, or look for devices"};
    return std::nullopt;
}

}  // namespace plimsoll
