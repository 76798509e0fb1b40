// Which bytes of a core's lane of blocks belong to which of its drains.
//
// Drains count in the order of their sequence, and each begins a block. Where records of drains are missing,
// nobody knows how many blocks were theirs: drains before the first hole are placed from the lane's
// beginning, those behind the last one from its end, if the recording has one, and those in between nowhere.
// Owns the bytes; what it hands out views them.
//
//   const DrainPlaces places(std::move(drains), std::move(runs), complete);
//   for (const PlacedDrain& drain : places.drains()) places.bytes_of(drain, pieces);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/chip_run/recorded_pipes.h"

namespace accelscope::formats::chip_run {

struct PlacedDrain {
  recorder::PerfmonDrainRecord record = {};
  std::optional<std::uint64_t> first_block = std::nullopt;
  std::uint64_t missing_before = 0;  // drains between the one before and this one

  std::uint64_t blocks() const {
    return (std::uint64_t{record.copied} + recorder::PerfmonBlockRecord::kBytes - 1) /
           recorder::PerfmonBlockRecord::kBytes;
  }
};

class DrainPlaces {
 public:
  DrainPlaces(std::vector<recorder::PerfmonDrainRecord> drains, std::vector<RecordedPipes::BlockRun> runs,
              bool complete);

  const std::vector<PlacedDrain>& drains() const { return drains_; }
  // The drain's bytes in pieces, in order; gives how many of its blocks are missing, and then no bytes.
  std::uint64_t bytes_of(const PlacedDrain& drain, std::vector<std::span<const std::byte>>& pieces) const;
  // Blocks behind those of the last drain.
  std::uint64_t left_over() const;

 private:
  std::size_t place_from_beginning();
  void place_from_end(std::size_t first);
  bool is_padded(const PlacedDrain& drain) const;
  std::uint64_t end_of_blocks() const { return runs_.empty() ? 0 : runs_.back().end(); }

  std::vector<PlacedDrain> drains_;
  std::vector<RecordedPipes::BlockRun> runs_;  // by number, apart
};

}  // namespace accelscope::formats::chip_run
