/// How a server's kernel wants the weights that it multiplies: what is padded, widened, dropped or kept twice once a file
/// has been loaded.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

struct Kernel {
    enum class Of : unsigned char { all, experts, linear };
    std::string name;                    ///< as requests and replies call it: `marlin`
    std::vector<std::string> encodings;  ///< of the files, by id
    Of of = Of::all;                     ///< routed experts, or all other matrices in the encoding
    std::string source;

    /// When it is chosen: the makers of a device, NVIDIA's compute capability, releases as Release has them; 0: no bound.
    std::vector<std::string> makers;
    double capability_from = 0, capability_below = 0, since = 0, before = 0;

    /// Multiples that widths of the routed experts are padded to, on one device: what goes into them, and inside.
    double width = 1, intermediate = 1;
    double value_inputs = 1;                     ///< the same of a packed matrix's inputs, without its scales
    double scale_outputs = 1, scale_groups = 1;  ///< the same of a matrix of scales: outputs, and groups of inputs
    double scale_bits = 0;                       ///< of one scale; 0: as the file has them
    double scale_columns = 0;                    ///< outputs that share one; 0: as the file has them
    bool scales_twice = false;                   ///< the file's own stay beside those in the kernel's order
    bool wide_biases = false;                    ///< experts' biases are made fp32
    bool without_zeros = false, without_indices = false;  ///< zero points and indices of inputs are dropped
};

}  // namespace plimsoll
