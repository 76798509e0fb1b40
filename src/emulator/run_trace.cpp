#include "emulator/run_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/file_names.h"
#include "isa/disassembler.h"
#include "isa/instruction_set.h"
#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;
using base::Ticks;
using isa::Unit;
using trace::CategoryId;
using trace::SliceId;
using trace::StringId;
using trace::TrackId;
using trace::Value;

constexpr std::int32_t kHostLink = -1;

// The label that holds at an instruction; changes are in order.
class LabelAt {
 public:
  LabelAt(const isa::Program& program, isa::LabelKind kind)
      : program_(program), changes_(program.labels_of(kind)) {}

  std::string_view operator()(std::uint32_t pc) const {
    const auto next =
        std::upper_bound(changes_.begin(), changes_.end(), pc,
                         [](std::uint32_t at, const isa::LabelChange& change) { return at < change.first; });
    return next == changes_.begin() ? std::string_view() : program_.names.text(std::prev(next)->name);
  }

 private:
  const isa::Program& program_;
  const std::vector<isa::LabelChange>& changes_;
};

class Lanes {
 public:
  Lanes(const isa::Program& program, const Emulation& done, const RunTraceFacts& facts)
      : program_(program),
        done_(done),
        dialect_(facts.dialect),
        section_at_(program, isa::LabelKind::kSection),
        tensor_at_(program, isa::LabelKind::kTensor),
        names_(program.words.size()) {
    const std::string file(base::file_name(program.file));
    clock_ = builder_.add_clock({builder_.intern("modelled time"), base::Frequency::hz(1'000'000'000'000)});
    board_ = builder_.add_track({.name = builder_.intern(fmt::format("{} on {}", file, facts.machine)),
                                 .level = trace::TrackLevel::kProcess,
                                 .kind = trace::TrackKind::kGroup,
                                 .clock = clock_});
    add_fact("program", file);
    add_fact("machine", facts.machine);
    add_fact("memory", facts.memory);
    add_fact("timing", facts.timing);
    sections_ = lane("sections", trace::Nesting::kByStart);
    run_ =
        builder_.add_run({.name = builder_.intern(file),
                          .method = builder_.intern(file),
                          .status = done.partial ? trace::RunStatus::kAborted : trace::RunStatus::kComplete});
    builder_.run(run_).root =
        slice(sections_, builder_.intern(file), builder_.category("program"), {}, done.latency);
  }

  void add_sections();
  void add_units();
  void add_channels();
  void add_doubts();
  base::Result<trace::Trace> finish() && { return std::move(builder_).finish(); }

 private:
  // Texts of one instruction, made when it is first met.
  struct Names {
    StringId mnemonic = StringId::kEmpty;
    StringId text = StringId::kEmpty;
    StringId section = StringId::kEmpty;
    StringId tensor = StringId::kEmpty;
  };

  void add_fact(std::string_view key, const std::string& text) {
    builder_.add_fact(key, Value::of_string(builder_.intern(text)));
  }
  TrackId lane(std::string_view name, trace::Nesting nesting) {
    return builder_.add_track(
        {.name = builder_.intern(name), .parent = board_, .clock = clock_, .order = lanes_++}, nesting);
  }
  SliceId slice(TrackId track, StringId name, CategoryId category, Picoseconds start, Picoseconds duration) {
    return builder_.add_slice({.track = track,
                               .start = Ticks{start.value},
                               .duration = Ticks{duration.value},
                               .name = name,
                               .category = category,
                               .run = run_});
  }
  const Names& names_of(std::uint32_t pc);
  void add_slice(const LoggedSlice& logged, TrackId track, CategoryId category);

  const isa::Program& program_;
  const Emulation& done_;
  isa::Dialect dialect_;
  LabelAt section_at_;
  LabelAt tensor_at_;
  std::vector<Names> names_;
  trace::TraceBuilder builder_;
  trace::ClockId clock_{};
  TrackId board_{};
  TrackId sections_{};
  std::int32_t lanes_ = 0;
  trace::RunId run_ = trace::RunId::kNone;
};

const Lanes::Names& Lanes::names_of(std::uint32_t pc) {
  Names& names = names_[pc];
  if (names.mnemonic != StringId::kEmpty) return names;
  const isa::Instruction* const instruction = isa::instruction_of_word(program_.words[pc]);
  names.mnemonic = builder_.intern(instruction == nullptr ? "no instruction" : instruction->mnemonic);
  names.text = builder_.intern(isa::text_of(program_.words[pc], dialect_));
  names.section = builder_.intern(section_at_(pc));
  names.tensor = builder_.intern(tensor_at_(pc));
  return names;
}

void Lanes::add_sections() {
  const CategoryId category = builder_.category("section");
  for (const LoggedSection& section : done_.log.sections) {
    const std::string_view name = section_at_(section.first_pc);
    const SliceId added = slice(sections_, builder_.intern(name.empty() ? "(no section)" : name), category,
                                section.start, section.duration);
    builder_.add_slice_arg(added, trace::arg::kInstruction, Value::of_uint(section.first_pc));
  }
}

void Lanes::add_slice(const LoggedSlice& logged, TrackId track, CategoryId category) {
  const Names names = names_of(logged.pc);
  const SliceId added = slice(track, names.mnemonic, category, logged.start, logged.duration);
  builder_.add_slice_arg(added, trace::arg::kInstruction, Value::of_uint(logged.pc));
  builder_.add_slice_arg(added, "line", Value::of_uint(program_.lines[logged.pc]));
  if (logged.count > 1)
    builder_.add_slice_arg(added, trace::arg::kCount, Value::of_uint(logged.count));
  else
    builder_.add_slice_arg(added, "assembly", Value::of_string(names.text));
  if (names.section != StringId::kEmpty)
    builder_.add_slice_arg(added, "section", Value::of_string(names.section));
  if (names.tensor != StringId::kEmpty)
    builder_.add_slice_arg(added, "tensor", Value::of_string(names.tensor));
}

// A track's slices are added together, so that nothing needs to be sorted afterwards.
void Lanes::add_units() {
  constexpr std::array kLanes{std::pair{Unit::kMatrix, "matrix"}, std::pair{Unit::kVector, "vector"},
                              std::pair{Unit::kScalar, "scalar and control"},
                              std::pair{Unit::kMemory, "DMA"}};
  if (done_.log.slices.empty()) return;
  for (const auto& [unit, name] : kLanes) {
    // Operations of a pipeline overlap and are nobody's children.
    const TrackId track = lane(name, trace::Nesting::kExplicit);
    const CategoryId category = builder_.category(isa::name_of(unit));
    for (const LoggedSlice& logged : done_.log.slices) {
      const Unit shown = logged.unit == Unit::kControl ? Unit::kScalar : logged.unit;
      if (shown == unit) add_slice(logged, track, category);
    }
  }
}

void Lanes::add_channels() {
  std::map<std::int32_t, std::vector<const LoggedActivity*>> by_channel;
  for (const LoggedActivity& activity : done_.log.activities)
    if (activity.busy.value > 0) by_channel[activity.channel].push_back(&activity);
  for (const auto& [channel, activities] : by_channel) {
    const bool link = channel == kHostLink;
    const TrackId track =
        lane(link ? "host link" : fmt::format("DRAM channel {}", channel), trace::Nesting::kExplicit);
    const CategoryId category = builder_.category(link ? "host link" : "DRAM");
    Picoseconds free{};
    for (const LoggedActivity* activity : activities) {
      const LoggedSlice& transfer = done_.log.slices[activity->slice];
      const Picoseconds start = std::max(transfer.start, free);
      free = start + activity->busy;
      const Names names = names_of(transfer.pc);
      const SliceId added = slice(track, names.mnemonic, category, start, activity->busy);
      builder_.add_slice_arg(added, trace::arg::kInstruction, Value::of_uint(transfer.pc));
      if (transfer.duration.value > 0)
        builder_.add_slice_arg(added, "percent of the transfer",
                               Value::of_double(100 * static_cast<double>(activity->busy.value) /
                                                static_cast<double>(transfer.duration.value)));
    }
  }
}

void Lanes::add_doubts() {
  if (done_.partial)
    builder_.quality().add({.id = "emulation.partial",
                            .severity = trace::Severity::kError,
                            .sentence = "The run was stopped before the program's end."});
  if (!done_.log.activities.empty())
    builder_.quality().add(
        {.id = "emulation.activity_place",
         .severity = trace::Severity::kInfo,
         .sentence =
             "How long a channel or the link was busy with a transfer is known, not when: it is drawn "
             "from the transfer's start on."});
}

}  // namespace

base::Result<trace::Trace> run_trace(const isa::Program& program, const Emulation& done,
                                     const RunTraceFacts& facts) {
  Lanes lanes(program, done, facts);
  lanes.add_sections();
  lanes.add_units();
  lanes.add_channels();
  lanes.add_doubts();
  return std::move(lanes).finish();
}

}  // namespace accelscope::emulator
