#include "device/settings_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/closest_name.h"
#include "base/preset_file.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;

// Beyond this, a file is something else.
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20U;

}  // namespace

base::Status read_settings(const base::MappedFile& file, std::string_view what,
                           std::span<const std::string_view> keys, const ReadSetting& read) {
  if (file.size() > kMaxFileBytes)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kTooLarge,
                         "has {} bytes: this describes no {}", file.size(), what);
  base::JsonCursor json(file.text(), file.path());
  std::vector<bool> given(keys.size(), false);
  json.begin_object();
  while (json.next_key()) {
    const std::string key(json.key());
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      json.fail_here(ErrorCode::kMalformed,
                     fmt::format("a {} has no `{}`{}", what, key, base::suggestion(key, keys)));
      break;
    }
    const auto which = static_cast<std::size_t>(found - keys.begin());
    if (given[which]) json.fail_here(ErrorCode::kMalformed, "is given twice");
    given[which] = true;
    if (json.ok()) read(which, json);
    if (json.ok()) continue;
    base::Error error = json.status().error();
    error.message = fmt::format("`{}`: {}", key, error.message);
    return tl::unexpected(std::move(error));
  }
  json.expect_end();
  return json.status();
}

std::uint64_t integer_setting(base::JsonCursor& json, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t value = json.unsigned_integer();
  if (json.ok() && (value < least || value > most))
    json.fail_here(ErrorCode::kMalformed, fmt::format("{} is not from {} to {}", value, least, most));
  return value;
}

double number_setting(base::JsonCursor& json, double least, double most) {
  const double value = json.number();
  if (json.ok() && (value < least || value > most))
    json.fail_here(ErrorCode::kMalformed, fmt::format("{} is not from {} to {}", value, least, most));
  return value;
}

base::Result<base::MappedFile> open_settings(const std::string& name_or_path, std::string_view what,
                                             std::span<const base::EmbeddedFile> presets) {
  return base::open_preset(name_or_path, what, presets, kMaxFileBytes);
}

}  // namespace accelscope::device
