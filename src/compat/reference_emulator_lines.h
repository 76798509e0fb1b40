// The lines that the reference's emulator prints at its end and that other tools look for, letter by letter.
//
// Pure functions, safe from any thread.
//
//   latency_line({9'410'000})   // "Simulation completed. Latency 9410.000ns"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace accelscope::compat {

// "5.22e9": two decimals, no plus sign and no zero in front of the exponent.
std::string scientific(double number);

// "HBM Statistics - Bytes read: 49152 | Bytes written: 0 | Utilization: 5.22e9 bytes/sec"
std::string traffic_line(std::uint64_t bytes_read, std::uint64_t bytes_written, base::Picoseconds elapsed);
std::string latency_line(base::Picoseconds latency);

// What the models with a host link counted.
struct ReferenceLinkCounts {
  std::uint64_t weight_reads = 0;
  std::uint64_t weight_bytes = 0;
  std::uint64_t activation_reads = 0;
  std::uint64_t activation_bytes = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t streamed_bytes = 0;
  std::uint64_t swaps = 0;
  std::uint64_t swapped_bytes = 0;
  base::Picoseconds swap_time{};
};
// Of a model by its name on the command line; "" for `hbm`, which has no line of its own.
std::string link_line(std::string_view model, const ReferenceLinkCounts& counts);

}  // namespace accelscope::compat
