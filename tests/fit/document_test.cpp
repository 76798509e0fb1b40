#include "fit/document.h"

#include <gtest/gtest.h>

#include "fit/samples.h"

namespace accelscope::fit {
namespace {

FitCase case_of(const boards::Model& model, const boards::Board& board, const Workload& workload,
                const Overrides& overrides = {}) {
  FitCase one;
  one.model = model;
  one.board = board;
  one.machine = samples::machine_on(board, overrides);
  one.workload = workload;
  one.fit = samples::fitted(model, one.machine, workload);
  return one;
}

findings::Findings document(const FitCase& one) {
  return fit_document(std::span(&one, 1), {});
}

std::string verdict(const FitCase& one) {
  return findings::find_section(document(one), "verdict")->statements.at(0).text;
}

bool has_row(const findings::Findings& findings, std::string_view id) {
  return findings.quality.count(id) > 0;
}

constexpr Workload kChat{.context = 1024, .batch = 1, .prompt = 512};

TEST(FitDocument, TheVerdictNamesTheLastTokenThatFits) {
  EXPECT_EQ(verdict(case_of(samples::smolvlm2(), samples::nexys_video(), kChat)),
            "smolvlm2 on nexys_video fits up to 18 973 tokens; beyond that keys and values are swapped.");
  EXPECT_EQ(verdict(case_of(samples::smolvlm2(), samples::nexys_video(), {.context = 20'000, .prompt = 512})),
            "smolvlm2 on nexys_video does not fit at 20 000 tokens, only up to 18 973: 12.69 MiB of keys and "
            "values come over the link in every pass.");
  EXPECT_EQ(
      verdict(case_of(samples::llama_8b(), samples::custom_a7(), kChat)),
      "llama-3.1-8b on custom_a7 does not fit: its weights need 8.41 GiB, the memory has 512 MiB; they are "
      "streamed at every context.");
}

TEST(FitDocument, WithoutALinkTheVerdictSaysSo) {
  boards::Board board = samples::custom_a7();
  board.host_link.reset();
  const FitCase one = case_of(samples::llama_8b(), board, kChat);
  EXPECT_NE(verdict(one).find("there is no link to stream them over"), std::string::npos);
  EXPECT_TRUE(has_row(document(one), "fit.no_link"));
}

TEST(FitDocument, ALayerLargerThanTheMemoryIsAWarningThatSaysWhatHappens) {
  const FitCase one = case_of(samples::llama_8b(), samples::custom_a7(), kChat);
  const findings::Findings findings = document(one);
  bool found = false;
  for (const trace::QualityRow& row : findings.quality.rows()) {
    if (row.id != "fit.layer_too_large") continue;
    found = true;
    EXPECT_EQ(row.severity, trace::Severity::kWarning);
    EXPECT_EQ(
        row.sentence,
        "A stage of 563.63 MiB is larger than the memory of 512 MiB: it is never there whole. It can only be "
        "streamed to the chip tile by tile, in every pass; buffers in the memory cannot hold it.");
  }
  EXPECT_TRUE(found);
}

TEST(FitDocument, WhatIsAssumedStandsInTheTrustBox) {
  const findings::Findings findings = document(case_of(samples::gpt_oss_20b(), samples::v80(), kChat));
  for (const std::string_view id : {"fit.costs", "fit.flat_bandwidth", "fit.energy", "fit.nominal_bandwidth",
                                    "fit.experts", "fit.on_chip_limited"})
    EXPECT_TRUE(has_row(findings, id)) << id;
  EXPECT_TRUE(has_row(document(case_of(samples::clm60m(), samples::v80(), kChat)), "fit.no_vocabulary"));
}

TEST(FitDocument, PartsAndStagesSumToTheWeights) {
  const FitCase one = case_of(samples::smolvlm2(), samples::v80(), kChat);
  const findings::Findings findings = document(one);
  const findings::Section* const footprint = findings::find_section(findings, "footprint");
  std::int64_t parts = 0;
  for (const auto& row : findings::find_table(*footprint, "parts")->rows)
    parts += std::get<std::int64_t>(row[2]);
  std::int64_t stages = 0;
  for (const auto& row : findings::find_table(*footprint, "stages")->rows)
    stages += std::get<std::int64_t>(row[3]);
  EXPECT_EQ(parts, one.fit.footprint.weights.value);
  EXPECT_EQ(stages, one.fit.footprint.weights.value);
}

TEST(FitDocument, StreamingHasItsWaysAndItsTimeline) {
  const FitCase one =
      case_of(samples::smolvlm2(), samples::nexys_video(), kChat, {.capacity = base::Bytes{100'000'000}});
  const findings::Findings findings = document(one);
  const findings::Section* const streaming = findings::find_section(findings, "streaming");
  ASSERT_NE(streaming, nullptr);
  EXPECT_EQ(findings::find_table(*streaming, "ways")->rows.size(), 3U);
  EXPECT_EQ(findings::find_table(*streaming, "timeline")->rows.size(), one.fit.decode->stages.size());
  EXPECT_NE(findings::find_metric(*streaming, "bandwidth_to_hide")->value, std::nullopt);
  EXPECT_EQ(findings::find_section(document(case_of(samples::smolvlm2(), samples::nexys_video(), kChat)),
                                   "streaming"),
            nullptr);
}

TEST(FitDocument, TheContextSeriesMarksWhereTheRegimeChanges) {
  const findings::Findings findings = document(case_of(samples::smolvlm2(), samples::nexys_video(), kChat));
  const findings::Series* const series =
      findings::find_series(*findings::find_section(findings, "context"), "tokens_per_second");
  ASSERT_EQ(series->marks.size(), 2U);
  EXPECT_EQ(series->marks[0].label.substr(0, 8), "resident");
  EXPECT_EQ(series->marks[1].label.substr(0, 7), "kv-swap");
}

TEST(FitDocument, AdviceIsRankedByWhatItGains) {
  const FitCase one =
      case_of(samples::smolvlm2(), samples::nexys_video(), kChat, {.capacity = base::Bytes{60'000'000}});
  const std::vector<Machine> others{samples::machine_on(samples::v80())};
  const findings::Findings findings = fit_document(std::span(&one, 1), others);
  double before = 1e30;
  std::vector<std::string> ids;
  for (const findings::Statement& statement : findings::find_section(findings, "advice")->statements) {
    ASSERT_TRUE(statement.gain);
    EXPECT_LE(statement.gain->after, before);
    EXPECT_GE(statement.gain->after, 1.02 * statement.gain->before);
    before = statement.gain->after;
    ids.push_back(statement.id);
  }
  for (const std::string_view id : {"fit.board", "fit.link", "fit.format", "fit.capacity"})
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
}

TEST(FitDocument, SeveralAreOneTableWithFailuresAsNotes) {
  std::vector<FitCase> cases{case_of(samples::smolvlm2(), samples::v80(), kChat),
                             case_of(samples::llama_8b(), samples::nexys_video(), kChat)};
  FitCase failed;
  failed.model = samples::clm60m();
  failed.board = samples::v80();
  failed.failure = "no good";
  cases.push_back(failed);
  const findings::Findings findings = fit_document(cases, {});
  const findings::Table* const table =
      findings::find_table(*findings::find_section(findings, "fits"), "fits");
  ASSERT_EQ(table->rows.size(), 3U);
  for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->columns.size());
  EXPECT_EQ(std::get<std::string>(table->rows[2].back()), "no good");
  EXPECT_EQ(findings::find_section(findings, "speed"), nullptr);
}

}  // namespace
}  // namespace accelscope::fit
