#include "formats/perfetto/sequence_writer.h"

namespace accelscope::formats::perfetto {
namespace {

using trace::CategoryId;
using trace::StringId;
using wire::Message;
using wire::WireType;

Message clock_reading(std::uint64_t clock, std::uint64_t time, bool is_incremental) {
  Message reading;
  reading.varint(clock_snapshot::kClockId, clock);
  reading.varint(clock_snapshot::kTimestamp, time);
  if (is_incremental) reading.varint(clock_snapshot::kIsIncremental, 1);
  return reading;
}

Message snapshot_of(std::uint64_t time) {
  Message snapshot;
  snapshot.message(clock_snapshot::kClocks, clock_reading(clock_snapshot::kBootTime, time, false));
  snapshot.message(clock_snapshot::kClocks, clock_reading(clock_snapshot::kSequenceClock, time, true));
  snapshot.varint(clock_snapshot::kPrimaryTraceClock, clock_snapshot::kBootTime);
  return snapshot;
}

Message defaults_for(std::uint64_t track_uuid) {
  Message event;
  event.varint(track_event::kTrackUuid, track_uuid);
  Message message;
  message.message(defaults::kTrackEvent, event);
  message.varint(defaults::kTimestampClockId, clock_snapshot::kSequenceClock);
  return message;
}

}  // namespace

void put_packet(base::Output& out, const Message& packet) {
  char* const start = out.reserve(packet.bytes().size() + 2 * wire::kMaxVarintBytes);
  char* to = wire::put_varint(start, wire::tag(trace_file::kPacket, WireType::kBytes));
  to = wire::put_varint(to, packet.bytes().size());
  std::memcpy(to, packet.bytes().data(), packet.bytes().size());
  out.advance(static_cast<std::size_t>(to - start) + packet.bytes().size());
}

SequenceWriter::SequenceWriter(base::Output& out, const trace::Trace& trace)
    : out_(out), trace_(trace), begins_(trace.strings().size()) {
  event_.reserve(kMaxShortEvent);
}

void SequenceWriter::start(std::uint32_t sequence, std::uint64_t track_uuid, std::uint64_t time) {
  sequence_ = sequence;
  last_time_ = time;
  char* to = wire::put_varint(tail_.data(), wire::tag(packet::kSequenceId, WireType::kVarint));
  to = wire::put_varint(to, sequence);
  to = wire::put_varint(to, wire::tag(packet::kSequenceFlags, WireType::kVarint));
  to = wire::put_varint(to, packet::kNeedsState);
  tail_size_ = static_cast<std::size_t>(to - tail_.data());

  Message first;
  first.varint(packet::kSequenceId, sequence);
  first.varint(packet::kSequenceFlags, packet::kStateCleared);
  first.message(packet::kDefaults, defaults_for(track_uuid));
  first.message(packet::kClockSnapshot, snapshot_of(time));
  put_packet(out_, first);
}

std::uint32_t SequenceWriter::intern(InternTable& table, std::uint32_t field, std::uint32_t key,
                                     StringId text) {
  bool fresh = false;
  const std::uint32_t number = table.number(key, sequence_, trace_.strings().size(), fresh);
  if (fresh) {
    entry_.clear();
    entry_.varint(interned_data::kEntryId, number);
    entry_.text(interned_data::kEntryText, trace_.text(text));
    interned_.message(field, entry_);
  }
  return number;
}

Message& SequenceWriter::open(EventType type, StringId name, CategoryId category) {
  event_.clear();
  interned_.clear();
  event_.varint(track_event::kType, static_cast<std::uint64_t>(type));
  if (category != CategoryId::kNone) {
    const StringId text = trace_.categories()[index(category)];
    event_.varint(track_event::kCategoryIds,
                  intern(categories_, interned_data::kCategories, index(text), text));
  }
  if (name != StringId::kEmpty)
    event_.varint(track_event::kNameId, intern(names_, interned_data::kEventNames, index(name), name));
  return event_;
}

Message& SequenceWriter::open(EventType type, std::string_view name) {
  open(type, StringId::kEmpty, CategoryId::kNone);
  event_.text(track_event::kName, name);
  return event_;
}

void SequenceWriter::close(std::uint64_t time) {
  const std::uint64_t delta = time - last_time_;
  last_time_ = time;
  if (interned_.empty() && event_.bytes().size() <= kMaxShortEvent) [[likely]]
    close_short(delta);
  else
    close_long(delta);
}

// All lengths take one byte.
void SequenceWriter::close_short(std::uint64_t delta) {
  const std::string_view event = event_.bytes();
  char* const start = out_.reserve(kMaxPlainPacket + kMaxShortEvent);
  start[0] = static_cast<char>(wire::tag(trace_file::kPacket, WireType::kBytes));
  start[2] = static_cast<char>(wire::tag(packet::kTimestamp, WireType::kVarint));
  char* to = wire::put_varint(start + 3, delta);
  std::memcpy(to, tail_.data(), kTailBytes);
  to += tail_size_;
  *to++ = static_cast<char>(wire::tag(packet::kTrackEvent, WireType::kBytes));
  *to++ = static_cast<char>(event.size());
  // More than there is, but a number of bytes that the compiler knows.
  std::memcpy(to, event.data(), kMaxShortEvent);
  to += event.size();
  start[1] = static_cast<char>(to - start - 2);
  out_.advance(static_cast<std::size_t>(to - start));
}

void SequenceWriter::close_long(std::uint64_t delta) {
  const auto field_size = [](const Message& message) {
    return 1 + wire::varint_size(message.bytes().size()) + message.bytes().size();
  };
  std::size_t size = 1 + wire::varint_size(delta) + tail_size_ + field_size(event_);
  if (!interned_.empty()) size += field_size(interned_);

  char* const start = out_.reserve(size + 1 + wire::kMaxVarintBytes + kTailBytes);
  char* to = wire::put_varint(start, wire::tag(trace_file::kPacket, WireType::kBytes));
  to = wire::put_varint(to, size);
  to = wire::put_varint(to, wire::tag(packet::kTimestamp, WireType::kVarint));
  to = wire::put_varint(to, delta);
  std::memcpy(to, tail_.data(), kTailBytes);
  to += tail_size_;
  const auto put_field = [&](std::uint32_t field, const Message& message) {
    to = wire::put_varint(to, wire::tag(field, WireType::kBytes));
    to = wire::put_varint(to, message.bytes().size());
    std::memcpy(to, message.bytes().data(), message.bytes().size());
    to += message.bytes().size();
  };
  if (!interned_.empty()) put_field(packet::kInternedData, interned_);
  put_field(packet::kTrackEvent, event_);
  out_.advance(static_cast<std::size_t>(to - start));
}

Message& SequenceWriter::open_new_begin(StringId name, CategoryId category) {
  open(EventType::kSliceBegin, name, category);
  PlainBegin& plain = begins_[index(name)];
  plain.sequence = sequence_;
  plain.category = category;
  plain.bytes[0] = static_cast<char>(wire::tag(packet::kTrackEvent, WireType::kBytes));
  plain.bytes[1] = static_cast<char>(event_.bytes().size());
  // Type, category (at most 65 535) and name (at most 32 bits) take no more than 12 bytes.
  std::memcpy(plain.bytes.data() + kPlainHeader, event_.bytes().data(), event_.bytes().size());
  plain.size = static_cast<std::uint16_t>(kPlainHeader + event_.bytes().size());
  return event_;
}

void SequenceWriter::counter(std::uint64_t time, std::int64_t value) {
  open(EventType::kCounter, StringId::kEmpty, CategoryId::kNone);
  event_.signed_varint(track_event::kCounterValue, value);
  close(time);
}

void SequenceWriter::counter(std::uint64_t time, double value) {
  open(EventType::kCounter, StringId::kEmpty, CategoryId::kNone);
  event_.real(track_event::kDoubleCounterValue, value);
  close(time);
}

}  // namespace accelscope::formats::perfetto
