// A ring that hardware writes and a reader drains in slices: nothing is lost while the reader keeps up, and
// nothing false is told when it does not.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "formats/perfmon/intervals.h"
#include "formats/perfmon/schedules.h"

namespace accelscope::formats::perfmon {
namespace {

class Ring {
 public:
  explicit Ring(std::size_t bytes) : bytes_(bytes) {}

  std::uint64_t unread() const { return written_ - read_; }
  std::size_t size() const { return bytes_.size(); }
  void write(std::span<const std::byte> word) {
    for (const std::byte byte : word) bytes_[written_++ % bytes_.size()] = byte;
  }
  // What is there, in one slice or two; after an overflow what is not overwritten yet.
  template <class Visitor>
  void drain(Decoder<>& decoder, Visitor& visitor) {
    if (unread() > size()) {
      decoder.resynchronise(visitor);
      read_ = written_ - size();
    }
    while (read_ < written_) {
      const std::size_t begin = read_ % size();
      const std::size_t count = std::min<std::size_t>(written_ - read_, size() - begin);
      decoder.feed(std::span(bytes_).subspan(begin, count), visitor);
      read_ += count;
    }
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t written_ = 0;
  std::uint64_t read_ = 0;
};

TEST(PerfmonRing, LosesNothingWhenDrainedInTime) {
  for (std::size_t words = kBiuPerf.stamp.words; words < 40; ++words)
    for (std::uint64_t number = 0; number < 100; ++number) {
      const std::vector<Event> events = random_schedule(number, kBiuPerf);
      Ring ring(words * kBiuPerf.word_bytes);
      EventList list;
      Decoder<> decoder;
      Encoder encoder({.stamp_after = number % 7});
      Random random(number);
      for (const Event& event : events)
        encode(event, encoder, [&](std::span<const std::byte> word) {
          if (ring.unread() + word.size() > ring.size() || random.below(5) == 0) ring.drain(decoder, list);
          ring.write(word);
        });
      ring.drain(decoder, list);
      decoder.finish(list);
      ASSERT_EQ(without_stamps(list.events), events) << words << ' ' << number;
    }
}

using Found = std::tuple<std::int64_t, std::string_view, std::uint32_t>;

Found found(const Event& event) {
  return {event.time, event.kind, event.value};
}

TEST(PerfmonRing, TellsNothingFalseAfterAnOverflow) {
  std::uint64_t losses = 0;
  std::uint64_t told = 0;
  for (std::size_t words = kBiuPerf.stamp.words; words < 24; ++words)
    for (std::uint64_t number = 0; number < 100; ++number) {
      std::vector<Event> events = random_schedule(number, kBiuPerf);
      for (const Event& event : random_schedule(number + 1, kBiuPerf)) {
        events.push_back(event);
        events.back().time += std::int64_t{1} << 51U;
      }
      std::set<Found> truth;
      for (const Event& event : events) truth.insert(found(event));
      Ring ring(words * kBiuPerf.word_bytes);
      EventList list;
      Decoder<> decoder;
      Encoder encoder({.stamp_after = 3});
      Random random(number);
      for (const Event& event : events) {
        encode(event, encoder, [&](std::span<const std::byte> word) { ring.write(word); });
        if (random.below(9) == 0) ring.drain(decoder, list);
      }
      ring.drain(decoder, list);
      decoder.finish(list);
      for (const Event& event : list.events) {
        if (event.kind != "state" && event.kind != "mark") continue;
        ASSERT_TRUE(truth.contains(found(event))) << event;
        ++told;
      }
      losses += decoder.counters().losses;
    }
  EXPECT_GT(losses, 500U);
  EXPECT_GT(told, 5000U);
}

}  // namespace
}  // namespace accelscope::formats::perfmon
