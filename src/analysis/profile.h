// A Profile: what recordings of one model under one configuration say about time, ready to be summed, tested
// and compared. Every execution of every method, and in each of them the exclusive time of everything that
// ran.
//
// The times are integer ticks and complete: in every execution, the self times of all entries sum to its
// end-to-end time exactly. Entries are the operators of the program, told apart by the call they are in and
// their place in it, so that the tenth convolution stays the tenth in every execution; a loop adds up. Plain
// data, owned; made by a pure function and safe to read from many threads.
//
//   const Profile profile = profile_of("sme2_on", std::array{Recording{&trace, 0, "on.etdump"}});
//   for (const Entry& entry : profile.methods.front().entries) use(entry.name, entry.self.front());
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/category.h"
#include "base/units.h"
#include "trace/trace.h"

namespace accelscope::analysis {

using base::Ticks;

// What a stretch of exclusive time was spent on.
enum class Part : std::uint8_t {
  kDelegateOperator,      // what a backend says it did
  kLibraryOperator,       // a kernel of the framework's own libraries: outside every delegate
  kDelegateOverhead,      // in a call of a backend, but in none of its operators
  kOperatorCallOverhead,  // in the wrapper around a library kernel
  kControl,               // jumps, moves, frees
  kFramework,             // in the method itself
  kOther,                 // recorded work of no known kind
};
inline constexpr std::size_t kPartCount = 7;
std::string_view name_of(Part part);
constexpr bool is_operator(Part part) {
  return part == Part::kDelegateOperator || part == Part::kLibraryOperator;
}

struct Execution {
  std::uint32_t recording = 0;  // which of the recordings; each is a process of its own
  std::uint32_t run_index = 0;  // position among the complete executions of its method in that recording
  trace::SliceId root = trace::SliceId::kNone;
  Ticks start = {};
  Ticks duration = {};
  bool warm_up = false;  // the experiment says that it only warms up
};

struct Entry {
  std::string name = {};
  Part part = Part::kOther;
  // Which call of the program it is in: the instruction, or where that is not recorded the position among the
  // calls. -1 for the method itself.
  std::int64_t call = -1;
  std::uint32_t ordinal = 0;  // among the operators of its call
  // What the grammar of names says (operator_name.h); empty for what is no operator.
  std::string type = {};    // "Fully Connected"
  std::string family = {};  // the same for all data types of an operator
  Category category = Category::kOther;
  bool known = true;  // false: the name matches nothing, and is shown as it is
  std::string backend = {};
  std::string backend_source = {};               // who says so, in the words of trace/vocabulary.h
  std::uint64_t count = 0;                       // how often it ran, over all executions
  bool estimated = false;                        // its times are computed or quantised by the source
  trace::SliceId first = trace::SliceId::kNone;  // of the first recording that has it
  std::uint32_t first_recording = 0;
  std::vector<Ticks> self = {};  // one per execution; negative where children outlast their parent
};

// What ran on another clock inside a call of a backend: shares only, since the clocks cannot be subtracted.
struct ForeignEntry {
  std::string name = {};
  std::string clock = {};
  std::string unit = {};  // "ns", "ticks"
  std::uint64_t count = 0;
  Ticks total = {};
};

struct MethodProfile {
  std::string method = {};
  base::Frequency frequency = base::Frequency::unknown();
  std::vector<Execution> executions = {};  // in the order of the recordings, then of time
  std::vector<Entry> entries = {};         // in program order
  std::vector<ForeignEntry> foreign = {};
  // The durations of all slices added up, parents and children alike: what tables that ignore nesting show.
  Ticks all_rows = {};
};

struct LoadPhase {
  std::string name = {};
  std::uint32_t recording = 0;
  Ticks duration = {};
  base::Frequency frequency = base::Frequency::unknown();
};

// Why times of a profile may not be used as latency.
enum class TimingUse : std::uint8_t {
  kTiming,
  kOneRunOfSeveral,  // a file that holds one run cut out of a recording
  kKernelTrace,      // recorded while every kernel was logged
  kAggregated,       // averages without executions
};

struct Recording {
  const trace::Trace* trace = nullptr;
  std::uint32_t warm_up = 0;  // leading executions of every method that only warm up
  std::string source = {};    // its file, for evidence
};

struct Profile {
  std::string name = {};
  TimingUse use = TimingUse::kTiming;
  std::vector<std::string> sources = {};  // one per recording
  std::vector<MethodProfile> methods = {};
  std::vector<LoadPhase> loads = {};
  std::uint64_t aborted_runs = 0;
  std::uint64_t empty_runs = 0;
  std::uint64_t estimated_entries = 0;
};

Profile profile_of(std::string name, std::span<const Recording> recordings,
                   TimingUse use = TimingUse::kTiming);

// The end-to-end times and one entry's times, in the unit that unit_of() names.
std::string_view unit_of(const MethodProfile& method);  // "ms", or "ticks" where the clock's unit is unknown
double to_unit(const MethodProfile& method, Ticks ticks);

}  // namespace accelscope::analysis
