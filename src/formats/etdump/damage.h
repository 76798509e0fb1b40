// Is this dump whole, and if not, which byte is the first that makes no sense?
//
// The FlatBuffers library's verifier decides; it says yes or no and nothing else. After a no, a walk of our
// own over the same tables finds the first bad place and the reason. The walk does not mind alignment, which
// the verifier does: a dump that is merely misaligned is readable, because flat_view.h loads need none.
// Both count the tables they visit, so that a small file whose offsets share tables cannot pretend to hold
// billions of events. Pure functions; nothing is owned.
//
//   const DumpCheck check = check_dump(bytes, Prefix::kSize);
//   if (check.damage) report(check.damage->offset, check.damage->reason);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace accelscope::formats::etdump {

enum class Prefix : std::uint8_t {
  kNone,  // the root offset is at byte 0
  kSize,  // four bytes of size come first
};

struct Damage {
  std::uint64_t offset = 0;  // of the byte that lies, from the start of the dump with its prefix
  std::string reason;
  bool leads_outside = false;  // it points behind the end: without a size in front, the dump may be cut off
};

struct DumpCheck {
  std::optional<Damage> damage;
  bool misaligned = false;  // readable, but not as FlatBuffers lays files out
};

// `bytes` is one dump and nothing else. A buffer that does not start on an eight-byte boundary of memory is
// not shown to the library, only walked.
DumpCheck check_dump(std::string_view bytes, Prefix prefix);

// The two halves of check_dump, for tests that compare them.
bool library_accepts(std::string_view bytes, Prefix prefix);
std::optional<Damage> find_damage(std::string_view bytes, Prefix prefix);

// FlatBuffers offsets are 31 bits wide.
inline constexpr std::uint64_t kMaxDumpBytes = 0x7FFFFFFE;

}  // namespace accelscope::formats::etdump
