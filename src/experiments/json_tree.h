// A JSON document as a tree that remembers the line of every value, so that a message about a config can say
// where. For small files (configs, manifests); traces are read by formats/.
//
// Keys keep their order, and a key that is given twice is there twice: find() answers the last one, as most
// readers do, and whoever minds looks at `keys`. Plain values: the tree owns all of it, and threads share one
// as they would share any value.
//
//   ACCELSCOPE_TRY(const JsonNode root, read_json_file("config.json"));
//   if (const JsonNode* model = root.find("model"); model != nullptr && model->is_text()) use(model->text);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"

namespace accelscope::experiments {

struct JsonNode {
  enum class Kind : std::uint8_t { kNull, kBool, kInteger, kReal, kText, kArray, kObject };

  Kind kind = Kind::kNull;
  std::uint64_t line = 0;  // from 1; 0 when it was not read from a file
  bool truth = false;
  std::int64_t integer = 0;
  double real = 0;  // of integers, too
  std::string text = {};
  std::vector<std::string> keys = {};  // of an object: keys[i] names items[i]
  std::vector<JsonNode> items = {};    // of an array or an object

  bool is_text() const { return kind == Kind::kText; }
  bool is_integer() const { return kind == Kind::kInteger; }
  bool is_number() const { return kind == Kind::kInteger || kind == Kind::kReal; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_object() const { return kind == Kind::kObject; }

  // The value of a key, or nullptr; nullptr, too, when this is not an object.
  const JsonNode* find(std::string_view key) const;
  // The same, when it is of the kind asked for.
  std::optional<std::string> find_text(std::string_view key) const;
  std::optional<std::int64_t> find_integer(std::string_view key) const;
  std::optional<double> find_number(std::string_view key) const;
  std::optional<bool> find_bool(std::string_view key) const;
  // The items of an array; nothing when there is no such array.
  const std::vector<JsonNode>& find_items(std::string_view key) const;
};

// "an object", "a text", ...: for messages.
std::string_view kind_in_words(JsonNode::Kind kind);

// The document must be an object or an array. `name` is the file's, for messages.
base::Result<JsonNode> parse_json(const std::string& name, std::string_view json);

// Files beyond this are no config and no manifest.
inline constexpr std::size_t kMaxJsonFileBytes = std::size_t{256} << 20;
base::Result<JsonNode> read_json_file(const std::string& path);
// The same for what Python wrote: its NaN, Infinity and -Infinity, which are no JSON, become null.
base::Result<JsonNode> read_python_json_file(const std::string& path);

void write_json(base::JsonWriter& json, const JsonNode& node);

}  // namespace accelscope::experiments
