#include "formats/name_map/name_map.h"

#include <fmt/core.h>

#include "base/json_cursor.h"
#include "base/json_outline.h"
#include "base/number_in.h"
#include "base/utf8.h"

namespace accelscope::formats::name_map {
namespace {

using base::ErrorCode;
using base::JsonCursor;

void read_functions(JsonCursor& json, NameMap& names) {
  json.begin_object();
  while (json.next_key()) {
    const auto number = base::number_in<std::int64_t>(json.key());
    const std::string key = base::replace_invalid_utf8(json.key());
    if (json.take_null()) continue;
    std::string name = base::replace_invalid_utf8(json.string());
    if (!json.ok()) return;
    if (!number)
      return json.fail_here(ErrorCode::kMalformed,
                            fmt::format("\"{}\" is not the number of a function", key));
    if (!names.functions.emplace(*number, std::move(name)).second)
      return json.fail_here(ErrorCode::kMalformed, fmt::format("function {} is named twice", *number));
  }
}

}  // namespace

bool looks_like_name_map(std::string_view bytes) {
  return base::JsonOutline(bytes).has("callable_id_to_name");
}

base::Result<NameMap> read_name_map(const base::MappedFile& file) {
  NameMap names;
  bool has_functions = false;
  JsonCursor json(file.text(), file.path());
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "callable_id_to_name") {
      has_functions = true;
      read_functions(json, names);
    } else if (json.key() == "orchestrator_name") {
      if (!json.take_null()) names.orchestrator = base::replace_invalid_utf8(json.string());
    } else {
      json.skip_value();
    }
  }
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  if (!has_functions)
    return base::fail_at(base::Location::of_file(file.path()), ErrorCode::kMalformed,
                         "a name map has a member \"callable_id_to_name\"; this has none");
  return names;
}

}  // namespace accelscope::formats::name_map
