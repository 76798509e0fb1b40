#include "formats/scope_stats/scope_stats.h"

#include <fmt/core.h>

#include <limits>
#include <optional>

#include "base/json_cursor.h"
#include "base/json_outline.h"
#include "base/line_reader.h"
#include "base/utf8.h"

namespace accelscope::formats::scope_stats {
namespace {

using base::ErrorCode;
using base::JsonCursor;
using base::Location;
using trace::Severity;

constexpr int kKnownVersion = 6;

std::uint32_t small_number(JsonCursor& json) {
  const std::uint64_t value = json.unsigned_integer();
  if (value > std::numeric_limits<std::uint32_t>::max())
    json.fail_here(ErrorCode::kMalformed, "the number does not fit 32 bits");
  return static_cast<std::uint32_t>(value);
}

int version(JsonCursor& json) {
  const std::int64_t value = json.integer();
  if (value < 0 || value > std::numeric_limits<int>::max())
    json.fail_here(ErrorCode::kMalformed, "the number of a version is expected here");
  return static_cast<int>(value);
}

void read_rings(JsonCursor& json, std::array<std::uint64_t, kRings>& values) {
  std::size_t ring = 0;
  json.begin_array();
  while (json.next_element()) {
    const std::uint64_t value = json.unsigned_integer();
    if (ring == kRings)
      return json.fail_here(ErrorCode::kMalformed, fmt::format("there are {} rings, not more", kRings));
    values[ring++] = value;
  }
}

bool begins(JsonCursor& json) {
  const std::string_view phase = json.string();
  if (phase != "begin" && phase != "end")
    json.fail_here(ErrorCode::kMalformed, "\"begin\" or \"end\" is expected here");
  return phase == "begin";
}

std::uint64_t* position_of(ScopeBoundary& boundary, std::string_view key) {
  if (key == "task_window_start") return &boundary.task_window_start;
  if (key == "task_window_end") return &boundary.task_window_end;
  if (key == "heap_start") return &boundary.heap_start;
  if (key == "heap_end") return &boundary.heap_end;
  if (key == "dep_pool_start") return &boundary.dep_pool_start;
  if (key == "dep_pool_end") return &boundary.dep_pool_end;
  if (key == "tensormap") return &boundary.tensormap;
  return nullptr;
}

bool runs_backwards(const ScopeBoundary& boundary) {
  return boundary.task_window_end < boundary.task_window_start || boundary.heap_end < boundary.heap_start ||
         boundary.dep_pool_end < boundary.dep_pool_start;
}

ScopeBoundary read_boundary(JsonCursor& json) {
  ScopeBoundary boundary;
  bool has_phase = false;
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (key == "site") {
      boundary.site = base::replace_invalid_utf8(json.string());
    } else if (key == "phase") {
      boundary.begins = begins(json);
      has_phase = true;
    } else if (key == "depth") {
      boundary.depth = small_number(json);
    } else if (key == "ring") {
      boundary.ring = small_number(json);
      if (boundary.ring >= kRings)
        json.fail_here(ErrorCode::kMalformed, fmt::format("rings are 0 to {}", kRings - 1));
    } else if (std::uint64_t* position = position_of(boundary, key)) {
      *position = json.unsigned_integer();
    } else {
      json.skip_value();
    }
  }
  if (!has_phase) json.fail_here(ErrorCode::kMalformed, "the boundary that ends here has no phase");
  json.expect_end();
  return boundary;
}

class Reader {
 public:
  explicit Reader(const base::MappedFile& file) : path_(file.path()), lines_(file.text()) {}

  base::Result<ScopeStats> read() && {
    if (!next_line())
      return base::fail_at(Location::of_file(path_), ErrorCode::kTruncated,
                           "the file is empty: statistics of scopes begin with a line of totals");
    ACCELSCOPE_CHECK(read_totals());
    while (next_line()) ACCELSCOPE_CHECK(read_line());
    add_totals_quality();
    return std::move(result_);
  }

 private:
  bool next_line() {
    while (lines_.next())
      if (lines_.line().find_first_not_of(" \t") != std::string_view::npos) return true;
    return false;
  }

  base::Status read_totals() {
    JsonCursor json(lines_.line(), path_, lines_.offset());
    bool has_version = false;
    json.begin_object();
    while (json.next_key()) {
      const std::string_view key = json.key();
      if (key == "version") {
        result_.version = version(json);
        has_version = true;
      } else if (key == "fatal") {
        result_.fatal = json.boolean();
      } else if (key == "dropped") {
        result_.dropped = json.unsigned_integer();
      } else if (key == "total") {
        result_.total = json.unsigned_integer();
      } else if (key == "task_window_max") {
        read_rings(json, result_.task_window_max);
      } else if (key == "heap_max") {
        read_rings(json, result_.heap_max);
      } else if (key == "dep_pool_max") {
        read_rings(json, result_.dep_pool_max);
      } else if (key == "tensormap_max") {
        result_.tensormap_max = json.unsigned_integer();
      } else {
        json.skip_value();
      }
    }
    if (!has_version) json.fail_here(ErrorCode::kMalformed, "the first line, of totals, has no version");
    json.expect_end();
    return json.status();
  }

  base::Status read_line() {
    JsonCursor json(lines_.line(), path_, lines_.offset());
    ScopeBoundary boundary = read_boundary(json);
    if (base::Status status = json.status(); !status) {
      if (lines_.ends() || status.error().code != ErrorCode::kTruncated) return status;
      note("scope_stats.cut_tail", Severity::kWarning, "The last line is cut off; it is left out.", 1,
           here());
      return {};
    }
    if (runs_backwards(boundary))
      note("scope_stats.negative_use", Severity::kWarning,
           "At boundaries of scopes a ring ends before it starts: how full it was is not known there.", 1,
           here());
    result_.boundaries.push_back(std::move(boundary));
    return {};
  }

  void add_totals_quality() {
    const Location file = Location::of_file(path_);
    const std::uint64_t recorded = result_.boundaries.size();
    if (result_.version != kKnownVersion)
      note("scope_stats.other_version", Severity::kWarning,
           fmt::format("The file has version {}; it was read as if it were {}.", result_.version,
                       kKnownVersion),
           1, file);
    if (result_.fatal)
      note("scope_stats.fatal", Severity::kError,
           "The orchestrator died with a full ring: the run did not end.", 1, file);
    if (result_.dropped != 0)
      note("scope_stats.dropped", Severity::kWarning, "Boundaries of scopes were dropped while recording.",
           result_.dropped, file);
    // Whether the total counts what was dropped is not said anywhere, so either is fine.
    if (result_.total > recorded && result_.total - recorded > result_.dropped)
      note("scope_stats.missing_boundaries", Severity::kWarning,
           "The file announces more boundaries of scopes than it has.", result_.total - recorded, file);
  }

  Location here() const { return Location::line(path_, lines_.number()); }

  void note(std::string id, Severity severity, std::string sentence, std::uint64_t count, Location place) {
    result_.quality.add({.id = std::move(id),
                         .severity = severity,
                         .sentence = std::move(sentence),
                         .count = count,
                         .first_place = std::move(place)});
  }

  std::string path_;
  base::LineReader lines_;
  ScopeStats result_;
};

}  // namespace

bool looks_like_scope_stats(std::string_view bytes) {
  const base::JsonOutline outline(bytes);
  return outline.has("version") && (outline.has("task_window_max") || outline.has("dep_pool_max"));
}

base::Result<ScopeStats> read_scope_stats(const base::MappedFile& file) {
  return Reader(file).read();
}

}  // namespace accelscope::formats::scope_stats
