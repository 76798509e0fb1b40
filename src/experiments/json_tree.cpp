#include "experiments/json_tree.h"

#include <simdjson.h>

#include <algorithm>

#include "base/mapped_file.h"

namespace accelscope::experiments {
namespace {

namespace ondemand = simdjson::ondemand;
using base::ErrorCode;
using base::Location;

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      ends_.push_back(at);
  }
  std::uint64_t of(const char* place) const {
    const auto offset = static_cast<std::size_t>(place - text_.data());
    return static_cast<std::uint64_t>(std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin()) +
           1;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> ends_;
};

simdjson::error_code build(ondemand::value value, const Lines& lines, JsonNode& node);

simdjson::error_code build_object(ondemand::object object, const Lines& lines, JsonNode& node) {
  node.kind = JsonNode::Kind::kObject;
  for (auto field : object) {
    std::string_view key;
    if (const auto error = field.unescaped_key().get(key)) return error;
    node.keys.emplace_back(key);
    ondemand::value value;
    if (const auto error = field.value().get(value)) return error;
    if (const auto error = build(value, lines, node.items.emplace_back())) return error;
  }
  return simdjson::SUCCESS;
}

simdjson::error_code build_array(ondemand::array array, const Lines& lines, JsonNode& node) {
  node.kind = JsonNode::Kind::kArray;
  for (auto item : array) {
    ondemand::value value;
    if (const auto error = item.get(value)) return error;
    if (const auto error = build(value, lines, node.items.emplace_back())) return error;
  }
  return simdjson::SUCCESS;
}

simdjson::error_code build_number(ondemand::value value, JsonNode& node) {
  if (value.get_int64().get(node.integer) == simdjson::SUCCESS) {
    node.kind = JsonNode::Kind::kInteger;
    node.real = static_cast<double>(node.integer);
    return simdjson::SUCCESS;
  }
  node.kind = JsonNode::Kind::kReal;
  return value.get_double().get(node.real);
}

simdjson::error_code build(ondemand::value value, const Lines& lines, JsonNode& node) {
  node.line = lines.of(value.raw_json_token().data());
  ondemand::json_type type = ondemand::json_type::null;
  if (const auto error = value.type().get(type)) return error;
  switch (type) {
    case ondemand::json_type::object: {
      ondemand::object object;
      const auto error = value.get_object().get(object);
      return error != simdjson::SUCCESS ? error : build_object(object, lines, node);
    }
    case ondemand::json_type::array: {
      ondemand::array array;
      const auto error = value.get_array().get(array);
      return error != simdjson::SUCCESS ? error : build_array(array, lines, node);
    }
    case ondemand::json_type::number:
      return build_number(value, node);
    case ondemand::json_type::string: {
      std::string_view text;
      const auto error = value.get_string().get(text);
      node.kind = JsonNode::Kind::kText;
      node.text = text;
      return error;
    }
    case ondemand::json_type::boolean:
      node.kind = JsonNode::Kind::kBool;
      return value.get_bool().get(node.truth);
    case ondemand::json_type::null:
      return simdjson::SUCCESS;
  }
  return simdjson::TAPE_ERROR;
}

tl::unexpected<base::Error> malformed(const std::string& name, simdjson::error_code error) {
  return base::fail_at(Location::of_file(name), ErrorCode::kMalformed, "is not valid JSON: {}",
                       simdjson::error_message(error));
}

base::Result<base::MappedFile> open_small(const std::string& path) {
  ACCELSCOPE_TRY(base::MappedFile file, base::MappedFile::open(path, kMaxJsonFileBytes));
  if (file.size() > kMaxJsonFileBytes)
    return base::fail_at(Location::of_file(path), ErrorCode::kTooLarge, "has {} bytes; {} are the most",
                         file.size(), kMaxJsonFileBytes);
  return file;
}

std::string with_null_for_python_constants(std::string_view json) {
  std::string out;
  bool in_text = false;
  while (!json.empty()) {
    std::size_t taken = 1;
    const char first = json.front();
    if (in_text && first == '\\') {
      taken = std::min<std::size_t>(2, json.size());
    } else if (first == '"') {
      in_text = !in_text;
    } else if (!in_text) {
      for (const std::string_view constant : {"NaN", "Infinity", "-Infinity"})
        if (json.starts_with(constant)) taken = constant.size();
    }
    out += taken > 2 ? "null" : json.substr(0, taken);
    json.remove_prefix(taken);
  }
  return out;
}

const std::vector<JsonNode>& no_items() {
  static const std::vector<JsonNode> kNone;
  return kNone;
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  for (std::size_t i = keys.size(); i > 0; --i)
    if (keys[i - 1] == key) return &items[i - 1];
  return nullptr;
}

std::optional<std::string> JsonNode::find_text(std::string_view key) const {
  const JsonNode* node = find(key);
  if (node == nullptr || !node->is_text()) return std::nullopt;
  return node->text;
}

std::optional<std::int64_t> JsonNode::find_integer(std::string_view key) const {
  const JsonNode* node = find(key);
  if (node == nullptr || !node->is_integer()) return std::nullopt;
  return node->integer;
}

std::optional<double> JsonNode::find_number(std::string_view key) const {
  const JsonNode* node = find(key);
  if (node == nullptr || !node->is_number()) return std::nullopt;
  return node->real;
}

std::optional<bool> JsonNode::find_bool(std::string_view key) const {
  const JsonNode* node = find(key);
  if (node == nullptr || node->kind != Kind::kBool) return std::nullopt;
  return node->truth;
}

const std::vector<JsonNode>& JsonNode::find_items(std::string_view key) const {
  const JsonNode* node = find(key);
  return node != nullptr && node->is_array() ? node->items : no_items();
}

std::string_view kind_in_words(JsonNode::Kind kind) {
  switch (kind) {
    case JsonNode::Kind::kNull:
      return "null";
    case JsonNode::Kind::kBool:
      return "true or false";
    case JsonNode::Kind::kInteger:
      return "a whole number";
    case JsonNode::Kind::kReal:
      return "a number with a fraction";
    case JsonNode::Kind::kText:
      return "a text";
    case JsonNode::Kind::kArray:
      return "an array";
    case JsonNode::Kind::kObject:
      return "an object";
  }
  return "something else";
}

base::Result<JsonNode> parse_json(const std::string& name, std::string_view json) {
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return base::fail_at(Location::of_file(name), ErrorCode::kTruncated,
                         "is empty; a JSON object is expected");
  const simdjson::padded_string padded(json);
  // The whole document is checked first: the parser that knows places looks only at what it passes.
  simdjson::dom::parser checker;
  simdjson::dom::element whole;
  if (const auto error = checker.parse(padded).get(whole)) return malformed(name, error);
  if (!whole.is_object() && !whole.is_array())
    return base::fail_at(Location::of_file(name), ErrorCode::kMalformed, "a JSON object is expected");

  const Lines lines({padded.data(), padded.size()});
  ondemand::parser parser;
  ondemand::document document;
  if (const auto error = parser.iterate(padded).get(document)) return malformed(name, error);
  ondemand::value value;
  if (const auto error = document.get_value().get(value)) return malformed(name, error);
  JsonNode root;
  if (const auto error = build(value, lines, root)) return malformed(name, error);
  return root;
}

base::Result<JsonNode> read_json_file(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file, open_small(path));
  return parse_json(path, file.text());
}

base::Result<JsonNode> read_python_json_file(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file, open_small(path));
  auto node = parse_json(path, file.text());
  return node ? node : parse_json(path, with_null_for_python_constants(file.text()));
}

void write_json(base::JsonWriter& json, const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::kNull:
      json.null();
      return;
    case JsonNode::Kind::kBool:
      json.value(node.truth);
      return;
    case JsonNode::Kind::kInteger:
      json.value(node.integer);
      return;
    case JsonNode::Kind::kReal:
      json.value(node.real);
      return;
    case JsonNode::Kind::kText:
      json.value(node.text);
      return;
    case JsonNode::Kind::kArray:
      json.begin_array();
      for (const JsonNode& item : node.items) write_json(json, item);
      json.end_array();
      return;
    case JsonNode::Kind::kObject:
      json.begin_object();
      for (std::size_t i = 0; i < node.keys.size(); ++i) {
        json.key(node.keys[i]);
        write_json(json, node.items[i]);
      }
      json.end_object();
      return;
  }
}

}  // namespace accelscope::experiments
