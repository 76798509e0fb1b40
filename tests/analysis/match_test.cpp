#include "analysis/match.h"

#include <algorithm>

#include "analysis/profile_samples.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;

// Operators by family; each takes a tick.
MethodProfile program(const std::vector<std::string>& families, std::int64_t call = 0) {
  std::vector<MadeEntry> entries;
  for (const std::string& family : families)
    entries.push_back({.name = family,
                       .category = family.starts_with("conv") ? Category::kConvolution
                                   : family == "gemm"         ? Category::kGemm
                                                              : Category::kElementwise,
                       .self = {1},
                       .family = family,
                       .call = call});
  return method_with({static_cast<std::int64_t>(families.size())}, entries);
}

// "conv=conv", "-=pack_lh", ... for every pair but the method's own.
std::vector<std::string> texts(const MethodMatch& match, const MethodProfile& a, const MethodProfile& b) {
  std::vector<std::string> result;
  for (const EntryPair& pair : match.pairs) {
    if (pair.baseline == 0U && pair.candidate == 0U) continue;
    result.push_back((pair.baseline ? a.entries[*pair.baseline].name : "-") + "=" +
                     (pair.candidate ? b.entries[*pair.candidate].name : "-"));
    for (const std::uint32_t packing : pair.candidate_packing) result.back() += "+" + b.entries[packing].name;
    for (const std::uint32_t packing : pair.baseline_packing) result.back() += "-" + a.entries[packing].name;
  }
  return result;
}

using Texts = std::vector<std::string>;

// Every entry of both methods is in exactly one pair.
void expect_each_once(const MethodMatch& match, const MethodProfile& a, const MethodProfile& b) {
  std::vector<int> left(a.entries.size(), 0);
  std::vector<int> right(b.entries.size(), 0);
  std::size_t baseline_only = 0;
  std::size_t candidate_only = 0;
  for (const EntryPair& pair : match.pairs) {
    if (pair.baseline) ++left.at(*pair.baseline);
    if (pair.candidate) ++right.at(*pair.candidate);
    for (const std::uint32_t entry : pair.baseline_packing) ++left.at(entry);
    for (const std::uint32_t entry : pair.candidate_packing) ++right.at(entry);
    baseline_only += pair.candidate ? 0 : 1;
    candidate_only += pair.baseline ? 0 : 1;
  }
  EXPECT_TRUE(std::all_of(left.begin(), left.end(), [](int count) { return count == 1; }));
  EXPECT_TRUE(std::all_of(right.begin(), right.end(), [](int count) { return count == 1; }));
  EXPECT_EQ(match.baseline_only, baseline_only);
  EXPECT_EQ(match.candidate_only, candidate_only);
}

TEST(Match, RenamedKernelsOfTheToyModel) {
  const MethodProfile off = toy(ToySpeed::kSlow).methods.front();
  const MethodProfile on = toy(ToySpeed::kFast).methods.front();
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_TRUE(match.same_calls);
  EXPECT_EQ(match.baseline_only + match.candidate_only, 0U);
  std::size_t renamed = 0;
  for (const EntryPair& pair : match.pairs) {
    ASSERT_TRUE(pair.matched());
    const std::string& before = off.entries[*pair.baseline].name;
    const std::string& after = on.entries[*pair.candidate].name;
    if (before == after) continue;
    ++renamed;
    EXPECT_NE(before.find("F16) IGEMM"), std::string::npos);
    EXPECT_EQ(before.substr(before.find('#')), after.substr(after.find('#')));
  }
  EXPECT_EQ(renamed, 3U);
}

TEST(Match, PackingBelongsToTheComputeThatFollows) {
  const MethodProfile off = program({"conv", "clamp", "gemm"});
  const MethodProfile on = program({"pack_lh", "conv", "clamp", "pack_lh", "gemm"});
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_EQ(texts(match, off, on), (Texts{"conv=conv+pack_lh", "clamp=clamp", "gemm=gemm+pack_lh"}));
  const MethodMatch back = match_entries(on, off);
  expect_each_once(back, on, off);
  EXPECT_EQ(texts(back, on, off), (Texts{"conv=conv-pack_lh", "clamp=clamp", "gemm=gemm-pack_lh"}));
}

TEST(Match, PackingForNothingStaysAStepOfItsOwn) {
  const MethodProfile off = program({"conv"});
  const MethodProfile on = program({"conv", "pack_lh", "clamp"});
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_EQ(texts(match, off, on), (Texts{"conv=conv", "-=pack_lh", "-=clamp"}));
  EXPECT_EQ(match.candidate_only, 2U);
}

TEST(Match, OperatorsMissingOnOneSide) {
  const MethodProfile off = program({"transpose", "conv", "copy", "gemm", "softmax"});
  const MethodProfile on = program({"conv", "gemm", "add", "softmax"});
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_EQ(texts(match, off, on),
            (Texts{"conv=conv", "gemm=gemm", "-=add", "softmax=softmax", "transpose=-", "copy=-"}));
  EXPECT_EQ(match.baseline_only, 2U);
  EXPECT_EQ(match.candidate_only, 1U);
}

TEST(Match, DifferentCallsAreAlignedAsAWhole) {
  const MethodProfile off = program({"conv", "add", "gemm"}, 3);
  const MethodProfile on = program({"conv", "gemm"}, 5);
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_FALSE(match.same_calls);
  EXPECT_EQ(texts(match, off, on), (Texts{"conv=conv", "gemm=gemm", "add=-"}));
}

TEST(Match, TheSameFamilyInsideAndOutsideADelegateIsNotTheSameStep) {
  const MethodProfile inside =
      method_with({1}, {{"add", Part::kDelegateOperator, Category::kElementwise, {1}, "add"}});
  const MethodProfile outside =
      method_with({1}, {{"add", Part::kLibraryOperator, Category::kElementwise, {1}, "add"}});
  const MethodMatch match = match_entries(inside, outside);
  expect_each_once(match, inside, outside);
  EXPECT_EQ(texts(match, inside, outside), (Texts{"-=add", "add=-"}));
}

TEST(Match, LoopsMatchWhateverTheRoundsAre) {
  const Profile wrap = profile_of_dump("wrap", formats::etdump::wrap_dump());
  for (const Profile& profile : {wrap, profile_of_dump("quirks", formats::etdump::quirks_dump())}) {
    for (const MethodProfile& method : profile.methods) {
      const MethodMatch match = match_entries(method, method);
      expect_each_once(match, method, method);
      for (const EntryPair& pair : match.pairs) EXPECT_EQ(pair.baseline, pair.candidate);
    }
  }
}

TEST(Match, OfNothing) {
  EXPECT_TRUE(match_entries({}, {}).pairs.empty());
  const MethodProfile some = program({"conv"});
  const MethodMatch match = match_entries({}, some);
  expect_each_once(match, {}, some);
  EXPECT_EQ(match.candidate_only, 2U);
}

TEST(Match, ThousandsOfOperators) {
  std::vector<std::string> families;
  for (int i = 0; i < 6000; ++i) families.push_back("family" + std::to_string(i % 37));
  const MethodProfile off = program(families);
  families.insert(families.begin() + 2500, "extra");
  families.erase(families.begin() + 4000);
  const MethodProfile on = program(families);
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_EQ(match.baseline_only, 1U);
  EXPECT_EQ(match.candidate_only, 1U);
}

// So different that the exact alignment would need too much memory.
TEST(Match, ThousandsOfOperatorsWithoutAnythingInCommonAtTheEnds) {
  std::vector<std::string> left = {"only left"};
  std::vector<std::string> right = {"only right"};
  for (int i = 0; i < 5000; ++i) {
    left.push_back("family" + std::to_string(i % 11));
    right.push_back("family" + std::to_string(i % 11));
  }
  left.push_back("left end");
  right.push_back("right end");
  const MethodProfile off = program(left);
  const MethodProfile on = program(right);
  const MethodMatch match = match_entries(off, on);
  expect_each_once(match, off, on);
  EXPECT_EQ(match.baseline_only, 2U);
  EXPECT_EQ(match.candidate_only, 2U);
  for (const EntryPair& pair : match.pairs)
    if (pair.matched()) {
      EXPECT_EQ(off.entries[*pair.baseline].name, on.entries[*pair.candidate].name);
    }
}

}  // namespace
}  // namespace accelscope::analysis
