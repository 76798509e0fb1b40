// The arrows of the picture, as ends that the parts draw independently of each other.
//
// dependency           one per edge: the producer's last-ending kernel -> the consumer's first-starting one;
//                      tasks without a core have their marker, graphs their envelope. When the consumer
//                      started before the producer had ended it is a violation, which the consumer also says.
// submit to dispatch   one per task: its submission -> its first bar in the scheduler view
// dispatch to start    one per dispatch: the phase that dispatched it -> its bar in the worker view. Without
//                      such a phase the bar in the scheduler view is where it leaves; those are not in here.
// finish to complete   one per task: the bar that finished last -> the phase that saw it
// complete to ready    one per task: the phase that saw its last producer finish -> its first bar in the
//                      scheduler view
//
// An arrow is there only if it goes forwards in time and its clocks can be compared. Plain data, made once;
// refers to nothing.
//
//   const Arrows arrows = find_arrows(trace, chip, survey, timeline);
//   for (const ArrowEnd& end : arrows.of(rows)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace/chip_run.h"
#include "views/swimlane/survey.h"
#include "views/time_scale.h"

namespace accelscope::views::swimlane {

enum class ArrowKind : std::uint8_t {
  kDependency = 1,
  kViolation,
  kSubmitToDispatch,
  kDispatchToStart,
  kFinishToComplete,
  kCompleteToReady,
};
inline constexpr std::size_t kArrowKinds = 7;

std::string_view name_of(ArrowKind kind);  // vocabulary: flow

// The same at both ends; 2^32 and more, as pictures demand.
constexpr std::uint64_t arrow_number(ArrowKind kind, std::uint32_t position) {
  return (static_cast<std::uint64_t>(kind) << 32U) | position;
}

// Which of the slices that a row of the recording is drawn as.
enum class Anchor : std::uint8_t {
  kItself,  // phases and submissions
  kSchedulerBar,
  kWorkerBar,
  kKernel,
  kMarker,
  kEnvelope,
};

struct ArrowEnd {
  std::uint32_t row = 0;  // of the recording
  std::uint32_t position = 0;
  Anchor anchor = Anchor::kItself;
  ArrowKind kind = ArrowKind::kDependency;
  bool leaves = false;
};

// A kernel that started before its producer had ended.
struct Violation {
  std::uint32_t row = 0;
  trace::TaskId producer = trace::TaskId::kNone;
};

struct Arrows {
  std::vector<ArrowEnd> ends = {};         // by row, then anchor
  std::vector<Violation> violations = {};  // by row

  std::span<const ArrowEnd> of(trace::RowRange rows) const;
};

// Goes along the ends of arrows beside rows that increase.
class ArrowCursor {
 public:
  explicit ArrowCursor(std::span<const ArrowEnd> ends) : rest_(ends) {}

  std::span<const ArrowEnd> of(std::uint32_t row) {
    std::size_t skipped = 0;
    while (skipped < rest_.size() && rest_[skipped].row < row) ++skipped;
    std::size_t count = 0;
    while (skipped + count < rest_.size() && rest_[skipped + count].row == row) ++count;
    const std::span<const ArrowEnd> found = rest_.subspan(skipped, count);
    rest_ = rest_.subspan(skipped);
    return found;
  }

 private:
  std::span<const ArrowEnd> rest_;
};

Arrows find_arrows(const trace::Trace& trace, const trace::ChipRun& chip, const Survey& survey,
                   const Timeline& timeline);

}  // namespace accelscope::views::swimlane
