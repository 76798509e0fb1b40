#include "base/json_outline.h"

#include <algorithm>

#include "base/json_cursor.h"

namespace accelscope::base {
namespace {

// Deeper keys are of no use for knowing a file.
constexpr int kMaxDepth = 6;
constexpr std::size_t kReadableBehind = 64;

}  // namespace

JsonOutline::JsonOutline(std::string_view text) {
  // The cursor reads behind its text; the head of a caller's buffer may have nothing there.
  std::string head(text.substr(0, kHeadBytes));
  const std::size_t size = head.size();
  head.append(kReadableBehind, '\0');
  JsonCursor json(std::string_view(head).substr(0, size), "");
  if (json.kind() == JsonKind::kObject) walk(json, "", 0);
}

bool JsonOutline::has(std::string_view path) const {
  return std::find(paths_.begin(), paths_.end(), path) != paths_.end();
}

void JsonOutline::walk(JsonCursor& json, const std::string& path, int depth) {
  const JsonKind kind = json.kind();
  if (depth < kMaxDepth && kind == JsonKind::kObject) {
    json.begin_object();
    while (json.next_key()) {
      std::string key = path.empty() ? std::string(json.key()) : path + "/" + std::string(json.key());
      if (!has(key)) paths_.push_back(key);
      walk(json, key, depth + 1);
    }
  } else if (depth < kMaxDepth && kind == JsonKind::kArray) {
    json.begin_array();
    while (json.next_element()) walk(json, path, depth + 1);
  } else {
    json.skip_value();
  }
}

}  // namespace accelscope::base
