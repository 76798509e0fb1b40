// Writes the events of one track after another, each track as a packet sequence of its own.
//
// A sequence starts with a packet that gives its clock (ticks of a nanosecond, each timestamp counted from
// the event before) and its defaults (that clock, that track), so an event is a delta, a type and the number
// of an interned name: about 15 bytes. Texts are interned per sequence and announced in the packet that uses
// them first. Plain events (begin, end, counter) are placed byte by byte from pieces that were encoded
// before; events with annotations or flows are opened, filled and closed.
//
// One thread uses one writer; the Output and the Trace must outlive it.
//
//   SequenceWriter events(out, trace);
//   events.start(2, track_uuid, first_time);
//   events.begin(100, name, category);  events.end(140);
//   wire::Message& event = events.open(EventType::kInstant, name, category);
//   event.fixed64(track_event::kFlowIds, 1);
//   events.close(150);
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "base/output.h"
#include "formats/perfetto/schema.h"
#include "formats/perfetto/wire.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

// The numbers that texts have in the current sequence, for one kind of text.
class InternTable {
 public:
  // 0 when the sequence has not seen the text yet.
  std::uint32_t known_number(std::uint32_t text, std::uint32_t sequence) const {
    return text < entries_.size() && entries_[text].sequence == sequence ? entries_[text].number : 0;
  }
  // The number of a text, 1 or more; `fresh` tells that the sequence has not seen it yet.
  std::uint32_t number(std::uint32_t text, std::uint32_t sequence, std::size_t text_count, bool& fresh) {
    if (entries_.empty()) entries_.resize(text_count);
    if (sequence_ != sequence) {
      sequence_ = sequence;
      last_ = 0;
    }
    Entry& entry = entries_[text];
    fresh = entry.sequence != sequence;
    if (fresh) entry = {sequence, ++last_};
    return entry.number;
  }

 private:
  struct Entry {
    std::uint32_t sequence = 0;
    std::uint32_t number = 0;
  };
  std::vector<Entry> entries_;  // by text; made when first needed
  std::uint32_t sequence_ = 0;
  std::uint32_t last_ = 0;
};

class SequenceWriter {
 public:
  SequenceWriter(base::Output& out, const trace::Trace& trace);

  // Begins a sequence; numbers of sequences are not 0 and never used twice.
  void start(std::uint32_t sequence, std::uint64_t track_uuid, std::uint64_t time);

  // Times never decrease within a sequence.
  void begin(std::uint64_t time, trace::StringId name, trace::CategoryId category) {
    const PlainBegin& known = begins_[index(name)];
    if (known.sequence == sequence_ && known.category == category) [[likely]]
      put_plain(time, known.bytes.data(), known.bytes.size(), known.size);
    else
      begin_new(time, name, category);
  }
  void end(std::uint64_t time) {
    static constexpr char kEnd[4] = {0x5A, 0x02, 0x48, 0x02};
    put_plain(time, kEnd, sizeof kEnd, sizeof kEnd);
  }
  void counter(std::uint64_t time, std::int64_t value);
  void counter(std::uint64_t time, double value);

  // An event with more than that: add fields to the message, then close. The name may be kEmpty.
  wire::Message& open(EventType type, trace::StringId name, trace::CategoryId category);
  // The same for the begin of a slice, the event that is most frequent.
  wire::Message& open_begin(trace::StringId name, trace::CategoryId category) {
    const PlainBegin& known = begins_[index(name)];
    if (known.sequence != sequence_ || known.category != category) [[unlikely]]
      return open_new_begin(name, category);
    interned_.clear();
    event_.clear();
    char* const to = event_.reserve(known.bytes.size());
    std::memcpy(to, known.bytes.data() + kPlainHeader, known.bytes.size() - kPlainHeader);
    event_.advance_to(to + known.size - kPlainHeader);
    return event_;
  }
  // The same for a name that is not a text of the trace.
  wire::Message& open(EventType type, std::string_view name);
  void close(std::uint64_t time);

  // Numbers of texts for the annotations of the open event.
  std::uint32_t annotation_name(trace::StringId text) {
    const std::uint32_t known = annotation_names_.known_number(index(text), sequence_);
    return known != 0 ? known : intern(annotation_names_, interned_data::kAnnotationNames, index(text), text);
  }
  std::uint32_t annotation_string(trace::StringId text) {
    const std::uint32_t known = annotation_strings_.known_number(index(text), sequence_);
    return known != 0 ? known
                      : intern(annotation_strings_, interned_data::kAnnotationStrings, index(text), text);
  }

  // Of the last event written.
  std::uint64_t last_time() const { return last_time_; }

 private:
  // The encoded TrackEvent field of a slice's begin, valid in one sequence.
  struct PlainBegin {
    std::uint32_t sequence = 0;
    trace::CategoryId category = trace::CategoryId::kNone;
    std::uint16_t size = 0;
    std::array<char, 16> bytes = {};
  };
  static constexpr std::size_t kPlainHeader = 2;  // the field's tag and length, before the event itself

  static constexpr std::size_t kTailBytes = 8;
  static constexpr std::size_t kMaxPlainPacket = 64;
  // An event in a packet whose length still takes one byte.
  static constexpr std::size_t kMaxShortEvent = 96;

  // A packet of a timestamp and an encoded TrackEvent field. Copies `room` bytes, whose number the compiler
  // knows, and keeps `size` of them.
  void put_plain(std::uint64_t time, const char* event, std::size_t room, std::size_t size) {
    char* const packet = out_.reserve(kMaxPlainPacket);
    packet[0] = 0x0A;  // Trace.packet
    packet[2] = 0x40;  // TracePacket.timestamp
    char* to = wire::put_varint(packet + 3, time - last_time_);
    last_time_ = time;
    std::memcpy(to, tail_.data(), kTailBytes);
    to += tail_size_;
    std::memcpy(to, event, room);
    to += size;
    packet[1] = static_cast<char>(to - packet - 2);
    out_.advance(static_cast<std::size_t>(to - packet));
  }

  void begin_new(std::uint64_t time, trace::StringId name, trace::CategoryId category) {
    open_new_begin(name, category);
    close(time);
  }
  void close_short(std::uint64_t delta);
  void close_long(std::uint64_t delta);
  wire::Message& open_new_begin(trace::StringId name, trace::CategoryId category);
  std::uint32_t intern(InternTable& table, std::uint32_t field, std::uint32_t key, trace::StringId text);

  base::Output& out_;
  const trace::Trace& trace_;
  std::uint32_t sequence_ = 0;
  std::uint64_t last_time_ = 0;
  std::array<char, kTailBytes> tail_ = {};  // sequence id and flags, the same in every packet
  std::size_t tail_size_ = 0;
  std::vector<PlainBegin> begins_;  // by name
  InternTable names_;
  InternTable categories_;
  InternTable annotation_names_;
  InternTable annotation_strings_;
  wire::Message event_;
  wire::Message interned_;
  wire::Message entry_;
};

// A packet on its own, outside any sequence's events.
void put_packet(base::Output& out, const wire::Message& packet);

}  // namespace accelscope::formats::perfetto
