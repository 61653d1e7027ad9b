// A question in, a reply out: the last value of a field that fits, and the first that does not.
#include "api/reply/json_object.h"
#include "api/reply/reply.h"
#include "api/request/shape.h"
#include "api/solve/binding.h"
#include "api/solve/edge.h"
#include "api/solve/listed.h"
#include "api/solve/timely.h"

namespace plimsoll {
namespace {

class Solving {
public:
    Solving(const Json& json, Question question, const Library& library)
        : base_(with_time(*member(json, "request"), question.limit)),
          question_(std::move(question)),
          point_(base_, library) {}

    Json run() {
        if (auto error = point_.wrong_shape()) return error_reply(*error);
        point_.read();
        if (question_.fields.size() == 2) return edge(point_, question_);
        const Result<Sought> sought = read_sought(question_.fields[0], point_, question_.in);
        if (!sought) return error_reply(sought.error());
        if (const auto error = no_limit()) return error_reply(*error);
        if (const auto error = no_such_limit(*sought, point_.read(), question_.limit)) return error_reply(*error);
        Fitting fitting(point_, *sought, question_.limit);
        if (sought->is_list()) return of_list(*sought, fitting);
        const bool least_wanted = sought->wanted() == Wanted::least;
        Range range = sought->range();
        if (question_.limit.asks_time())
            range.stretch = 1;  // each token more takes longer, whatever memory is cut into
        const Found found = least_wanted ? least(fitting, range) : greatest(fitting, range);
        return written(*sought, fitting, found, nullptr);
    }

private:
    static Json with_time(Json request, const Limit& limit) {
        if (limit.asks_time()) request["time"] = true;
        return request;
    }

    // Without a device or a limit everything fits. Of devices that are looked for, each brings its own.
    std::optional<Error> no_limit() {
        const bool known = question_.limit.bytes || question_.limit.host_bytes || member(base_, "device");
        if (known || question_.fields[0] == "device.preset") return std::nullopt;
        return Error{"missing_field", "limit.bytes", "there is nothing that the answer must fit in",
                     "name a device in the request, or give a limit in bytes"};
    }

    Json of_list(const Sought& sought, Fitting& fitting) {
        const std::vector<std::int64_t> order = in_order(sought, fitting, point_);
        const Found found =
            sought.wanted() == Wanted::least ? first_that_fits(order, fitting) : last_that_fits(order, fitting);
        return written(sought, fitting, found, &order);
    }

    // The bytes at the smallest: the least that was needed anywhere.
    static double least_needed(const Fitting& fitting) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [value, tried] : fitting.all())
            if (!tried.refused && !(tried.need.bytes == 0)) least = minimum(least, tried.need.bytes);
        return least;
    }

    Json written(const Sought& sought, Fitting& fitting, const Found& found, const std::vector<std::int64_t>* order) {
        if ((!found.value && !found.next) || asks_the_whole(fitting.refusal()))
            return error_reply(fitting.refusal().value_or(
                Error{"out_of_range", sought.field(), "none of its values is legal here", "change the request"}));
        // Of the least value that keeps a limit, all before it must be known; of the greatest, those behind it are slower.
        if (fitting.untold() && (!found.value || (sought.wanted() == Wanted::least && !order)))
            return error_reply(*fitting.untold());
        JsonObject reply;
        reply.whole("schema", 1).text("find", sought.field());
        reply.put("value", found.value ? sought.value(*found.value) : Json());
        reply.put("next", found.next ? sought.value(*found.next) : Json());
        if (found.value) reply.put("reply", reply_at(sought, *found.value));
        if (found.next) reply.put("next_reply", reply_at(sought, *found.next));
        const char* slow = found.next ? fitting.tried(*found.next).need.slow : nullptr;
        if (slow) reply.put("binds", JsonObject().text("limit", slow).take());
        if (found.next && !slow) reply.put("binds", binding(point_, sought, question_.limit, found));
        if (!found.value && !slow) needed(reply, fitting, *found.next);
        if (!found.next && !sought.end_source().empty()) reply.text("ends", sought.end_source());
        if (!found.again.empty()) reply.put("again", again_json(sought, found));
        if (!found.each) reply.put("each", false);
        if (fitting.untold()) reply.text("untold", fitting.untold()->what);
        if (order) reply.put("order", order_json(sought, fitting, *order));
        return reply.whole("estimates", fitting.estimates()).take();
    }

    // What would have to be smaller, and by how much.
    static void needed(JsonObject& reply, Fitting& fitting, std::int64_t smallest) {
        const double least = least_needed(fitting);
        if (least < std::numeric_limits<double>::infinity()) reply.whole("needed", least);
        reply.whole("over", ceiling(fitting.tried(smallest).need.over));
    }
    Json reply_at(const Sought& sought, std::int64_t number) {
        Point at(base_, point_.library());
        sought.set(at, number);
        Json request = at.json();
        request["explain"] = question_.explain;
        return answer(request, point_.library(), read_model_choice(request, point_.library()));
    }
    static Json again_json(const Sought& sought, const Found& found) {
        Json list = Json::array();
        for (const auto& [first, last] : found.again) {
            JsonObject stretch;
            stretch.put("first", sought.value(first)).put("last", sought.value(last)).append_to(list);
        }
        return list;
    }
    static Json order_json(const Sought& sought, Fitting& fitting, const std::vector<std::int64_t>& order) {
        Json list = Json::array();
        for (const std::int64_t number : order) {
            const Need& need = fitting.tried(number).need;
            JsonObject entry;
            entry.put("value", sought.value(number)).whole("bytes", need.bytes).text("verdict", need.verdict);
            entry.put("fits", need.fits);
            if (need.slow) entry.put("slow", true);
            entry.append_to(list);
        }
        return list;
    }

    const Json base_;
    Question question_;
    Point point_;
};

}  // namespace

Json solve(const Json& json, const Library& library) {
    Result<Question> question = read_question(json);
    if (!question) return error_reply(question.error());
    return Solving(json, std::move(*question), library).run();
}

}  // namespace plimsoll
