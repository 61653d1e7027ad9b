#include "api/reply/json_object.h"

#include <cmath>

namespace plimsoll {

Json whole(double number) { return static_cast<std::int64_t>(std::round(number)); }

Json tidy(double number) {
    if (number == std::floor(number) && number > -9e15 && number < 9e15) return whole(number);
    return number;
}

JsonObject& JsonObject::put(const char* key, Json&& value) {
    json_[key] = std::move(value);
    return *this;
}

JsonObject& JsonObject::text(const char* key, std::string_view value) { return put(key, std::string(value)); }
JsonObject& JsonObject::text(const char* key, const char* value) { return text(key, std::string_view(value)); }
JsonObject& JsonObject::whole(const char* key, double value) { return put(key, plimsoll::whole(value)); }
JsonObject& JsonObject::tidy(const char* key, double value) { return put(key, plimsoll::tidy(value)); }

void JsonObject::append_to(Json& array) { array.push_back(take()); }

Json texts(const std::vector<std::string>& list) {
    Json array = Json::array();
    for (const std::string& text : list) array.push_back(text);
    return array;
}

}  // namespace plimsoll
