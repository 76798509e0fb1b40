#include "boards/config_toml.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/line_reader.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;
using base::Location;
using Kind = ConfigNode::Kind;

// Tables come sorted by key; a file's own order is what messages and remarks follow.
bool earlier(const toml::source_region& a, const toml::source_region& b) {
  return std::pair(a.begin.line, a.begin.column) < std::pair(b.begin.line, b.begin.column);
}

// The parser bounds how deep values nest, but not how deep dotted keys do, and recurses into them: "a.a.a..."
// of a few hundred kilobytes ends the stack. The first line with more dots than keys can have; 0 for none.
std::uint64_t line_of_endless_key(std::string_view text) {
  constexpr std::ptrdiff_t kMostDots = 32;
  base::LineReader lines(text);
  while (lines.next()) {
    std::string_view line = lines.line();
    const std::size_t comment = line.find('#');
    if (line.find_first_of("\"'") > comment) line = line.substr(0, comment);
    if (std::count(line.begin(), line.end(), '.') > kMostDots) return lines.number();
  }
  return 0;
}

// False where something is nested too deeply.
bool convert(const toml::node& from, std::size_t depth, ConfigNode& to) {
  if (depth >= kMaxConfigDepth) return false;
  to.line = from.source().begin.line;
  if (const toml::table* table = from.as_table()) {
    to.kind = Kind::kMap;
    struct Entry {
      const toml::key* key;
      const toml::node* value;
    };
    std::vector<Entry> entries;
    for (const auto& [key, value] : *table) entries.push_back({&key, &value});
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return earlier(a.key->source(), b.key->source());
    });
    for (const Entry& entry : entries) {
      to.keys.emplace_back(entry.key->str());
      if (!convert(*entry.value, depth + 1, to.items.emplace_back())) return false;
    }
  } else if (const toml::array* array = from.as_array()) {
    to.kind = Kind::kList;
    for (const toml::node& item : *array)
      if (!convert(item, depth + 1, to.items.emplace_back())) return false;
  } else if (const auto* integer = from.as_integer()) {
    to.kind = Kind::kNumber;
    to.text = fmt::format("{}", integer->get());
  } else if (const auto* real = from.as_floating_point()) {
    to.kind = Kind::kNumber;
    to.text = fmt::format("{}", real->get());
  } else if (const auto* truth = from.as_boolean()) {
    to.kind = Kind::kBool;
    to.text = truth->get() ? "true" : "false";
  } else {
    to.kind = Kind::kText;
    const auto* text = from.as_string();
    to.text = text != nullptr ? text->get() : "a date or a time";
  }
  return true;
}

}  // namespace

base::Result<ConfigNode> read_toml(const base::MappedFile& file) {
  ACCELSCOPE_CHECK(check_config_size(file));
  if (const std::uint64_t line = line_of_endless_key(file.text()); line > 0)
    return base::fail_at(Location::line(file.path(), line), ErrorCode::kTooLarge,
                         "has more dots than a key of settings can have");
  try {
    const toml::table table = toml::parse(file.text());
    ConfigNode root;
    if (!convert(table, 0, root))
      return base::fail_at(Location::of_file(file.path()), ErrorCode::kTooLarge, "is nested too deeply");
    return root;
  } catch (const toml::parse_error& error) {
    return base::fail_at(Location::line(file.path(), error.source().begin.line), ErrorCode::kMalformed,
                         "TOML: {}", error.description());
  } catch (const std::exception& error) {
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kMalformed, "TOML: {}", error.what());
  }
}

}  // namespace accelscope::boards
