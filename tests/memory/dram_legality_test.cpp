#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "memory/checked_traffic.h"
#include "memory/dram_preset_file.h"

namespace accelscope::memory {
namespace {

struct Case {
  const char* preset;
  RefreshKind refresh;
  PagePolicy page;
};

class DramLegality : public testing::TestWithParam<Case> {};

TEST_P(DramLegality, OfEveryCommand) {
  const Case& c = GetParam();
  const DramPreset preset = *load_dram_preset(c.preset);
  const auto constraints = constraints_of(preset);
  for (const std::string_view map : map_kind_names())
    for (const bool hash : {false, true}) {
      const DramOptions options{
          .map = *map_kind_of(map), .hash_rows = hash, .refresh = c.refresh, .page = c.page};
      // The maps are what differs most; hashing them is tried with a part.
      const CommandChecker checker = checked(preset, options, hash ? 20'000 : 100'000, constraints);
      EXPECT_TRUE(checker.faults().empty()) << map << ": " << checker.faults().front();
      EXPECT_GT(checker.commands(), hash ? 20'000U : 100'000U);
      if (c.refresh == RefreshKind::kAllBank) {
        EXPECT_LT(checker.longest_without_refresh(), 2 * preset.ticks(preset.times.refi)) << map;
      }
    }
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const char* preset : {"ddr3-1600", "ddr3-1600-x16", "ddr4-2400", "hbm2", "hbm3"})
    for (const RefreshKind refresh : {RefreshKind::kNone, RefreshKind::kAllBank, RefreshKind::kPerBank})
      for (const PagePolicy page : {PagePolicy::kOpen, PagePolicy::kClosed})
        if (refresh != RefreshKind::kPerBank || std::string_view(preset).starts_with("hbm"))
          result.push_back({preset, refresh, page});
  return result;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = std::string(info.param.preset) + "_" + std::string(name_of(info.param.refresh)) + "_" +
                     std::string(name_of(info.param.page));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DramLegality, testing::ValuesIn(cases()), case_name);

// ---- the checker itself ----

DramPlace other_place(DramScope scope) {
  DramPlace place;
  switch (scope) {
    case DramScope::kChannel:
    case DramScope::kPseudoChannel:
    case DramScope::kRank:
      place.group = 1;
      break;
    case DramScope::kOtherRank:
      place.rank = 1;
      break;
    case DramScope::kBankGroup:
      place.bank = 1;
      break;
    case DramScope::kBank:
      break;
  }
  return place;
}

TEST(CommandChecker, CatchesEveryConstraintOneTickTooEarly) {
  for (const char* name : {"ddr3-1600", "ddr4-2400", "hbm2", "hbm3"}) {
    const DramPreset preset = *load_dram_preset(name);
    for (const DramConstraint& constraint : constraints_of(preset)) {
      // This one alone, so that no other one is broken by the same commands.
      const std::array only{constraint};
      for (const std::int64_t early : {0, 1}) {
        CommandChecker checker(preset, only);
        DramPlace second = other_place(constraint.scope);
        if (preset.organisation.bank_groups == 1) second.group = 0;
        for (std::uint32_t i = 0; i < constraint.window; ++i)
          checker.add({.tick = 1000 + i, .command = constraint.before});
        checker.add({.tick = 1000 + constraint.ticks - early, .command = constraint.after, .place = second});
        EXPECT_EQ(checker.broken().size(), static_cast<std::size_t>(early))
            << name << " " << constraint.name << " " << name_of(constraint.before) << " to "
            << name_of(constraint.after);
      }
    }
  }
}

TEST(CommandChecker, CatchesRowsThatAreNotAsTheyShouldBe) {
  const DramPreset preset = *load_dram_preset("hbm2");
  const auto faults = [&](std::vector<DramCommand> commands) {
    CommandChecker checker(preset, {});
    std::int64_t tick = 0;
    for (const DramCommand command : commands)
      checker.add({.tick = tick += 100, .command = command, .place = {.row = 5}});
    return checker.faults().size();
  };
  using enum DramCommand;
  EXPECT_EQ(faults({kActivate, kRead, kPrecharge, kActivate}), 0U);
  EXPECT_EQ(faults({kActivate, kActivate}), 1U);
  EXPECT_EQ(faults({kRead}), 1U);
  EXPECT_EQ(faults({kActivate, kReadClose, kRead}), 1U);
  EXPECT_EQ(faults({kActivate, kRefreshAll}), 1U);
  EXPECT_EQ(faults({kActivate, kPrechargeAll, kRefreshAll, kRefreshBank}), 0U);
}

// ---- a controller that does not know a constraint ----

std::string title(const DramConstraint& constraint) {
  return std::string(constraint.name) + " (" + std::string(name_of(constraint.scope)) + ")";
}

using Titles = std::set<std::string>;

Titles titles_of(std::span<const DramConstraint> constraints) {
  Titles titles;
  for (const DramConstraint& constraint : constraints) titles.insert(title(constraint));
  return titles;
}

// A constraint together with those that say as much about the same commands: alone it would not be missed.
Titles with_what_implies_it(const std::string& wanted, std::span<const DramConstraint> constraints) {
  Titles titles{wanted};
  for (const DramConstraint& one : constraints)
    for (const DramConstraint& other : constraints)
      if (title(one) == wanted && one.before == other.before && one.after == other.after &&
          other.ticks * one.window >= one.ticks * other.window)
        titles.insert(title(other));
  return titles;
}

bool is_missed(const DramPreset& preset, const Titles& left_out, const std::string& wanted) {
  std::vector<DramConstraint> obeyed;
  for (const DramConstraint& constraint : constraints_of(preset))
    if (!left_out.contains(title(constraint))) obeyed.push_back(constraint);
  const RefreshKind other = preset.has_bank_refresh() ? RefreshKind::kPerBank : RefreshKind::kNone;
  for (const RefreshKind refresh : {RefreshKind::kAllBank, other})
    for (const PagePolicy page : {PagePolicy::kOpen, PagePolicy::kClosed})
      for (const Jumps jumps : {Jumps::kMany, Jumps::kFew})
        for (const std::uint64_t requests : {3'000U, 20'000U})
          if (checked(preset, {.refresh = refresh, .page = page}, requests, obeyed, jumps)
                  .broken()
                  .contains(wanted))
            return true;
  return false;
}

class DramConstraints : public testing::TestWithParam<const char*> {};

TEST_P(DramConstraints, EveryOneThatIsLeftOutIsMissed) {
  const DramPreset preset = *load_dram_preset(GetParam());
  const auto constraints = constraints_of(preset);
  for (const std::string& wanted : titles_of(constraints))
    EXPECT_TRUE(is_missed(preset, {wanted}, wanted) ||
                is_missed(preset, with_what_implies_it(wanted, constraints), wanted))
        << wanted;
}

std::string preset_name(const testing::TestParamInfo<const char*>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DramConstraints, testing::Values("ddr3-1600", "ddr4-2400", "hbm2", "hbm3"),
                         preset_name);

}  // namespace
}  // namespace accelscope::memory
