// How rows and totals get their bands: what is exact has none, rows err by themselves, and data say by how much.
#include "estimate/ledger/bands.h"

#include <cmath>

#include "engine/support.h"

namespace plimsoll::test::bands {

namespace {

Row<double> row(RowId id, Basis basis, double bytes, std::vector<Row<double>> children = {}) {
    return {id, basis, {{Bytes<double>{bytes}, bytes, bytes}}, std::move(children)};
}

Row<double> bounded(RowId id, double low, double bytes, double high) {
    return {id, Basis::measured, {{Bytes<double>{bytes}, low, high}}};
}

BandShares shares(double low, double high, double whole = 0, double residuals = 1) {
    return {low, high, whole, residuals, 0};
}

const Bands runtime{"runtime", {{"activations", shares(0.7, 1.3)}}, {{"allocated", shares(1, 2, 0, 6)}}};
const Bands task{"task",
                 {{"modelled", shares(0.75, 1.25)}, {"rule", shares(0.5, 3)}, {"activations", shares(0, 9)}},
                 {{"process", shares(1, 1, 0.12, 20)}}};
const Banding banding({&runtime, &task});

Ledger<double> banded(std::vector<Row<double>> rows) {
    Ledger<double> ledger{{Phase::step}, std::move(rows)};
    banding.band(ledger.rows);
    return ledger;
}

void check(const Span& span, double low, double bytes, double high) {
    CHECK(span.low == low);
    CHECK(span.bytes == bytes);
    CHECK(span.high == high);
}

void check(const Row<double>& row, double low, double high) {
    CHECK(row.cells[0].low == low);
    CHECK(row.cells[0].high == high);
}

}  // namespace

TEST_CASE("rows: exact ones have no band, others that of the narrowest group that names them, or of their basis",
          "[bands]") {
    const Ledger<double> ledger = banded({
        row(RowId::weights, Basis::exact, 1000),
        row(RowId::activations, Basis::modelled, 100),
        row(RowId::logits, Basis::modelled, 100),
        row(RowId::slack, Basis::rule, 100),
        bounded(RowId::device_context, 90, 100, 140),
    });
    check(ledger.rows[0], 1000, 1000);
    check(ledger.rows[1], 70, 130);
    check(ledger.rows[2], 75, 125);
    check(ledger.rows[3], 50, 300);
    check(ledger.rows[4], 90, 140);  // a bound of the mechanism's own stays
}

TEST_CASE("rows: parts of a row err together, and what is exact of it does not", "[bands]") {
    const Ledger<double> ledger =
        banded({row(RowId::activations, Basis::modelled, 300,
                    {row(RowId("saved"), Basis::modelled, 100), row(RowId::inputs, Basis::exact, 100),
                     row(RowId("copies"), Basis::rule, 100)})});
    check(ledger.rows[0].children[0], 70, 130);
    check(ledger.rows[0].children[1], 100, 100);
    check(ledger.rows[0].children[2], 50, 300);
    check(ledger.rows[0], 300 - 30 - 50, 300 + 30 + 200);
}

TEST_CASE("totals: rows err by themselves, times the factor of the metric on each side", "[bands]") {
    const Ledger<double> ledger =
        banded({row(RowId::weights, Basis::exact, 1000), row(RowId::activations, Basis::modelled, 100),
                bounded(RowId::workspace, 60, 100, 140), row(RowId::slack, Basis::rule, 10),
                bounded(RowId::device_context, 100, 100, 100)});
    const BandedTotal allocated = banding.total(ledger, 0, Metric::allocated);
    check(allocated.span, 1200 - 50, 1200, 1200 + 100);  // √(30² + 40²), once and twice
    REQUIRE(allocated.group);
    CHECK(allocated.group->id == "runtime");
    CHECK(allocated.rests_on->residuals == 6);
    // of no factor anywhere: once; the slack is counted, the context is not
    const BandedTotal reserved = banding.total(ledger, 0, Metric::reserved);
    check(reserved.span, std::floor(1210 - std::sqrt(2525.0)), 1210, std::ceil(1210 + std::sqrt(2900.0)));
    CHECK_FALSE(reserved.rests_on);
}

TEST_CASE("totals: of a wider group, with the share of the whole that no row explains", "[bands]") {
    const Ledger<double> ledger =
        banded({row(RowId::weights, Basis::exact, 900), bounded(RowId::workspace, 95, 100, 105)});
    const BandedTotal process = banding.total(ledger, 0, Metric::process);
    CHECK(process.group->id == "task");
    // a process has no less than what is allocated in it
    check(process.span, 995, 1000, std::ceil(1000 + std::sqrt(25 + 120.0 * 120.0)));
}

TEST_CASE("totals: of exact rows alone there is no band", "[bands]") {
    const Ledger<double> ledger =
        banded({row(RowId::weights, Basis::exact, 900), row(RowId::kv_cache, Basis::exact, 100)});
    for (const Metric metric : {Metric::allocated, Metric::reserved, Metric::process}) {
        const BandedTotal total = banding.total(ledger, 0, metric);
        check(total.span, 1000, 1000, 1000);
        CHECK_FALSE(total.rests_on);
    }
}

TEST_CASE("capacity: what is more beside the cache is less in it, and what is exact is beside it anyway", "[bands]") {
    const Ledger<double> ledger =
        banded({row(RowId::weights, Basis::exact, 500), row(RowId::activations, Basis::modelled, 100),
                row(RowId::workspace, Basis::modelled, 60, {bounded(RowId::library, 40, 60, 150)}),
                row(RowId::kv_cache, Basis::exact, 300)});
    Capacity capacity;
    capacity.bytes.bytes = 300;
    capacity.beside = {"weights", "activations", "workspace.library"};
    check(banding.capacity(capacity, ledger).span, std::floor(300 - std::sqrt(900.0 + 8100.0)), 300,
          std::ceil(300 + std::sqrt(900.0 + 400.0)));
    capacity.share = 0.5;
    check(banding.capacity(capacity, ledger).span, std::floor(300 - 0.5 * std::sqrt(9000.0)), 300,
          std::ceil(300 + 0.5 * std::sqrt(1300.0)));
    const Bands far{"far", {}, {{"capacity", shares(1, 100)}}};
    check(Banding({&far, &runtime, &task}).capacity(capacity, ledger).span, std::floor(300 - 0.5 * std::sqrt(9000.0)),
          300, 300 + 0.5 * 160);
}

TEST_CASE("answers: bytes lie within low and high, nested as metrics are", "[bands]") {
    using plimsoll::test::Json;
    for (const char* text :
         {R"({"schema":1,"task":"training","model":{"preset":"llama-3.2-1b"},"training":{"sequence":512}})",
          R"({"schema":1,"task":"inference","model":{"preset":"llama-3-8b"},"inference":{"context":4096}})"}) {
        const Json reply = Json::parse(plimsoll::test::engine().estimate(text));
        INFO(reply.dump());
        const Json& total = reply.at("total");
        for (const Json* each : {&total, &total.at("reserved"), &total.at("process")}) {
            CHECK(each->at("low") <= each->at("bytes"));
            CHECK(each->at("bytes") <= each->at("high"));
            REQUIRE(each->contains("band"));
            CHECK(each->at("band").at("from").get<std::string>().size() > 0);
        }
    }
}

}  // namespace plimsoll::test::bands
