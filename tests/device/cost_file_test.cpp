#include "device/cost_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace accelscope::device {
namespace {

base::Result<Costs> costs_of_text(std::string_view text) {
  return read_costs(base::MappedFile::from_memory("costs.json", text));
}

std::string costs_error(std::string_view text) {
  const auto costs = costs_of_text(text);
  return costs ? "" : costs.error().to_string();
}

std::string written(const Costs& costs) {
  base::MemoryOutput out;
  write_costs(costs, out);
  return std::string(out.bytes());
}

// The file is what people read and change, the struct what the program has without one: they must agree.
TEST(CostFiles, HaveTheDefaults) {
  const auto costs = load_costs("default");
  ASSERT_TRUE(costs) << costs.error().to_string();
  EXPECT_EQ(*costs, Costs{});
  ASSERT_EQ(cost_presets().size(), 1U);
  EXPECT_EQ(cost_presets()[0].text, written(Costs{})) << "every field, in order";
}

TEST(CostFiles, AddUpToWhatWasMeasured) {
  const Costs costs;
  EXPECT_EQ(costs.end_to_next + costs.receive_to_start, Picoseconds{810'000}) << "mean switch gap";
  EXPECT_EQ(costs.end_to_next + costs.receive_to_start_cold, Picoseconds{1'390'000}) << "cold switch gap";
  EXPECT_GE(costs.register_read, Picoseconds{95'000});
  EXPECT_LE(costs.register_read, Picoseconds{105'000});
  EXPECT_EQ(costs.register_write, Picoseconds{5'000});
  EXPECT_EQ(costs.control_to_core, Picoseconds{140'000});
  EXPECT_EQ(costs.core_to_control, Picoseconds{600'000});
}

TEST(CostFiles, GiveWhatDiffers) {
  const auto costs =
      costs_of_text(R"({"register_read_ns": 12.345, "core_clock_mhz": 1e3, "seed": 18446744073709551615})");
  ASSERT_TRUE(costs) << costs.error().to_string();
  Costs expected;
  expected.register_read = {12'345};
  expected.core_clock_mhz = 1000;
  expected.seed = 18446744073709551615U;
  EXPECT_EQ(*costs, expected);
  EXPECT_EQ(*costs_of_text(written(*costs)), *costs);
  EXPECT_NE(written(*costs).find("\"register_read_ns\": 12.345,"), std::string::npos);
  EXPECT_EQ(*costs_of_text("{}"), Costs{});
}

TEST(CostFiles, SayWhatIsWrong) {
  EXPECT_EQ(costs_error(R"({"register_reed_ns": 1})"),
            "costs.json: byte 1: a cost file has no `register_reed_ns`; did you mean `register_read_ns`?");
  EXPECT_EQ(costs_error(R"({"scope_ns": -1})"),
            "costs.json: byte 13: `scope_ns`: is not from 0 to 1000000000 nanoseconds (one second)");
  EXPECT_EQ(costs_error(R"({"jitter": 1})"), "costs.json: byte 11: `jitter`: 1 is not from 0 to 0.99");
  EXPECT_EQ(costs_error(R"({"core_clock_mhz": 0})"),
            "costs.json: byte 19: `core_clock_mhz`: 0 is not from 1 to 100000");
  EXPECT_NE(costs_error(R"({"seed": -1})"), "");
  EXPECT_NE(costs_error(R"({"scope_ns": 1e3})"), "") << "no exponents in times";
  EXPECT_NE(costs_error(R"({"scope_ns": null})"), "");
  EXPECT_NE(costs_error(R"({"scope_ns": 99999999999999999999})"), "");
}

TEST(CostFiles, AreDocumented) {
  std::ifstream file(ACCELSCOPE_SOURCE_DIR "/docs/costs.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string defaults = written(Costs{});
  for (std::size_t at = defaults.find('"'); at != std::string::npos; at = defaults.find("\n  \"", at)) {
    at = defaults.find('"', at);
    const std::size_t end = defaults.find('"', at + 1);
    const std::size_t value_end = defaults.find_first_of(",\n", end);
    const std::string row = "| `" + defaults.substr(at + 1, end - at - 1) + "` | " +
                            defaults.substr(end + 3, value_end - end - 3) + " |";
    EXPECT_NE(text.find(row), std::string::npos) << "docs/costs.md has no row " << row;
  }
}

}  // namespace
}  // namespace accelscope::device
