// What everything costs on the virtual chip, in picoseconds.
//
// The defaults are what was measured on such chips (docs/costs.md says where each comes from). Plain values;
// files: cost_file.h.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace accelscope::device {

using base::Picoseconds;

struct Costs {
  // Control CPUs.
  Picoseconds register_read{100'000};  // the word of a core
  Picoseconds register_write{5'000};   // posted
  Picoseconds timestamp_read{20'000};
  Picoseconds idle_loop{50'000};         // one turn of a scheduler thread that finds nothing
  Picoseconds pop_task{60'000};          // a look into a ready queue
  Picoseconds dispatch_task{150'000};    // building what a core is given
  Picoseconds complete_block{80'000};    // bookkeeping of one block that is done
  Picoseconds resolve_consumer{40'000};  // one consumer of a task that is done
  Picoseconds release_producer{30'000};
  Picoseconds submit_task{500'000};  // of the orchestrator, without what follows
  Picoseconds submit_argument{60'000};
  Picoseconds wire_edge{40'000};
  Picoseconds scope{100'000};
  // Between control CPUs and cores.
  Picoseconds control_to_core{140'000};  // until a core sees what a control CPU has written
  Picoseconds core_to_control{600'000};  // and back
  Picoseconds doorbell{140'000};
  // Cores.
  Picoseconds receive_to_start{290'000};
  Picoseconds receive_to_start_cold{870'000};  // of a function that the core has not run before
  Picoseconds end_to_next{520'000};            // the tail of a task before the next is seen
  // Kernels.
  double core_clock_mhz = 1850;
  double cube_multiply_adds_per_cycle = 4096;
  double vector_operations_per_cycle = 64;
  double scalar_operations_per_cycle = 1;
  double bytes_per_cycle_read = 64;
  double bytes_per_cycle_written = 64;
  double bytes_per_cycle_moved =
      256;  // between the memories of a core: what a cube core does with what it read
  Picoseconds kernel_start{200'000};  // of every call
  // How much calls of equal work differ: a factor between 1 - jitter and 1 + jitter, by task, block,
  // kernel of a MIX task and seed.
  double jitter = 0;
  std::uint64_t seed = 1;

  bool operator==(const Costs&) const = default;
};

}  // namespace accelscope::device
