// A step moment by moment: its fullest moments are the rows, its turns are paired, and what it leaves out is told.
#include <cctype>
#include <map>

#include "engine/support.h"
#include "estimate/training/timeline/fullest_passes.h"
#include "model/transform/pipeline_parts.h"

namespace plimsoll::test::timeline {

using plimsoll::PlannedLayer;
using plimsoll::Recomputed;
using plimsoll::TrainingInputs;
using plimsoll::Turn;
using plimsoll::Work;

namespace {

Json training(const Json& fields, const Json& parallel = {}, int devices = 1) {
    Json config = small_llama();
    config["model_type"] = "llama";
    config["num_hidden_layers"] = 8;
    Json request = {{"schema", 1}, {"task", "training"}, {"timeline", true}, {"model", {{"config", config}}}};
    request["training"] = {{"precision", "bf16"}, {"micro_batch", 2}, {"sequence", 256}};
    for (const auto& [name, value] : fields.items()) request["training"][name] = value;
    if (devices > 1) request["devices"] = devices, request["parallel"] = parallel;
    return request;
}

const std::vector<std::string> of_the_step = {"gradients", "activations", "logits", "communication"};

double bytes_of_step(const Json& reply, const std::string& phase) {
    double sum = 0;
    for (const std::string& id : of_the_step)
        for (const Json& row : reply.at("rows"))
            if (row.at("id") == id) sum += row.at("by_phase").at(phase).get<double>();
    return sum;
}

// All trained, in chunks of `together` layers; 0: nothing is recomputed.
std::vector<PlannedLayer> plan_of(size_t layers, size_t together) {
    std::vector<PlannedLayer> plan;
    for (size_t position = 0; position < layers; ++position) {
        PlannedLayer layer{0, true, together > 0 ? Recomputed::layer : Recomputed::nothing, position, position + 1};
        if (together > 0) layer.chunk_begin = position - position % together;
        if (together > 0) layer.chunk_end = std::min(layers, layer.chunk_begin + together);
        plan.push_back(layer);
    }
    return plan;
}

}  // namespace

TEST_CASE("the rows of a phase are the step's tensors at its fullest moment") {
    const Json full = {{"checkpointing", "full"}};
    Json chunks = full, block = full, waits = full;
    chunks["recompute_method"] = "uniform", chunks["recompute_num_layers"] = 3;
    block["recompute_method"] = "block", block["recompute_num_layers"] = 2;
    waits["accumulation"] = 8;
    const std::vector<Json> requests = {training({}),
                                        training({{"accumulation", 3}}),
                                        training(full),
                                        training(chunks),
                                        training(block),
                                        training({{"checkpointing", "full"}, {"checkpoint_every", 3}}),
                                        training({{"checkpointing", "selective"}}),
                                        training({{"use_cache", true}, {"logits_kept", true}}),
                                        training({}, {{"framework", "fsdp2"}}, 4),
                                        training({}, {{"framework", "deepspeed"}, {"zero", 3}}, 4),
                                        training(waits, {{"pipeline", 4}}, 4),
                                        training(waits, {{"pipeline", 4}, {"schedule", "gpipe"}}, 4),
                                        training(waits, {{"pipeline", 2}, {"virtual_stages", 2}}, 2),
                                        training(chunks, {{"pipeline", 2}, {"framework", "fsdp2"}}, 4)};
    for (Json request : requests) {
        INFO(request.at("training").dump());
        const Json reply = ask(request);
        request.erase("timeline");  // then turns are passed over that cannot be the fullest
        Json rows = reply;
        rows.erase("step");
        CHECK(ask(request) == rows);
        std::map<std::string, double> fullest;
        const Json& tensors = reply.at("step").at("tensors");
        for (const Json& moment : reply.at("step").at("moments")) {
            double sum = 0;
            for (const Json& hold : moment.at("holds"))
                sum += hold.at("count").get<double>() *
                       tensors.at(hold.at("tensors").get<size_t>()).at("bytes").get<double>();
            CHECK(sum == Approx(moment.at("bytes").get<double>()));
            double& most = fullest[moment.at("phase").get<std::string>()];
            most = std::max(most, sum);
        }
        CHECK(fullest.size() == (request.at("training").contains("accumulation") ? 6 : 3));
        // gradients of shares are rounded up to whole bytes
        for (const auto& [phase, bytes] : fullest) CHECK(bytes_of_step(reply, phase) == Approx(bytes).margin(2));
    }
}

TEST_CASE("a step is told moment by moment only of a training, and only where it is asked for") {
    Json request = training({});
    request.erase("timeline");
    CHECK_FALSE(ask(request).contains("step"));
    CHECK(refuse(R"({"schema": 1, "timeline": true, "model": {"preset": "llama-3-8b"}})").at("where") == "timeline");
}

TEST_CASE("a step is told with its rows, with or without formulas, and without them the reply says so") {
    Json request = training({});
    const Json rows = ask(request);
    request["explain"] = "all";
    CHECK(ask(request).at("step") == rows.at("step"));
    request["explain"] = "none";
    const Json totals = ask(request);
    CHECK(!totals.contains("step"));
    CHECK(totals.at("notes")[0].at("code") == "not_used");
    CHECK(totals.at("notes")[0].at("where") == "timeline");
}

TEST_CASE("in every schedule each micro-batch goes backward once through all layers that it went forward through") {
    for (const double pipeline : {1.0, 2.0, 4.0})
        for (const double pieces : {1.0, 2.0})
            for (const bool all_forward : {false, true})
                for (const size_t together : {size_t{0}, size_t{1}, size_t{2}})
                    for (double stage = 0; stage < pipeline; ++stage) {
                        TrainingInputs inputs;
                        inputs.layout.pipeline = pipeline;
                        if (pipeline > 1 && !all_forward) inputs.layout.virtual_stages = pieces;
                        if (all_forward) inputs.layout.schedule = plimsoll::Schedule::all_forward;
                        inputs.request.batch.accumulation = 8;
                        inputs.place = {stage, stage == 0, stage + 1 == pipeline, inputs.layout.in_flight(stage, 8),
                                        plimsoll::parts_of_stage(inputs.layout, 8 * static_cast<size_t>(pipeline),
                                                                 static_cast<size_t>(stage))};
                        const std::vector<PlannedLayer> plan = plan_of(8, together);
                        std::map<std::pair<size_t, size_t>, int> waiting;  // by micro-batch and layer
                        size_t again = 0, backward = 0;
                        for (const Turn& turn : turns_of_step(plan, inputs)) {
                            const std::pair<size_t, size_t> at{turn.micro_batch, turn.position};
                            if (turn.work == Work::layer) CHECK(++waiting[at] == 1);
                            if (turn.work == Work::recompute) CHECK((++again > 0 && waiting[at] == 1));
                            if (turn.work == Work::layer_backward) CHECK((++backward > 0 && --waiting[at] == 0));
                        }
                        for (const auto& [at, count] : waiting) CHECK(count == 0);
                        CHECK(backward == waiting.size());
                        CHECK(again == (together > 0 ? backward : 0));
                    }
}

TEST_CASE("passes are passed over beside which each piece of the stage has as many micro-batches under way") {
    using plimsoll::PiecePass;
    const auto kept = [](const std::vector<PiecePass>& passes, size_t pieces) {
        std::string text;
        for (const bool may : plimsoll::may_be_fullest(passes, pieces)) text += may ? '1' : '0';
        return text;
    };
    const PiecePass forward{true, 0, 0}, backward{false, 0, 0};
    CHECK(kept({forward, backward}, 1) == "11");
    // three under way, four in all: the last before the first goes backward, the first that finds all gradients there
    CHECK(kept({forward, forward, forward, backward, forward, backward, backward, backward}, 1) == "00111100");
    const auto of = [](const char* order) {
        std::vector<PiecePass> passes;
        for (; *order; ++order)
            passes.push_back({std::isupper(*order) != 0, static_cast<size_t>(std::tolower(*order) - 'a'), 0});
        return passes;
    };
    // two pieces, F of each in capitals, two micro-batches: each piece's last forward, and first and second backward
    CHECK(kept(of("AABBbbaa"), 2) == "01011111");
    CHECK(kept(of("AABBbAbBbaBaab"), 2) == "01011111011101");
}

TEST_CASE("where the allocator is not followed, the reply says so") {
    const auto codes = [](const Json& reply) {
        std::vector<std::string> list;
        for (const Json& note : reply.at("notes")) list.push_back(note.at("code"));
        return list;
    };
    const Json reply = ask(training({{"use_cache", true}}));
    CHECK_FALSE(reply.contains("allocator"));
    CHECK(codes(reply) == std::vector<std::string>{"allocator_not_followed"});
    CHECK(codes(ask(training({}))).empty());
}

TEST_CASE("checkpoints go to the host only where there are some") {
    const Json nothing = training({{"checkpoints_on_host", true}});
    CHECK(refuse(nothing.dump()).at("where") == "training.checkpoints_on_host");
    const Json kept = ask(training({{"checkpointing", "full"}})),
               gone = ask(training({{"checkpointing", "full"}, {"checkpoints_on_host", true}}));
    CHECK(bytes_of_step(gone, "forward") < bytes_of_step(kept, "forward"));
    CHECK(gone.at("host").at("bytes").get<double>() > 0);
}

}  // namespace plimsoll::test::timeline
