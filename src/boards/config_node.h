// What a file of settings says, as a tree that remembers the line of everything: the same for YAML, TOML and
// JSON, so that one reader (config_reader.h) serves them all.
//
// Numbers are kept as they were written, so that no decimal is rounded before its unit is known. Plain data:
// a node owns what is below it; safe from any thread.
//
//   ACCELSCOPE_TRY(const ConfigNode root, read_yaml(file));
//   root.find("clock_mhz")->text     // "100"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accelscope::boards {

struct ConfigNode {
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kText, kList, kMap };

  Kind kind = Kind::kNull;
  std::uint64_t line = 0;              // from 1; 0: not known
  std::string text = {};               // of scalars
  std::vector<std::string> keys = {};  // of a map: keys[i] names items[i]
  std::vector<ConfigNode> items = {};  // of a list or a map

  bool is_map() const { return kind == Kind::kMap; }
  // nullptr where there is none; the first one where there are several.
  const ConfigNode* find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == key) return &items[i];
    return nullptr;
  }
};

// Beyond these, a file describes no board, no model and no settings. The depth also bounds every recursion.
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxConfigDepth = 24;

}  // namespace accelscope::boards
