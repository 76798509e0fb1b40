// Looks into a FlatBuffers table whose offsets are known to be good (damage.h), with loads that need no
// alignment: files that were cut out of others or printed by a board are read like any other.
//
// Slots are the VT_ constants of the generated header. A view is two pointers at most, owns nothing, and is
// good as long as the bytes are; reading from several threads is safe.
//
//   const FlatTable event = events.table(i);
//   std::uint64_t start = event.scalar<std::uint64_t>(wire::ProfileEvent::VT_START_TIME, 0);
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace accelscope::formats::etdump {

template <class T>
T load(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

inline const char* follow(const char* place) {
  return place + load<std::uint32_t>(place);
}

class FlatTable;

// A vector of anything; absent vectors are empty.
class FlatVector {
 public:
  FlatVector() = default;
  explicit FlatVector(const char* place) : size_(load<std::uint32_t>(place)), data_(place + 4) {}

  std::uint32_t size() const { return size_; }
  template <class T>
  T scalar(std::uint32_t i) const {
    return load<T>(data_ + std::size_t{i} * sizeof(T));
  }
  FlatTable table(std::uint32_t i) const;
  std::string_view bytes() const { return {data_, size_}; }

 private:
  std::uint32_t size_ = 0;
  const char* data_ = nullptr;
};

class FlatTable {
 public:
  FlatTable() = default;
  explicit FlatTable(const char* table)
      : table_(table),
        vtable_(table - load<std::int32_t>(table)),
        vtable_bytes_(load<std::uint16_t>(vtable_)) {}

  bool present() const { return table_ != nullptr; }
  const char* place() const { return table_; }
  const char* vtable() const { return vtable_; }

  // Where the field is inside the table; 0 when it is not stored.
  std::uint16_t field_offset(std::uint16_t slot) const {
    return slot < vtable_bytes_ ? load<std::uint16_t>(vtable_ + slot) : std::uint16_t{0};
  }
  bool has(std::uint16_t slot) const { return field_offset(slot) != 0; }

  template <class T>
  T scalar(std::uint16_t slot, T absent) const {
    const std::uint16_t offset = field_offset(slot);
    return offset == 0 ? absent : load<T>(table_ + offset);
  }
  FlatTable table(std::uint16_t slot) const {
    const std::uint16_t offset = field_offset(slot);
    return offset == 0 ? FlatTable() : FlatTable(follow(table_ + offset));
  }
  FlatVector vector(std::uint16_t slot) const {
    const std::uint16_t offset = field_offset(slot);
    return offset == 0 ? FlatVector() : FlatVector(follow(table_ + offset));
  }
  // The text of a string field, or the content of a vector of bytes.
  std::string_view text(std::uint16_t slot) const { return vector(slot).bytes(); }

 private:
  const char* table_ = nullptr;
  const char* vtable_ = nullptr;
  std::uint16_t vtable_bytes_ = 0;
};

inline FlatTable FlatVector::table(std::uint32_t i) const {
  return FlatTable(follow(data_ + std::size_t{i} * 4));
}

}  // namespace accelscope::formats::etdump
