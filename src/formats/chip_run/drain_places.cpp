#include "formats/chip_run/drain_places.h"

#include <algorithm>

namespace accelscope::formats::chip_run {
namespace {

using recorder::PerfmonDrainRecord;
using BlockRun = RecordedPipes::BlockRun;
constexpr std::uint64_t kBlock = recorder::PerfmonBlockRecord::kBytes;

// A file whose buffers contradict each other may have blocks twice; the first ones count.
void put_apart(std::vector<BlockRun>& runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const BlockRun& a, const BlockRun& b) { return a.first < b.first; });
  std::uint64_t taken = 0;
  for (BlockRun& run : runs) {
    if (run.first < taken) {
      const std::uint64_t twice = std::min(taken, run.end()) - run.first;
      run.bytes.erase(run.bytes.begin(), run.bytes.begin() + static_cast<std::ptrdiff_t>(twice * kBlock));
      run.first += twice;
    }
    taken = std::max(taken, run.end());
  }
  std::erase_if(runs, [](const BlockRun& run) { return run.bytes.empty(); });
}

}  // namespace

DrainPlaces::DrainPlaces(std::vector<PerfmonDrainRecord> drains, std::vector<BlockRun> runs, bool complete)
    : runs_(std::move(runs)) {
  put_apart(runs_);
  std::stable_sort(
      drains.begin(), drains.end(),
      [](const PerfmonDrainRecord& a, const PerfmonDrainRecord& b) { return a.sequence < b.sequence; });
  std::uint32_t last = 0;
  for (const PerfmonDrainRecord& drain : drains) {
    if (drain.sequence == last) continue;  // the same one again, or one without a number
    drains_.push_back({.record = drain, .missing_before = drain.sequence - last - 1});
    last = drain.sequence;
  }
  const std::size_t placed = place_from_beginning();
  if (complete && placed < drains_.size()) place_from_end(placed);
}

// How many could be.
std::size_t DrainPlaces::place_from_beginning() {
  std::uint64_t next = 0;
  std::size_t count = 0;
  for (; count < drains_.size() && drains_[count].missing_before == 0; ++count) {
    drains_[count].first_block = next;
    next += drains_[count].blocks();
  }
  return count;
}

// Behind the last hole, no further than `first`. That they end where the lane does is an assumption, which
// the zeros behind the bytes of each drain bear out or refute.
void DrainPlaces::place_from_end(std::size_t first) {
  std::uint64_t end = end_of_blocks();
  for (std::size_t i = drains_.size(); i-- > first;) {
    PlacedDrain& drain = drains_[i];
    if (drain.blocks() > end) break;
    end -= drain.blocks();
    drain.first_block = end;
    if (!is_padded(drain)) {
      for (std::size_t wrong = i; wrong < drains_.size(); ++wrong) drains_[wrong].first_block.reset();
      return;
    }
    if (drain.missing_before > 0) break;
  }
}

bool DrainPlaces::is_padded(const PlacedDrain& drain) const {
  const std::uint64_t rest = drain.record.copied % kBlock;
  if (rest == 0) return true;
  const std::uint64_t last = *drain.first_block + drain.blocks() - 1;
  const auto run = std::partition_point(runs_.begin(), runs_.end(),
                                        [&](const BlockRun& item) { return item.end() <= last; });
  if (run == runs_.end() || last < run->first) return true;
  const std::span<const std::byte> block =
      std::span(run->bytes).subspan((last - run->first) * kBlock, kBlock);
  return std::all_of(block.begin() + static_cast<std::ptrdiff_t>(rest), block.end(),
                     [](std::byte byte) { return byte == std::byte{0}; });
}

std::uint64_t DrainPlaces::bytes_of(const PlacedDrain& drain,
                                    std::vector<std::span<const std::byte>>& pieces) const {
  pieces.clear();
  std::uint64_t next = *drain.first_block;
  const std::uint64_t end = next + drain.blocks();
  std::uint64_t missing = 0;
  std::uint64_t left = drain.record.copied;
  auto run = std::partition_point(runs_.begin(), runs_.end(),
                                  [&](const BlockRun& item) { return item.end() <= next; });
  while (next < end) {
    const std::uint64_t there_from = run == runs_.end() ? end : std::clamp(run->first, next, end);
    missing += there_from - next;
    left -= std::min(left, (there_from - next) * kBlock);
    next = there_from;
    if (next == end) break;
    const std::uint64_t there_to = std::min(run->end(), end);
    const std::uint64_t taken = std::min(left, (there_to - next) * kBlock);
    pieces.push_back(std::span(run->bytes).subspan((next - run->first) * kBlock, taken));
    left -= taken;
    next = there_to;
    ++run;
  }
  if (missing > 0) pieces.clear();
  return missing;
}

std::uint64_t DrainPlaces::left_over() const {
  if (drains_.empty()) return end_of_blocks();
  const PlacedDrain& last = drains_.back();
  if (!last.first_block) return 0;
  const std::uint64_t used = *last.first_block + last.blocks();
  return end_of_blocks() - std::min(end_of_blocks(), used);
}

}  // namespace accelscope::formats::chip_run
