// What the memories hold, as files have it: little end first, elements packed in the memory's format, rows
// behind each other. Written piece by piece, so that a memory of any size costs a row.
//
// Plain functions; one thread writes to one output. The answer is the output's own status, or why a format
// cannot be written.
//
//   ACCELSCOPE_CHECK(dump_vectors(out, state, machine.formats.vector_sram, {.first = 128, .count = 4}));
#pragma once

#include <cstdint>
#include <limits>

#include "base/output.h"
#include "base/result.h"
#include "boards/number_format.h"
#include "emulator/state.h"

namespace accelscope::emulator {

// Of rows, words or bytes; what lies behind the end of the memory is left out.
struct DumpRange {
  std::uint64_t first = 0;
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
};

// Rows of MLEN elements, tile after tile.
base::Status dump_matrices(base::Output& out, const State& state, const boards::NumberFormat& format,
                           DumpRange rows = {});
base::Status dump_vectors(base::Output& out, const State& state, const boards::NumberFormat& format,
                          DumpRange rows = {});
// bf16.
base::Status dump_floats(base::Output& out, const State& state, DumpRange words = {});
// 32 bits each.
base::Status dump_integers(base::Output& out, const State& state, DumpRange words = {});
base::Status dump_external(base::Output& out, const State& state, DumpRange bytes = {});

}  // namespace accelscope::emulator
