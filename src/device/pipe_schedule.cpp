#include "device/pipe_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "base/line_reader.h"
#include "base/number_in.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;
using formats::perfmon::bit_of;
using formats::perfmon::kPipeNames;
using formats::perfmon::kPipes;

constexpr std::int64_t kLongest = std::int64_t{1} << 40U;
constexpr std::uint32_t kGreatestMark = 4095;
// Beyond this, a file is something else.
constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;

// A pipe that begins or ends a phase.
struct Edge {
  std::int64_t at = 0;
  std::size_t pipe = 0;
  int step = 0;
};

std::vector<Edge> edges_of(const PipeSchedule& schedule) {
  std::vector<Edge> edges;
  edges.reserve(2 * schedule.phases.size());
  for (const PipePhase& phase : schedule.phases) {
    if (phase.begin >= phase.end) continue;
    edges.push_back({phase.begin, static_cast<std::size_t>(phase.pipe), 1});
    edges.push_back({phase.end, static_cast<std::size_t>(phase.pipe), -1});
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  return edges;
}

std::string_view first_word(std::string_view& rest) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = std::min(rest.find_first_not_of(kBlanks), rest.size());
  const std::size_t end = std::min(rest.find_first_of(kBlanks, begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

std::optional<Pipe> pipe_named(std::string_view name) {
  for (std::size_t i = 0; i < kPipes; ++i)
    if (kPipeNames[i] == name) return static_cast<Pipe>(i);
  return std::nullopt;
}

// One line without its comment; what is wrong with it, or "".
std::string read_line(std::string_view line, PipeSchedule& schedule) {
  const std::string_view kind = first_word(line);
  if (kind.empty()) return "";
  if (kind == "length") {
    const auto length = base::number_in<std::int64_t>(first_word(line));
    if (!length || !first_word(line).empty()) return "`length` wants one integer";
    if (schedule.length != 0) return "`length` is given twice";
    schedule.length = *length;
    return *length > 0 ? "" : "`length` must be above zero";
  }
  if (kind != "phase" && kind != "mark")
    return fmt::format("`{}` is none of `length`, `phase` and `mark`", kind);
  const std::string_view name = first_word(line);
  const std::optional<Pipe> pipe = pipe_named(name);
  if (!pipe) return fmt::format("there is no pipe `{}`; there are {}", name, fmt::join(kPipeNames, ", "));
  const auto first = base::number_in<std::int64_t>(first_word(line));
  const auto second = base::number_in<std::int64_t>(first_word(line));
  if (!first || !second || !first_word(line).empty())
    return kind == "phase" ? "`phase` wants a pipe, a begin and an end"
                           : "`mark` wants a pipe, an id and a time";
  if (kind == "phase") {
    schedule.phases.push_back({*pipe, *first, *second});
  } else {
    if (*first < 0 || *first > kGreatestMark)
      return fmt::format("id {} is not from 0 to {}", *first, kGreatestMark);
    schedule.marks.push_back({*pipe, static_cast<std::uint32_t>(*first), *second});
  }
  return "";
}

}  // namespace

base::Status check(const PipeSchedule& schedule) {
  if (schedule.length < 1 || schedule.length > kLongest)
    return base::fail(ErrorCode::kMalformed, "a schedule of length {}: from 1 to {} is possible",
                      schedule.length, kLongest);
  for (const PipePhase& phase : schedule.phases)
    if (phase.begin < 0 || phase.end < phase.begin || phase.end > schedule.length)
      return base::fail(ErrorCode::kMalformed, "the phase of {} from {} to {} is none within 0 to {}",
                        name_of(phase.pipe), phase.begin, phase.end, schedule.length);
  for (const PipeMark& mark : schedule.marks) {
    if (mark.at < 0 || mark.at > schedule.length)
      return base::fail(ErrorCode::kMalformed, "mark {} at {} is not within 0 to {}", mark.id, mark.at,
                        schedule.length);
    if (mark.id > kGreatestMark)
      return base::fail(ErrorCode::kMalformed, "the id {} of a mark is above {}", mark.id, kGreatestMark);
  }
  return {};
}

PipeSchedule scaled(const PipeSchedule& schedule, base::Cycles length) {
  const auto moment = [&](std::int64_t at) {
    return base::floor_divide(static_cast<base::Int128>(at) * length.value, schedule.length);
  };
  PipeSchedule result{.length = length.value};
  for (const PipePhase& phase : schedule.phases)
    if (moment(phase.begin) < moment(phase.end))
      result.phases.push_back({phase.pipe, moment(phase.begin), moment(phase.end)});
  for (const PipeMark& mark : schedule.marks) result.marks.push_back({mark.pipe, mark.id, moment(mark.at)});
  return result;
}

PipeSchedule sequence(const PipeSchedule& first, const PipeSchedule& second) {
  PipeSchedule both = first;
  both.length += second.length;
  for (const PipePhase& phase : second.phases)
    both.phases.push_back({phase.pipe, phase.begin + first.length, phase.end + first.length});
  for (const PipeMark& mark : second.marks)
    both.marks.push_back({mark.pipe, mark.id, mark.at + first.length});
  return both;
}

std::array<std::int64_t, kPipes> busy_of(const PipeSchedule& schedule) {
  std::array<std::int64_t, kPipes> busy = {};
  std::array<std::int64_t, kPipes> since = {};
  std::array<int, kPipes> open = {};
  for (const Edge& edge : edges_of(schedule)) {
    if (open[edge.pipe] > 0) busy[edge.pipe] += edge.at - since[edge.pipe];
    since[edge.pipe] = edge.at;
    open[edge.pipe] += edge.step;
  }
  return busy;
}

std::vector<PipeEvent> events_of(const PipeSchedule& schedule) {
  const std::vector<Edge> edges = edges_of(schedule);
  std::vector<PipeMark> marks = schedule.marks;
  std::stable_sort(marks.begin(), marks.end(),
                   [](const PipeMark& a, const PipeMark& b) { return a.at < b.at; });
  std::vector<PipeEvent> events;
  std::array<int, kPipes> open = {};
  PipeMask busy = 0;
  auto mark = marks.begin();
  const auto add_marks_before = [&](std::int64_t at) {
    for (; mark != marks.end() && mark->at < at; ++mark)
      events.push_back({mark->at, busy, true, mark->pipe, mark->id});
  };
  for (auto edge = edges.begin(); edge != edges.end();) {
    const std::int64_t at = edge->at;
    add_marks_before(at);
    PipeMask now = busy;
    for (; edge != edges.end() && edge->at == at; ++edge) {
      open[edge->pipe] += edge->step;
      const PipeMask bit = bit_of(static_cast<Pipe>(edge->pipe));
      now = static_cast<PipeMask>(open[edge->pipe] > 0 ? now | bit : now & ~bit);
    }
    if (now != busy) events.push_back({at, now});
    busy = now;
  }
  add_marks_before(std::numeric_limits<std::int64_t>::max());
  return events;
}

base::Result<PipeSchedule> read_pipe_schedule(const base::MappedFile& file) {
  if (file.size() > kMaxBytes)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kTooLarge,
                         "has {} bytes: this describes no kernel", file.size());
  PipeSchedule schedule;
  base::LineReader lines(file.text());
  while (lines.next()) {
    const std::string fault = read_line(lines.line().substr(0, lines.line().find('#')), schedule);
    if (!fault.empty())
      return base::fail_at(Location::line(file.path(), lines.number()), ErrorCode::kMalformed, "{}", fault);
  }
  if (const base::Status status = check(schedule); !status)
    return base::fail_at(Location::of_file(file.path()), status.error().code, "{}", status.error().message);
  return schedule;
}

void write_pipe_schedule(const PipeSchedule& schedule, base::Output& out) {
  out.append(fmt::format("length {}\n", schedule.length));
  for (const PipePhase& phase : schedule.phases)
    out.append(fmt::format("phase {} {} {}\n", name_of(phase.pipe), phase.begin, phase.end));
  for (const PipeMark& mark : schedule.marks)
    out.append(fmt::format("mark {} {} {}\n", name_of(mark.pipe), mark.id, mark.at));
}

}  // namespace accelscope::device
