#include "boards/settings_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace accelscope::boards {
namespace {

std::string shipped() {
  return std::string(settings_presets().front().text);
}

base::Result<ReadSettings> read_toml(std::string_view text) {
  return read_settings(base::MappedFile::from_memory("s.toml", text));
}

std::string settings_error(std::string_view text) {
  const auto settings = read_toml(text);
  return settings ? "" : settings.error().to_string();
}

// The shipped file with every `from` of it as `to`.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = shipped();
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

TEST(Settings, OfTheProgramAreThoseOfTheShippedFile) {
  const auto settings = read_toml(shipped());
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings, default_settings());
  EXPECT_TRUE(settings->remarks.empty()) << settings->remarks.front();
  EXPECT_EQ(default_settings().analytic.config.mlen, 2048U);
  EXPECT_EQ(default_settings().transactional.config.mlen, 64U);
  EXPECT_TRUE(load_settings("plena"));
}

TEST(Settings, AreWrittenWithOtherDimensions) {
  SettingsConfig config;
  config.mlen = config.vlen = config.matrix_prefetch_rows = 16;
  config.blen = config.vector_prefetch_rows = config.vector_writeback_rows = 8;
  config.hlen = 8;
  config.broadcast_amount = 2;
  config.matrix_sram_rows = 8192;
  config.vector_sram_rows = 5'000'000;
  config.max_loop_instructions = 7;
  config.hbm_width_bits = 1024;
  base::MemoryOutput out;
  write_settings(config, out);
  const auto settings = read_toml(out.bytes());
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_TRUE(settings->remarks.empty());
  Settings expected = default_settings();
  expected.transactional.config = config;
  EXPECT_EQ(settings->settings, expected);
}

TEST(Settings, TakeTheRuleOfBlocksFromTheFormat) {
  const auto settings = read_toml(changed("format = \"Mx\"", "format = \"OcpMx\""));
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings.transactional.precision.matrix_weights,
            parse_number_format("ocp-mxfp8/8").value());
  EXPECT_EQ(default_settings().transactional.precision.matrix_weights, kPlenaMx);
  EXPECT_NE(settings_error(changed("format = \"Plain\"", "format = \"OcpMx\"")).find("is a format in blocks"),
            std::string::npos);
}

TEST(Settings, AreReadInTheLongFormOfTables) {
  // As the published file has them: a table for every key, of which `format` is not believed.
  std::string text = shipped();
  const auto cut = [&](std::string_view line) {
    const std::size_t at = text.rfind(line);
    ASSERT_NE(at, std::string::npos);
    text.erase(at, text.find('\n', at) + 1 - at);
  };
  cut("MLEN = {");
  cut("HBM_V_KV_TYPE = {");
  text +=
      "[TRANSACTIONAL.CONFIG.MLEN]\nvalue = 128\n"
      "[TRANSACTIONAL.PRECISION.HBM_V_KV_TYPE]\nformat = \"Plain\"\nblock = 32\n"
      "[TRANSACTIONAL.PRECISION.HBM_V_KV_TYPE.ELEM]\ntype = \"Int\"\nwidth = 8\n"
      "[TRANSACTIONAL.PRECISION.HBM_V_KV_TYPE.SCALE]\ntype = \"Fp\"\nsign = false\nexponent = 8\nmantissa = "
      "0\n";
  const auto settings = read_toml(text);
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings.transactional.config.mlen, 128U);
  EXPECT_EQ(settings->settings.transactional.precision.vector_kv, parse_number_format("mxint8").value());
}

TEST(Settings, ListWhatIsNotKnown) {
  const auto settings =
      read_toml(shipped() + "[TRANSACTIONAL.CONFIG.HBM_GEN]\nvalue = \"HBM2\"\n[EXTRA]\na = 1\n");
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings, default_settings());
  EXPECT_EQ(settings->remarks,
            (std::vector<std::string>{"`TRANSACTIONAL.CONFIG.HBM_GEN` is not known and was not read.",
                                      "`EXTRA` is not known and was not read."}));
}

TEST(Settings, ReadTheOlderTree) {
  auto settings = read_toml(changed("[TRANSACTIONAL.", "[BEHAVIOR."));
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings, default_settings());
  EXPECT_TRUE(settings->remarks.empty());
  settings = read_toml(shipped() + "[BEHAVIOR.CONFIG.BLEN]\nvalue = 3\n");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->settings, default_settings());
  EXPECT_EQ(settings->remarks.front(), "The tree BEHAVIOR is not read, because there is TRANSACTIONAL.");
}

TEST(Settings, TakeShippedValuesForAMissingTree) {
  const std::string text = shipped();
  const auto settings = read_toml(text.substr(0, text.find("[TRANSACTIONAL.")));
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings, default_settings());
  EXPECT_EQ(settings->remarks.front(), "There is no tree TRANSACTIONAL; the shipped values stand for it.");
}

TEST(Settings, SayEverythingThatIsWrongAtOnce) {
  std::string text = changed("BLEN = { value = 4 }", "BLEN = { value = 0 }");
  text.erase(text.rfind("MLEN = {"), std::string_view("MLEN = { value = 64 }").size());
  text.replace(text.rfind("dc_lib_en = 8"), 13, "dc_lib_en = \"x\"");
  const std::string error = settings_error(text);
  EXPECT_NE(
      error.find(
          "`TRANSACTIONAL.CONFIG.BLEN.value`: a whole number from 1 to 16777216 is expected, this is 0\n"),
      std::string::npos)
      << error;
  EXPECT_NE(error.find("`TRANSACTIONAL.CONFIG.MLEN`: is missing\n"), std::string::npos) << error;
  EXPECT_NE(
      error.find("`TRANSACTIONAL.LATENCY.VECTOR_SUM_CYCLES.dc_lib_en`: a whole number from 0 to 1000000 is "
                 "expected, this is the text `x`"),
      std::string::npos)
      << error;
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 2);
  EXPECT_EQ(error.rfind("s.toml:", 0), 0U) << error;
}

TEST(Settings, RefuseWhatAreNone) {
  EXPECT_EQ(settings_error("a = 1\n"),
            "s.toml: has neither a tree ANALYTIC nor TRANSACTIONAL: these are no settings of an accelerator");
  EXPECT_EQ(settings_error("").substr(0, 19), "s.toml: has neither");
  EXPECT_EQ(settings_error("a = \n").substr(0, 16), "s.toml:1: TOML: ");
  EXPECT_EQ(settings_error("[ANALYTIC]\n"),
            "s.toml:1: `ANALYTIC.CONFIG`: is missing\n"
            "s.toml:1: `ANALYTIC.PRECISION`: is missing\n"
            "s.toml:1: `ANALYTIC.LATENCY`: is missing");
  EXPECT_NE(
      settings_error(changed("transactional", "both")).find("`MODE.active`: `analytic` or `transactional`"),
      std::string::npos);
  EXPECT_NE(settings_error("a = " + std::string(100'000, '[')), "");
  std::string dotted = "a";
  for (int i = 0; i < 50'000; ++i) dotted += ".a";
  EXPECT_EQ(settings_error("b = 1\n" + dotted + " = 1\n"),
            "s.toml:2: has more dots than a key of settings can have");
  EXPECT_EQ(settings_error(shipped() + "# " + std::string(1000, '.') + "\n"), "") << "in a comment";
}

TEST(Settings, HaveLatencyProfiles) {
  const SettingsLatencies plain;
  const auto fast = with_profile(plain, "nexys_a7_150mhz");
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->vector_add, (SettingsLatency{1, 11}));
  EXPECT_EQ(fast->vector_exp, (SettingsLatency{1, 18}));
  EXPECT_EQ(fast->scalar_fp_exp, (SettingsLatency{1, 18}));
  EXPECT_EQ(fast->scalar_fp_reci, (SettingsLatency{1, 6}));
  EXPECT_EQ(fast->vector_mul, plain.vector_mul);
  EXPECT_EQ(*with_profile(plain, "nexys_video_150mhz"), *fast);
  for (const std::string_view none : {"", "default", "dc_lib_dis"})
    EXPECT_EQ(*with_profile(plain, none), plain);
  const auto wrong = with_profile(plain, "nexys_video_150mh");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("did you mean `nexys_video_150mhz`?"), std::string::npos);
  const auto settings =
      read_toml(shipped() + "[TRANSACTIONAL.CONFIG.LATENCY_PROFILE]\nvalue = \"nexys_a7_150mhz\"\n");
  ASSERT_TRUE(settings) << settings.error().to_string();
  EXPECT_EQ(settings->settings.transactional.config.latency_profile, "nexys_a7_150mhz");
}

}  // namespace
}  // namespace accelscope::boards
