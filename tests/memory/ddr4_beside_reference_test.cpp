// DDR4 for the cases whose times the reference published, ours beside its own. Its preset is not published,
// so nothing here says how near they must be: ours are what `ddr4-2400` of Ramulator 2.1 makes of them, held
// to the picosecond, and the table is printed for docs/memory.md.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "memory/access_patterns.h"
#include "memory/dram.h"
#include "memory/dram_preset_file.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

constexpr std::uint64_t kLinesOfMebibyte = 16384;
constexpr std::array<std::uint32_t, 2> kChannels{1, 2};

Picoseconds ask(Timing& memory, const Prefetch& prefetch) {
  return finish_all(memory, requests_of(prefetch));
}

// Done for their caller when they are taken, as the reference's are.
Picoseconds write_sequentially(Timing& memory, std::uint64_t lines) {
  std::vector<Request> requests;
  for (std::uint64_t line = 0; line < lines; ++line)
    requests.push_back({.address = line * 64, .access = Access::kWrite, .posted = true});
  return finish_all(memory, requests);
}

struct Case {
  const char* name;
  std::function<Picoseconds(Timing&)> time;
  std::array<double, kChannels.size()> reference;   // ns
  std::array<std::int64_t, kChannels.size()> ours;  // ps
};

std::vector<Case> cases() {
  return {
      {"one 64-byte read",
       [](Timing& m) { return finish_all(m, std::array{Request{}}); },
       {29.988, 29.988},
       {30821, 30821}},
      {"vector prefetch, 4 rows",
       [](Timing& m) {
         return ask(m, {4, 64, 64, 0, 4096});
       },
       {54.978, 51.646},
       {55811, 52479}},
      {"matrix prefetch 64x64",
       [](Timing& m) {
         return ask(m, {64, 64, 64, 0, 4096});
       },
       {456.484, 243.236},
       {457317, 245735}},
      {"the same, stride 128",
       [](Timing& m) {
         return ask(m, {64, 64, 128, 0, 8192});
       },
       {454.818, 241.570},
       {455651, 347361}},
      {"the same, stride 256",
       [](Timing& m) {
         return ask(m, {64, 64, 256, 0, 32768});
       },
       {469.812, 241.570},
       {453985, 347361}},
      {"matrix prefetch 256x256",
       [](Timing& m) {
         return ask(m, {256, 256, 256, 0, 65536});
       },
       {4324.936, 2164.134},
       {4294115, 2161635}},
      {"1 MiB sequential, 64 lines on their way",
       [](Timing& m) { return read_sequentially(m, kLinesOfMebibyte); },
       {58037.6, 28501.1},
       {57460340, 28518588}},
      {"16 MiB sequential",
       [](Timing& m) { return read_sequentially(m, 16 * kLinesOfMebibyte); },
       {931295.7, 459644.4},
       {921577055, 459925123}},
      {"1 MiB written",
       [](Timing& m) { return write_sequentially(m, kLinesOfMebibyte); },
       {58329.2, 28452.8},
       {57446179, 28464443}},
  };
}

TEST(Ddr4BesideTheReference, TimesOfItsCases) {
  fmt::print("{:<40} {:>12} {:>12} {:>8} {:>12} {:>12} {:>8}\n", "ns", "1 ch, ref.", "ours", "", "2 ch, ref.",
             "ours", "");
  for (const Case& measured : cases()) {
    fmt::print("{:<40}", measured.name);
    for (std::size_t i = 0; i < kChannels.size(); ++i) {
      const auto memory = *make_dram(*load_dram_preset("ddr4-2400"), {.channels = kChannels[i]});
      const std::int64_t ours = measured.time(*memory).value;
      EXPECT_EQ(ours, measured.ours[i]) << measured.name << ", channels: " << kChannels[i];
      const double nanoseconds = static_cast<double>(ours) / 1000;
      fmt::print(" {:>12.1f} {:>12.1f} {:>+6.1f} %", measured.reference[i], nanoseconds,
                 (nanoseconds / measured.reference[i] - 1) * 100);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace accelscope::memory
