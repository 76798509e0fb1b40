// From the tables of a checked dump to staged events.
//
// One decoder per dump and thread. It interns names into the table it is given and owns nothing else; the
// dump's bytes must outlive what it fills in.
//
//   EventDecoder decoder(bytes, Prefix::kSize, names, remarks);
//   for (std::uint32_t i = 0; i < decoder.block_count(); ++i) decoder.decode(i, block);
#pragma once

#include <array>
#include <string_view>

#include "formats/etdump/damage.h"
#include "formats/etdump/remarks.h"
#include "formats/etdump/staged_event.h"

namespace accelscope::formats::etdump {

class EventDecoder {
 public:
  // `dump_offset` is where the dump begins in its file, for remarks.
  EventDecoder(std::string_view bytes, Prefix prefix, std::uint64_t dump_offset, NameTable& names,
               Remarks& remarks);

  std::uint32_t block_count() const { return blocks_.size(); }
  // Replaces the content of `block`.
  void decode(std::uint32_t index, StagedBlock& block);

  // Whether no ordinary event of the dump has a time of 2^32 or more.
  bool all_times_fit_32_bits() const;

 private:
  // Where the fields of a ProfileEvent are; the same for nearly all events, so it is kept.
  struct Layout {
    const char* vtable = nullptr;
    std::array<std::uint16_t, 8> offsets = {};
  };

  void decode_profile(const FlatTable& table, std::uint32_t record, StagedEvent& event);
  void name_delegate(std::string_view text, bool has_text, StagedEvent& event);

  const char* data_;
  std::uint64_t dump_offset_;
  NameTable& names_;
  Remarks& remarks_;
  FlatVector blocks_;
  Layout layout_;
};

}  // namespace accelscope::formats::etdump
