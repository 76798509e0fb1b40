// Takes fields out of JSON objects and collects what is wrong with them, so that all errors of a file are
// reported at once, each with its line and its place in the document ("experiments[1].runs").
//
// One thread fills one list of problems; nothing is kept of the document.
//
//   Problems problems;
//   const Fields fields(node, "experiments[0]", problems);
//   const std::string name = fields.text("name", Need::kRequired);
//   fields.complain_about_unknown_keys(kKeys, Unknown::kErrors);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/json_tree.h"

namespace accelscope::experiments {

struct Problem {
  std::uint64_t line = 0;
  std::string place;  // "" is the document
  std::string text;
};

struct Problems {
  std::vector<Problem> errors = {};
  std::vector<Problem> warnings = {};
};

// "line 4: experiments[0].runs: ..."
std::string problem_in_words(const Problem& problem);

enum class Need : std::uint8_t { kRequired, kOptional };

class Fields {
 public:
  // A value that is not an object is an error; then no field is found, and none is missed.
  Fields(const JsonNode& node, std::string place, Problems& problems);

  // The field, when it is there and not null. With null or nothing, an error if it is required.
  const JsonNode* find(std::string_view key, Need need = Need::kOptional) const;
  std::string text(std::string_view key, Need need = Need::kOptional) const;
  std::int64_t integer(std::string_view key, std::int64_t otherwise, std::int64_t least,
                       std::int64_t most) const;
  double number(std::string_view key, double otherwise, double least, double most) const;
  std::vector<std::string> texts(std::string_view key) const;
  // nullptr when it is absent or, which is an error, no array.
  const JsonNode* array(std::string_view key) const;

  bool is_object() const { return node_.is_object(); }
  const JsonNode& node() const { return node_; }
  std::string place_of(std::string_view key) const;
  void error(std::string_view key, std::string text) const;
  void wrong_kind(std::string_view key, const JsonNode& value, std::string_view expected) const;
  // Unknown keys, and keys that are given twice.
  void check_keys(std::span<const std::string_view> known, bool unknown_is_error) const;

 private:
  std::uint64_t line_of(std::string_view key) const;

  const JsonNode& node_;
  std::string place_;
  Problems& problems_;
};

}  // namespace accelscope::experiments
