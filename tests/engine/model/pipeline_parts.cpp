// Layers of a pipeline's parts, as Megatron-LM's recipes share them out.
#include "model/transform/pipeline_parts.h"

#include <numeric>

#include "engine/support.h"

namespace plimsoll::test::pipeline_parts {

using plimsoll::layers_of_parts;
using plimsoll::parts_of_stage;
using plimsoll::refused_stages;
using plimsoll::TrainingLayout;
using Parts = std::vector<size_t>;

namespace {

TrainingLayout layout_of(double pipeline, double virtual_stages, double first, double last) {
    TrainingLayout layout;
    layout.pipeline = pipeline;
    layout.virtual_stages = virtual_stages;
    layout.first_stage_layers = first;
    layout.last_stage_layers = last;
    return layout;
}

}  // namespace

TEST_CASE("parts of a pipeline: even where nothing is said, and fewer at an end whose layers are not even") {
    CHECK(layers_of_parts(layout_of(2, 2, 0, 0), 8) == Parts{2, 2, 2, 2});
    CHECK(layers_of_parts(layout_of(2, 2, 0, 0), 6) == Parts{1, 2, 1, 2});

    // Llama 3.1 405B: embedding and head count as layers, so that 126 become 128
    CHECK(parts_of_stage(layout_of(8, 8, 15, 15), 126, 0) == Parts{1, 2, 2, 2, 2, 2, 2, 2});
    CHECK(parts_of_stage(layout_of(8, 8, 15, 15), 126, 3) == Parts(8, 2));
    CHECK(parts_of_stage(layout_of(8, 8, 15, 15), 126, 7) == Parts{2, 2, 2, 2, 2, 2, 2, 1});
    CHECK(parts_of_stage(layout_of(16, 8, 7, 7), 126, 0) == Parts{0, 1, 1, 1, 1, 1, 1, 1});

    // DeepSeek-V3 without its prediction layer: "Et|(tt|)*30mL"
    CHECK(parts_of_stage(layout_of(8, 4, 7, 6), 61, 0) == Parts{1, 2, 2, 2});
    CHECK(parts_of_stage(layout_of(8, 4, 7, 6), 61, 7) == Parts{2, 2, 2, 0});

    // num_layers_in_first_pipeline_stage, which virtual stages divide evenly
    CHECK(layers_of_parts(layout_of(3, 2, 2, 0), 14) == Parts{1, 3, 3, 1, 3, 3});
    CHECK(layers_of_parts(layout_of(2, 4, 7, 7), 14) == Parts{1, 2, 2, 2, 2, 2, 2, 1});
}

TEST_CASE("parts of a pipeline add up to all layers, or are refused at their field") {
    size_t shared_out = 0, refused = 0;
    for (double pipeline = 1; pipeline <= 5; ++pipeline)
        for (double parts = 1; parts <= 4; ++parts)
            for (double first = 0; first <= 9; ++first)
                for (double last = 0; last <= 9; ++last)
                    for (size_t layers = 4; layers <= 26; ++layers) {
                        if (pipeline == 1 && parts > 1) continue;
                        const TrainingLayout layout = layout_of(pipeline, parts, first, last);
                        if (const auto why = refused_stages(layout, static_cast<double>(layers))) {
                            CHECK(why->where.rfind("parallel.", 0) == 0);
                            ++refused;
                            continue;
                        }
                        ++shared_out;
                        const Parts all = layers_of_parts(layout, layers);
                        REQUIRE(all.size() == static_cast<size_t>(pipeline * parts));
                        REQUIRE(std::accumulate(all.begin(), all.end(), size_t{0}) == layers);
                        const Parts of_first = parts_of_stage(layout, layers, 0);
                        const size_t here = std::accumulate(of_first.begin(), of_first.end(), size_t{0});
                        if (first > 0) REQUIRE(static_cast<double>(here) == first);
                    }
    CHECK(shared_out > 1000);
    CHECK(refused > 1000);
}

}  // namespace plimsoll::test::pipeline_parts
