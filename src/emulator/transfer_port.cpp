#include "emulator/transfer_port.h"

#include <algorithm>

namespace accelscope::emulator {

using base::Picoseconds;

Transferred TransferPort::carry_out(const TransferPlan& plan, Picoseconds now) {
  blocks_.clear();
  append_blocks(plan, blocks_);
  const std::uint64_t bytes = blocks_.size() * kBlockBytes;
  Transferred done{
      .start = now, .end = plan.stores ? change_one_by_one(now) : read_all(now), .bytes_read = bytes};
  if (plan.stores) done.bytes_written = bytes;
  time_ += done.duration();
  bytes_read_ += done.bytes_read;
  bytes_written_ += done.bytes_written;
  return done;
}

Picoseconds TransferPort::read_all(Picoseconds now) {
  for (const std::uint64_t address : blocks_)
    memory_.submit({.address = address, .size = {kBlockBytes}, .arrival = now});
  Picoseconds end = now;
  for (std::size_t left = blocks_.size(); left > 0; --left) {
    const auto done = memory_.next(Picoseconds::max());
    if (!done) break;
    end = std::max(end, done->time);
  }
  return end;
}

Picoseconds TransferPort::change_one_by_one(Picoseconds now) {
  Picoseconds at = now;
  const auto wait = [&] {
    if (const auto done = memory_.next(Picoseconds::max())) at = std::max(at, done->time);
  };
  for (const std::uint64_t address : blocks_) {
    memory_.submit({.address = address, .size = {kBlockBytes}, .arrival = at});
    wait();
    memory_.submit({.address = address,
                    .size = {kBlockBytes},
                    .access = memory::Access::kWrite,
                    .posted = true,
                    .arrival = at});
    wait();
  }
  return at;
}

Picoseconds TransferPort::quiet_from(Picoseconds end) {
  // What a memory brings of its own accord is no part of the run.
  if (memory_.runs_ahead()) return end;
  while (memory_.next(Picoseconds::max())) {
  }
  Picoseconds quiet = std::max(end, memory_.now());
  for (const memory::ModelStatistics& model : memory_.statistics()) quiet = std::max(quiet, model.elapsed);
  return quiet;
}

TransferShares shares_of(const std::vector<memory::ModelStatistics>& statistics, Picoseconds transfers) {
  TransferShares shares;
  for (const memory::ModelStatistics& model : statistics) {
    for (const memory::LayerTransfers& layer : model.layers) shares.link += layer.exposed;
    const memory::ChannelStatistics all = memory::total(model.channels);
    constexpr auto kRefresh = static_cast<std::size_t>(memory::Idle::kRefresh);
    // Idle ticks are those of all buses together, so their share of all ticks is a share of the time.
    if (all.elapsed_ticks > 0)
      shares.refresh += {base::floor_divide(
          static_cast<base::Int128>(model.elapsed.value) * all.idle_ticks[kRefresh], all.elapsed_ticks)};
  }
  shares.link = std::min(shares.link, transfers);
  shares.refresh = std::min(shares.refresh, transfers - shares.link);
  return shares;
}

}  // namespace accelscope::emulator
