// The moments of a training step, and the tensors that are there at each.
#include "api/reply/step_json.h"

namespace plimsoll {
namespace {

Json tensors_json(const StepRecord& record) {
    Json list = Json::array();
    for (const StepRecord::Tensors& tensors : record.tensors) {
        JsonObject entry;
        entry.text("row", RowId(tensors.row).text()).text("group", RowId(tensors.group).text());
        entry.tidy("bytes", tensors.each).append_to(list);
    }
    return list;
}

Json counts_json(const std::vector<double>& counts) {
    Json list = Json::array();
    for (size_t index = 0; index < counts.size(); ++index) {
        if (counts[index] == 0) continue;
        JsonObject entry;
        entry.whole("tensors", static_cast<double>(index)).whole("count", counts[index]).append_to(list);
    }
    return list;
}

}  // namespace

JsonObject step_json(const StepRecord& record) {
    JsonObject json;
    json.put("tensors", tensors_json(record));
    Json moments = Json::array();
    for (const StepRecord::Recorded& moment : record.moments) {
        JsonObject entry;
        entry.text("phase", text_of(moment.phase)).text("work", moment.at.work);
        if (moment.at.layer >= 0) entry.whole("layer", moment.at.layer);
        entry.whole("micro_batch", moment.at.micro_batch).tidy("bytes", moment.bytes);
        entry.put("holds", counts_json(moment.counts)).append_to(moments);
    }
    json.put("moments", std::move(moments));
    return json;
}

}  // namespace plimsoll
