// `training.trainer`: the tool that trains, whose defaults hold where the request says nothing.
#include "api/request/request_parts.h"

namespace plimsoll {
namespace {

// Whether adapters are trained beside packed weights.
bool has_packed_base(const Fields& top, const std::string& method, const Library& library, Reading& reading) {
    if (method == name_of(MethodKind::qlora)) return true;
    if (method != name_of(MethodKind::lora) && method != name_of(MethodKind::dora) &&
        method != name_of(MethodKind::oft))
        return false;
    Fields weights = top.child("weights");
    const auto encoding = library.encodings.find(weights.word("encoding", "", ""));
    return !reading.error && encoding != library.encodings.end() && encoding->second.wide != Wide::none;
}

// The tool that is named, or the one that such a training is usually run with; null: none.
const Trainer* trainer_of(Fields& training, const Library& library, bool packed, Reading& reading) {
    constexpr const char* usual = "peft";
    if (training.has("trainer"))
        return look_up(library.trainers, training.word("trainer", "", ""), "training.trainer", "trainer", reading);
    const auto found = library.trainers.find(usual);
    if (!packed || found == library.trainers.end()) return nullptr;
    reading.assume("training.trainer", std::string(usual),
                   "the tool that adapters beside packed weights are trained with");
    return &found->second;
}

}  // namespace

std::vector<Implied> read_trainer(const Fields& top, Fields& training, const Library& library, Reading& reading) {
    const std::string method = training.word("method", name_of(MethodKind::full), "");
    const std::string optimizer = training.word("optimizer", "adamw", "");
    const bool packed = has_packed_base(top, method, library, reading);
    std::vector<Implied> implied;
    if (const Trainer* trainer = trainer_of(training, library, packed, reading))
        for (const TrainerDefault& each : trainer->defaults)
            if (each.holds(method, optimizer, packed))
                implied.push_back({each.field, each.value, "the trainer's default"});
    return implied;
}

}  // namespace plimsoll
