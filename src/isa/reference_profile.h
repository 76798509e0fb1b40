// What the reference's static profiler says of a listing: its numbers, its text and its JSON, for scripts
// that read them.
//
// It looks at lines, not at instructions: a line counts where its first word begins with S_, C_, H_, V_ or
// M_, known or not; a loop that cannot be read, such as one with a comment behind it, counts once; and the
// end of a loop closes the innermost one, whatever its register. Pure functions, safe from any thread.
//
//   const ReferenceProfile profile = reference_profile(file.text(), latencies);
//   write_reference_json(profile, about, output);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/output.h"
#include "base/result.h"
#include "base/units.h"
#include "isa/latencies.h"

namespace accelscope::isa {

// Those that it counts by name.
inline constexpr auto kReferenceOpcodes = std::to_array<std::string_view>(
    {"C_LOOP_START", "C_LOOP_END", "H_PREFETCH_M", "H_PREFETCH_V", "M_TMM", "M_BTMM", "M_MM", "M_MM_WO",
     "M_BMM_WO", "V_ADD_VV", "V_MUL_VF", "V_EXP_V", "V_RED_MAX", "V_RED_SUM", "S_LD_FP", "S_ST_FP"});
inline constexpr std::string_view kReferenceTypes = "CHMSV";

struct ReferenceProfile {
  std::uint64_t source_lines = 0;
  std::uint64_t static_lines = 0;
  std::uint64_t dynamic_count = 0;
  std::uint64_t cycles = 0;
  std::uint64_t loop_starts = 0;
  std::array<std::uint64_t, kReferenceTypes.size()> types{};      // dynamic
  std::array<std::uint64_t, kReferenceOpcodes.size()> opcodes{};  // dynamic, as in that list
};

// Fails when a count does not fit 64 bits.
base::Result<ReferenceProfile> reference_profile(std::string_view text, const Latencies& latencies);

// What the reports say besides.
struct ReferenceReportFacts {
  std::string file;
  std::string board;  // or "settings"
  base::Frequency clock = base::Frequency::mhz(1000);
  std::uint64_t mlen = 64;
  bool dc_enabled = true;
  std::string latency_profile = {};  // "" for none
};

void write_reference_text(const ReferenceProfile& profile, const ReferenceReportFacts& facts,
                          base::Output& out);
void write_reference_json(const ReferenceProfile& profile, const ReferenceReportFacts& facts,
                          base::Output& out);

}  // namespace accelscope::isa
