// What links add to the seconds of passes.
#include "plan/link_times.h"

#include "plan/traffic.h"

namespace plimsoll {
namespace {

constexpr const char* collectives = "bytes sent by rings and trees (Thakur et al., 2005): engine/plan/traffic.h";

// Seconds of so many bytes over one kind of link; 0 where its rate is not known.
template <class N>
Seconds<N> over(const char* bytes_symbol, double bytes, const char* rate_symbol, double rate,
                const std::string& source) {
    if (bytes == 0 || rate == 0) return {N(0)};
    return Bytes<N>{input<N>(bytes_symbol, bytes, collectives)} /
           BytesPerSecond<N>{input<N>(rate_symbol, rate, source)};
}

template <class N>
Seconds<N> within(const Sent& sent, const LinkRates& links) {
    return over<N>("sent_within_a_node", sent.within, "link_rate_within", links.within, links.within_source);
}

template <class N>
Seconds<N> between(const Sent& sent, const LinkRates& links) {
    return over<N>("sent_between_nodes", sent.between, "link_rate_between", links.between, links.between_source);
}

template <class N>
Seconds<N> slowest(const Sent& sent, const LinkRates& links) {
    const Seconds<N> near = within<N>(sent, links), far = between<N>(sent, links);
    return value_of(near) > value_of(far) ? near : far;
}

bool are_known(const Sent& sent, const LinkRates& links) {
    return (sent.within == 0 || links.within > 0) && (sent.between == 0 || links.between > 0);
}

// Tokens that one copy of the model computes in a pass.
template <class N>
double tokens_of(const TimedPass<N>& pass, const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    const double prompt = inputs.timed_prompt > 0 ? inputs.timed_prompt : request.context;
    return request.sequences / request.data * (std::string_view(pass.phase) == "prefill" ? prompt : 1);
}

// Sums over the devices that share each layer: one behind attention, one behind what follows it.
double sums_of(const Model& model, const InferenceInputs& inputs) {
    return inputs.request.tensor > 1 ? 2 * static_cast<double>(model.order.size()) : 0;
}

template <class N>
PassSeconds seconds_of(const TimeAnswer<N>& answer, std::string_view phase, double sequences, bool spread) {
    PassSeconds seconds;
    seconds.untimed = answer.untimed;
    for (const TimedPass<N>& roof : answer.roof) {
        if (roof.phase != phase) continue;
        seconds.roof = value_of(roof.time.seconds());
        for (const TimedPass<N>& pass : answer.passes) {
            if (pass.phase != phase) continue;
            const TimeFactors factors = factors_of(*answer.reached, pass, sequences, spread);
            if (factors.is_known()) seconds.told = told_within(pass.time, roof.time, factors);
        }
    }
    if (seconds.untimed == Untimed::no && !seconds.is_told()) seconds.untimed = Untimed::not_fitted;
    return seconds;
}

}  // namespace

template <class N>
TimeAnswer<N> linked_time(const Model& model, const InferenceInputs& inputs, const Speed* speed,
                          const LinkRates& links) {
    TimeAnswer<N> answer = inference_time<N>(model, inputs, speed);
    if (inputs.request.devices == 1 || !has_roof(answer.untimed)) return answer;
    for (TimedPass<N>& roof : answer.roof) {
        const Sent sent = sent_in_a_pass(model, inputs, links.per_node, tokens_of(roof, inputs));
        roof.time.slowest = slowest<N>(sent, links);
        if (are_known(sent, links)) continue;
        answer.untimed = Untimed::links_unknown;
        answer.passes.clear();
    }
    for (TimedPass<N>& pass : answer.passes) {
        const Sent sent = sent_in_a_pass(model, inputs, links.per_node, tokens_of(pass, inputs));
        pass.time.waits = within<N>(sent, links) + between<N>(sent, links);
        const double each = answer.reached->exchange_seconds;
        if (each > 0)
            pass.time.waits += N(sums_of(model, inputs)) * Seconds<N>{input<N>("seconds_a_sum", each, speed->source)};
    }
    return answer;
}

template <class N>
TimeAnswer<N> linked_time(const Model& model, const TrainingInputs& inputs, const Speed* speed,
                          const LinkRates& links) {
    TimeAnswer<N> answer = training_time<N>(inputs.built ? *inputs.built : model, inputs, speed);
    if (inputs.layout.devices() == 1 || answer.roof.empty()) return answer;
    const SentInStep sent = sent_in_a_step(model, inputs, links.per_node);
    for (std::vector<TimedPass<N>>* passes : {&answer.roof, &answer.passes})
        for (TimedPass<N>& pass : *passes) {
            pass.time.waits = between<N>(sent.awaited, links);
            pass.time.slowest = slowest<N>(sent.all, links);
        }
    if (sent.awaited.between > 0 && links.between == 0) {  // nobody's shares of the peaks have it in them
        answer.untimed = Untimed::links_unknown;
        answer.passes.clear();
    }
    return answer;
}

PassSeconds step_seconds(const Model& model, const TrainingInputs& inputs, const Speed* speed, const LinkRates& links) {
    return seconds_of(linked_time<double>(model, inputs, speed, links), "step", 1, false);
}

PassSeconds token_seconds(const Model& model, const InferenceInputs& inputs, const Speed* speed,
                          const LinkRates& links) {
    return seconds_of(linked_time<double>(model, inputs, speed, links), "token", inputs.request.sequences,
                      inputs.request.devices > 1);
}

template TimeAnswer<double> linked_time(const Model&, const InferenceInputs&, const Speed*, const LinkRates&);
template TimeAnswer<Traced> linked_time(const Model&, const InferenceInputs&, const Speed*, const LinkRates&);
template TimeAnswer<double> linked_time(const Model&, const TrainingInputs&, const Speed*, const LinkRates&);
template TimeAnswer<Traced> linked_time(const Model&, const TrainingInputs&, const Speed*, const LinkRates&);

}  // namespace plimsoll
