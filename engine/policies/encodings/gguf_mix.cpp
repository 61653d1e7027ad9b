// Source: llama.cpp, src/llama-quant.cpp: llama_model_quantize_impl; convert_hf_to_gguf.py for files of floats.
#include "policies/encodings/gguf_mix.h"

#include "policies/encodings/gguf_recipe.h"
#include "policies/runtimes/llama_cpp_family.h"

namespace plimsoll {
namespace {

template <size_t count>
size_t index_of(std::string_view name, const std::string_view (&names)[count]) {
    for (size_t index = 1; index < count; ++index)
        if (names[index] == name) return index;
    return 0;
}

// A block of the model and where its weights begin in weights_of(model).
struct Section {
    const Block* block;
    size_t first_weight;
    std::vector<Weight<double>> weights;
    std::vector<GgufTensor> tensors;
    std::vector<double> layers;  ///< for each tensor, block type and place, how many
};

class Mixer {
public:
    Mixer(const Model& model, const Encoding& file_type, const Encodings& encodings, bool mxfp4_experts,
          const Placement* placement)
        : model_(model),
          mxfp4_experts_(mxfp4_experts),
          placement_(placement),
          splits_qkv_(llama_cpp_family(model).separate_qkv) {
        for (size_t type = 0; type < block_type_count; ++type) {
            const std::string id = "gguf-" + std::string(block_type_names[type]);
            const auto found = encodings.find(id);
            if (found == encodings.end()) mix_.missing = id;
            types_[type] = found == encodings.end() ? &file_type : &found->second;
        }
        const std::string_view id = file_type.id, base = file_type.base.empty() ? id : file_type.base;
        constexpr size_t prefix = 5;  // "gguf-"
        recipe_.file = static_cast<FileType>(index_of(id.substr(prefix), file_type_names));
        recipe_.base = static_cast<BlockType>(index_of(base.substr(prefix), block_type_names));
        recipe_.base_block = encoding(recipe_.base).block;
        floats_ = recipe_.base <= BlockType::bf16;
        for (size_t layer = 0; placement && layer < placement->layers.size(); ++layer)
            if (const auto last = static_cast<size_t>(placement->layers[layer] + 2); last > places_) places_ = last;
        if (placement && static_cast<size_t>(placement->head + 2) > places_)
            places_ = static_cast<size_t>(placement->head + 2);
    }

    WeightMix mix() {
        add(model_.embedding);
        for (const LayerKind& kind : model_.kinds) add(kind.block);
        add(model_.head);
        read_model();
        if (placement_) mix_.file_matrices.resize(model_.order.size() + 1);
        choose(sections_.front(), 0, placement_ ? placement_->embedding : Place{0});
        for (size_t layer = 0; layer < model_.order.size(); ++layer) choose_layer(layer);
        choose(sections_.back(), 0, placement_ ? placement_->head : Place{0});
        for (const Tower& tower : model_.towers)
            if (tower.name != "mtp")
                for (const LayerKind& kind : tower.kinds) add_of_tower(kind, tower.name == "encoder");
        for (const Section& section : sections_) collect(section);
        add_beside();
        return std::move(mix_);
    }

private:
    const Encoding& encoding(BlockType type) const { return *types_[static_cast<size_t>(type)]; }

    void add(const Block& block) {
        const size_t first = sections_.empty() ? 0 : sections_.back().first_weight + weights_;
        std::vector<Weight<double>> weights = weights_of<double>(block);
        weights_ = weights.size();
        sections_.push_back({&block, first, std::move(weights), gguf_tensors(block, splits_qkv_), {}});
        sections_.back().layers.assign(sections_.back().tensors.size() * block_type_count * places_, 0);
    }

    // The encoder of an encoder-decoder is in the same file, layer after layer.
    void add_of_tower(const LayerKind& kind, bool same_file) {
        add(kind.block);
        for (int layer = 0; same_file && layer < static_cast<int>(kind.count.value()); ++layer)
            choose(sections_.back(), layer, placement_ ? placement_->head : Place{0});
    }

    void read_model() {
        recipe_.falcon = llama_cpp_family(model_).falcon_types;
        recipe_.tied = !recipe_.falcon;
        for (const GgufTensor& tensor : sections_.back().tensors) recipe_.tied &= tensor.role != TensorRole::head;
        recipe_.layers = static_cast<int>(model_.order.size());
        double attention_layer = -1, groups = 0;
        for (size_t layer = 0; layer < model_.order.size(); ++layer) {
            const Block& block = model_.kinds[model_.order[layer]].block;
            for (const GgufTensor& tensor : sections_[model_.order[layer] + 1u].tensors)
                recipe_.values += tensor.keeping == TensorKeeping::quantised && tensor.role == TensorRole::value;
            for (const Op& op : block.ops) {
                if (const Experts* experts = op.as<Experts>()) recipe_.experts = experts->experts.value();
                const Attention* attention = op.as<Attention>();
                if (!attention || attention_layer >= 0) continue;
                attention_layer = static_cast<double>(layer);
                groups = rounded_down(attention->heads.value() / attention->kv_heads.value());
            }
        }
        // the rules ask the first layer; hybrids list their heads layer by layer, delta nets name one number for all
        const bool first_attends = attention_layer == 0 || (recipe_.values > 0 && has_values(0));
        recipe_.query_groups = first_attends ? groups : 0;
        recipe_.seventy = recipe_.layers == 80 && groups > 1 && llama_cpp_family(model_).types_of_70b;
    }
    bool has_values(size_t layer) const {
        for (const GgufTensor& tensor : sections_[model_.order[layer] + 1u].tensors)
            if (tensor.role == TensorRole::value) return true;
        return false;
    }

    BlockType type_of(const GgufTensor& tensor, int layer) {
        if (tensor.keeping == TensorKeeping::float32) return BlockType::f32;
        if (tensor.keeping == TensorKeeping::as_given) return floats_ ? recipe_.base : BlockType::f16;
        const bool expert = tensor.stacked && tensor.role != TensorRole::other;
        if (floats_) return mxfp4_experts_ && expert ? BlockType::mxfp4 : recipe_.base;
        BlockType type = recipe_.type_of(tensor, layer, counters_);
        for (int attempt = 0; attempt < 2; ++attempt) {
            const double blocks = tensor.row / encoding(type).block;
            if (is_whole(blocks)) break;
            type = attempt == 0 ? narrower_block(type) : BlockType::f16;
        }
        return type;
    }

    void choose(Section& section, int layer, Place place) { choose(section, layer, place, place); }
    void choose(Section& section, int layer, Place place, Place experts) {
        for (size_t index = 0; index < section.tensors.size(); ++index) {
            const GgufTensor& tensor = section.tensors[index];
            const BlockType type = type_of(tensor, layer);
            const Place own = tensor.with_first_layer ? first_place() : place;
            Place here = of_experts(section, tensor) ? experts : own;
            if (placement_ && placement_->largest > 0 && bytes_of(section, tensor, type) > placement_->largest)
                here = on_host;
            const size_t cell = index * block_type_count + static_cast<size_t>(type);
            ++section.layers[cell * places_ + static_cast<size_t>(here + 1)];
            list_matrix(section, index, layer, type, here);
        }
    }
    Place first_place() const {
        return placement_ && !placement_->layers.empty() ? placement_->layers.front() : Place{0};
    }
    /// By the names that --n-cpu-moe looks for, which those of the experts' biases begin with too.
    static bool of_experts(const Section& section, const GgufTensor& tensor) {
        const Weight<double>& weight = section.weights[tensor.weight];
        const bool matrix = tensor.stacked && tensor.role >= TensorRole::up && tensor.role <= TensorRole::down;
        return matrix || (weight.part == Part::experts && weight.vector && weight.copies > 1);
    }
    double bytes_of(const Section& section, const GgufTensor& tensor, BlockType type) const {
        const Weight<double>& weight = section.weights[tensor.weight];
        const double columns = tensor.columns == 0 ? weight.cols : tensor.columns;
        return weight.rows * columns * weight.copies / tensor.tensors * bytes_per_element(type);
    }
    // A matrix of a decoder's layer, or of the head; of embeddings rows are looked up only.
    void list_matrix(const Section& section, size_t index, int layer, BlockType type, Place place) {
        const GgufTensor& tensor = section.tensors[index];
        const Weight<double>& weight = section.weights[tensor.weight];
        const auto number = static_cast<size_t>(&section - sections_.data()), head = model_.kinds.size() + 1;
        const bool looked_up = number == 0 && !tensor.with_first_layer;
        if (weight.vector || looked_up || number > head || mix_.file_matrices.empty()) return;
        const size_t row = number == head ? model_.order.size() : static_cast<size_t>(layer);
        int piece = 0;
        for (size_t before = index; before-- > 0 && section.tensors[before].weight == tensor.weight;) ++piece;
        mix_.file_matrices[row].push_back({{weight.part, weight.name, piece}, bytes_per_element(type), place});
    }
    double bytes_per_element(BlockType type) const {
        const Encoding& stored = encoding(type);
        return stored.values(stored.block).n / stored.block;
    }
    void choose_layer(size_t layer) {
        Section& section = sections_[model_.order[layer] + 1u];
        if (placement_)
            choose(section, static_cast<int>(layer), placement_->layers[layer], placement_->experts(layer));
        else
            choose(section, static_cast<int>(layer), 0);
    }

    void collect(const Section& section) {
        for (size_t index = 0; index < section.layers.size(); ++index) {
            if (section.layers[index] == 0) continue;
            const size_t cell = index / places_;
            const GgufTensor& tensor = section.tensors[cell / block_type_count];
            mix_.weights.push_back({static_cast<unsigned short>(section.first_weight + tensor.weight),
                                    types_[cell % block_type_count], section.layers[index], tensor.columns,
                                    tensor.tensors, static_cast<Place>(static_cast<int>(index % places_) - 1), nullptr,
                                    tensor.row});
        }
    }

    void add_beside() {
        add_second_head();
        add_rotary_factors();
        widen_layer_embeddings();
        for (size_t layer = 0; layer < model_.order.size(); ++layer)
            for (const Op& op : model_.kinds[model_.order[layer]].block.ops)
                if (const Experts* experts = op.as<Experts>(); experts && experts->correction_buffer)
                    add_buffer(experts->experts.value(), placement_ ? placement_->layers[layer] : Place{0});
        for (size_t layer = 0; model_.scaled_layers && layer < model_.order.size(); ++layer)
            add_buffer(1, placement_ ? placement_->layers[layer] : Place{0});
    }
    // Falcon's files hold a head though it is tied; of others the embedding is held again where the head computes.
    void add_second_head() {
        const bool twice = placement_ && placement_->embedding != placement_->head;
        if (!model_.tied || !model_.vocab_size || !model_.hidden_size) return;
        const GgufTensor head{0, recipe_.falcon ? TensorRole::head : TensorRole::embedding, TensorKeeping::quantised,
                              false, model_.hidden_size->value()};
        if (placement_)
            mix_.file_matrices.back().push_back(
                {{Part::head, "lm_head"}, bytes_per_element(type_of(head, 0)), placement_->head});
        if (!recipe_.falcon && !twice) return;
        mix_.beside.push_back({"head", &encoding(type_of(head, 0)),
                               model_.vocab_size->value() * model_.hidden_size->value(), 1,
                               placement_ ? placement_->head : Place{0}, !recipe_.falcon, head.row});
    }
    // The converter fills up a table of embeddings for the layers with rows for what else is in the vocabulary.
    void widen_layer_embeddings() {
        for (const GgufTensor& tensor : sections_.front().tensors) {
            const Weight<double>& weight = sections_.front().weights[tensor.weight];
            const double missing = model_.vocab_size ? model_.vocab_size->value() - weight.rows : 0;
            if (weight.name == "embed_tokens_per_layer" && missing > 0)
                mix_.beside.push_back({"embedding", &encoding(type_of(tensor, 0)), missing * weight.cols, 1,
                                       placement_ ? placement_->embedding : Place{0}});
        }
    }
    // Once in the file, and once in every place that has layers.
    void add_rotary_factors() {
        for (const double factors : model_.rotary_factors) {
            bool copy = false;
            for (Place place = on_host; place < static_cast<Place>(places_ - 1); ++place)
                if (placement_ ? placement_->holds_layers(place) : place == 0) {
                    add_buffer(factors, place, copy);
                    copy = true;
                }
        }
    }
    void add_buffer(double elements, Place place, bool copy = false) {
        for (StoredBeside& known : mix_.beside)
            if (known.part == "buffers" && known.elements == elements && known.place == place && known.copy == copy) {
                ++known.tensors;
                return;
            }
        mix_.beside.push_back({"buffers", &encoding(BlockType::f32), elements, 1, place, copy});
    }

    const Model& model_;
    bool mxfp4_experts_;
    const Placement* placement_;
    bool splits_qkv_, floats_ = false;
    size_t places_ = 2;  ///< the host and the devices
    GgufRecipe recipe_;
    GgufRecipe::Counters counters_;
    const Encoding* types_[block_type_count];
    std::vector<Section> sections_;
    size_t weights_ = 0;  ///< of the section added last
    WeightMix mix_;
};

}  // namespace

WeightMix gguf_mix(const Model& model, const Encoding& file_type, const Encodings& encodings, bool mxfp4_experts,
                   const Placement* placement) {
    return Mixer(model, file_type, encodings, mxfp4_experts, placement).mix();
}

}  // namespace plimsoll
