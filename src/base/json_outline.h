// Which keys stand in the first bytes of a JSON text: what a file is known by, whatever the order of its
// keys and the blanks between them.
//
// Pure, safe from any thread; the outline owns its keys. Of an array, all elements are looked at as if they
// were one.
//
//   const JsonOutline outline(R"({"tasks": [{"task_id": "7", ...)");
//   outline.has("tasks/task_id")      // true
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accelscope::base {

class JsonCursor;

class JsonOutline {
 public:
  static constexpr std::size_t kHeadBytes = std::size_t{8} << 10U;

  // Looks at the first kHeadBytes at most, and at the first document in them. Text that is no JSON has the
  // keys up to the first fault.
  explicit JsonOutline(std::string_view text);

  // Keys from the outermost object inwards, with slashes between them.
  bool has(std::string_view path) const;

 private:
  void walk(JsonCursor& json, const std::string& path, int depth);

  std::vector<std::string> paths_;
};

}  // namespace accelscope::base
