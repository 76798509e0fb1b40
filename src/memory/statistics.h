// What a memory has to say about itself, the same for every model: traffic, latencies, what the buses did
// with their time, and counters of its own.
//
// Plain data; owned by whoever asked for it.
//
//   for (const ModelStatistics& model : memory.statistics()) show(model.name, model.traffic.bytes_read);
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace accelscope::memory {

// How often each latency occurred: exact up to 128 units, then to within 1/64. The unit is the model's tick.
class Histogram {
 public:
  // Here, because it is asked for with every burst.
  void add(std::int64_t value, std::uint64_t times = 1) {
    if (times == 0) return;
    const std::int64_t known = std::max<std::int64_t>(0, value);
    const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(known));
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket] += times;
    if (known < least_) least_ = known;
    if (known > most_) most_ = known;
    count_ += times;
    sum_ += known * static_cast<std::int64_t>(times);
  }
  void add(const Histogram& other);
  std::uint64_t count() const { return count_; }
  std::int64_t sum() const { return sum_; }
  std::int64_t least() const { return count_ == 0 ? 0 : least_; }
  std::int64_t most() const { return count_ == 0 ? 0 : most_; }
  double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  // The smallest value that at least this share (0 to 1) of all values does not exceed; 0 when there are
  // none.
  std::int64_t quantile(double share) const;
  bool operator==(const Histogram&) const = default;

 private:
  static constexpr std::size_t kExact = 128;
  static constexpr std::size_t kPerOctave = 64;
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < kExact) return static_cast<std::size_t>(value);
    // 128 has 8 bits and begins the first octave of 64 buckets, each 2 wide.
    const auto octave = static_cast<std::size_t>(std::bit_width(value)) - 8;
    const auto within = static_cast<std::size_t>(value >> (octave + 1)) - kPerOctave;
    return kExact + octave * kPerOctave + within;
  }
  static std::uint64_t last_of(std::size_t bucket);

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_ = 0;
};

// Why a data bus had nothing to do. Every idle tick has exactly one.
enum class Idle : std::uint8_t {
  kNoRequest,       // nothing for this bus was in the queue, or the request that came next entered too late
  kRowBus,          // activates and precharges wait for their command bus
  kActivateWindow,  // activates too close together: tRRD, tFAW
  kRefresh,
  kTurnaround,    // between reads and writes
  kBankConflict,  // a row is closed and another one opened: tRCD, tRP, tRAS, tRC, write recovery
  kBankGroup,     // columns of one bank group one behind the other: tCCD_L
  kColumnBus,     // columns wait for their command bus
};
inline constexpr std::size_t kIdleReasons = 8;
std::string_view name_of(Idle reason);

struct ChannelStatistics {
  std::int64_t elapsed_ticks = 0;  // of all its data buses together: wall time times pseudo channels
  std::int64_t busy_ticks = 0;     // data on a bus
  // With the busy ticks they sum to the elapsed ones; all zero when the model was told not to ask.
  std::array<std::int64_t, kIdleReasons> idle_ticks{};
  std::uint64_t reads = 0;  // bursts
  std::uint64_t writes = 0;
  std::uint64_t row_hits = 0;
  std::uint64_t row_misses = 0;     // the bank was closed
  std::uint64_t row_conflicts = 0;  // another row was open
  std::uint64_t activates = 0;
  std::uint64_t precharges = 0;
  std::uint64_t refreshes = 0;
  std::uint64_t forwarded_reads = 0;  // answered from the write queue
  std::uint64_t merged_writes = 0;    // into one that waited in the write queue

  double utilisation() const {
    return elapsed_ticks == 0 ? 0 : static_cast<double>(busy_ticks) / static_cast<double>(elapsed_ticks);
  }
  void add(const ChannelStatistics& other);
  bool operator==(const ChannelStatistics&) const = default;
};

struct Traffic {
  std::uint64_t reads = 0;  // requests
  std::uint64_t writes = 0;
  base::Bytes bytes_read{};  // as requested
  base::Bytes bytes_written{};
  base::Bytes bytes_moved{};  // whole bursts, those answered from a write queue included

  bool operator==(const Traffic&) const = default;
};

// What only this model counts: swaps of a wrapper, the transfers of a link.
struct Counter {
  std::string id;
  std::string unit;  // "bytes", "ps", ""
  std::int64_t value = 0;

  bool operator==(const Counter&) const = default;
};

// What came over a host link for a layer: how long the link had it, and how much of that somebody waited for.
struct LayerTransfers {
  std::uint32_t layer = 0;
  std::uint64_t transfers = 0;
  base::Bytes bytes{};
  base::Picoseconds time{};
  base::Picoseconds exposed{};  // at most `time`

  base::Picoseconds hidden() const { return time - exposed; }
  bool operator==(const LayerTransfers&) const = default;
};

struct ModelStatistics {
  std::string name;
  Traffic traffic;
  base::Picoseconds elapsed{};
  std::int64_t tick_femtoseconds = 0;  // of the ticks in the other fields; 0 when the model has none
  Histogram burst_latency;             // ticks from a place in the read queue to the data, reads only
  Histogram request_latency;           // ticks from arrival to the last byte
  std::vector<ChannelStatistics> channels;
  std::vector<Counter> counters;
  std::vector<LayerTransfers> layers = {};  // of models with a host link, by layer
  // An estimate: bits moved by a documented energy for each; 0 when there is none.
  double energy_picojoules = 0;

  bool operator==(const ModelStatistics&) const = default;
};

// What was counted between two moments.
ChannelStatistics difference(const ChannelStatistics& later, const ChannelStatistics& earlier);

// All channels together.
ChannelStatistics total(const std::vector<ChannelStatistics>& channels);

}  // namespace accelscope::memory
