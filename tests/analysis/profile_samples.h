// Profiles for tests: from the sample dumps, from the conformance data, and made of plain numbers.
//
// Each call makes its own; nothing is shared between tests.
//
//   const Trace on = trace_of(etdump::toy_dump(ToySpeed::kFast));
//   const Profile profile = profile_of_trace("on", on);
//   const Profile made = profile_with({1000, 1010, 990});   // nanoseconds per execution
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/etdump/sample_dumps.h"
#include "formats/timeline_csv/timeline_reader.h"
#include "trace/quality.h"

namespace accelscope::analysis {

inline constexpr const char* kNoFixtures = "the conformance data is not beside this checkout";

inline trace::Trace trace_of(const formats::etdump::Dump& dump,
                             const formats::etdump::Options& options = {}) {
  auto trace = formats::etdump::read(
      base::MappedFile::from_memory("sample.etdump", formats::etdump::write_etdump(dump)), options);
  EXPECT_TRUE(trace) << trace.error().to_string();
  return std::move(*trace);
}

inline Profile profile_of_trace(std::string name, const trace::Trace& trace, std::uint32_t warm_up = 0) {
  return profile_of(std::move(name), std::array{Recording{&trace, warm_up, "sample.etdump"}});
}

inline Profile profile_of_dump(std::string name, const formats::etdump::Dump& dump,
                               std::uint32_t warm_up = 0) {
  return profile_of_trace(std::move(name), trace_of(dump), warm_up);
}

inline Profile toy(formats::etdump::ToySpeed speed, std::uint32_t runs = 10, std::uint32_t seed = 0) {
  return profile_of_dump(speed == formats::etdump::ToySpeed::kFast ? "on" : "off",
                         formats::etdump::toy_dump(speed, {.count = runs, .seed = seed}));
}

// Empty when the conformance data is not there.
inline std::optional<trace::Trace> fixture_trace(const std::string& path) {
  const auto file = base::MappedFile::open(std::string(ACCELSCOPE_FIXTURES_DIR) + "/" + path);
  if (!file) return std::nullopt;
  auto trace =
      path.ends_with(".csv") ? formats::timeline_csv::read_timeline(*file) : formats::etdump::read(*file);
  EXPECT_TRUE(trace) << path << ": " << trace.error().to_string();
  if (!trace) return std::nullopt;
  return std::move(*trace);
}

// An operator as a test gives it; one time per execution, in ticks.
struct MadeEntry {
  std::string name = {};
  Part part = Part::kDelegateOperator;
  Category category = Category::kOther;
  std::vector<std::int64_t> self = {};
  std::string family = {};
  std::int64_t call = 0;
};

// A method of these entries. The rest of each execution's time is the framework's.
inline MethodProfile method_with(const std::vector<std::int64_t>& durations,
                                 const std::vector<MadeEntry>& entries = {}, std::string name = "forward") {
  MethodProfile method{.method = std::move(name), .frequency = base::Frequency::nanoseconds()};
  Entry framework{.name = "Method::execute",
                  .part = Part::kFramework,
                  .category = Category::kFramework,
                  .count = durations.size(),
                  .first = trace::SliceId{0}};
  std::int64_t start = 0;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    method.executions.push_back({.run_index = static_cast<std::uint32_t>(i),
                                 .root = trace::SliceId{static_cast<std::uint32_t>(i)},
                                 .start = base::Ticks{start},
                                 .duration = base::Ticks{durations[i]}});
    start += durations[i] + 100;
    std::int64_t rest = durations[i];
    for (const MadeEntry& entry : entries) rest -= entry.self.at(i);
    framework.self.push_back(base::Ticks{rest});
    method.all_rows.value += durations[i];
  }
  method.entries.push_back(std::move(framework));
  std::uint32_t ordinal = 0;
  for (const MadeEntry& made : entries) {
    Entry entry{.name = made.name,
                .part = made.part,
                .call = made.call,
                .ordinal = ++ordinal,
                .type = made.name,
                .family = made.family,
                .category = made.category,
                .count = durations.size(),
                .first = trace::SliceId{ordinal}};
    for (const std::int64_t ticks : made.self) entry.self.push_back(base::Ticks{ticks});
    method.entries.push_back(std::move(entry));
  }
  return method;
}

inline Profile profile_with(const std::vector<std::int64_t>& durations,
                            const std::vector<MadeEntry>& entries = {}, std::string name = "made") {
  Profile profile{.name = std::move(name), .sources = {"made"}};
  profile.methods.push_back(method_with(durations, entries));
  return profile;
}

// `count` durations of about `level` ticks that vary by `wobble` ticks without any order.
inline std::vector<std::int64_t> wobbling(std::size_t count, std::int64_t level, std::int64_t wobble) {
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto mixed = static_cast<std::int64_t>(base::hash_of(i) % 1009U);
    values.push_back(level + (mixed - 504) * wobble / 504);
  }
  return values;
}

inline const trace::QualityRow* row_of(const trace::QualityTable& quality, std::string_view id) {
  for (const trace::QualityRow& row : quality.rows())
    if (row.id == id) return &row;
  return nullptr;
}

}  // namespace accelscope::analysis
