// docs/findings.schema.json says what the writer writes and what the reader wants: neither may drift from it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "findings/findings_json.h"
#include "findings/json_tree.h"
#include "findings/sample_findings.h"
#include "support/temporary_folder.h"

namespace accelscope::findings {
namespace {

using tests::JsonTree;
using Kind = JsonTree::Kind;

std::string schema_json(const Findings& findings) {
  base::MemoryOutput out;
  write_json(findings, out);
  return std::string(out.bytes());
}

// Checks a document against the part of JSON Schema (draft 2020-12) that our schema uses; any other keyword
// is a fault, and so is a member that the schema does not describe.
class SchemaChecker {
 public:
  explicit SchemaChecker(const JsonTree& root) : root_(root) {}

  std::vector<std::string> faults_of(const JsonTree& document) {
    faults_.clear();
    check(document, root_, "");
    return faults_;
  }

 private:
  void check(const JsonTree& value, const JsonTree& schema, const std::string& place) {
    for (const auto& [keyword, rule] : schema.members) {
      if (keyword == "$ref")
        check(value, resolved(rule.text), place);
      else if (keyword == "type")
        require(is_of_type(value, rule), place, "type");
      else if (keyword == "const")
        require(value.json == rule.json, place, "const");
      else if (keyword == "enum")
        require(std::any_of(rule.items.begin(), rule.items.end(),
                            [&](const JsonTree& one) { return one.json == value.json; }),
                place, "enum");
      else if (keyword == "minimum" || keyword == "maximum")
        check_bound(value, rule, keyword == "minimum", place);
      else if (keyword == "anyOf")
        check_any(value, rule, place);
      else if (keyword == "properties")
        check_properties(value, rule, place);
      else if (keyword == "required")
        check_required(value, rule, place);
      else if (keyword == "items")
        for (std::size_t i = 0; i < value.items.size(); ++i)
          check(value.items[i], rule, place + "[" + std::to_string(i) + "]");
      else
        require(known_notes_.count(keyword) == 1, place, "this checker does not know " + keyword);
    }
  }

  const JsonTree& resolved(std::string_view reference) {
    constexpr std::string_view kStart = "#/$defs/";
    const JsonTree* found = reference.starts_with(kStart)
                                ? root_.member("$defs")->member(reference.substr(kStart.size()))
                                : nullptr;
    require(found != nullptr, std::string(reference), "resolves");
    return found == nullptr ? nothing_ : *found;
  }

  static bool is_of_type(const JsonTree& value, const JsonTree& rule) {
    if (rule.kind == Kind::kArray)
      return std::any_of(rule.items.begin(), rule.items.end(),
                         [&](const JsonTree& one) { return is_of_type(value, one); });
    switch (value.kind) {
      case Kind::kNull:
        return rule.text == "null";
      case Kind::kTruth:
        return rule.text == "boolean";
      case Kind::kInteger:
        return rule.text == "integer" || rule.text == "number";
      case Kind::kNumber:
        return rule.text == "number";
      case Kind::kText:
        return rule.text == "string";
      case Kind::kArray:
        return rule.text == "array";
      case Kind::kObject:
        return rule.text == "object";
    }
    return false;
  }

  void check_bound(const JsonTree& value, const JsonTree& rule, bool at_least, const std::string& place) {
    if (value.kind != Kind::kInteger) return;
    const long double number = std::stold(value.json);
    const long double bound = std::stold(rule.json);
    require(at_least ? number >= bound : number <= bound, place, "bound");
  }

  void check_any(const JsonTree& value, const JsonTree& rule, const std::string& place) {
    std::vector<std::string> kept = std::move(faults_);
    bool fits = false;
    for (const JsonTree& one : rule.items) {
      faults_.clear();
      check(value, one, place);
      fits = fits || faults_.empty();
    }
    faults_ = std::move(kept);
    require(fits, place, "anyOf");
  }

  void check_properties(const JsonTree& value, const JsonTree& rule, const std::string& place) {
    for (const auto& [name, content] : value.members) {
      const JsonTree* schema = rule.member(name);
      require(schema != nullptr, place + "." + name, "is described");
      if (schema != nullptr) check(content, *schema, place + "." + name);
    }
  }

  void check_required(const JsonTree& value, const JsonTree& rule, const std::string& place) {
    for (const JsonTree& name : rule.items)
      require(value.kind != Kind::kObject || value.member(name.text) != nullptr, place, name.text);
  }

  void require(bool holds, const std::string& place, const std::string& rule) {
    if (!holds) faults_.push_back(place + ": " + rule);
  }

  const JsonTree& root_;
  JsonTree nothing_;
  std::vector<std::string> faults_;
  const std::set<std::string> known_notes_ = {"$schema", "$defs", "title", "description"};
};

JsonTree schema() {
  return tests::parse_json(
      tests::read_file(std::string(ACCELSCOPE_SOURCE_DIR) + "/docs/findings.schema.json"));
}

void visit(JsonTree& tree, const std::string& path,
           const std::function<void(JsonTree&, const std::string&)>& act) {
  act(tree, path);
  for (JsonTree& item : tree.items) visit(item, path + "[]", act);
  for (auto& [name, value] : tree.members) visit(value, path.empty() ? name : path + "." + name, act);
}

base::Result<Findings> read_tree(const JsonTree& tree) {
  return read_json(base::MappedFile::from_memory("f.json", tests::to_text(tree)));
}

TEST(FindingsSchema, HoldsForWhatIsWritten) {
  const JsonTree rules = schema();
  SchemaChecker checker(rules);
  EXPECT_EQ(checker.faults_of(tests::parse_json(schema_json(tests::sample_findings()))),
            std::vector<std::string>());
  EXPECT_EQ(checker.faults_of(tests::parse_json(schema_json({}))), std::vector<std::string>());
  EXPECT_EQ(rules.member("properties")->member("accelscope_findings")->member("const")->json,
            std::to_string(kSchemaVersion));
}

TEST(FindingsSchema, CheckerFindsWhatIsWrong) {
  const JsonTree rules = schema();
  SchemaChecker checker(rules);
  std::string document = schema_json(tests::sample_findings());
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string changed = document;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return checker.faults_of(tests::parse_json(changed.replace(at, from.size(), to)));
  };
  using Faults = std::vector<std::string>;
  EXPECT_EQ(replaced("\"depth\": 2", "\"depth\": 4"), Faults{".sections[0].depth: bound"});
  EXPECT_EQ(replaced("\"depth\": 2", "\"depht\": 2"),
            (Faults{".sections[0].depht: is described", ".sections[0]: depth"}));
  EXPECT_EQ(replaced("\"verdict\"", "\"opinion\""), Faults{".sections[0].statements[0].kind: enum"});
  EXPECT_EQ(replaced("\"n\": 9", "\"n\": \"9\""), Faults{".sections[0].metrics[0].n: type"});
  EXPECT_EQ(replaced("{\"low\":0.25,", "{\"low\":\"x\","), Faults{".sections[0].metrics[0].interval: anyOf"});
  EXPECT_EQ(replaced("findings\": 1", "findings\": 2"), Faults{".accelscope_findings: const"});
}

// A place has a byte or a line; everything else is always there.
TEST(FindingsSchema, DescribesAndRequiresEveryMember) {
  JsonTree rules = schema();
  visit(rules, "", [](JsonTree& part, const std::string& path) {
    const JsonTree* properties = part.member("properties");
    if (properties == nullptr || path.ends_with("properties")) return;
    std::vector<std::string> names;
    for (const auto& [name, content] : properties->members) {
      EXPECT_TRUE(content.member("description") != nullptr || content.member("$ref") != nullptr)
          << path << " " << name;
      if (path != "$defs.place" || name == "file") names.push_back(name);
    }
    std::vector<std::string> required;
    for (const JsonTree& name : part.member("required")->items) required.push_back(name.text);
    EXPECT_EQ(names, required) << path;
  });
}

TEST(FindingsSchema, ReaderWantsEveryRequiredMember) {
  JsonTree document = tests::parse_json(schema_json(tests::sample_findings()));
  std::set<std::string> tried;
  visit(document, "", [&](JsonTree& part, const std::string& path) {
    for (std::size_t i = 0; i < part.members.size(); ++i) {
      const auto kept = part.members[i];
      if (kept.first == "byte" || kept.first == "line") continue;
      part.members.erase(part.members.begin() + static_cast<std::ptrdiff_t>(i));
      const auto read = read_tree(document);
      EXPECT_FALSE(read) << path << " without " << kept.first;
      const std::string message = read ? "" : read.error().message;
      EXPECT_NE(message.find(kept.first), std::string::npos) << message;
      part.members.insert(part.members.begin() + static_cast<std::ptrdiff_t>(i), kept);
      tried.insert(path + "." + kept.first);
    }
  });
  std::size_t in_schema = 0;
  JsonTree rules = schema();
  visit(rules, "", [&](JsonTree& part, const std::string& path) {
    if (path.ends_with("required")) in_schema += part.items.size();
  });
  EXPECT_GE(tried.size(), in_schema);  // the sample has one of everything
  EXPECT_TRUE(read_tree(document));
}

TEST(FindingsSchema, ReaderRefusesAnyOtherType) {
  JsonTree document = tests::parse_json(schema_json(tests::sample_findings()));
  const JsonTree odd = tests::parse_json(R"({"odd": true})");
  std::size_t tried = 0;
  visit(document, "", [&](JsonTree& part, const std::string& path) {
    JsonTree kept = odd;
    std::swap(part, kept);
    EXPECT_FALSE(read_tree(document)) << path;
    ++tried;
    std::swap(part, kept);
  });
  EXPECT_GT(tried, 250U);
}

}  // namespace
}  // namespace accelscope::findings
