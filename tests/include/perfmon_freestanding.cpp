// Compiled by check_freestanding.cmake as for a control CPU without a library: what it calls must be its bus.
#include "accelscope/perfmon/core_perfmon.h"
#include "accelscope/perfmon/drain_record.h"

struct ChipBus {
  std::uint32_t read_reg(std::uint32_t core, std::uint32_t offset);
  void write_reg(std::uint32_t core, std::uint32_t offset, std::uint32_t value);
  void barrier();
  void give_up(std::uint32_t core);
};

template class accelscope::perfmon::CorePerfmon<ChipBus>;

accelscope::recorder::PerfmonDrainRecord drain(accelscope::perfmon::CorePerfmon<ChipBus>& perfmon) {
  return accelscope::perfmon::drain_record_of(perfmon.drain(), 1, 1, 1);
}
