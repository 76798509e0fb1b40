#include "boards/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/closest_name.h"

namespace accelscope::boards {

Settings default_settings() {
  Settings settings;
  SettingsConfig& analytic = settings.analytic.config;
  analytic.max_loop_instructions = 10'000;
  analytic.blen = 128;
  analytic.hlen = 128;
  analytic.mlen = 2048;
  analytic.vlen = 2048;
  analytic.broadcast_amount = 16;
  analytic.hbm_size = base::Bytes{137'438'953'472};
  analytic.matrix_sram_rows = 256;
  analytic.vector_sram_rows = 65'536;
  analytic.matrix_prefetch_rows = 2048;
  analytic.vector_prefetch_rows = 16;
  analytic.vector_writeback_rows = 16;
  return settings;
}

base::Result<SettingsLatencies> with_profile(const SettingsLatencies& latencies, std::string_view profile) {
  // The second is what the first is called since the board has its right name.
  static constexpr std::array<std::string_view, 2> kProfiles{"nexys_a7_150mhz", "nexys_video_150mhz"};
  if (profile.empty() || profile == "default" || profile == "dc_lib_dis") return latencies;
  if (profile != kProfiles[0] && profile != kProfiles[1])
    return base::fail(base::ErrorCode::kUsage,
                      "unknown latency profile `{}`{}; known are {}, default and dc_lib_dis", profile,
                      base::suggestion(profile, kProfiles), fmt::join(kProfiles, ", "));
  SettingsLatencies changed = latencies;
  changed.scalar_fp_exp.disabled = 18;
  changed.scalar_fp_reci.disabled = 6;
  changed.vector_add.disabled = 11;
  changed.vector_exp.disabled = 18;
  return changed;
}

}  // namespace accelscope::boards
