#include "boards/config_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/number_in.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;
using base::Location;
using Kind = ConfigNode::Kind;

Kind kind_of_plain(std::string_view text) {
  if (text == "true" || text == "false" || text == "True" || text == "False") return Kind::kBool;
  // Letters that from_chars takes for numbers ("nan", "inf") are texts here.
  const bool begins_as_number = text.find_first_of("0123456789") <= 1;
  return begins_as_number && base::number_in<double>(text) ? Kind::kNumber : Kind::kText;
}

// Builds the tree from the parser's events, because the library's own nodes resolve aliases and forget what
// was quoted. What it refuses it throws, through the parser, as the parser's own errors.
class TreeBuilder : public YAML::EventHandler {
 public:
  ConfigNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(mark, node(Kind::kNull, mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw YAML::ParserException(mark, "aliases (*name) are not allowed here; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    const bool quoted = tag == "!";
    ConfigNode scalar = node(quoted ? Kind::kText : kind_of_plain(value), mark);
    scalar.text = value;
    if (scalar.kind == Kind::kBool) scalar.text = value.size() == 4 ? "true" : "false";
    add(mark, std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    ConfigNode node;
    YAML::Mark mark;
    bool has_key = false;
  };

  static ConfigNode node(Kind kind, const YAML::Mark& mark) {
    ConfigNode made;
    made.kind = kind;
    made.line = mark.line < 0 ? 0 : static_cast<std::uint64_t>(mark.line) + 1;
    return made;
  }
  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) throw YAML::ParserException(mark, "anchors (&name) are not allowed here");
  }
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "!" && tag != "?")
      throw YAML::ParserException(mark, "tags (!name) are not allowed here");
  }

  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (!open_.empty() && open_.back().node.is_map() && !open_.back().has_key)
      throw YAML::ParserException(mark, "a key is a plain word");
    if (open_.size() >= kMaxConfigDepth) throw YAML::ParserException(mark, "is nested too deeply");
    open_.push_back({node(kind, mark), mark});
  }
  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(closed.mark, std::move(closed.node));
  }
  void add(const YAML::Mark& mark, ConfigNode value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (!parent.node.is_map()) {
      parent.node.items.push_back(std::move(value));
    } else if (parent.has_key) {
      // A block below a key begins on the line after it; the key's own line is what people look for.
      value.line = parent.node.items.back().line;
      parent.node.items.back() = std::move(value);
      parent.has_key = false;
    } else {
      if (value.kind == Kind::kNull) throw YAML::ParserException(mark, "a key is missing");
      parent.node.keys.push_back(std::move(value.text));
      parent.node.items.push_back(node(Kind::kNull, mark));
      parent.has_key = true;
    }
  }

  std::vector<Open> open_;
  ConfigNode root_;
};

}  // namespace

base::Result<ConfigNode> read_yaml(const base::MappedFile& file) {
  if (file.size() > kMaxConfigBytes)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kTooLarge,
                         "has {} bytes; {} are the most", file.size(), kMaxConfigBytes);
  try {
    std::istringstream text{std::string(file.text())};
    YAML::Parser parser(text);
    TreeBuilder first;
    if (!parser.HandleNextDocument(first))
      return base::fail_at(Location::of_file(file.path()), ErrorCode::kTruncated,
                           "is empty; YAML with `key: value` lines is expected");
    TreeBuilder second;
    if (parser.HandleNextDocument(second))
      return base::fail_at(Location::of_file(file.path()), ErrorCode::kMalformed,
                           "holds more than one YAML document; one is expected");
    return first.take();
  } catch (const YAML::Exception& error) {
    const auto line = static_cast<std::uint64_t>(std::max(error.mark.line, 0)) + 1;
    return base::fail_at(Location::line(file.path(), line), ErrorCode::kMalformed, "YAML: {}", error.msg);
  }
}

}  // namespace accelscope::boards
