#include "api.h"
#include "api/reply/json_object.h"
#include "formats/logs/log.h"
#include "formats/logs/pattern.h"

namespace plimsoll {
namespace {

/// `0` is a number, `CUDA0` a name.
Json device_of(const std::string& device) {
    logs::Capture capture;
    if (logs::number_at(device, 0, capture) == device.size()) return tidy(capture.value);
    return device;
}

/// A setting as it is meant: 32768, 0.9, true, or a word.
Json value_of(const std::string& text) {
    for (const std::string_view yes : {"True", "true", "ON"})
        if (text == yes) return true;
    for (const std::string_view no : {"False", "false", "OFF"})
        if (text == no) return false;
    logs::Capture capture;
    if (logs::number_at(text, 0, capture) == text.size() && text.size() < 16) return tidy(capture.value);
    return text;
}

JsonObject object_of(const logs::Figure& figure) {
    JsonObject object;
    object.text("counter", figure.counter).tidy("value", figure.value);
    if (figure.refused == logs::Refused::no) {
        if (figure.bytes >= 0) object.whole("bytes", figure.bytes);
        object.tidy("low", figure.low).tidy("high", figure.high);
    }
    if (!figure.device.empty()) object.put("device", device_of(figure.device));
    object.text("line", figure.line);
    return object;
}

void add(Json& figures, Json& refused, const logs::Figure& figure) {
    JsonObject object = object_of(figure);
    if (figure.refused != logs::Refused::no) {
        object.text("why", figure.refused == logs::Refused::negative ? "negative" : "underflow").append_to(refused);
        return;
    }
    object.put("estimate", Json(figure.estimate));
    if (figure.restated) object.put("restated", Json(true));
    object.append_to(figures);
}

}  // namespace

std::string Engine::reconcile(std::string_view log) {
    const logs::Log read = logs::read_log(log);
    Json settings = Json::object(), stated = Json::object(), figures = Json::array(), refused = Json::array();
    for (const logs::Setting& setting : read.settings) {
        Json values = Json::array();
        for (const std::string& value : setting.values) values.push_back(value_of(value));
        const std::string name(setting.name);
        settings[name] = setting.list ? values : values[0];
        stated[name] = std::string(setting.line);
    }
    for (const logs::Figure& figure : read.figures) add(figures, refused, figure);
    JsonObject reply;
    reply.whole("schema", 1);
    reply.put("tool", read.tool.empty() ? Json() : Json(std::string(read.tool)));
    reply.put("version", read.version.empty() ? Json() : Json(read.version));
    reply.put("settings", std::move(settings)).put("stated", std::move(stated));
    reply.put("figures", std::move(figures)).put("refused", std::move(refused));
    return json_text(reply.take());
}

}  // namespace plimsoll
