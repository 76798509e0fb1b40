#include "memory/simple_dram.h"

#include <gtest/gtest.h>

#include <array>

#include "memory/access_patterns.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

std::unique_ptr<Timing> model(SimpleModel which, std::uint32_t channels = 1) {
  return *make_simple_dram(which, channels);
}

std::int64_t picoseconds_of(SimpleModel which, const Prefetch& prefetch) {
  return finish_all(*model(which), requests_of(prefetch)).value;
}

// The prefetches of the reference's table.
constexpr Prefetch kVector{4, 64, 64, 0, 4096};
constexpr Prefetch kMatrix{64, 64, 64, 0, 4096};
constexpr Prefetch kStride128{64, 64, 128, 0, 8192};
constexpr Prefetch kStride256{64, 64, 256, 0, 32768};
constexpr Prefetch kLarge{256, 256, 256, 0, 65536};
using Gathers = std::array<std::int64_t, 5>;

Gathers gathers_of(SimpleModel which) {
  return {picoseconds_of(which, kVector), picoseconds_of(which, kMatrix), picoseconds_of(which, kStride128),
          picoseconds_of(which, kStride256), picoseconds_of(which, kLarge)};
}

TEST(SimpleDram, IsolatedReads) {
  const auto naive = model(SimpleModel::kNaive);
  EXPECT_EQ(finish_all(*naive, std::array<Request, 1>{}).value, 17493);
  EXPECT_EQ(naive->now().value, 17493);
  for (const SimpleModel which : {SimpleModel::kLineRows, SimpleModel::kWindowRows}) {
    const auto simple = model(which);
    EXPECT_EQ(finish_all(*simple, std::array<Request, 1>{}).value, 30821);
    EXPECT_EQ(simple->now().value, 40817) << "the precharge behind it is the last thing to happen";
  }
}

TEST(SimpleDram, NaiveReadsOneBehindTheOther) {
  const auto naive = model(SimpleModel::kNaive);
  for (std::int64_t n = 1; n <= 10; ++n) {
    naive->submit({.address = 0, .arrival = naive->now()});
    EXPECT_EQ(naive->next(Picoseconds::max())->time.value, n * 17493);
  }
}

TEST(SimpleDram, SequentialReadOfAMebibyte) {
  const auto time = [](SimpleModel which, std::uint32_t channels) {
    return read_sequentially(*model(which, channels), 16384).value;
  };
  EXPECT_EQ(time(SimpleModel::kNaive, 1), 54'605'649);
  EXPECT_EQ(time(SimpleModel::kNaive, 2), 27'309'905);
  EXPECT_EQ(time(SimpleModel::kLineRows, 1), 54'618'977);
  EXPECT_EQ(time(SimpleModel::kLineRows, 2), 27'323'233);
}

TEST(SimpleDram, Gathers) {
  EXPECT_EQ(gathers_of(SimpleModel::kLineRows), (Gathers{110'789, 521'458, 496'468, 747'201, 4'306'610}));
  EXPECT_EQ(gathers_of(SimpleModel::kWindowRows), (Gathers{84'133, 482'307, 453'985, 475'643, 4'306'610}));
  EXPECT_EQ(picoseconds_of(SimpleModel::kNaive, kVector), 40'817);
  EXPECT_EQ(picoseconds_of(SimpleModel::kNaive, kMatrix), 440'657);
}

TEST(SimpleDram, OneLongRequestIsAsFastAsItsLines) {
  for (const SimpleModel which : {SimpleModel::kNaive, SimpleModel::kLineRows}) {
    for (const std::uint32_t channels : {1U, 2U, 4U}) {
      const auto lines = model(which, channels);
      const auto whole = model(which, channels);
      EXPECT_EQ(read_sequentially(*lines, 4096),
                finish_all(*whole, std::array<Request, 1>{{{.address = 0, .size = {4096 * 64}}}}));
      EXPECT_EQ(total(lines->statistics().front().channels).reads, 4096U);
      EXPECT_EQ(total(whole->statistics().front().channels).reads, 4096U);
    }
  }
}

TEST(SimpleDram, PartsOfLinesMoveWholeLines) {
  const auto memory = model(SimpleModel::kLineRows);
  finish_all(*memory, std::array<Request, 1>{{{.address = 60, .size = {8}}}});
  const ModelStatistics statistics = memory->statistics().front();
  EXPECT_EQ(statistics.name, "simple");
  EXPECT_EQ(statistics.traffic.bytes_read.value, 8);
  EXPECT_EQ(statistics.traffic.bytes_moved.value, 128);
  EXPECT_EQ(statistics.channels.front().reads, 2U);
}

TEST(SimpleDram, PostedWritesAreDoneWhenTaken) {
  const auto memory = model(SimpleModel::kLineRows);
  memory->submit({.address = 0, .size = {64}, .access = Access::kWrite, .posted = true});
  memory->submit({.address = 0, .size = {64}, .access = Access::kWrite});
  EXPECT_EQ(memory->next(Picoseconds::max()), (Completion{0, {0}, {0}}));
  // Command, open, data, and the data of the first.
  EXPECT_EQ(memory->next(Picoseconds::max())->time.value, (1 + 16 + 4 + 4) * 833);
}

TEST(SimpleDram, StopsAtTheLimit) {
  const auto memory = model(SimpleModel::kLineRows);
  memory->submit({.address = 0, .arrival = {1000}});
  EXPECT_FALSE(memory->next({31'820}));
  EXPECT_EQ(memory->now().value, 31'820);
  EXPECT_EQ(memory->next({31'821})->time.value, 31'821);
}

TEST(SimpleDram, RefusesChannelsThatMakeNoMap) {
  for (const std::uint32_t channels : {0U, 3U, 128U}) {
    const auto refused = make_simple_dram(SimpleModel::kNaive, channels);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("power of two from 1 to 64"), std::string::npos);
  }
  EXPECT_EQ(simple_model_named("simple-window"), SimpleModel::kWindowRows);
  EXPECT_FALSE(simple_model_named("simplest"));
}

}  // namespace
}  // namespace accelscope::memory
