// TensorFlow's and JAX's messages: tensorflow/core/common_runtime/bfc_allocator.cc, xla's, and MaxText's max_utils.py.
// Both reserve most of a device beforehand: what a device uses says nothing of the need there.
#include "formats/logs/tool.h"

namespace plimsoll::logs {
namespace {

constexpr Line of_tensorflow[] = {
    {"Allocator (%w) ran out of memory trying to allocate %b", "@ requested"},
    {"Allocator ran out of memory trying to allocate %B Bytes", "requested"},  // Intel's extension
    {"failed to allocate %b (%B bytes) from device", "- requested"},
    {"Limit: %B InUse: %B MaxInUse: %B", "cap allocated allocated_peak"},
    {"Sum Total of in-use chunks: %b", "~allocated"},
    {"totalMemory: %b freeMemory: %b", "device_total device_free"},
    {"device:GPU:%i with %b memory", "@ cap"},
};

constexpr Line of_jax[] = {
    {"Out of memory while trying to allocate %b", "requested"},
    {"Out of memory allocating %b", "requested"},
    {"Attempting to allocate %b. That was not possible. There are %b free", "requested device_free"},
    {"Attempting to reserve %b at the bottom of memory. That was not possible. There are %b free",
     "requested device_free"},
    {"Attempting to allocate %b.", "requested"},
    {"Used %b of %b hbm", "?total device_total"},
    {"Total hbm usage >= %b", "?~total"},
    // How XLA shares out one program's memory (BufferAssignment).
    {"preallocated temp allocation: %b", "?activations"},
    {"total allocation: %b", "?total"},
    {"XlaRuntimeError: RESOURCE_EXHAUSTED", ""},
};

constexpr Line of_maxtext[] = {
    {"Using (GB) %G / %G (%n%%) on %t", "device_used device_total - @"},
    {"Total memory size: %b, Output size: %b, Temp size: %b", "?total - ?activations"},
    {"Memstats:", ""},
};

}  // namespace

extern const Tool tensorflow, jax, maxtext;
const Tool tensorflow = tool_of("tensorflow-oom", of_tensorflow);
const Tool jax = tool_of("jax", of_jax);
const Tool maxtext = tool_of("maxtext", of_maxtext);

}  // namespace plimsoll::logs
