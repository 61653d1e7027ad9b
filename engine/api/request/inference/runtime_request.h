/// Settings of inference that the engine which a page fetches first leaves to the whole one: those of runtimes other
/// than transformers, lists of devices, and what is held beside the model.
#pragma once

#include "api/request/request_parts.h"

namespace plimsoll {

struct SeenImages;

/// A list of devices: the smallest, with all of them in `request.devices`.
std::optional<Device> read_devices(Fields& top, const Library& library, Request& request);

/// A note where a device is of a maker on whose devices the runtime does not run.
void tell_of_other_makers(Request& request);

/// The same where the runtime does not load the weights' encoding, or keeps no cache in that of the cache.
void tell_of_other_encodings(Request& request);

/// `weights.kernel`: the kernel that was asked for, or the server's choice, and what it makes of the weights in memory.
void read_kernel(Fields& weights, const ModelChoice& model, Request& request);

/// Settings of llama.cpp, and of servers with pages.
void read_other_runtime(InferenceBlocks& blocks, const Library& library, const ModelChoice& model, Request& request);
void read_llama_cpp(Fields& fields, const ModelChoice& model, Request& request);
void read_paged(InferenceBlocks& blocks, const Library& library, const ModelChoice& model, Request& request);
/// Of these settings, and of what sequences share, those that are lengths (is_length), once all else has been read.
void read_other_lengths(Fields& fields, Request& request);
void read_micro_batch(Fields& fields, InferenceInputs& inputs);
void read_server_steps(Fields& fields, Request& request);
void read_shared_lengths(Fields& fields, Request& request);

/// What is held beside the model, and how sequences share: once all else has been read.
void read_companions(Fields& top, Fields& fields, const Library& library, const ModelChoice& model, Request& request);
/// Whether a model's layers can go to several devices in order.
void check_devices(const ModelChoice& model, Request& request);
/// Unequal devices; beams, a common prefix, a cache of full length from the start.
void read_sharing(Fields& top, Fields& fields, const ModelChoice& model, Request& request);
/// `inference.images`: what the towers see at once; nothing where there are none.
std::optional<SeenImages> read_images(const Fields& top, Fields& fields, const Library& library,
                                      const ModelChoice& model, const InferenceInputs& inputs, Reading& reading);
/// How the configuration of the request's `model` chooses experts.
ExpertRouting routing_of(const Json& model, const Library& library);
/// Draft models, and slots for adapters.
void read_auxiliary_models(const Fields& top, Fields& fields, const Library& library, const ModelChoice& model,
                           Request& request);

}  // namespace plimsoll
