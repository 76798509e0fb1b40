#include "formats/chip_run/recorded_pipes.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "accelscope/dfx_flags.h"
#include "accelscope/perfmon/slice.h"
#include "formats/chip_run/drain_places.h"
#include "formats/chip_run/pipe_stream.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_run {
namespace {

using base::Ticks;
using recorder::PerfmonDrainRecord;
using trace::Severity;

constexpr std::uint32_t kMostTicksPerCycle = 1000;              // times stay below 63 bits
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 48U;  // of a core
constexpr std::size_t kLongestRun = std::size_t{1} << 18U;      // bytes: a longer one is copied as it grows

Ticks ticks_of(std::uint64_t time) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::int64_t>(std::min(time, kLast))};
}

struct Tally {
  perfmon::Counters words = {};
  std::uint64_t lost_bytes = 0;
  std::uint64_t drains_missing = 0;
  std::uint64_t drains_unplaced = 0;
  std::uint64_t blocks_missing = 0;
  std::uint64_t blocks_left_over = 0;
  std::uint64_t started_anew = 0;
  std::uint64_t restarted = 0;
  std::uint64_t torn_bytes = 0;
  std::uint64_t not_settled = 0;
  std::uint64_t pointer_odd = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> unit_states = {};  // and drains that had them

  void note_state(std::uint32_t state) {
    const auto found = std::find_if(unit_states.begin(), unit_states.end(),
                                    [&](const auto& known) { return known.first == state; });
    if (found == unit_states.end())
      unit_states.emplace_back(state, 1);
    else
      ++found->second;
  }
  void note_notes(std::uint32_t notes) {
    torn_bytes += notes & recorder::kDrainTornBytes;
    not_settled += (notes & recorder::kDrainNotSettled) != 0;
    pointer_odd += (notes & recorder::kDrainPointerOdd) != 0;
  }
  void add(const perfmon::Counters& core) {
    words.unknown += core.unknown;
    words.undatable += core.undatable;
    words.stamp_fragments += core.stamp_fragments;
    words.backward_stamps += core.backward_stamps;
    words.torn_bytes += core.torn_bytes;
  }
};

// What whoever recorded wanted to know of a core.
struct Asked {
  bool core = true;
  bool states = true;
  bool only_functions = false;
};

Asked asked_of(const capture::RecordingFacts& facts, std::size_t core) {
  return {.core = core >= facts.perfmon_cores.size() || facts.perfmon_cores[core],
          .states = facts.perfmon_words != "marks",
          .only_functions = !facts.perfmon_functions.empty()};
}

// A drain of a unit that runs, or that was stopped as it had to be, which may leave a register unrestored.
bool is_well(std::uint32_t state) {
  using accelscope::perfmon::CoreState;
  return state <= static_cast<std::uint32_t>(CoreState::kPaused) ||
         state == static_cast<std::uint32_t>(CoreState::kNotRestored);
}

template <class Layout>
void feed_drain(const PerfmonDrainRecord& drain, std::span<const std::span<const std::byte>> bytes,
                PipeStream<Layout>& stream) {
  const bool whole = drain.written <= drain.copied;
  if (!whole) stream.lose(GapCause::kOverwritten);
  for (const std::span<const std::byte> piece : bytes) stream.feed(piece);
  if (!is_well(drain.state))
    stream.lose(GapCause::kUnit, drain.state);
  else if (whole)  // otherwise something may be missing behind these bytes, where buffers do not go round
    stream.drained(ticks_of(drain.time));
}

// Gaps of a time that went backwards may lie over each other.
void put_apart(std::vector<RecordedGap>& gaps) {
  const auto earlier = [](const RecordedGap& a, const RecordedGap& b) { return a.from < b.from; };
  if (!std::is_sorted(gaps.begin(), gaps.end(), earlier)) std::stable_sort(gaps.begin(), gaps.end(), earlier);
  Ticks taken = Ticks::min();
  for (RecordedGap& gap : gaps) {
    gap.from = std::max(gap.from, taken);
    taken = std::max(taken, gap.to);
  }
  std::erase_if(gaps, [](const RecordedGap& gap) { return gap.to <= gap.from; });
}

void put_in_order(CorePipes& core) {
  for (BusyList& pipe : core.busy) pipe.put_in_order();
  put_apart(core.gaps);
}

template <class Layout>
CorePipes decode_core(RecordedPipes::Core records, const Asked& asked, bool complete,
                      perfmon::ClockRatio ratio, Layout layout, Tally& tally) {
  CorePipes core;
  core.drained = !records.drains.empty();
  const DrainPlaces places(std::move(records.drains), std::move(records.blocks), complete);
  PipeStream<Layout> stream(ratio, layout, core);
  if (asked.only_functions) stream.lose(GapCause::kNotAsked);
  std::vector<std::span<const std::byte>> bytes;
  std::uint32_t expected_from = places.drains().empty() ? 0 : places.drains().front().record.from;
  for (const PlacedDrain& placed : places.drains()) {
    const PerfmonDrainRecord& drain = placed.record;
    const bool continues = drain.from == std::exchange(expected_from, drain.to);
    core.written += drain.written;
    tally.lost_bytes += drain.written - std::min(drain.written, drain.copied);
    if (!is_well(drain.state)) tally.note_state(drain.state);
    if (placed.missing_before > 0) stream.lose(GapCause::kDrainMissing);
    tally.drains_missing += placed.missing_before;
    if (!placed.first_block) {
      ++tally.drains_unplaced;
      stream.lose(GapCause::kDrainMissing);
      continue;
    }
    const std::uint64_t missing = places.bytes_of(placed, bytes);
    tally.blocks_missing += missing;
    if (missing > 0) stream.lose(GapCause::kBlockMissing);
    const bool on_purpose = (drain.notes & recorder::kDrainRestarted) != 0 && is_well(drain.state);
    if ((on_purpose || !continues) && drain.written <= drain.copied && placed.missing_before == 0) {
      if (!asked.only_functions) ++(on_purpose ? tally.restarted : tally.started_anew);
      stream.lose(asked.only_functions ? GapCause::kNotAsked : GapCause::kStartedAnew);
    }
    tally.note_notes(drain.notes);
    // A monitor that was off in between knows nothing, however little it wrote.
    const bool was_off = asked.only_functions && drain.written == 0 && is_well(drain.state);
    if (!was_off) feed_drain(drain, bytes, stream);
  }
  tally.blocks_left_over += places.left_over();
  const bool whole = places.drains().empty() ||
                     places.drains().back().record.written <= places.drains().back().record.copied;
  const GapCause behind = asked.only_functions ? GapCause::kNotAsked : GapCause::kNotDrained;
  stream.finish(whole ? behind : GapCause::kOverwritten);
  tally.add(stream.counters());
  if (!core.drained || core.written == 0)
    core.gaps = {{.cause = asked.only_functions ? GapCause::kNotAsked
                           : core.drained       ? GapCause::kNothingWritten
                                                : GapCause::kNeverDrained}};
  core.asked = asked.core;
  if (!asked.states) core.gaps = {{.cause = GapCause::kNotAsked}};
  put_in_order(core);
  return core;
}

class Notes {
 public:
  Notes(trace::QualityTable& quality, const std::string& path) : quality_(quality), path_(path) {}

  void add(std::string_view id, Severity severity, std::uint64_t count, std::string_view sentence) {
    if (count > 0)
      quality_.add({std::string(id), severity, std::string(sentence), count, base::Location::of_file(path_)});
  }

 private:
  trace::QualityTable& quality_;
  const std::string& path_;
};

void note_all(const Tally& tally, Notes& notes) {
  notes.add("perfmon.bytes_lost", Severity::kWarning, tally.lost_bytes,
            "Bytes of pipe traces were overwritten before they were drained: what pipes did meanwhile is not "
            "known.");
  notes.add("perfmon.undatable", Severity::kWarning, tally.words.undatable,
            "Words of pipe traces have no stamp before them that would date them: they are left out.");
  notes.add("perfmon.unknown_words", Severity::kWarning, tally.words.unknown,
            "Words of pipe traces are of a kind that their layout does not know: only their time is taken.");
  notes.add("perfmon.torn", Severity::kWarning, tally.words.torn_bytes + tally.torn_bytes,
            "Bytes of words of pipe traces whose rest never came.");
  notes.add("perfmon.not_settled", Severity::kWarning, tally.not_settled,
            "Performance monitors still wrote when they were drained for the last time: what was on its way "
            "then is not here.");
  notes.add("perfmon.pointer_odd", Severity::kWarning, tally.pointer_odd,
            "Write pointers of performance monitors are not where their counters say: one of them counts "
            "something else than is assumed (accelscope perfmon infer).");
  notes.add(
      "perfmon.cut_stamps", Severity::kWarning, tally.words.stamp_fragments,
      "Words of stamps that were cut, or whose time cannot be: what follows is not known until the next "
      "stamp.");
  notes.add("perfmon.time_backwards", Severity::kWarning, tally.words.backward_stamps,
            "Stamps of pipe traces lie before those that they follow.");
  for (const auto& [state, drains] : tally.unit_states)
    notes.add("perfmon.unit_state", Severity::kWarning, drains,
              fmt::format("Drains found a performance monitor that was not as it had to be ({}): what pipes "
                          "did is not known until it is again.",
                          unit_state_text(state)));
  notes.add("perfmon.started_anew", Severity::kWarning, tally.started_anew,
            "Drains do not begin where those before them end: the performance monitor was started anew, and "
            "what pipes did meanwhile is not known.");
  notes.add("perfmon.restarted", Severity::kInfo, tally.restarted,
            "Performance monitors were stopped, emptied and started anew at drains, as was asked for: what "
            "pipes did meanwhile is not known.");
  notes.add("perfmon.drain_missing", Severity::kWarning, tally.drains_missing,
            "Drains are missing in the recording: what pipes did meanwhile is not known.");
  notes.add("perfmon.drain_unplaced", Severity::kWarning, tally.drains_unplaced,
            "Drains between missing ones, whose bytes cannot be found: they are left out.");
  notes.add("perfmon.block_missing", Severity::kWarning, tally.blocks_missing,
            "Blocks of pipe traces that drains copied are not in the recording.");
  notes.add("perfmon.block_left_over", Severity::kWarning, tally.blocks_left_over,
            "Blocks of pipe traces belong to no drain: they are left out.");
}

}  // namespace

std::string_view text_of(GapCause cause) {
  switch (cause) {
    case GapCause::kOverwritten:
      return "overwritten before it was drained";
    case GapCause::kUndatable:
      return "words without a time";
    case GapCause::kUnit:
      return "the performance monitor was not as it had to be";
    case GapCause::kStartedAnew:
      return "the performance monitor was started anew";
    case GapCause::kDrainMissing:
      return "a drain is missing";
    case GapCause::kBlockMissing:
      return "blocks are missing";
    case GapCause::kCutOff:
      return "the trace ends while a pipe is busy";
    case GapCause::kNotDrained:
      return "after the last drain";
    case GapCause::kNeverDrained:
      return "never drained";
    case GapCause::kNothingWritten:
      return "the performance monitor wrote nothing";
    case GapCause::kNotAsked:
      break;
  }
  return "not asked for";
}

std::string unit_state_text(std::uint32_t state) {
  using accelscope::perfmon::CoreState;
  if (state > static_cast<std::uint32_t>(CoreState::kNotRestored)) return fmt::format("state {}", state);
  return text_of(static_cast<CoreState>(state));
}

RecordedPipes::Core* RecordedPipes::core_of(std::uint32_t number) {
  return chip_swimlane::rows_of_core(cores_, number);
}

void RecordedPipes::add(std::span<const PerfmonDrainRecord> records) {
  any_ |= !records.empty();
  for (const PerfmonDrainRecord& record : records) {
    if (Core* core = core_of(record.core))
      core->drains.push_back(record);
    else
      ++impossible_;
  }
}

void RecordedPipes::add(std::span<const recorder::PerfmonBlockRecord> records, std::uint32_t number,
                        std::uint64_t first_block) {
  any_ |= !records.empty();
  Core* core = core_of(number);
  if (core == nullptr || first_block > kMostBlocks) {
    impossible_ += records.size();
    return;
  }
  if (core->blocks.empty() || core->blocks.back().end() != first_block ||
      core->blocks.back().bytes.size() >= kLongestRun)
    core->blocks.push_back({.first = first_block});
  std::vector<std::byte>& bytes = core->blocks.back().bytes;
  const std::span<const std::byte> added = std::as_bytes(records);
  bytes.insert(bytes.end(), added.begin(), added.end());
}

std::optional<PipeRecording> RecordedPipes::settle(const capture::RecordingFacts& facts, bool complete,
                                                   const std::string& path) && {
  if (!any_ && (facts.dfx_flags & kDfxCoreSwimlane) == 0) return std::nullopt;
  PipeRecording result;
  Notes notes(result.quality, path);
  notes.add(
      "perfmon.impossible_number", Severity::kError, impossible_,
      "Drains and blocks of pipe traces have a core's or a block's number that cannot be: they are left "
      "out.");
  const perfmon::ClockRatio ratio{facts.perfmon_ticks, facts.perfmon_cycles};
  const std::string_view name = facts.perfmon_layout.empty() ? perfmon::kBiuPerf.name : facts.perfmon_layout;
  const base::Result<const perfmon::WordLayout*> layout = perfmon::layout_of(name);
  const bool sound = ratio.valid() && ratio.ticks / ratio.cycles <= kMostTicksPerCycle;
  if (!layout || !sound) {
    notes.add("perfmon.unreadable", Severity::kError, 1,
              !layout ? fmt::format("Pipe traces are left out: {}.", layout.error().message)
                      : fmt::format("Pipe traces are left out: {} ticks in {} cycles are no ratio of clocks.",
                                    ratio.ticks, ratio.cycles));
    return result;
  }
  Tally tally;
  cores_.resize(std::max(cores_.size(), facts.cores.size()));
  for (Core& core : cores_) {
    const Asked asked = asked_of(facts, result.cores.size());
    // The layout of every recording so far, known at compile time, is decoded twice as fast.
    if (*layout == &perfmon::kBiuPerf)
      result.cores.push_back(decode_core(std::exchange(core, {}), asked, complete, ratio,
                                         perfmon::FixedLayout<perfmon::kBiuPerf>{}, tally));
    else
      result.cores.push_back(decode_core(std::exchange(core, {}), asked, complete, ratio,
                                         perfmon::ChosenLayout{*layout}, tally));
  }
  note_all(tally, notes);
  return result;
}

}  // namespace accelscope::formats::chip_run
