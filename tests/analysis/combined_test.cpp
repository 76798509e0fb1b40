#include "analysis/combined.h"

#include <algorithm>

#include "analysis/profile_data.h"
#include "analysis/profile_samples.h"

namespace accelscope::analysis {
namespace {

using findings::Findings;
using findings::Section;
using formats::etdump::ToySpeed;

PlatformInput platform(std::string name, std::uint32_t seed) {
  PlatformInput result{.name = std::move(name)};
  result.input.title = result.name;
  result.input.experiments = {{.profile = toy(ToySpeed::kSlow, 12, seed)},
                              {.profile = toy(ToySpeed::kFast, 12, seed + 1)}};
  result.input.pairs = {{0, 1}};
  result.input.device = {{"CPU", "of " + result.name}};
  return result;
}

PlatformInput missing(std::string name) {
  return {.name = std::move(name), .missing = "the folder runs/android is not there"};
}

const findings::Table* table(const Findings& findings, std::string_view section) {
  const Section* found = find_section(findings, section);
  return found == nullptr ? nullptr : find_table(*found, section);
}

TEST(Combined, ShowsPlatformsSideBySide) {
  const Findings report = combined_report("toy", {platform("mac", 1), platform("android", 5)});
  const findings::Table* latency = table(report, "latency");
  ASSERT_NE(latency, nullptr);
  EXPECT_EQ(latency->rows.size(), 4U);
  const findings::Table* speedup = table(report, "speedup");
  ASSERT_NE(speedup, nullptr);
  ASSERT_EQ(speedup->rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(speedup->rows[0][0]), "mac");
  EXPECT_NEAR(std::get<double>(speedup->rows[0][2]), 3.01, 0.05);
  EXPECT_EQ(std::get<std::string>(speedup->rows[1][4]), "faster");
  ASSERT_EQ(find_section(report, "speedup")->statements.size(), 2U);
  EXPECT_TRUE(find_section(report, "speedup")->statements[1].text.starts_with("android: "));
  for (const char* id :
       {"mac.categories", "android.categories", "mac.bottlenecks", "android.recommendations"})
    ASSERT_NE(find_section(report, id), nullptr) << id;
  EXPECT_EQ(find_section(report, "mac.categories")->title, "mac");
  EXPECT_EQ(find_section(report, "mac.categories")->depth, 3);
  const auto profiles = profiles_in(report);
  ASSERT_TRUE(profiles) << profiles.error().to_string();
  EXPECT_EQ(profiles->size(), 4U);
}

TEST(Combined, NamesAPlatformThatIsMissing) {
  const Findings report = combined_report("toy", {platform("mac", 1), missing("android")});
  const trace::QualityRow* row = row_of(report.quality, "report.missing_platform");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->severity, trace::Severity::kWarning);
  EXPECT_NE(row->sentence.find("android"), std::string::npos);
  const findings::Table* platforms = find_table(*find_section(report, "metadata"), "platforms");
  ASSERT_NE(platforms, nullptr);
  EXPECT_TRUE(std::any_of(platforms->rows.begin(), platforms->rows.end(), [](const auto& cells) {
    return std::get<std::string>(cells[0]) == "android" && std::get<std::string>(cells[1]) == "missing";
  }));
  EXPECT_EQ(table(report, "latency")->rows.size(), 2U);
  EXPECT_EQ(find_section(report, "android.categories"), nullptr);
  EXPECT_NE(find_section(report, "mac.categories"), nullptr);
}

TEST(Combined, OfNothingHasHints) {
  for (const std::vector<PlatformInput>& platforms :
       {std::vector<PlatformInput>{}, std::vector<PlatformInput>{missing("mac"), missing("android")}}) {
    const Findings report = combined_report("toy", platforms);
    for (const char* id : {"latency", "speedup", "categories", "bottlenecks", "recommendations"}) {
      const Section* section = find_section(report, id);
      ASSERT_NE(section, nullptr) << id;
      EXPECT_TRUE(is_empty(*section)) << id;
      EXPECT_FALSE(section->empty_hint.empty()) << id;
    }
  }
}

// Figures of another unit do not go into a column of milliseconds.
TEST(Combined, TicksAreNotShownAsMilliseconds) {
  PlatformInput board = platform("board", 1);
  for (Experiment& experiment : board.input.experiments)
    experiment.profile.methods.front().frequency = base::Frequency::unknown();
  const Findings report = combined_report("toy", {platform("mac", 1), board});
  const findings::Table* latency = table(report, "latency");
  ASSERT_NE(latency, nullptr);
  for (const auto& cells : latency->rows) {
    const auto unit = std::find_if(latency->columns.begin(), latency->columns.end(),
                                   [](const findings::Column& column) { return column.id == "unit"; });
    ASSERT_NE(unit, latency->columns.end());
    EXPECT_EQ(std::get<std::string>(cells[static_cast<std::size_t>(unit - latency->columns.begin())]),
              std::get<std::string>(cells[0]) == "board" ? "ticks" : "ms");
  }
}

}  // namespace
}  // namespace accelscope::analysis
