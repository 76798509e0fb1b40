#include "device/core_list.h"

#include <fmt/core.h>

#include <optional>

#include "base/number_in.h"

namespace accelscope::device {

base::Result<std::vector<std::uint32_t>> parse_core_list(std::string_view text, std::uint32_t cores) {
  std::vector<bool> chosen(cores);
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    const std::size_t dash = part.find('-');
    const auto first = base::number_in<std::uint32_t>(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : base::number_in<std::uint32_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last)
      return base::fail(base::ErrorCode::kUsage, "{}: expected cores such as 0-3,7", text);
    if (*last >= cores)
      return base::fail(base::ErrorCode::kUsage, "{}: there is no core {}; the last of {} is {}", text, *last,
                        cores, cores - 1);
    for (std::uint32_t core = *first; core <= *last; ++core) chosen[core] = true;
  }
  std::vector<std::uint32_t> list;
  for (std::uint32_t core = 0; core < cores; ++core)
    if (chosen[core]) list.push_back(core);
  return list;
}

std::string format_core_list(std::span<const std::uint32_t> cores) {
  std::string text;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t end = i + 1;
    while (end < cores.size() && cores[end] == cores[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}", cores[i]);
    if (end - i > 1) text += fmt::format("{}{}", end - i > 2 ? "-" : ", ", cores[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace accelscope::device
