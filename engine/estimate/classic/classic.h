/// The hosted calculator's own arithmetic, kept to the byte for comparison; each shortcut that it takes is named in
/// the reply's notes. Source: LLM-Tools (manuelescobar-dev), llm_tools/utils/memory_utils.py.
#pragma once

#include "estimate/ledger/ledger.h"

namespace plimsoll {

struct ClassicInputs {
    double parameters, hidden_size, num_hidden_layers, num_attention_heads;
    double bytes_per_value;  ///< 4, 2, 2, 1, 0.5 for float32, float16, bfloat16, int8, int4
    double batch, sequence;
    bool training = false;
    double optimizer_bytes = 8;  ///< AdamW 8, quantized AdamW 2, SGD 4
    double trainable_percent = 100;
};

template <class N>
Ledger<N> classic_ledger(const ClassicInputs& inputs) {
    constexpr const char* request = "request";
    constexpr const char* theirs = "LLM-Tools (manuelescobar-dev), llm_tools/utils/memory_utils.py";
    const N parameters = input<N>("parameters", inputs.parameters, request);
    const N hidden = input<N>("hidden_size", inputs.hidden_size, request);
    const N layers = input<N>("num_hidden_layers", inputs.num_hidden_layers, request);
    const N heads = input<N>("num_attention_heads", inputs.num_attention_heads, request);
    const N bytes = input<N>("bytes_per_value", inputs.bytes_per_value, theirs);
    const N batch = input<N>("batch", inputs.batch, request);
    const N sequence = input<N>("sequence", inputs.sequence, request);
    Ledger<N> ledger;
    ledger.phases = {inputs.training ? Phase::backward : Phase::decode};
    const auto add = [&ledger](RowId::Known id, const N& amount) {
        Row<N>& row = ledger.add(id, Basis::rule);
        row.cells[0] = exactly<N>(row.id.text(), Bytes<N>{amount});
    };
    add(RowId::weights, parameters * bytes);
    add(RowId::kv_cache, N(2) * batch * sequence * layers * hidden * bytes);
    add(RowId::activations, batch * sequence * hidden * (N(34) + N(5) * sequence * heads / hidden) * N(4));
    if (!inputs.training) return ledger;
    const N trainable = parameters * input<N>("trainable_percent", inputs.trainable_percent, request) / N(100);
    add(RowId::optimizer, input<N>("optimizer_bytes", inputs.optimizer_bytes, theirs) * trainable);
    add(RowId::gradients, N(4) * trainable);
    return ledger;
}

}  // namespace plimsoll
