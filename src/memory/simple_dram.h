// The reference's own small timing models, for comparison with published figures: `naive`, which knows no
// banks, and `simple`, which has sixteen of them a channel and two ways to find one. All charge whole lines
// of 64 bytes with the times of a DDR4-2400 (clock 833 ps, CAS, RCD and RP 16 clocks, four clocks of data).
//
// What is kept of them: every line is a task of its own that takes a slot (16 reads and 16 writes), the
// command bus for a clock, its bank, and the data bus; a bank that nobody waits for is precharged at once,
// and whoever comes meanwhile gets it at the end without paying for the row; that precharge is the last thing
// to happen, so now() ends behind the last byte. There is no refresh.
//
// One thread uses one memory, which owns all it needs; memory does not grow with the length of requests.
//
//   ACCELSCOPE_TRY(const auto memory, make_simple_dram(SimpleModel::kNaive, 1));
//   finish_all(*memory, {{.address = 0}});       // 17.493 ns
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "memory/timing.h"

namespace accelscope::memory {

enum class SimpleModel : std::uint8_t {
  kNaive,       // "naive": addresses mean nothing
  kLineRows,    // "simple": every line of a bank is a row of its own (the reference's present map)
  kWindowRows,  // "simple-window": 16 KiB are a row (the map of the reference's capacity models)
};
std::string_view name_of(SimpleModel model);
std::optional<SimpleModel> simple_model_named(std::string_view name);

// Channels: a power of two from 1 to 64.
base::Result<std::unique_ptr<Timing>> make_simple_dram(SimpleModel model, std::uint32_t channels);

}  // namespace accelscope::memory
