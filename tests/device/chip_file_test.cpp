#include "device/chip_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

base::Result<Chip> read(std::string_view text) {
  return read_chip(base::MappedFile::from_memory("chip.json", text));
}

std::string error_of(std::string_view text) {
  const auto chip = read(text);
  return chip ? "" : chip.error().to_string();
}

std::string written(const Chip& chip) {
  base::MemoryOutput out;
  write_chip(chip, out);
  return std::string(out.bytes());
}

TEST(ChipFiles, HaveThePresets) {
  const auto a2a3 = load_chip("a2a3");
  ASSERT_TRUE(a2a3) << a2a3.error().to_string();
  EXPECT_EQ(*a2a3, (Chip{.name = "a2a3",
                         .clusters = 24,
                         .scheduler_threads = 3,
                         .counter = base::Frequency::mhz(50),
                         .pmu_family = PmuFamily::kA2A3,
                         .memory_is_mapped = true}));
  EXPECT_EQ(a2a3->cores(), 72U);
  const auto a5 = load_chip("a5");
  ASSERT_TRUE(a5) << a5.error().to_string();
  EXPECT_EQ(*a5, (Chip{.name = "a5",
                       .clusters = 36,
                       .scheduler_threads = 4,
                       .counter = base::Frequency::hz(1'000'000'000),
                       .pmu_family = PmuFamily::kA5,
                       .memory_is_mapped = false}));
  EXPECT_EQ(a5->cores(), 108U);
}

TEST(ChipFiles, AreWhatIsWritten) {
  for (const base::EmbeddedFile& preset : chip_presets()) {
    const auto chip = load_chip(std::string(preset.name));
    ASSERT_TRUE(chip);
    EXPECT_EQ(written(*chip), preset.text);
    const tests::TemporaryFolder folder;
    std::ofstream(folder.file("a5")) << preset.text;
    EXPECT_EQ(*load_chip(folder.file("a5")), *chip) << "a path is no preset";
  }
}

// The table of docs/costs.md has a row for every key, with the values of both presets.
TEST(ChipFiles, AreDocumented) {
  const std::string page = tests::read_file(ACCELSCOPE_SOURCE_DIR "/docs/costs.md");
  std::istringstream first(written(*load_chip("a2a3")));
  std::istringstream second(written(*load_chip("a5")));
  std::size_t keys = 0;
  for (std::string of_a2a3, of_a5; std::getline(first, of_a2a3) && std::getline(second, of_a5);) {
    const std::size_t colon = of_a2a3.find(": ");
    if (colon == std::string::npos) continue;
    const auto value = [&](std::string line) {
      line = line.substr(colon + 2);
      std::erase_if(line, [](char c) { return c == '"' || c == ','; });
      return line;
    };
    const std::string row =
        "\n| `" + of_a2a3.substr(3, colon - 4) + "` | " + value(of_a2a3) + " | " + value(of_a5) + " | ";
    EXPECT_NE(page.find(row), std::string::npos) << row;
    ++keys;
  }
  EXPECT_EQ(keys, 6U);
}

TEST(ChipFiles, NeedLittle) {
  const auto chip = read(R"({"clusters": 2, "scheduler_threads": 1, "counter_hz": 1000})");
  ASSERT_TRUE(chip) << chip.error().to_string();
  EXPECT_EQ(chip->cores(), 6U);
  EXPECT_EQ(chip->counter, base::Frequency::hz(1000));
  EXPECT_EQ(*read(written(*chip)), *chip);
}

TEST(ChipFiles, SayWhatIsWrong) {
  EXPECT_EQ(error_of(R"({"clusters": 2, "counter_hz": 1000})"),
            "chip.json: `scheduler_threads` is missing: a chip needs it");
  EXPECT_EQ(error_of(R"({"cluster": 2})"),
            "chip.json: byte 1: a chip has no `cluster`; did you mean `clusters`?");
  EXPECT_EQ(error_of(R"({"banana": 2})"), "chip.json: byte 1: a chip has no `banana`");
  EXPECT_EQ(error_of(R"({"orchestrators": 2})"), "chip.json: byte 1: a chip has no `orchestrators`")
      << "there is one, and nobody shall think otherwise";
  EXPECT_EQ(error_of(R"({"clusters": 2, "clusters": 3})"), "chip.json: byte 16: `clusters`: is given twice");
  EXPECT_EQ(error_of(R"({"clusters": 0})"), "chip.json: byte 13: `clusters`: 0 is not from 1 to 4096");
  EXPECT_EQ(error_of(R"({"memory": "shared"})"),
            "chip.json: byte 11: `memory`: is neither \"mapped\" nor \"copied\"");
  EXPECT_EQ(error_of(R"({"clusters": 2, "scheduler_threads": 3, "counter_hz": 1})"),
            "chip.json: has 3 scheduler threads for 2 clusters: each needs one at least");
  EXPECT_NE(error_of(R"({"clusters": "two"})"), "");
  EXPECT_NE(error_of(R"({"clusters": 2.5})"), "");
  EXPECT_NE(error_of(R"([1])"), "");
  EXPECT_NE(error_of(R"({"clusters": 2)"), "");
  EXPECT_NE(error_of(R"({"clusters": 2, "scheduler_threads": 1, "counter_hz": 1} more)"), "");
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of(std::string(2 << 20, ' ')).find("describes no chip"), std::string::npos);
  const auto absent = load_chip("a2a2");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().to_string(),
            "`a2a2` is neither a chip of this program (a2a3, a5) nor a file; did you mean `a2a3`?");
}

}  // namespace
}  // namespace accelscope::device
