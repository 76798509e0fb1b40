// Takes fields out of a ConfigNode and collects what is wrong with them, so that all errors of a file are
// reported at once, each with its line and its dotted key.
//
// A map knows the keys it was asked for; what else it holds is unknown, and reported with the nearest known
// key. One thread fills one list of problems; a map must not outlive its node and its problems.
//
//   ConfigProblems problems(file.path());
//   ConfigMap board(root, problems);
//   const std::uint64_t luts = board.map("resources").integer("luts", {0, kMost}).value_or(0);
//   board.refuse_unknown();
//   ACCELSCOPE_CHECK(problems.status());
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "boards/config_node.h"

namespace accelscope::boards {

class ConfigProblems {
 public:
  // More are counted, not kept.
  static constexpr std::size_t kMostKept = 100;

  explicit ConfigProblems(std::string file) : file_(std::move(file)) {}

  // `line` 0: of the whole file.
  template <class... Args>
  void add(std::uint64_t line, fmt::format_string<Args...> text, Args&&... args) {
    if (++count_ > kMostKept) return;
    kept_.push_back({line, fmt::format(text, std::forward<Args>(args)...)});
  }
  bool none() const { return count_ == 0; }
  bool full() const { return count_ >= kMostKept; }
  // An error with all that is kept, by line, each on a line of its own.
  base::Status status() const;

 private:
  struct Problem {
    std::uint64_t line;
    std::string text;
  };

  std::string file_;
  std::vector<Problem> kept_;
  std::uint64_t count_ = 0;
};

struct ConfigRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};
// Sides of tiles and batches.
inline constexpr ConfigRange kTileRange{1, 1U << 24U};
// Of boards and settings: rows and bytes of memories, bits of buses, cycles of one instruction.
inline constexpr ConfigRange kRowRange{1, std::uint64_t{1} << 40U};
inline constexpr ConfigRange kByteRange{1, std::uint64_t{1} << 60U};
inline constexpr ConfigRange kWidthRange{1, 1U << 20U};
inline constexpr ConfigRange kLatencyRange{0, 1'000'000};

class ConfigMap {
 public:
  // The outermost map of a file.
  ConfigMap(const ConfigNode& node, ConfigProblems& problems);

  // False of a map that is not there: then no field is found, and none is missed.
  bool present() const { return node_ != nullptr; }
  bool has(std::string_view key) { return find(key) != nullptr; }
  // The value of a key; nullptr where it is missing or null. The key is known from then on.
  const ConfigNode* find(std::string_view key);
  // Another name of a key that is known; the value under either, an error where both are given.
  const ConfigNode* find(std::string_view key, std::string_view older_name);

  // Each of these answers nothing where the key is missing, and where its value is wrong, which is a problem.
  std::optional<std::string> text(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::uint64_t> integer(std::string_view key, ConfigRange range);
  std::optional<double> number(std::string_view key, double least, double most);
  // A decimal without exponent times a power of ten, exactly; what is left behind the last digit is dropped.
  // `unit` is for messages: "GB/s".
  std::optional<std::int64_t> scaled(std::string_view key, std::int64_t factor, std::string_view unit);
  ConfigMap map(std::string_view key);
  // The items of a list; one that is not there is empty.
  std::span<const ConfigNode> list(std::string_view key);

  // The same, for what must be there.
  std::string required_text(std::string_view key);
  std::uint64_t required_integer(std::string_view key, ConfigRange range);
  ConfigMap required_map(std::string_view key);
  void complain_if_missing(std::string_view key);

  // An item of list(), as a map.
  ConfigMap item(const ConfigNode& node, std::string_view list_key, std::size_t index) const;
  std::optional<std::uint64_t> integer_of(const ConfigNode& node, std::string_view key, ConfigRange range);

  // Keys that nobody asked for are problems.
  void refuse_unknown();
  // Keys that nobody asked for, dotted.
  std::vector<std::string> unknown() const;

  template <class... Args>
  void problem(std::string_view key, fmt::format_string<Args...> text, Args&&... args) {
    problems_->add(line_of(key), "`{}`: {}", path_of(key), fmt::format(text, std::forward<Args>(args)...));
  }
  void wrong_kind(std::string_view key, const ConfigNode& value, std::string_view expected);
  std::string path_of(std::string_view key) const;
  std::uint64_t line_of(std::string_view key) const;
  ConfigProblems& problems() const { return *problems_; }
  // Of a map that is there.
  const ConfigNode& node() const { return *node_; }

 private:
  ConfigMap(const ConfigNode* node, std::string path, ConfigProblems& problems);
  // Which of the items.
  std::vector<std::size_t> unknown_items() const;

  const ConfigNode* node_;
  std::string path_;
  ConfigProblems* problems_;
  std::vector<std::string_view> known_;
};

// What a value is, for messages: "the text `x`", "a list".
std::string in_words(const ConfigNode& node);
// A key or a text of a file, fit for a message: cut where it is long, and without control characters.
std::string shown(std::string_view text);

}  // namespace accelscope::boards
