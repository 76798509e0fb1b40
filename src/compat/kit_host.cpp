#include "compat/kit_host.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <ctime>

namespace accelscope::compat {
namespace {

std::string time_text(const std::tm& moment, const char* format) {
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), format, &moment));
  return text;
}

}  // namespace

KitHost kit_host() {
  utsname system{};
  if (uname(&system) != 0) return {"Unknown", "Unknown", "Unknown"};
  return {system.machine, system.sysname, system.version};
}

std::string kit_local_time(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm moment{};
  localtime_r(&seconds, &moment);
  return time_text(moment, "%Y-%m-%d %H:%M:%S");
}

std::string kit_utc_time(std::chrono::system_clock::time_point time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const auto microseconds = std::chrono::floor<std::chrono::microseconds>(time - whole).count();
  const std::time_t seconds = whole.time_since_epoch().count();
  std::tm moment{};
  gmtime_r(&seconds, &moment);
  // Python leaves out a fraction of nothing.
  const std::string fraction = microseconds == 0 ? "" : fmt::format(".{:06}", microseconds);
  return time_text(moment, "%Y-%m-%dT%H:%M:%S") + fraction + "+00:00";
}

}  // namespace accelscope::compat
