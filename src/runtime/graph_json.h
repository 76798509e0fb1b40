// JSON read value by value, for graph_file.h: what is wrong with a value is noted with its place and the
// reading goes on, so that all of it can be told at once.
//
// What is no JSON at all ends the reading: status() tells. One thread uses one reader; the text must outlive
// it and be followed by 64 readable bytes.
//
//   GraphJson json(text, "graph.json");
//   json.object(kKeys, [&](std::size_t key) { if (key == 0) name = json.text().value_or(""); });
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_cursor.h"
#include "base/result.h"

namespace accelscope::runtime {

struct FileProblem {
  std::uint64_t offset = 0;
  std::string text = {};  // begins with the place in the document: "steps[3].args[0].shape: ..."
};

class GraphJson {
 public:
  static constexpr std::size_t kMostProblems = 1000;

  GraphJson(std::string_view text, std::string name)
      : text_(text), name_(std::move(name)), cursor_(text, name_) {}

  // Goes to a value that was passed before. Its place is called `key`.
  void go_to(std::uint64_t offset, std::string_view key);

  base::JsonKind kind() { return cursor_.kind(); }
  // Of what stands next.
  std::uint64_t offset() {
    cursor_.kind();
    return cursor_.offset();
  }
  base::Status status() const { return cursor_.status(); }
  void skip() { cursor_.skip_value(); }
  void expect_end() { cursor_.expect_end(); }

  // Calls `take(position in known)` for each member; it must move past the value. Others are noted.
  template <class Take>
  void object(std::span<const std::string_view> known, Take&& take) {
    if (!is(base::JsonKind::kObject, "an object")) return;
    std::uint64_t seen = 0;
    cursor_.begin_object();
    while (cursor_.next_key()) {
      const std::size_t position = known_key(known, seen);
      if (position == known.size()) {
        skip();
        continue;
      }
      path_.push_back({known[position], 0});
      take(position);
      path_.pop_back();
    }
  }

  // Calls `take(name)` for each member, whatever its key. The name lives until the call ends.
  template <class Take>
  void names(Take&& take) {
    if (!is(base::JsonKind::kObject, "an object")) return;
    cursor_.begin_object();
    while (cursor_.next_key()) {
      const std::string name(cursor_.key());
      path_.push_back({name, 0});
      take(name);
      path_.pop_back();
    }
  }

  template <class Take>
  void array(Take&& take) {
    if (!is(base::JsonKind::kArray, "an array")) return;
    cursor_.begin_array();
    for (std::size_t i = 0; cursor_.next_element(); ++i) {
      path_.push_back({{}, i});
      take(i);
      path_.pop_back();
    }
  }

  // Each moves past the value; nothing when it is of another kind or out of range, which is noted.
  std::optional<std::uint64_t> whole_number(std::uint64_t least, std::uint64_t most);
  std::optional<double> number();
  std::optional<bool> truth();
  std::optional<std::string> text();
  // Moves past a null, if that stands here.
  bool null() { return cursor_.take_null(); }

  // Notes something about the value at `offset`, in the place where the reading is now.
  void complain(std::uint64_t offset, std::string_view text);
  // The value that stands here is of no use: notes it and moves past it.
  void wrong_kind(std::string_view expected);

  std::uint64_t problems() const { return count_; }
  std::vector<FileProblem> take_problems() { return std::move(problems_); }

 private:
  struct Part {
    std::string_view key;
    std::size_t index;
  };

  bool is(base::JsonKind wanted, std::string_view words);
  std::size_t known_key(std::span<const std::string_view> known, std::uint64_t& seen);
  std::string place() const;

  std::string_view text_;
  std::string name_;
  base::JsonCursor cursor_;
  std::vector<Part> path_;
  std::vector<FileProblem> problems_;
  std::uint64_t count_ = 0;
};

}  // namespace accelscope::runtime
