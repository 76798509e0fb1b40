#include "formats/capture/record_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "formats/capture/wire.h"

namespace accelscope::formats::capture {
namespace {

constexpr std::size_t kBlockRows = 1024;  // that are worked on at once, within the first cache

template <class T>
T load(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

// Small in both directions: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
template <class T>
T zigzag(T value) {
  constexpr unsigned kSignBit = 8 * sizeof(T) - 1;
  return static_cast<T>(static_cast<T>(value << 1U) ^ static_cast<T>(0 - (value >> kSignBit)));
}
template <class T>
T unzigzag(T value) {
  return static_cast<T>((value >> 1U) ^ static_cast<T>(0 - (value & 1U)));
}

// Calls with an unsigned integer of so many bytes.
template <class Call>
void with_width(std::size_t bytes, Call&& call) {
  switch (bytes) {
    case 1:
      return call(std::uint8_t{});
    case 2:
      return call(std::uint16_t{});
    case 4:
      return call(std::uint32_t{});
    default:
      return call(std::uint64_t{});
  }
}

template <Guess kGuess>
struct GuessTag {
  static constexpr Guess kValue = kGuess;
};

// Calls call(T, Other, GuessTag) for the types of a field, so that loops over records know them.
template <class Call>
void with_types(const RecordField& field, Call&& call) {
  with_width(field.bytes, [&](auto value) {
    const auto with_other = [&](auto tag) {
      with_width(field.other_bytes, [&](auto other) { call(value, other, tag); });
    };
    switch (field.guess) {
      case Guess::kNothing:
        return call(value, std::uint8_t{}, GuessTag<Guess::kNothing>{});
      case Guess::kPrevious:
        return call(value, std::uint8_t{}, GuessTag<Guess::kPrevious>{});
      case Guess::kPreviousEnd:
        return with_other(GuessTag<Guess::kPreviousEnd>{});
      case Guess::kOther:
        return with_other(GuessTag<Guess::kOther>{});
    }
  });
}

// Where the fields of records lie that follow each other.
struct Rows {
  std::size_t stride;
  std::size_t offset;
  std::size_t other_offset;
};

// What the guesses miss by; the answer has every bit that one of them has. `guess` is the first one, where
// guesses come from the record before.
template <Guess kGuess, class T, class Other>
T take_misses(const std::byte* record, std::size_t count, const Rows& rows, T guess, T* misses) {
  T any = 0;
  for (std::size_t row = 0; row < count; ++row, record += rows.stride) {
    const T value = load<T>(record + rows.offset);
    if constexpr (kGuess == Guess::kOther) guess = static_cast<T>(load<Other>(record + rows.other_offset));
    misses[row] = zigzag(static_cast<T>(value - guess));
    any = static_cast<T>(any | misses[row]);
    if constexpr (kGuess == Guess::kPrevious) guess = value;
    if constexpr (kGuess == Guess::kPreviousEnd)
      guess = static_cast<T>(value + static_cast<T>(load<Other>(record + rows.other_offset)));
  }
  return any;
}

// The inverse; gives the guess for the record that follows.
template <Guess kGuess, class T, class Other>
T put_values(const T* misses, std::size_t count, const Rows& rows, T guess, std::byte* record) {
  for (std::size_t row = 0; row < count; ++row, record += rows.stride) {
    if constexpr (kGuess == Guess::kOther) guess = static_cast<T>(load<Other>(record + rows.other_offset));
    const T value = static_cast<T>(guess + unzigzag(misses[row]));
    std::memcpy(record + rows.offset, &value, sizeof value);
    if constexpr (kGuess == Guess::kPrevious) guess = value;
    if constexpr (kGuess == Guess::kPreviousEnd)
      guess = static_cast<T>(value + static_cast<T>(load<Other>(record + rows.other_offset)));
  }
  return guess;
}

// As many bytes as the largest of values with these bits needs.
unsigned planes_of(std::uint64_t any) {
  unsigned planes = 0;
  while (planes < 8 && any >> (8U * planes) != 0) ++planes;
  return planes;
}

// Splits values into planes of bytes, the lowest first, and gives the end of them.
template <class T>
char* put_planes(const T* values, std::size_t count, unsigned planes, char* place) {
  for (std::size_t first = 0; first < count; first += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, count - first);
    for (unsigned plane = 0; plane < planes; ++plane) {
      char* bytes = place + plane * count + first;
      for (std::size_t row = 0; row < rows; ++row)
        bytes[row] = static_cast<char>(values[first + row] >> (8U * plane));
    }
  }
  return place + planes * count;
}

// The inverse, for some of the values; planes lie `distance` apart.
template <class T>
void join_planes(const unsigned char* planes, unsigned count, std::size_t distance, std::size_t rows,
                 T* values) {
  if (count == 0) {
    std::fill_n(values, rows, T{0});
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) values[row] = planes[row];
  for (unsigned plane = 1; plane < std::min<unsigned>(count, sizeof(T)); ++plane) {
    const unsigned char* bytes = planes + plane * distance;
    for (std::size_t row = 0; row < rows; ++row)
      values[row] = static_cast<T>(values[row] | static_cast<T>(T{bytes[row]} << (8U * plane)));
  }
}

void append_facts(std::string& out, const BufferFacts& facts) {
  append_varint(out, facts.producer);
  append_varint(out, facts.buffer_number);
  append_varint(out, facts.first_record);
  append_varint(out, facts.count);
  append_varint(out, facts.dropped_before);
  append_varint(out, facts.paused_from);
  append_varint(out, facts.paused_to - facts.paused_from);
}

// False when a number is too large for what it is.
bool read_facts(WireReader& in, BufferFacts& facts) {
  bool fits = true;
  const auto number32 = [&] {
    const std::uint64_t number = in.varint();
    fits = fits && number <= UINT32_MAX;
    return static_cast<std::uint32_t>(number);
  };
  facts.producer = number32();
  facts.buffer_number = number32();
  facts.first_record = in.varint();
  facts.count = number32();
  facts.dropped_before = number32();
  facts.paused_from = in.varint();
  facts.paused_to = facts.paused_from + in.varint();
  return fits && in.good();
}

}  // namespace

RecordsEncoder::RecordsEncoder(const RecordLayout& layout) : layout_(layout), any_(layout.fields.size(), 0) {
  std::size_t place = 0;
  for (const RecordField& field : layout.fields) {
    columns_.push_back(place);
    place += std::size_t{field.bytes} * kMaxRecordsOfChunk;
  }
}

void RecordsEncoder::add(const BufferFacts& facts, const std::byte* records) {
  if (misses_ == nullptr)
    misses_ = std::make_unique_for_overwrite<std::uint64_t[]>(layout_.record_bytes *
                                                              std::size_t{kMaxRecordsOfChunk} / 8);
  append_facts(buffer_facts_, facts);
  for (std::size_t i = 0; i < layout_.fields.size() && facts.count > 0; ++i) {
    const RecordField& field = layout_.fields[i];
    with_types(field, [&](auto value, auto other, auto tag) {
      using T = decltype(value);
      const T base = field.needs_base() ? load<T>(records + field.offset) : T{0};
      if (field.needs_base()) append_varint(buffer_facts_, base);
      T* column = reinterpret_cast<T*>(reinterpret_cast<std::byte*>(misses_.get()) + columns_[i]);
      any_[i] |= take_misses<tag.kValue, T, decltype(other)>(
          records, facts.count, {layout_.record_bytes, field.offset, field.other_offset}, base,
          column + records_);
    });
  }
  records_ += facts.count;
  ++buffers_;
}

std::string_view RecordsEncoder::finish() {
  std::string head;
  append_u16(head, static_cast<std::uint16_t>(layout_.kind));
  append_u16(head, layout_.record_bytes);
  append_u32(head, records_);
  append_u32(head, buffers_);
  append_u8(head, static_cast<std::uint8_t>(layout_.fields.size()));
  for (const RecordField& field : layout_.fields)
    for (const unsigned number :
         {unsigned{field.offset}, unsigned{field.bytes}, static_cast<unsigned>(field.guess),
          unsigned{field.other_offset}, unsigned{field.other_bytes}})
      append_u8(head, static_cast<std::uint8_t>(number));
  head += buffer_facts_;

  char* const start =
      payload_.room_for(head.size() + layout_.fields.size() + std::size_t{records_} * layout_.record_bytes);
  char* place = std::copy(head.begin(), head.end(), start);
  for (std::size_t i = 0; i < layout_.fields.size(); ++i) {
    const unsigned planes = planes_of(std::exchange(any_[i], 0));
    *place++ = static_cast<char>(planes);
    if (planes == 0) continue;
    with_width(layout_.fields[i].bytes, [&](auto value) {
      using T = decltype(value);
      const auto* column = reinterpret_cast<const std::byte*>(misses_.get()) + columns_[i];
      place = put_planes(reinterpret_cast<const T*>(column), records_, planes, place);
    });
  }
  buffer_facts_.clear();
  records_ = 0;
  buffers_ = 0;
  return {start, static_cast<std::size_t>(place - start)};
}

bool RecordsDecoder::parse(std::string_view payload) {
  WireReader in(payload);
  records_decoded_ = nullptr;
  kind_ = static_cast<recorder::RecordKind>(in.u16());
  record_bytes_ = in.u16();
  records_ = in.u32();
  const std::uint32_t buffers = in.u32();
  fields_.resize(in.u8());
  for (RecordField& field : fields_) {
    field.offset = in.u8();
    field.bytes = in.u8();
    field.guess = static_cast<Guess>(in.u8());
    field.other_offset = in.u8();
    field.other_bytes = in.u8();
  }
  if (!in.good() || records_ > kMaxRecordsOfChunk || record_bytes_ == 0 ||
      !is_sound({kind_, record_bytes_, fields_}) || !parse_buffers(in, buffers))
    return false;
  columns_.resize(fields_.size());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    columns_[i].count = in.u8();
    if (columns_[i].count > fields_[i].bytes) return false;
    const std::string_view planes = in.take(std::uint64_t{columns_[i].count} * records_);
    columns_[i].planes = reinterpret_cast<const unsigned char*>(planes.data());
  }
  return in.good() && in.rest().empty();
}

bool RecordsDecoder::parse_buffers(WireReader& in, std::uint32_t count) {
  buffers_.clear();
  bases_.clear();
  if (count > kMaxBuffersOfChunk) return false;
  std::uint64_t records = 0;
  for (std::uint32_t buffer = 0; buffer < count; ++buffer) {
    BufferFacts facts;
    if (!read_facts(in, facts)) return false;
    for (const RecordField& field : fields_)
      bases_.push_back(field.needs_base() && facts.count > 0 ? in.varint() : 0);
    records += facts.count;
    buffers_.push_back(facts);
  }
  return in.good() && records == records_;
}

void RecordsDecoder::decode_rows(std::size_t index, std::size_t row, std::size_t rows, std::byte* record,
                                 std::uint64_t& next_guess) {
  const RecordField& field = fields_[index];
  const Column& column = columns_[index];
  with_types(field, [&](auto value, auto other, auto tag) {
    using T = decltype(value);
    std::array<T, kBlockRows> misses;
    join_planes(column.planes + row, column.count, records_, rows, misses.data());
    next_guess = put_values<tag.kValue, T, decltype(other)>(misses.data(), rows,
                                                            {record_bytes_, field.offset, field.other_offset},
                                                            static_cast<T>(next_guess), record);
  });
}

// All fields of some records before the next ones, so that these stay in the first cache.
const std::byte* RecordsDecoder::decode() {
  if (records_decoded_ != nullptr) return records_decoded_;
  auto* records = reinterpret_cast<std::byte*>(decoded_.room_for(std::size_t{records_} * record_bytes_));
  std::size_t row = 0;
  for (std::size_t buffer = 0; buffer < buffers_.size(); ++buffer) {
    std::uint64_t* guesses = bases_.data() + buffer * fields_.size();
    for (std::size_t left = buffers_[buffer].count; left > 0;) {
      const std::size_t rows = std::min(left, kBlockRows);
      for (std::size_t field = 0; field < fields_.size(); ++field)
        decode_rows(field, row, rows, records + row * record_bytes_, guesses[field]);
      row += rows;
      left -= rows;
    }
  }
  records_decoded_ = records;
  return records;
}

const std::byte* RecordsDecoder::resized(const std::byte* records, std::size_t record_bytes) {
  char* place = resized_.room_for(std::size_t{records_} * record_bytes);
  std::memset(place, 0, std::size_t{records_} * record_bytes);
  const std::size_t known = std::min<std::size_t>(record_bytes, record_bytes_);
  for (std::size_t row = 0; row < records_; ++row)
    std::memcpy(place + row * record_bytes, records + row * record_bytes_, known);
  return reinterpret_cast<const std::byte*>(place);
}

}  // namespace accelscope::formats::capture
