// The table of everything that is lost, odd or assumed: one row per kind of trouble, with a severity, a
// sentence, how often it happened and where first. Readers fill it; every report starts with it (the trust
// box).
//
// Plain data. One thread fills it; in a finished Trace it is read-only.
//
//   quality.add({.id = "etdump.aborted_run", .severity = Severity::kWarning,
//                .sentence = "A run has no Method::execute: it is left out of latency.",
//                .first_place = Location::byte(path, offset)});
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace accelscope::trace {

enum class Severity : std::uint8_t {
  kInfo,     // an assumption or a limit worth knowing
  kWarning,  // something is missing or doubtful; what is shown is right
  kError,    // some of what is shown cannot be trusted
};

std::string_view severity_name(Severity severity);

struct QualityRow {
  std::string id;  // stable: "<source>.<what>"
  Severity severity = Severity::kInfo;
  std::string sentence;
  std::uint64_t count = 1;
  base::Location first_place = {};
};

class QualityTable {
 public:
  // Rows of a table that was saved: no two have the same id and the same sentence.
  static QualityTable of_distinct(std::vector<QualityRow> rows);

  // A row with a known id and the same sentence adds to the count of the first; its place stays the first
  // one.
  void add(QualityRow row);
  void append(const QualityTable& other);

  const std::vector<QualityRow>& rows() const { return rows_; }
  // Errors first, then warnings, then remarks; as added within each.
  std::vector<QualityRow> by_severity() const;
  std::uint64_t count(std::string_view id) const;
  bool has_errors() const;

 private:
  std::vector<QualityRow> rows_;
};

}  // namespace accelscope::trace
