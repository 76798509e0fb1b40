#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "memory/address_map.h"
#include "memory/dram_constraints.h"
#include "memory/dram_measure.h"
#include "memory/dram_options.h"
#include "memory/dram_preset_file.h"

namespace accelscope::memory {
namespace {

std::string text_of(const char* name) {
  base::MemoryOutput out;
  write_dram_preset(*load_dram_preset(name), out);
  return std::string(out.bytes());
}
base::Result<DramPreset> read(const std::string& text) {
  return read_dram_preset(base::MappedFile::from_memory("mine.json", text));
}
std::string error_of(const std::string& from, const std::string& to) {
  std::string text = text_of("hbm2");
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
  const auto preset = read(text);
  return preset ? std::string() : preset.error().to_string();
}

TEST(DramPreset, AllOfTheProgramAreGoodAndReadBackAsWritten) {
  for (const std::string_view name : dram_preset_names()) {
    const auto preset = load_dram_preset(std::string(name));
    ASSERT_TRUE(preset) << preset.error().to_string();
    EXPECT_EQ(preset->name, name);
    EXPECT_FALSE(preset->source.empty());
    EXPECT_FALSE(preset->revision.empty());
    DramPreset again = *read(text_of(preset->name.c_str()));
    again.name = preset->name;
    EXPECT_EQ(again, *preset);
  }
}

TEST(DramPreset, PeaksCapacitiesAndBursts) {
  const auto check = [](const char* name, std::int64_t peak, std::int64_t burst, std::int64_t row,
                        std::int64_t capacity) {
    const DramPreset preset = *load_dram_preset(name);
    EXPECT_EQ(preset.peak_bandwidth(preset.organisation.channels).value / 10'000'000, peak / 10'000'000)
        << name;
    EXPECT_EQ(preset.burst_bytes().value, burst) << name;
    EXPECT_EQ(preset.bursts_per_row() * burst, row) << name;
    EXPECT_EQ(preset.channel_capacity().value * preset.organisation.channels, capacity) << name;
  };
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  check("ddr3-1600", 12'800'000'000, 64, 8192, 2 * kGib);
  check("ddr3-1600-x16", 3'200'000'000, 16, 2048, kGib / 2);
  check("ddr4-2400", 19'207'683'073, 64, 8192, 8 * kGib);
  check("hbm2", 256'000'000'000, 32, 1024, 16 * kGib);
  check("hbm3", 819'200'000'000, 32, 1024, 16 * kGib);
}

TEST(DramPreset, BadFilesAreErrorsThatSayWhat) {
  EXPECT_NE(error_of("\"nCL\"", "\"nCl\"").find("a DRAM preset has no `nCl`"), std::string::npos);
  EXPECT_NE(error_of("  \"nCL\": 14,\n", "").find("`nCL` is missing: a DRAM preset has all of its 50 keys"),
            std::string::npos);
  EXPECT_NE(error_of("\"rows\": 65536", "\"rows\": 32768")
                .find("a device of 16 banks x 32768 rows x 128 columns x 64 bits holds 4294967296 bits, not "
                      "`density_mbit` 8192"),
            std::string::npos);
  EXPECT_NE(error_of("\"rows\": 65536", "\"rows\": 65535").find("65535 is no power of two"),
            std::string::npos);
  EXPECT_NE(error_of("\"rows\": 65536", "\"rows\": 0").find("0 is not from 1 to"), std::string::npos);
  EXPECT_NE(error_of("\"columns\": 128", "\"columns\": 8").find("hold fewer than four bursts"),
            std::string::npos);
  EXPECT_NE(
      error_of("\"nCL\": 14", "\"nCL\": 14.5").find("`nCL` has half clocks, but `ticks_per_clock` is 1"),
      std::string::npos);
  EXPECT_NE(error_of("\"nCL\": 14", "\"nCL\": 14.3").find("is no whole number of half clocks"),
            std::string::npos);
  EXPECT_NE(error_of("\"nCL\": 14", "\"nCL\": -1").find("is not from 0.5 to"), std::string::npos);
  EXPECT_NE(error_of("\"nREFI\": 3900", "\"nREFI\": 300").find("leaves no time for requests"),
            std::string::npos);
  EXPECT_NE(error_of("\"family\": \"hbm\"", "\"family\": \"lpddr\"").find("is none of ddr, hbm, reference"),
            std::string::npos);
  EXPECT_NE(error_of("\"tCK_ns\": 1", "\"tCK_ns\": 0").find("is not from 0.001 to 1000"), std::string::npos);
  EXPECT_NE(error_of("HBM2 at", "HBM2 \xFF at").find("`description`: is no UTF-8"), std::string::npos);
  EXPECT_FALSE(read(""));
  EXPECT_FALSE(read("[]"));
}

TEST(DramPreset, UnknownNamesComeWithTheList) {
  const auto preset = load_dram_preset("hbm4");
  ASSERT_FALSE(preset);
  EXPECT_NE(preset.error().message.find("ddr3-1600, ddr3-1600-x16, ddr4-2400, hbm2, hbm3"),
            std::string::npos);
}

TEST(DramConstraintTable, ActivatesOfTwoClocksShiftWhatFollows) {
  const auto ticks = [](DramCommand before, DramCommand after, DramScope scope) {
    std::int64_t result = -1;
    for (const DramConstraint& constraint : constraints_of(*load_dram_preset("hbm2")))
      if (constraint.before == before && constraint.after == after && constraint.scope == scope &&
          constraint.window == 1)
        result = std::max(result, constraint.ticks);
    return result;
  };
  EXPECT_EQ(ticks(DramCommand::kActivate, DramCommand::kRead, DramScope::kBank), 15);
  EXPECT_EQ(ticks(DramCommand::kActivate, DramCommand::kWrite, DramScope::kBank), 13);
  EXPECT_EQ(ticks(DramCommand::kPrecharge, DramCommand::kActivate, DramScope::kBank), 13);
  EXPECT_EQ(ticks(DramCommand::kActivate, DramCommand::kActivate, DramScope::kBank), 48);
  EXPECT_EQ(ticks(DramCommand::kActivate, DramCommand::kPrecharge, DramScope::kChannel), 2);
  EXPECT_EQ(ticks(DramCommand::kRead, DramCommand::kWrite, DramScope::kPseudoChannel), 13);
  EXPECT_EQ(ticks(DramCommand::kWrite, DramCommand::kRead, DramScope::kPseudoChannel), 13);
  EXPECT_EQ(ticks(DramCommand::kWrite, DramCommand::kPrecharge, DramScope::kBank), 23);
}

// ---- maps ----

TEST(AddressMap, EveryBurstHasAPlaceOfItsOwn) {
  DramPreset small = *load_dram_preset("hbm3");
  small.organisation.rows = 4;
  for (const std::string_view name : map_kind_names())
    for (const bool hash : {false, true})
      for (const std::uint32_t channels : {1U, 2U, 3U}) {
        const AddressMap map(small, {channels, *map_kind_of(name), hash});
        const std::uint64_t bursts = map.bursts_of_channel() * channels;
        std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                            std::uint32_t, std::uint32_t>>
            places;
        for (std::uint64_t burst = 0; burst < bursts; ++burst) {
          const AddressMap::Local local = map.channel_of(burst);
          const DramPlace p = map.place_of(local.burst);
          places.emplace(local.channel, p.pseudo_channel, p.rank, p.group, p.bank, p.row, p.column);
          EXPECT_EQ(map.burst_of(local.channel, local.burst), burst);
        }
        EXPECT_EQ(places.size(), bursts) << name << hash << channels;
      }
}

TEST(AddressMap, FourBurstsOfAMixedMapAreFourBanks) {
  const AddressMap map(*load_dram_preset("hbm2"), {.channels = 1});
  EXPECT_EQ(map.place_of(0), (DramPlace{}));
  EXPECT_EQ(map.place_of(1), (DramPlace{.pseudo_channel = 1, .column = 1}));
  EXPECT_EQ(map.place_of(2), (DramPlace{.group = 1, .column = 2}));
  EXPECT_EQ(map.place_of(3), (DramPlace{.pseudo_channel = 1, .group = 1, .column = 3}));
}

TEST(AddressMap, RowsComeInOnePieceInTheOthers) {
  const AddressMap rows(*load_dram_preset("hbm2"), {.channels = 1, .kind = MapKind::kRoBaRaCoCh});
  EXPECT_EQ(rows.place_of(31), (DramPlace{.column = 31}));
  EXPECT_EQ(rows.place_of(32), (DramPlace{.pseudo_channel = 1}));
  const AddressMap banks(*load_dram_preset("hbm2"), {.channels = 2, .kind = MapKind::kChRaBaRoCo});
  EXPECT_EQ(banks.place_of(32), (DramPlace{.row = 1}));
  EXPECT_EQ(banks.channel_of(banks.bursts_of_channel()).channel, 1U);
}

TEST(AddressMap, HashingSpreadsPowersOfTwo) {
  const auto measured = [](bool hash) {
    return measure_dram(*load_dram_preset("hbm2"), {.channels = 1, .hash_rows = hash},
                        {.pattern = *pattern_of("str16"), .requests = 20'000, .span = {256 << 20}})
        ->of_peak;
  };
  EXPECT_GT(measured(true), 2 * measured(false));
}

TEST(AddressMap, NamesInAnyCaseAndErrorsWithTheList) {
  EXPECT_EQ(*map_kind_of("RoBaRaCoCh"), MapKind::kRoBaRaCoCh);
  EXPECT_NE(map_kind_of("robarachoco").error().message.find("mop4clxor, robaracoch, chrabaroco"),
            std::string::npos);
  EXPECT_FALSE(refresh_kind_of("some"));
  EXPECT_FALSE(page_policy_of("some"));
  EXPECT_FALSE(fidelity_of("some"));
  EXPECT_EQ(*fidelity_of("closed-form"), Fidelity::kClosedForm);
}

// ---- loads ----

TEST(DramLoad, Patterns) {
  const auto first = [](const char* pattern, std::size_t count) {
    AddressSequence sequence(*pattern_of(pattern), 1024, 1);
    std::vector<std::uint64_t> bursts;
    for (std::size_t i = 0; i < count; ++i) bursts.push_back(sequence.next());
    return bursts;
  };
  EXPECT_EQ(first("stream", 4), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(first("str4", 6), (std::vector<std::uint64_t>{0, 256, 512, 768, 1, 257}));
  const auto blocks = first("blk4", 8);
  for (const std::size_t start : {0U, 4U}) {
    EXPECT_EQ(blocks[start] % 4, 0U);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(blocks[start + i], blocks[start] + i);
  }
  for (const char* pattern : {"stream", "random", "blk16", "str4"})
    EXPECT_EQ(to_string(*pattern_of(pattern)), pattern);
  for (const char* bad : {"", "blk", "blk0", "str-1", "strx", "streams", "blk99999999999"})
    EXPECT_FALSE(pattern_of(bad)) << bad;
}

TEST(DramLoad, RefusesWhatDoesNotFit) {
  const auto message = [](const DramLoad& load) {
    const auto measured = measure_dram(*load_dram_preset("hbm2"), {.channels = 1}, load);
    return measured ? std::string() : measured.error().message;
  };
  EXPECT_EQ(message({.span = {std::int64_t{4} << 30}}),
            "a span of 4 GiB is larger than hbm2 of 1 channels, which holds 2 GiB");
  EXPECT_NE(
      message({.pattern = {Pattern::Kind::kBlocks, 1024}, .span = {1024}}).find("is too small for `blk1024`"),
      std::string::npos);
  EXPECT_NE(message({.gap = {INT64_MAX}}).find("overflows the clock"), std::string::npos);
  EXPECT_NE(message({.gap = {-1}}).find("overflows the clock"), std::string::npos);
  EXPECT_NE(message({.write_percent = 101}).find("expected 0 to 100"), std::string::npos);
  EXPECT_NE(message({.requests = 0}).find("no requests"), std::string::npos);
}

TEST(DramLoad, AGapSetsTheRate) {
  const auto measured =
      measure_dram(*load_dram_preset("hbm2"), {.channels = 1, .refresh = RefreshKind::kNone},
                   {.gap = {100}, .requests = 1000});
  EXPECT_NEAR(static_cast<double>(measured->elapsed.value), 1000 * 100'000, 200'000);
  EXPECT_GE(measured->mean_latency, 17'000);
  EXPECT_LE(measured->p99_latency, 50'000);
}

TEST(DramLoad, CanBeStopped) {
  DramLoad load{.requests = 1'000'000};
  load.progress = [](std::uint64_t) { return false; };
  const auto measured = measure_dram(*load_dram_preset("hbm2"), {}, load);
  EXPECT_TRUE(measured->stopped);
  EXPECT_LT(measured->requests, 200'000U);
}

}  // namespace
}  // namespace accelscope::memory
