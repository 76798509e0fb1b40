// What is known, or assumed, of a chip's performance monitors beyond where their registers are.
//
// Every open question about the hardware is a field here, so that an answer from silicon is a change of a
// table. Plain values; freestanding.
//
//   PerfmonChip chip = kA5Perfmon;
//   chip.behaviour.samples_written_in = Unit::kWords;
#pragma once

#include "accelscope/perfmon/programming.h"
#include "accelscope/perfmon/registers.h"

namespace accelscope::perfmon {

enum class Unit : uint8_t { kBytes, kWords };
// What the write pointer tells: a place in the ring, or all that was ever written (modulo 2^32).
enum class PointerKind : uint8_t { kInRing, kTotal };
// At its end the buffer begins again, or nothing more is written.
enum class BufferKind : uint8_t { kRing, kLinear };
// What buf_len says: a size, or the offset of the last word, as its default of 64 MiB less one word suggests.
enum class LengthKind : uint8_t { kSize, kLastWord };

struct Behaviour {
  uint32_t word_bytes = 4;
  BufferKind buffer = BufferKind::kRing;
  Unit samples_written_in = Unit::kBytes;
  Unit pointer_in = Unit::kBytes;
  PointerKind pointer = PointerKind::kInRing;
  LengthKind length = LengthKind::kSize;
  // Bytes that may be counted before they are in memory: the newest ones, which a drain leaves for the next.
  uint32_t unlanded_bytes = 0;
  // Bytes that may be in memory before they are counted: what could have been written over beyond what the
  // counter says.
  uint32_t uncounted_bytes = 64;

  constexpr uint64_t bytes(uint32_t count, Unit unit) const {
    return unit == Unit::kWords ? uint64_t{count} * word_bytes : count;
  }
  constexpr uint32_t length_register(uint32_t ring_bytes) const {
    return length == LengthKind::kLastWord ? ring_bytes - word_bytes : ring_bytes;
  }
};

// A register that tells that this is the device one thinks it is, looked at before anything is written.
struct Identification {
  uint32_t offset = 0;
  uint32_t mask = 0;  // 0: there is none, and nothing may be written
  uint32_t expected = 0;
};

struct PerfmonChip {
  RegisterTable registers = kDefaultRegisters;
  Behaviour behaviour = {};
  const ProgrammingOrder* order = &kEnableLast;
  Identification identification = {};
  uint32_t firmware_length = 0;  // what firmware leaves in buf_len
};

// No register is known whose only use is to identify a core. perf_mon_en reads 0x4 or 0x5, which neither
// memory full of zeros nor a missing device does.
inline constexpr PerfmonChip kA5Perfmon{
    .registers = kDefaultRegisters,
    .behaviour = {},
    .order = &kEnableLast,
    .identification = {.offset = 0x00C4, .mask = 0xFFFFFFFE, .expected = 0x4},
    .firmware_length = 0x3FFFFFC};

}  // namespace accelscope::perfmon
