// Drains of performance monitors as files: the whole ring as it was copied, and beside it the registers of
// that moment, as ReplayWindow plays them back and `accelscope perfmon` looks at them.
//
// core<N>.<K>.bin is drain K of core N, FILE.regs.json its registers. Each file appears when it is whole, the
// registers first: a ring never lies there without them. Plain functions; different drains may be written at
// the same time.
//
//   ACCELSCOPE_CHECK(write_drain("captured", 3, 1, ring, registers_of(slice.seen)));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "accelscope/perfmon/ownership.h"
#include "base/result.h"
#include "formats/perfmon/registers_file.h"

namespace accelscope::device {

std::string drain_path(const std::string& folder, std::uint32_t core, std::uint32_t drain);

formats::perfmon::Registers registers_of(const perfmon::RegistersSeen& seen);

// `ring` is all of it, in the order of addresses, whatever of it is new. The folder must be there.
base::Status write_drain(const std::string& folder, std::uint32_t core, std::uint32_t drain,
                         std::span<const std::byte> ring, const formats::perfmon::Registers& registers);

// Whether drains lie in a folder; one that is not there has none.
bool has_drains(const std::string& folder);
// Every file of a drain, and none besides.
base::Status remove_drains(const std::string& folder);

}  // namespace accelscope::device
