// A folder of recorded drains, played back: the words of every core, as its drains give them again.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "accelscope/perfmon/core_perfmon.h"
#include "device/replay_window.h"

namespace accelscope::tests {

struct PlayedBack {
  std::vector<std::uint32_t> words = {};
  std::uint64_t lost_bytes = 0;
};

inline PlayedBack play_back(const std::string& folder, std::uint32_t core,
                            perfmon::DrainMode mode = perfmon::DrainMode::kReadOnly,
                            const perfmon::PerfmonChip& chip = perfmon::kA5Perfmon) {
  const auto memory = device::mapped_memory();
  const auto window =
      device::ReplayWindow::open(*memory, device::find_replay_files(folder).value(), chip).value();
  const std::uint32_t ring_bytes = window->ring_bytes(core);
  const device::Address ring = memory->allocate(ring_bytes).value();
  device::WindowBus bus{*window};
  perfmon::CorePerfmon<device::WindowBus> monitor(chip, bus, core);
  EXPECT_EQ(monitor.start({.base = window->attach(core, ring), .ring_bytes = ring_bytes, .mode = mode}),
            perfmon::Fault::kNone);
  PlayedBack played;
  while (window->next(core)) {
    const perfmon::Slice slice = monitor.drain();
    const std::size_t before = played.words.size();
    played.words.resize(before + slice.bytes / 4);
    const auto fresh = std::span(played.words).subspan(before);
    memory->copy_words(ring + slice.from, fresh.first(slice.first_piece(ring_bytes) / 4));
    memory->copy_words(ring, fresh.subspan(slice.first_piece(ring_bytes) / 4));
    played.lost_bytes += slice.lost_bytes;
    monitor.confirm(slice);
  }
  return played;
}

}  // namespace accelscope::tests
