#include "emulator/board_dram.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/human.h"
#include "memory/dram_preset_file.h"

namespace accelscope::emulator {
namespace {

struct KnownPart {
  std::string_view spec;
  std::string_view bus_width;
  std::string_view preset;
};

constexpr std::array<KnownPart, 3> kParts{{{"DDR3-1600", "x16", "ddr3-1600-x16"},
                                           {"DDR3-1600", "x64", "ddr3-1600"},
                                           {"DDR4-2400", "x64", "ddr4-2400"}}};

// The fewest channels of HBM2 that carry what the board says.
base::Result<BoardDram> hbm_of(const boards::Board& board, base::BytesPerSecond stated) {
  ACCELSCOPE_TRY(const memory::DramPreset preset, memory::load_dram_preset("hbm2"));
  const std::int64_t of_one = preset.peak_bandwidth(1).value;
  const std::int64_t channels = std::clamp<std::int64_t>((stated.value + of_one - 1) / of_one, 1, 1024);
  const auto count = static_cast<std::uint32_t>(channels);
  return BoardDram{
      preset.name, count,
      fmt::format(
          "the board {} has an HBM of {}, which {} channels of hbm2 come closest to from above with {}",
          board.name, base::format_rate(stated), count, base::format_rate(preset.peak_bandwidth(count)))};
}

}  // namespace

base::Result<BoardDram> dram_of(const boards::Board& board) {
  const boards::BoardMemory& memory = board.memory;
  if (memory.hbm_bandwidth) return hbm_of(board, *memory.hbm_bandwidth);
  const auto* const part = std::find_if(kParts.begin(), kParts.end(), [&](const KnownPart& one) {
    return one.spec == memory.spec && one.bus_width == memory.bus_width;
  });
  if (part != kParts.end())
    return BoardDram{std::string(part->preset), 0,
                     fmt::format("the board {} has {} {}", board.name, memory.spec, memory.bus_width)};
  return base::fail(base::ErrorCode::kUsage,
                    "no DRAM preset is known for the memory of the board {} ({}): name one with --dram",
                    board.name,
                    memory.spec.empty() && memory.type.empty()
                        ? std::string("it says neither which nor how fast")
                        : fmt::format("{} {} {}", memory.type, memory.spec, memory.bus_width));
}

}  // namespace accelscope::emulator
