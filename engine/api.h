/// Plimsoll's public face: text in, text out. Everything a page, a command line or a test asks goes through
/// these functions; requests and replies are the JSON documents that presets/schema/ describes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace plimsoll {

class Library;  // what is known besides the request: devices, encodings, optimizers, runtimes, trainers, models

/// The engine with the presets it was given. Not thread-safe; make one per thread.
class Engine {
public:
    Engine();
    ~Engine();
    Engine(Engine&&) noexcept;
    Engine& operator=(Engine&&) noexcept;

    /// Hands presets over: `{"devices": [...], "encodings": [...], "optimizers": [...], "runtimes": [...],
    /// "trainers": [...], "models": [...]}`, any subset, each entry one file of presets/. An id given again replaces the former.
    /// Returns `{"schema": 1, "provided": N}` or an error reply that names the entry.
    std::string provide(std::string_view presets);

    /// Answers one request (task inference, training or classic). Always a reply, never an exception.
    std::string estimate(std::string_view request) const;

    /// One request over many values of its fields: `{"request": {...}, "over": [{"field", "values"}]}` to
    /// `{"bytes": [...], "rows": {id: [...]}}`, in row-major order of the `over` list.
    std::string sweep(std::string_view request) const;

    /// The last value of a field that fits: `{"request": {...}, "find": "inference.context", "limit": {"bytes"}, "sure"}` to
    /// `{"value", "next", "reply", "next_reply", "binds", "estimates"}`; of two fields the edge, as a curve. What fits: each
    /// device's process within what the device has, and of a server all sequences in its cache at once.
    std::string solve(std::string_view question) const;

    /// Every way to spread a model over a cluster: `{"request": {...}, "cluster": {"device", "devices_per_node", "nodes"},
    /// "bounds", "want", "keep"}` to `{"layouts": [...], "front": [...], "counted": {...}, "refusals": [...]}`, as
    /// presets/schema/plan_reply.json describes. Each layout's request, given to `estimate`, has its bytes.
    std::string plan(std::string_view question) const;

    /// What the files of one model hold: `{"files": [{"name": "config.json", "text": "..."}]}`, or the first bytes of
    /// each, laid one after the other in `bytes`: `{"name", "size": of the whole file, "at", "length"}`. To
    /// architecture, parameters by part, bytes by type, differences and the request that says the same; or to
    /// `{"need": [{"file": 0, "bytes": 41234}]}` where more of a file must be read.
    std::string inspect(std::string_view files, std::string_view bytes = {}) const;

    /// What a tool printed about memory: any text to `{"tool", "version", "settings", "stated", "figures", "refused"}`, as
    /// presets/schema/reconcile_reply.json describes. Knows no presets and no model, and never fails.
    static std::string reconcile(std::string_view log);

private:
    std::unique_ptr<Library> library_;
};

/// The engine's version, as in a reply's `engine`.
std::string_view version();

}  // namespace plimsoll
