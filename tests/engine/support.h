/// What the engine's tests share: an engine that knows the presets, and short ways to ask it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api.h"
#include "engine/catch.h"

namespace plimsoll::test {

using Json = nlohmann::ordered_json;

/// A test over many alike cases takes each one, and with the sanitizers in the program, which make it ten times as slow
/// and watch the code and not the figures, one of so many.
#ifdef PLIMSOLL_SANITIZED
constexpr std::size_t one_of = 5;
#else
constexpr std::size_t one_of = 1;
#endif

/// The text of a file of the checkout.
std::string read(const std::string& path);

/// An engine with every table of presets/, and the models that tests name.
const Engine& engine();

/// The reply to a request that is expected to be answered.
Json ask(const Json& request);
/// The error that a request is expected to be refused with.
Json refuse(const std::string& request);

/// The row `id` (or `id.child`) of a reply.
const Json& row(const Json& reply, const std::string& path);

/// A Llama configuration small enough to count by hand.
Json small_llama();

/// The same size with DeepSeek-V3's latent attention and experts, as another `type` where one is named.
Json small_latents(const char* type = "deepseek_v3");

/// Requests of many kinds for tests that hold for all of them, or one of `one_of` of these.
std::vector<Json> varied_requests();

}  // namespace plimsoll::test
