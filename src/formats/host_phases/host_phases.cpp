#include "formats/host_phases/host_phases.h"

#include <algorithm>
#include <array>

#include "base/json_cursor.h"
#include "base/json_outline.h"
#include "base/line_reader.h"
#include "base/utf8.h"

namespace accelscope::formats::host_phases {
namespace {

using base::ErrorCode;
using base::JsonCursor;
using base::Location;
using trace::Severity;

constexpr std::string_view kKnownClock = "host_monotonic_ns";

class Reader {
 public:
  explicit Reader(const base::MappedFile& file) : path_(file.path()), lines_(file.text()) {}

  base::Result<HostPhases> read() && {
    while (lines_.next()) {
      if (lines_.line().find_first_not_of(" \t") == std::string_view::npos) continue;
      ACCELSCOPE_CHECK(read_line());
    }
    if (result_.passes.empty() && result_.quality.rows().empty())
      return base::fail_at(Location::of_file(path_), ErrorCode::kTruncated,
                           "the file is empty: phases of the host have a line for every pass");
    return std::move(result_);
  }

 private:
  base::Status read_line() {
    JsonCursor json(lines_.line(), path_, lines_.offset());
    HostPass pass = read_pass(json);
    if (base::Status status = json.status(); !status) {
      if (lines_.ends() || status.error().code != ErrorCode::kTruncated) return status;
      note("host_phases.cut_tail", "The last line is cut off; its pass is left out.");
      return {};
    }
    if (pass.clock != kKnownClock)
      note("host_phases.other_clock",
           "Phases are timed by a clock that is not the host's monotonic one; they are taken as its "
           "nanoseconds.");
    if (pass.dropped != 0)
      note("host_phases.dropped", "Phases of the host were dropped while recording.", pass.dropped);
    for (HostPhase& phase : pass.records) {
      if (phase.end_ns >= phase.start_ns) continue;
      note("host_phases.end_before_start",
           "Phases of the host end before they start; they last no time here.");
      phase.end_ns = phase.start_ns;
    }
    result_.passes.push_back(std::move(pass));
    return {};
  }

  static HostPass read_pass(JsonCursor& json) {
    HostPass pass;
    bool has_records = false;
    json.begin_object();
    while (json.next_key()) {
      const std::string_view key = json.key();
      if (key == "pid") {
        pass.process = json.integer();
      } else if (key == "inv") {
        pass.invocation = json.unsigned_integer();
      } else if (key == "clock") {
        pass.clock = base::replace_invalid_utf8(json.string());
      } else if (key == "dropped") {
        pass.dropped = json.unsigned_integer();
      } else if (key == "records") {
        has_records = true;
        json.begin_array();
        while (json.next_element()) pass.records.push_back(read_phase(json));
      } else {
        json.skip_value();
      }
    }
    if (!has_records) json.fail_here(ErrorCode::kMalformed, "the pass that ends here has no records");
    json.expect_end();
    return pass;
  }

  static HostPhase read_phase(JsonCursor& json) {
    HostPhase phase;
    bool has_name = false;
    bool has_start = false;
    bool has_end = false;
    json.begin_object();
    while (json.next_key()) {
      const std::string_view key = json.key();
      if (key == "phase") {
        phase.phase = base::replace_invalid_utf8(json.string());
        has_name = true;
      } else if (key == "start_ns") {
        phase.start_ns = json.integer();
        has_start = true;
      } else if (key == "end_ns") {
        phase.end_ns = json.integer();
        has_end = true;
      } else if (key == "detail") {
        phase.detail = json.unsigned_integer();
      } else if (key == "tid") {
        phase.thread = json.integer();
      } else {
        json.skip_value();
      }
    }
    if (!has_name || !has_start || !has_end)
      json.fail_here(ErrorCode::kMalformed, "the record that ends here lacks phase, start_ns or end_ns");
    return phase;
  }

  void note(std::string id, std::string sentence, std::uint64_t count = 1) {
    result_.quality.add({.id = std::move(id),
                         .severity = Severity::kWarning,
                         .sentence = std::move(sentence),
                         .count = count,
                         .first_place = Location::line(path_, lines_.number())});
  }

  std::string path_;
  base::LineReader lines_;
  HostPhases result_;
};

}  // namespace

Detail detail_of(std::string_view phase) {
  constexpr std::array<std::string_view, 3> kSubmits = {"submit_task", "alloc_tensors", "graph_submit"};
  constexpr std::array<std::string_view, 3> kCopies = {"graph_upload", "sm_h2d", "arena_h2d"};
  if (std::find(kSubmits.begin(), kSubmits.end(), phase) != kSubmits.end()) return Detail::kTask;
  if (std::find(kCopies.begin(), kCopies.end(), phase) != kCopies.end()) return Detail::kBytes;
  return Detail::kNothing;
}

bool looks_like_host_phases(std::string_view bytes) {
  const base::JsonOutline outline(bytes);
  return (outline.has("records/phase") && outline.has("records/start_ns")) ||
         (outline.has("records") && outline.has("inv") && outline.has("clock"));
}

base::Result<HostPhases> read_host_phases(const base::MappedFile& file) {
  return Reader(file).read();
}

}  // namespace accelscope::formats::host_phases
