// Images in a training: a vision tower that runs before the decoder, what is trained of it, and what a step keeps of it.
#include "engine/support.h"

namespace plimsoll::test::images {

namespace {

const Json one_image = {{"count", 1}, {"width", 448}, {"height", 448}};

Json request(const char* model, const Json& training = Json::object()) {
    Json all = {{"sequence", 1024}, {"precision", "bf16"}};
    all.update(training);
    return {{"task", "training"},
            {"model", {{"config", Json::parse(read("presets/models/" + std::string(model) + ".json")).at("config")}}},
            {"device", {{"preset", "h100-sxm-80gb"}}},
            {"training", std::move(all)}};
}

double kept_by_tower(const Json& reply) {
    for (const Json& child : row(reply, "activations").at("rows"))
        if (child.at("id") == "saved.vision") return child.at("by_phase").value("loss", 0.0);
    return 0;
}

double trained(const char* model, const Json& training) {
    return ask(request(model, training)).at("model").at("parameters").at("trainable");
}

double part(const char* model, const char* name) {
    return ask(request(model)).at("model").at("parameters").at("parts").value(name, 0.0);
}

std::string refused(const char* model, const Json& training, const Json& parallel = Json()) {
    Json asked = request(model, training);
    if (!parallel.is_null()) asked["parallel"] = parallel;
    return refuse(asked.dump()).at("where");
}

constexpr const char* seeing[] = {"qwen2.5-vl-3b", "qwen3-vl-2b", "internvl3-2b", "smolvlm-256m", "llava-1.5-7b"};

}  // namespace

TEST_CASE("with a tower that runs, the replay's tensors are those of the formulas at every phase") {
    const Json ways[] = {{{"method", "full"}},
                         {{"method", "full"}, {"towers", "projector"}},
                         {{"method", "full"}, {"towers", "frozen"}},
                         {{"method", "full"}, {"checkpointing", "full"}},
                         {{"method", "full"}, {"accumulation", 2}},
                         {{"method", "lora"}, {"lora", {{"targets", "all-linear"}}}},
                         {{"method", "lora"}, {"towers", "frozen"}},
                         {{"method", "freeze"}, {"freeze", {{"trainable_layers", 2}}}}};
    for (const char* model : {"qwen2.5-vl-3b", "qwen3-vl-2b", "internvl3-2b", "smolvlm-256m", "mistral-small-3.1-24b"})
        for (Json way : ways) {
            way["images"] = one_image;
            const Json reply = ask(request(model, way));
            for (size_t phase = 0; phase < reply.at("timeline").size(); ++phase) {
                INFO(model << " " << way.dump() << " " << reply.at("timeline")[phase].at("phase"));
                CHECK(reply.at("allocator").at("later_steps")[phase].at("requested") ==
                      reply.at("timeline")[phase].at("bytes"));
            }
        }
}

TEST_CASE("what is frozen of a tower is not trained, and keeps nothing") {
    for (const char* model : seeing) {
        INFO(model);
        const double all = trained(model, {{"images", one_image}}),
                     frozen = trained(model, {{"images", one_image}, {"towers", "frozen"}}),
                     projector = trained(model, {{"images", one_image}, {"towers", "projector"}});
        CHECK(all == trained(model, Json::object()));
        CHECK(all - frozen == part(model, "vision") + part(model, "projector"));
        CHECK((projector > frozen && projector < all));
        if (part(model, "projector") > 0) CHECK(projector - frozen == part(model, "projector"));
        CHECK(frozen == trained(model, {{"towers", "frozen"}}));  // of text alone, too
        const double kept = kept_by_tower(ask(request(model, {{"images", one_image}}))),
                     of_projector =
                         kept_by_tower(ask(request(model, {{"images", one_image}, {"towers", "projector"}})));
        CHECK((of_projector > 0 && of_projector < kept / 4));
        CHECK(kept_by_tower(ask(request(model, {{"images", one_image}, {"towers", "frozen"}}))) == 0);
    }
}

TEST_CASE("a tower's weights are its own part of the weights, whatever is trained") {
    for (const Json& training :
         {Json{{"method", "full"}}, Json{{"method", "lora"}}, Json{{"method", "freeze"}, {"freeze", Json::object()}}}) {
        Json asked = training;
        asked["images"] = one_image;
        const Json reply = ask(request("llava-1.5-7b", asked));
        for (const char* tower : {"vision", "projector"})
            CHECK(row(reply, std::string("weights/") + tower).at("bytes") == 2 * part("llava-1.5-7b", tower));
    }
}

TEST_CASE("a tower keeps so much for each image, and of a recomputed layer its input") {
    const auto kept = [](const Json& images, const char* checkpointing) {
        return ask(request("qwen2.5-vl-3b", {{"images", images}, {"checkpointing", checkpointing}}));
    };
    const Json two = {{"count", 2}, {"width", 448}, {"height", 448}};
    CHECK(kept_by_tower(kept(two, "none")) == 2 * kept_by_tower(kept(one_image, "none")));
    const double patches = 32 * 32, width = 1280, layers = 32, text = 36 * 1024 * 2048 * 2.0;
    CHECK(row(kept(one_image, "full"), "activations/saved.checkpoints").at("by_phase").at("loss") ==
          text + layers * patches * width * 2);
    // pixels in fp32, beside ids, labels, mask and positions of the text
    const double pixels = patches * 3 * 2 * 14 * 14 * 4;
    const auto inputs = [](const Json& training) {
        return row(ask(request("qwen2.5-vl-3b", training)), "activations/inputs")
            .at("by_phase")
            .at("loss")
            .get<double>();
    };
    CHECK(inputs({{"images", one_image}}) - inputs(Json::object()) == pixels);
}

TEST_CASE("adapters are found in a tower by its own layers' names, unless it is frozen") {
    const auto adapters = [](const char* model, const Json& targets, const char* towers) {
        return trained(model, {{"method", "lora"}, {"towers", towers}, {"lora", {{"rank", 8}, {"targets", targets}}}});
    };
    // SigLIP's queries and values are called so; its output's product and feed-forward are not
    const double siglip = 27 * 2 * 8 * (1152 + 1152);
    CHECK(adapters("gemma-3-4b", {"q_proj", "v_proj"}, "trained") -
              adapters("gemma-3-4b", {"q_proj", "v_proj"}, "frozen") ==
          siglip);
    CHECK(adapters("gemma-3-4b", {"o_proj", "up_proj"}, "trained") ==
          adapters("gemma-3-4b", {"o_proj", "up_proj"}, "frozen"));
    // Qwen's tower has one matrix for queries, keys and values
    CHECK(adapters("qwen2.5-vl-3b", {"q_proj"}, "trained") == adapters("qwen2.5-vl-3b", {"q_proj"}, "frozen"));
    CHECK(adapters("qwen2.5-vl-3b", {"down_proj"}, "trained") - adapters("qwen2.5-vl-3b", {"down_proj"}, "frozen") ==
          32 * 8 * (3420 + 1280));
    const Json reply = ask(request("qwen2.5-vl-3b", {{"method", "lora"}, {"images", one_image}}));
    CHECK(kept_by_tower(reply) == 0);  // no adapter there: no gradient comes
}

TEST_CASE("a tool's default holds where nothing is said") {
    const Json tool = {{"trainer", "llama-factory"}, {"checkpointing", "none"}};
    CHECK(trained("qwen2.5-vl-3b", tool) == trained("qwen2.5-vl-3b", {{"towers", "frozen"}}));
    CHECK(ask(request("llama-3-8b", tool)).at("model").at("parameters").at("trainable") ==
          ask(request("llama-3-8b")).at("model").at("parameters").at("total"));
}

TEST_CASE("what is not followed of images is refused at its field") {
    CHECK(refused("llama-3-8b", {{"images", one_image}}) == "training.images");
    CHECK(refused("llama-3-8b", {{"towers", "frozen"}}) == "training.towers");
    CHECK(refused("llama-3.2-11b-vision", {{"images", one_image}}) == "training.images");
    CHECK(refused("qwen2.5-vl-3b", {{"images", {{"count", 5}, {"width", 448}, {"height", 448}}}}) == "training.images");
    CHECK(refused("qwen2.5-vl-3b", {{"images", one_image}}, {{"tensor", 2}}) == "training.images");
    CHECK(refused("qwen2.5-vl-3b", {{"towers", "frozen"}}, {{"pipeline", 2}}) == "training.towers");
    CHECK(refused("qwen2.5-vl-3b", {{"images", one_image}, {"method", "lora"}, {"objective", "grpo"}}) ==
          "training.images");
    CHECK(refused("qwen2.5-vl-3b",
                  {{"towers", "trained"}, {"method", "freeze"}, {"freeze", {{"trainable_layers", 2}}}}) ==
          "training.towers");
    CHECK(refused("qwen2.5-vl-3b", {{"images", one_image}, {"method", "freeze"}, {"trainable_percent", 50}}) ==
          "training.trainable_percent");
}

TEST_CASE("a tower is divided and gathered over data-parallel devices as layers are") {
    Json asked = request("qwen2.5-vl-3b", {{"images", one_image}, {"precision", "bf16-mixed"}});
    const double alone = ask(asked).at("total").at("bytes");
    for (const char* framework : {"ddp", "fsdp", "fsdp2", "deepspeed"}) {
        INFO(framework);
        asked["devices"] = 4;
        asked["parallel"] = {{"framework", framework}};
        const double each = ask(asked).at("total").at("bytes");
        CHECK((std::string(framework) == "ddp" ? each > 0.9 * alone : each < 0.5 * alone));
    }
}

}  // namespace plimsoll::test::images
