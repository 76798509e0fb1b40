#include "formats/chip_swimlane/stream_ahead.h"

#include <thread>

#include "formats/chip_swimlane/stream_rows.h"

namespace accelscope::formats::chip_swimlane {
namespace {

// Below this a thread costs more than it brings.
constexpr std::size_t kWorthAThread = 1'000'000;

}  // namespace

SchedulerStreamAhead::SchedulerStreamAhead(std::string_view text) {
  if (text.size() < kWorthAThread || std::thread::hardware_concurrency() < 2) return;
  guess_ = base::Beside<std::optional<Guess>>([text] { return read(text); });
}

std::optional<SchedulerStreamAhead::Guess> SchedulerStreamAhead::read(std::string_view text) {
  constexpr std::string_view kKey = "\"aicpu_tasks\"";
  const std::size_t key = text.find(kKey);
  if (key == std::string_view::npos) return std::nullopt;
  const std::size_t begin = text.find('[', key + kKey.size());
  if (begin == std::string_view::npos) return std::nullopt;
  base::JsonCursor json(text.substr(begin), "", begin);
  Guess guess{.begin = begin};
  read_scheduler_rows(json, guess.stream);
  if (!json.ok()) return std::nullopt;
  guess.end = json.offset();
  return guess;
}

bool SchedulerStreamAhead::take(base::JsonCursor& json, SchedulerStream& stream) {
  // Also moves to the value itself.
  if (!guess_.valid() || json.kind() != base::JsonKind::kArray) return false;
  std::optional<Guess> guess = guess_.get();
  if (!guess || guess->begin != json.offset()) return false;
  stream = std::move(guess->stream);
  json.skip_value_to(guess->end);
  return true;
}

}  // namespace accelscope::formats::chip_swimlane
