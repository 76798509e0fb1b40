#include "compat/reference_emulator_lines.h"

#include <fmt/core.h>

#include <cmath>

namespace accelscope::compat {

std::string scientific(double number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "NaN" : number > 0 ? "inf" : "-inf";
  const std::string text = fmt::format("{:.2e}", number);
  const std::size_t mark = text.find('e');
  std::string_view exponent = std::string_view(text).substr(mark + 1);
  const bool negative = exponent.starts_with('-');
  exponent.remove_prefix(1);
  while (exponent.size() > 1 && exponent.front() == '0') exponent.remove_prefix(1);
  return fmt::format("{}e{}{}", text.substr(0, mark), negative ? "-" : "", exponent);
}

std::string traffic_line(std::uint64_t bytes_read, std::uint64_t bytes_written, base::Picoseconds elapsed) {
  const double rate =
      static_cast<double>(bytes_read + bytes_written) / (static_cast<double>(elapsed.value) / 1e12);
  return fmt::format("HBM Statistics - Bytes read: {} | Bytes written: {} | Utilization: {} bytes/sec",
                     bytes_read, bytes_written, scientific(rate));
}

std::string latency_line(base::Picoseconds latency) {
  return fmt::format("Simulation completed. Latency {}.{:03}ns", latency.value / 1000, latency.value % 1000);
}

std::string link_line(std::string_view model, const ReferenceLinkCounts& counts) {
  if (model == "host-stream")
    return fmt::format("Host-stream memory - weight reads: {} ({} bytes) | activation reads: {} ({} bytes)",
                       counts.weight_reads, counts.weight_bytes, counts.activation_reads,
                       counts.activation_bytes);
  if (model == "layer-swap")
    return fmt::format("Layer-swap memory - swaps: {} | swapped bytes: {} | swap time: {} ns", counts.swaps,
                       counts.swapped_bytes, counts.swap_time.value / 1000);
  if (model == "resident" || model == "kv-swap" || model == "weight-stream")
    return fmt::format(
        "Capacity model [{}] - resident bytes: {} | kv swapped bytes: {} (swaps: {}) | weight streamed "
        "bytes: {}",
        model, counts.resident_bytes, counts.swapped_bytes, counts.swaps, counts.streamed_bytes);
  return {};
}

}  // namespace accelscope::compat
