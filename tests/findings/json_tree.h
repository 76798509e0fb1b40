// JSON as a tree that tests can walk, change and write again: numbers and texts stay as they are written.
//
// Plain data; one thread.
//
//   JsonTree tree = parse_json(bytes);
//   tree.members.erase(tree.members.begin());
//   EXPECT_FALSE(read_json(MappedFile::from_memory("x", to_text(tree))));
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <utility>
#include <vector>

namespace accelscope::tests {

struct JsonTree {
  enum class Kind : unsigned char { kNull, kTruth, kInteger, kNumber, kText, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string json = {};  // of what has no parts, as it is written
  std::string text = {};  // of a string, unescaped
  std::vector<JsonTree> items = {};
  std::vector<std::pair<std::string, JsonTree>> members = {};

  const JsonTree* member(std::string_view name) const {
    for (const auto& [key, value] : members)
      if (key == name) return &value;
    return nullptr;
  }
};

inline JsonTree tree_of(simdjson::dom::element element) {
  using Type = simdjson::dom::element_type;
  using Kind = JsonTree::Kind;
  JsonTree tree;
  switch (element.type()) {
    case Type::ARRAY:
      tree.kind = Kind::kArray;
      for (const simdjson::dom::element item : element.get_array()) tree.items.push_back(tree_of(item));
      return tree;
    case Type::OBJECT:
      tree.kind = Kind::kObject;
      for (const auto pair : element.get_object()) tree.members.emplace_back(pair.key, tree_of(pair.value));
      return tree;
    case Type::STRING:
      tree.kind = Kind::kText;
      tree.text = std::string(element.get_string().value_unsafe());
      break;
    case Type::BOOL:
      tree.kind = Kind::kTruth;
      break;
    case Type::NULL_VALUE:
      break;
    case Type::DOUBLE:
      tree.kind = Kind::kNumber;
      break;
    default:
      tree.kind = Kind::kInteger;
  }
  tree.json = simdjson::minify(element);
  return tree;
}

inline JsonTree parse_json(std::string_view bytes) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const auto error = parser.parse(bytes.data(), bytes.size()).get(root);
  EXPECT_EQ(error, simdjson::SUCCESS) << simdjson::error_message(error);
  return error == simdjson::SUCCESS ? tree_of(root) : JsonTree{};
}

inline std::string to_text(const JsonTree& tree) {
  std::string text;
  if (tree.kind == JsonTree::Kind::kArray) {
    for (const JsonTree& item : tree.items) text += (text.empty() ? "" : ",") + to_text(item);
    return "[" + text + "]";
  }
  if (tree.kind == JsonTree::Kind::kObject) {
    for (const auto& [key, value] : tree.members)
      text += (text.empty() ? "\"" : ",\"") + key + "\":" + to_text(value);
    return "{" + text + "}";
  }
  return tree.json;
}

}  // namespace accelscope::tests
