#include "jobs/emulate_reference.h"

#include "compat/reference_emulator_lines.h"

namespace accelscope::jobs {
namespace {

compat::ReferenceLinkCounts counts_of(const std::vector<memory::ModelStatistics>& models) {
  compat::ReferenceLinkCounts counts;
  std::int64_t swap_time = 0;
  const auto take = [](const memory::Counter& counter, std::string_view id, std::uint64_t& into) {
    if (counter.id == id) into += static_cast<std::uint64_t>(counter.value);
  };
  for (const memory::ModelStatistics& model : models)
    for (const memory::Counter& counter : model.counters) {
      take(counter, "weight_reads", counts.weight_reads);
      take(counter, "weight_bytes", counts.weight_bytes);
      take(counter, "activation_reads", counts.activation_reads);
      take(counter, "activation_bytes", counts.activation_bytes);
      // The reference tells weights from everything else.
      take(counter, "kv_reads", counts.activation_reads);
      take(counter, "kv_bytes", counts.activation_bytes);
      take(counter, "resident_bytes", counts.resident_bytes);
      take(counter, "streamed_bytes", counts.streamed_bytes);
      take(counter, "swaps", counts.swaps);
      take(counter, "swapped_bytes", counts.swapped_bytes);
      if (counter.id == "transfer_time") swap_time += counter.value;
    }
  counts.swap_time = {swap_time};
  return counts;
}

}  // namespace

std::vector<std::string> reference_lines(const EmulatedRun& run) {
  const emulator::Emulation& done = run.done;
  // Traffic is printed when the last instruction is done, the latency when the memory is.
  const base::Picoseconds elapsed =
      done.latency - emulator::waited_for(done.accounts, emulator::Cause::kDrain);
  std::vector<std::string> lines{compat::traffic_line(done.bytes_read, done.bytes_written, elapsed)};
  if (std::string line = compat::link_line(emulator::name_of(run.memory.model), counts_of(done.memory));
      !line.empty())
    lines.push_back(std::move(line));
  lines.push_back(compat::latency_line(done.latency));
  return lines;
}

}  // namespace accelscope::jobs
