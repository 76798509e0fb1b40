// What the pipes of every core did, from the drains and blocks of a recording: bytes put in their order,
// decoded, and what is not known of it named.
//
// For each core, drains count in the order of their sequence, and the bytes of a drain are the next
// ceil(copied / 64) blocks of the core's lane. Where drains are missing in between, those before the first
// hole are placed from the lane's beginning, those behind the last from its end. One thread fills it, buffer
// by buffer; all bytes are kept until settle().
//
//   RecordedPipes recorded;
//   recorded.add(drains);
//   recorded.add(blocks, core, first_block);
//   std::optional<PipeRecording> pipes = std::move(recorded).settle(facts, complete, path);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accelscope/recorder/records.h"
#include "base/units.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/busy_list.h"
#include "formats/perfmon/intervals.h"
#include "trace/quality.h"

namespace accelscope::formats::chip_run {

// Why it is not known what pipes did.
enum class GapCause : std::uint8_t {
  kOverwritten,     // the ring went round before it was drained
  kUndatable,       // words without a stamp before them, cut stamps, a time that went backwards
  kUnit,            // the unit was not as it had to be
  kStartedAnew,     // the bytes do not lie where those of the drain before end
  kDrainMissing,    // a drain's record is not in the file
  kBlockMissing,    // a drain's blocks are not in the file
  kCutOff,          // a pipe was busy in the last word
  kNotDrained,      // nothing was read after this
  kNeverDrained,    // nothing was ever read
  kNothingWritten,  // the unit wrote nothing at all
  kNotAsked         // nobody wanted to know
};
// "overwritten before it was drained"
std::string_view text_of(GapCause cause);
// "somebody else has turned it off", or the number of a state that this version does not know.
std::string unit_state_text(std::uint32_t state);

struct RecordedGap {
  base::Ticks from = base::Ticks::min();
  base::Ticks to = base::Ticks::max();
  GapCause cause = GapCause::kUndatable;
  std::uint32_t unit_state = 0;  // of kUnit: a perfmon::CoreState
};

struct CorePipes {
  bool asked = true;  // what its pipes did was to be recorded
  bool drained = false;
  std::uint64_t written = 0;                                           // bytes
  std::array<BusyList, perfmon::kPipes> busy = {};                     // by begin
  std::array<std::vector<perfmon::Mark>, perfmon::kPipes> marks = {};  // as they came
  std::vector<RecordedGap> gaps = {};                                  // in order, apart
};

struct PipeRecording {
  std::vector<CorePipes> cores = {};  // by number
  trace::QualityTable quality = {};
};

class RecordedPipes {
 public:
  void add(std::span<const recorder::PerfmonDrainRecord> records);
  // The core's blocks from this number on.
  void add(std::span<const recorder::PerfmonBlockRecord> records, std::uint32_t core,
           std::uint64_t first_block);

  // Nothing where pipes were neither asked for nor recorded. `complete`: the file has its end.
  std::optional<PipeRecording> settle(const capture::RecordingFacts& facts, bool complete,
                                      const std::string& path) &&;

  // Blocks that follow each other.
  struct BlockRun {
    std::uint64_t first = 0;
    std::vector<std::byte> bytes = {};

    std::uint64_t end() const { return first + bytes.size() / recorder::PerfmonBlockRecord::kBytes; }
  };
  struct Core {
    std::vector<recorder::PerfmonDrainRecord> drains = {};
    std::vector<BlockRun> blocks = {};
  };

 private:
  Core* core_of(std::uint32_t number);

  std::vector<Core> cores_;
  std::uint64_t impossible_ = 0;  // records of cores, or with numbers, that cannot be
  bool any_ = false;
};

}  // namespace accelscope::formats::chip_run
