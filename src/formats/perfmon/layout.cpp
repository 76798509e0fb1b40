#include "formats/perfmon/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace accelscope::formats::perfmon {

namespace {

constexpr std::array<const WordLayout*, 1> kLayouts{&kBiuPerf};

}  // namespace

std::string pipes_text(PipeMask mask) {
  std::string text;
  for (std::size_t i = 0; i < kPipes; ++i) {
    if (((mask >> i) & 1U) == 0) continue;
    if (!text.empty()) text += '+';
    text += kPipeNames[i];
  }
  return text.empty() ? "-" : text;
}

std::span<const WordLayout* const> layouts() {
  return kLayouts;
}

base::Result<const WordLayout*> layout_of(std::string_view name) {
  std::vector<std::string_view> known;
  for (const WordLayout* layout : kLayouts) {
    if (layout->name == name) return layout;
    known.push_back(layout->name);
  }
  return base::fail(base::ErrorCode::kUsage, "there is no layout `{}`; there is {}", name,
                    fmt::join(known, ", "));
}

}  // namespace accelscope::formats::perfmon
