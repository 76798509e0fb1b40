#include "boards/config_json.h"

#include <algorithm>

#include "base/json_cursor.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;
using base::JsonKind;
using base::Location;
using Kind = ConfigNode::Kind;

class TreeReader {
 public:
  explicit TreeReader(const base::MappedFile& file) : text_(file.text()), json_(file.text(), file.path()) {}

  base::Result<ConfigNode> read() {
    ConfigNode root = value(0);
    json_.expect_end();
    ACCELSCOPE_CHECK(json_.status());
    return root;
  }

 private:
  ConfigNode value(std::size_t depth) {
    ConfigNode node;
    const JsonKind kind = json_.kind();
    node.line = line_of(json_.offset());
    switch (kind) {
      case JsonKind::kObject:
      case JsonKind::kArray:
        if (depth >= kMaxConfigDepth)
          json_.fail_here(ErrorCode::kTooLarge, "is nested too deeply");
        else
          read_items(kind == JsonKind::kObject, depth, node);
        break;
      case JsonKind::kString:
        node.kind = Kind::kText;
        node.text = json_.string();
        break;
      case JsonKind::kNumber:
        node.kind = Kind::kNumber;
        node.text = json_.raw_value();
        break;
      case JsonKind::kTrue:
      case JsonKind::kFalse:
        node.kind = Kind::kBool;
        node.text = json_.boolean() ? "true" : "false";
        break;
      case JsonKind::kNull:
      case JsonKind::kNothing:
        json_.skip_value();
        break;
    }
    return node;
  }

  void read_items(bool object, std::size_t depth, ConfigNode& node) {
    node.kind = object ? Kind::kMap : Kind::kList;
    if (object) {
      json_.begin_object();
      while (json_.next_key()) {
        node.keys.emplace_back(json_.key());
        node.items.push_back(value(depth + 1));
      }
    } else {
      json_.begin_array();
      while (json_.next_element()) node.items.push_back(value(depth + 1));
    }
  }

  // Offsets come in order.
  std::uint64_t line_of(std::uint64_t offset) {
    const auto end = std::min<std::size_t>(static_cast<std::size_t>(offset), text_.size());
    for (; counted_ < end; ++counted_)
      if (text_[counted_] == '\n') ++line_;
    return line_;
  }

  std::string_view text_;
  base::JsonCursor json_;
  std::size_t counted_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace

base::Result<ConfigNode> read_json(const base::MappedFile& file) {
  if (file.size() > kMaxConfigBytes)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kTooLarge,
                         "has {} bytes; {} are the most", file.size(), kMaxConfigBytes);
  return TreeReader(file).read();
}

}  // namespace accelscope::boards
