#include "memory/reference_dram.h"

#include <gtest/gtest.h>

#include <array>

#include "memory/dram_preset_file.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

std::unique_ptr<Timing> reference(std::uint32_t channels, const char* name = "reference-hbm2-patched") {
  return *make_reference_dram(*load_dram_preset(name), channels);
}

// Rows of elements, each followed by its block of scales: what one prefetch asks for at once.
std::vector<Request> prefetch(std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t stride,
                              std::uint64_t scales, Picoseconds at = {}, std::uint64_t base_address = 0) {
  std::vector<Request> requests;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t element = base_address + row * stride;
    for (std::uint64_t line = element / 64; line <= (element + row_bytes - 1) / 64; ++line)
      requests.push_back({.address = line * 64, .arrival = at});
    requests.push_back({.address = (scales + row * stride / 8) / 64 * 64, .arrival = at});
  }
  return requests;
}

std::int64_t nanoseconds_of(std::uint32_t channels, const std::vector<Request>& requests) {
  const Picoseconds end = finish_all(*reference(channels), requests);
  EXPECT_EQ(end.value % 1000, 0);
  return end.value / 1000;
}

// Lines one behind the other, 64 of them on their way.
std::int64_t sequential_read(std::uint32_t channels, std::uint64_t lines) {
  const auto memory = reference(channels);
  std::uint64_t next = 0;
  for (; next < 64; ++next) memory->submit({.address = next * 64});
  Picoseconds end{};
  while (const auto done = memory->next(Picoseconds::max())) {
    end = done->time;
    if (next < lines) memory->submit({.address = next++ * 64, .arrival = done->time});
  }
  return end.value / 1000;
}

std::int64_t sequential_write(std::uint32_t channels, std::uint64_t lines) {
  const auto memory = reference(channels);
  for (std::uint64_t line = 0; line < lines; ++line)
    memory->submit({.address = line * 64, .access = Access::kWrite});
  Picoseconds end{};
  while (const auto done = memory->next(Picoseconds::max())) end = done->time;
  return end.value / 1000;
}

constexpr std::array<std::uint32_t, 3> kReferenceChannels{8, 16, 32};
using Column = std::array<std::int64_t, 3>;

template <class Measure>
Column measured(Measure&& measure) {
  Column result{};
  for (std::size_t i = 0; i < kReferenceChannels.size(); ++i) result[i] = measure(kReferenceChannels[i]);
  return result;
}

TEST(ReferenceDram, SingleRead) {
  EXPECT_EQ(measured([](std::uint32_t n) { return nanoseconds_of(n, {{.address = 0}}); }),
            (Column{18, 18, 18}));
}
TEST(ReferenceDram, VectorPrefetch) {
  EXPECT_EQ(measured([](std::uint32_t n) { return nanoseconds_of(n, prefetch(4, 64, 64, 4096)); }),
            (Column{32, 32, 32}));
}
TEST(ReferenceDram, MatrixPrefetchContiguous) {
  EXPECT_EQ(measured([](std::uint32_t n) { return nanoseconds_of(n, prefetch(64, 64, 64, 4096)); }),
            (Column{122, 106, 95}));
}
TEST(ReferenceDram, MatrixPrefetchStride128) {
  EXPECT_EQ(measured([](std::uint32_t n) { return nanoseconds_of(n, prefetch(64, 64, 128, 8192)); }),
            (Column{103, 72, 57}));
}
TEST(ReferenceDram, MatrixPrefetchStride256) {
  EXPECT_EQ(measured([](std::uint32_t n) { return nanoseconds_of(n, prefetch(64, 64, 256, 32768)); }),
            (Column{112, 66, 48}));
}
TEST(ReferenceDram, MatrixPrefetch256) {
  EXPECT_EQ(measured([](std::uint32_t n) { return nanoseconds_of(n, prefetch(256, 256, 256, 65536)); }),
            (Column{689, 371, 212}));
}
TEST(ReferenceDram, SequentialReadOfAMebibyte) {
  EXPECT_EQ(measured([](std::uint32_t n) { return sequential_read(n, 16384); }), (Column{8749, 4626, 4136}));
}
TEST(ReferenceDram, SequentialReadOfSixteenMebibytes) {
  EXPECT_EQ(measured([](std::uint32_t n) { return sequential_read(n, 16 * 16384); }),
            (Column{140389, 75053, 67706}));
}
TEST(ReferenceDram, SequentialWriteOfAMebibyte) {
  EXPECT_EQ(measured([](std::uint32_t n) { return sequential_write(n, 16384); }), (Column{8705, 4317, 2123}));
}

// The transfers of the program whose latency is published (9410 ns, of which 7330 are instructions), with
// the instructions between them.
std::int64_t transfers_of_published_program(const char* preset) {
  const auto memory = reference(8, preset);
  Picoseconds now{};
  std::int64_t transferring = 0;
  const auto transfer = [&](const std::vector<Request>& requests) {
    const Picoseconds end = finish_all(*memory, requests);
    transferring += end.value - now.value;
    now = end;
  };
  now += {17'000};
  for (std::uint64_t k = 0; k < 32; ++k) {
    transfer(prefetch(4, 16, 16, 2048 + 8 * k, now, 64 * k));
    now += {3'000};
  }
  now += {2'000};
  for (std::uint64_t column = 0; column < 2; ++column)
    for (std::uint64_t row = 0; row < 8; ++row) {
      now += {8'000};
      transfer(prefetch(16, 16, 32, 2816 + 2 * column, now, 2304 + 16 * column));
      now += {400'000};
    }
  return transferring / 1000;
}

TEST(ReferenceDram, TransfersOfThePublishedProgram) {
  EXPECT_EQ(transfers_of_published_program("reference-hbm2"), 2080);
  EXPECT_EQ(transfers_of_published_program("reference-hbm2-patched"), 1344);
}

TEST(ReferenceDram, RefusesOtherPresetsAndChannels) {
  EXPECT_FALSE(make_reference_dram(*load_dram_preset("hbm2"), 8));
  EXPECT_FALSE(make_reference_dram(*load_dram_preset("reference-hbm2"), 0));
  EXPECT_FALSE(make_reference_dram(*load_dram_preset("reference-hbm2"), 12));
}

}  // namespace
}  // namespace accelscope::memory
