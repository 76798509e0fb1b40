// What a decoder told its visitor, kept as a list that tests compare.
//
//   EventList list;
//   decoder.feed(bytes, list);
//   EXPECT_EQ(list.events[0], (Event{.kind = "state", .time = 5, .value = 1}));
#pragma once

#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "formats/perfmon/decoder.h"
#include "formats/perfmon/encoder.h"

namespace accelscope::formats::perfmon {

struct Event {
  std::string_view kind = {};
  std::int64_t time = 0;
  std::uint32_t value = 0;  // mask, id, block
  Pipe pipe = Pipe::kSu;    // of a mark

  bool operator==(const Event&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Event& event) {
    return out << event.kind << '@' << event.time << ' ' << event.value << ' ' << name_of(event.pipe);
  }
};

struct EventList {
  std::vector<Event> events = {};

  void stamp(base::Ticks base, std::uint32_t block) { events.push_back({"stamp", base.value, block}); }
  void state(base::Ticks time, PipeMask busy) { events.push_back({"state", time.value, busy}); }
  void mark(base::Ticks time, Pipe pipe, std::uint32_t id) {
    events.push_back({"mark", time.value, id, pipe});
  }
  void end_of_block(base::Ticks time) { events.push_back({"end", time.value}); }
  void lost(base::Ticks reached) { events.push_back({"lost", reached.value}); }
};

inline std::vector<std::byte> bytes_of(std::span<const Word> words, const WordLayout& layout = kBiuPerf) {
  std::vector<std::byte> bytes(words.size() * layout.word_bytes);
  for (std::size_t i = 0; i < words.size(); ++i)
    store_word(layout, words[i], bytes.data() + i * layout.word_bytes);
  return bytes;
}

// Bytes whose decoding gives msprof's own example: a stamp, SU busy, MTE2 busy.
inline constexpr unsigned char kGolden[] = {0x26, 0x99, 0x00, 0xe0, 0xf4, 0x8e, 0x00, 0xe1, 0xcd, 0x03, 0x00,
                                            0xe2, 0x00, 0x00, 0x00, 0xe3, 0x0c, 0x17, 0x01, 0xf0, 0x40, 0x06,
                                            0x00, 0xf0, 0x30, 0x00, 0x10, 0xf0, 0x6f, 0x08, 0x00, 0xf0};

inline std::span<const std::byte> golden_bytes() {
  return std::as_bytes(std::span(kGolden));
}

}  // namespace accelscope::formats::perfmon
