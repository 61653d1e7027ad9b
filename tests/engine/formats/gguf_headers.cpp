// Headers of GGUF files: each version and byte order, and what is wrong with a broken one.
#include "engine/formats/inspecting.h"

namespace plimsoll::test::gguf_headers {

namespace {

/// Writes a GGUF header piece by piece, in either byte order and in the widths of either version.
class GgufWriter {
public:
    explicit GgufWriter(unsigned version = 3, bool big_endian = false)
        : big_endian_(big_endian), width_(version == 1 ? 4 : 8) {
        bytes_ = "GGUF";
        number(version, 4);
    }
    GgufWriter& number(double value, size_t size) {
        auto rest = static_cast<std::uint64_t>(value);
        std::string piece;
        for (size_t i = 0; i < size; ++i, rest >>= 8U) piece += static_cast<char>(rest & 255U);
        if (big_endian_) piece.assign(piece.rbegin(), piece.rend());
        bytes_ += piece;
        return *this;
    }
    GgufWriter& count(double value) { return number(value, width_); }
    GgufWriter& text(const std::string& value) {
        count(static_cast<double>(value.size()));
        bytes_ += value;
        return *this;
    }
    GgufWriter& key(const std::string& name, const std::string& value) { return text(name).number(8, 4).text(value); }
    GgufWriter& key(const std::string& name, double value) { return text(name).number(4, 4).number(value, 4); }
    GgufWriter& texts(const std::string& name, const std::vector<std::string>& values) {
        text(name).number(9, 4).number(8, 4).count(static_cast<double>(values.size()));
        for (const std::string& value : values) text(value);
        return *this;
    }
    GgufWriter& tensor(const std::string& name, const std::vector<double>& sides, unsigned type, double offset) {
        text(name).number(static_cast<double>(sides.size()), 4);
        for (const double side : sides) count(side);
        return number(type, 4).number(offset, 8);
    }
    InspectedFile file(double data, const std::string& name = "model.gguf") const {
        const double header = std::ceil(static_cast<double>(bytes_.size()) / 32) * 32;
        return {name, bytes_, header + data};
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
    bool big_endian_;
    size_t width_;
};

GgufWriter small_gguf(unsigned version, bool big_endian) {
    GgufWriter writer(version, big_endian);
    writer.count(3).count(4).key("general.architecture", "llama").key("llama.block_count", 1);
    writer.key("general.file_type", 15);
    writer.texts("tokenizer.ggml.tokens", {"a", "bc", ""});
    writer.tensor("token_embd.weight", {256, 3}, 14, 0);         // Q6_K: 3 × 210 bytes
    writer.tensor("blk.0.attn_q.weight", {256, 256}, 12, 640);   // Q4_K: 256 × 144
    writer.tensor("output_norm.weight", {256}, 0, 640 + 36864);  // F32: 1024
    return writer;
}

}  // namespace

TEST_CASE("a GGUF header is read in each version and byte order") {
    for (const unsigned version : {1U, 2U, 3U})
        for (const bool big_endian : {false, true}) {
            const Json reply = inspect({small_gguf(version, big_endian).file(640 + 36864 + 1024)});
            INFO(version << big_endian << reply.dump());
            REQUIRE(!reply.contains("error"));
            CHECK(reply.at("kind") == "gguf");
            CHECK(reply.at("gguf").at("version") == version);
            CHECK(reply.at("gguf").at("file_type") == 15);
            CHECK(reply.at("gguf").at("big_endian") == big_endian);
            CHECK(reply.at("checkpoint").at("count") == 3);
            CHECK(reply.at("checkpoint").at("bytes") == 630 + 36864 + 1024);
            CHECK(reply.at("checkpoint").at("parameters") == 256 * 3 + 256 * 256 + 256);
            CHECK(reply.at("types").at(1).at("type") == "Q4_K");
        }
}

TEST_CASE("a GGUF header that is cut short is asked for until it is whole, and a file that ends in it is refused") {
    const InspectedFile whole = small_gguf(3, false).file(640 + 36864 + 1024);
    for (size_t length = 0; length < whole.bytes.size(); ++length) {
        const Json reply = inspect({{whole.name, whole.bytes.substr(0, length), whole.size}});
        INFO(length << reply.dump());
        REQUIRE(reply.contains("need"));
        CHECK(reply.at("need").at(0).at("bytes").get<double>() > static_cast<double>(length));
        const Json cut = inspect({{whole.name, whole.bytes.substr(0, length), static_cast<double>(length)}});
        CHECK(cut.contains("error"));
    }
}

TEST_CASE("what is wrong with a GGUF header is said with its offset") {
    const auto refused = [](const GgufWriter& writer, double data) {
        const Json reply = inspect({writer.file(data)});
        INFO(reply.dump());
        REQUIRE(reply.contains("error"));
        CHECK(reply.at("error").at("code") == "bad_gguf");
        CHECK(reply.at("error").at("where").get<std::string>().find("model.gguf: byte ") == 0);
        return reply.at("error").at("what").get<std::string>();
    };
    CHECK(refused(GgufWriter(4).count(0).count(0), 0).find("version 4") != std::string::npos);
    CHECK(refused(GgufWriter().count(1e15).count(0), 0).find("tensors") != std::string::npos);
    CHECK(refused(GgufWriter().count(0).count(1e12), 0).find("keys") != std::string::npos);
    GgufWriter twice;
    twice.count(0).count(2).key("a", 1).key("a", 2);
    CHECK(refused(twice, 0).find("stands twice") != std::string::npos);
    GgufWriter kind;
    kind.count(0).count(1).text("a").number(13, 4);
    CHECK(refused(kind, 64).find("unknown kind") != std::string::npos);
    GgufWriter list;
    list.count(0).count(1).text("a").number(9, 4).number(8, 4).count(1e18);
    CHECK(refused(list, 0).find("list") != std::string::npos);
    const auto tensors = [](const std::vector<double>& sides, unsigned type, double offset) {
        GgufWriter writer;
        writer.count(2).count(0).tensor("a", {32}, 0, 0).tensor("b", sides, type, offset);
        return writer;
    };
    CHECK(refused(tensors({32}, 0, 96), 1024).find("overlaps") != std::string::npos);
    CHECK(refused(tensors({32}, 0, 100), 1024).find("not aligned") != std::string::npos);
    CHECK(refused(tensors({32}, 0, 1024), 1024).find("ends at byte") != std::string::npos);
    CHECK(refused(tensors({32}, 4, 128), 1024).find("unknown type") != std::string::npos);
    CHECK(refused(tensors({100}, 12, 128), 1024).find("multiple") != std::string::npos);
    CHECK(refused(tensors({1, 1, 1, 1, 1}, 0, 128), 1024).find("4 dimensions") != std::string::npos);
    CHECK(refused(tensors({18446744073709549568.0, 18446744073709549568.0}, 0, 128), 1024).find("larger") !=
          std::string::npos);
    CHECK(!inspect({tensors({32}, 0, 128).file(256)}).contains("error"));
}

}  // namespace plimsoll::test::gguf_headers
