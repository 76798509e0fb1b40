#include "device/pmu_events.h"

#include <algorithm>
#include <array>

namespace accelscope::device {
namespace {

using Counts = const PmuCounts&;

// Requests are of so many bytes: to memory and the cache before it, and to the memories of a core.
constexpr std::uint64_t kFarRequest = 128;
constexpr std::uint64_t kNearRequest = 32;
// One fetch of instructions feeds so many cycles.
constexpr std::uint64_t kCyclesPerFetch = 32;

constexpr std::uint64_t requests(std::uint64_t bytes, std::uint64_t each) {
  return (bytes + each - 1) / each;
}

std::uint64_t vector_busy(Counts c) {
  return c.vector_busy;
}
std::uint64_t cube_busy(Counts c) {
  return c.cube_busy;
}
std::uint64_t scalar_busy(Counts c) {
  return c.scalar_busy;
}
std::uint64_t mte1_busy(Counts c) {
  return c.mte1_busy;
}
std::uint64_t mte2_busy(Counts c) {
  return c.mte2_busy;
}
std::uint64_t mte3_busy(Counts c) {
  return c.mte3_busy;
}
std::uint64_t fetches(Counts c) {
  return requests(c.total_cycles, kCyclesPerFetch);
}
std::uint64_t far_reads(Counts c) {
  return requests(c.bytes_read, kFarRequest);
}
std::uint64_t far_writes(Counts c) {
  return requests(c.bytes_written, kFarRequest);
}
// What comes from memory is written into a core's memory, what goes there is read from it: the unified buffer
// of a vector core, the first level of a cube core.
std::uint64_t ub_reads(Counts c) {
  return c.on_cube ? 0 : requests(c.bytes_written, kNearRequest);
}
std::uint64_t ub_writes(Counts c) {
  return c.on_cube ? 0 : requests(c.bytes_read, kNearRequest);
}
std::uint64_t l1_reads(Counts c) {
  return c.on_cube ? requests(c.bytes_read, kNearRequest) : 0;
}
std::uint64_t l1_writes(Counts c) {
  return c.on_cube ? requests(c.bytes_read, kNearRequest) : 0;
}
std::uint64_t l0_operand(Counts c) {
  return c.on_cube ? requests(c.bytes_read / 2, kNearRequest) : 0;
}
std::uint64_t l0c_reads(Counts c) {
  return c.on_cube ? requests(c.bytes_written, kNearRequest) : 0;
}

constexpr PmuEvent kA2A3Arithmetic[] = {
    {"cube_fp16_exec", cube_busy},      {"cube_int8_exec", nullptr},       {"vec_fp32_exec", vector_busy},
    {"vec_fp16_128lane_exec", nullptr}, {"vec_fp16_64lane_exec", nullptr}, {"vec_int32_exec", nullptr},
    {"vec_misc_exec", nullptr},
};
constexpr PmuEvent kA2A3Pipe[] = {
    {"vec_busy_cycles", vector_busy}, {"cube_busy_cycles", cube_busy}, {"scalar_busy_cycles", scalar_busy},
    {"mte1_busy_cycles", mte1_busy},  {"mte2_busy_cycles", mte2_busy}, {"mte3_busy_cycles", mte3_busy},
    {"icache_miss", nullptr},         {"icache_req", fetches},
};
constexpr PmuEvent kA2A3Memory[] = {
    {"ub_read_req", ub_reads},    {"ub_write_req", ub_writes},    {"l1_read_req", l1_reads},
    {"l1_write_req", l1_writes},  {"l2_read_req", far_reads},     {"l2_write_req", far_writes},
    {"main_read_req", far_reads}, {"main_write_req", far_writes},
};
constexpr PmuEvent kA2A3MemoryL0[] = {
    {"l0a_read_req", l0_operand},  {"l0a_write_req", l0_operand}, {"l0b_read_req", l0_operand},
    {"l0b_write_req", l0_operand}, {"l0c_read_req", l0c_reads},   {"l0c_write_req", l0c_reads},
};
constexpr PmuEvent kA2A3Conflicts[] = {
    {"bankgroup_stall_cycles", nullptr},
    {"bank_stall_cycles", nullptr},
    {"vec_resc_conflict_cycles", nullptr},
};
constexpr PmuEvent kA2A3MemoryUb[] = {
    {"ub_read_bw_mte", ub_reads},   {"l2_write_bw", far_writes},      {"main_mem_write_bw", far_writes},
    {"ub_write_bw_mte", ub_writes}, {"ub_read_bw_vector", ub_writes}, {"ub_write_bw_vector", ub_reads},
    {"ub_read_bw_scalar", nullptr}, {"ub_write_bw_scalar", nullptr},
};
constexpr PmuEvent kA2A3Cache[] = {
    {"write_cache_hit", nullptr},   {"write_cache_miss_allocate", far_writes},
    {"r0_read_cache_hit", nullptr}, {"r0_read_cache_miss_allocate", far_reads},
    {"r1_read_cache_hit", nullptr}, {"r1_read_cache_miss_allocate", nullptr},
};

constexpr PmuEvent kA5Arithmetic[] = {
    {"cube_fp_instr_busy", cube_busy},
    {"cube_int_instr_busy", nullptr},
};
constexpr PmuEvent kA5Pipe[] = {
    {"pmu_idc_aic_vec_busy_o", vector_busy},
    {"cube_instr_busy", cube_busy},
    {"scalar_instr_busy", scalar_busy},
    {"mte1_instr_busy", mte1_busy},
    {"mte2_instr_busy", mte2_busy},
    {"mte3_instr_busy", mte3_busy},
    {"icache_req", fetches},
    {"icache_miss", nullptr},
    {"pmu_fix_instr_busy", nullptr},
};
constexpr PmuEvent kA5Memory[] = {
    {"bif_sc_pmu_read_main_instr_core", far_reads},
    {"bif_sc_pmu_write_main_instr_core", far_writes},
    {"pmu_aiv_ext_rd_ub_instr", ub_reads},
    {"ub_pmu_vec_rd_ub_acc", ub_writes},
    {"pmu_aiv_ext_wr_ub_instr", ub_writes},
    {"ub_pmu_vec_wr_ub_acc", ub_reads},
    {"pmu_rd_l1_instr", l1_reads},
    {"pmu_wr_l1_instr", l1_writes},
};
constexpr PmuEvent kA5MemoryL0[] = {
    {"cube_sc_pmu_read_l0a_instr", l0_operand}, {"pmu_wr_l0a_instr", l0_operand},
    {"cube_sc_pmu_read_l0b_instr", l0_operand}, {"pmu_wr_l0b_instr", l0_operand},
    {"fixp_rd_l0c_instr", l0c_reads},           {"cube_sc_pmu_read_l0c_instr", nullptr},
    {"cube_sc_pmu_write_l0c_instr", l0c_reads},
};
constexpr PmuEvent kA5Conflicts[] = {
    {"stu_pmu_wctl_ub_cflt", nullptr},
    {"ldu_pmu_ib_ub_cflt", nullptr},
    {"pmu_idc_aic_vec_instr_vf_busy_o", vector_busy},
    {"idu_pmu_ins_iss_cnt", nullptr},
};
constexpr PmuEvent kA5MemoryUb[] = {
    {"pmu_rd_acc_ub_instr_p", nullptr},
    {"pmu_wr_acc_ub_instr_p", nullptr},
    {"pmu_fix_wr_ub_instr", nullptr},
    {"mte_sc_pmu_write_acc_ub_instr_0", ub_writes},
    {"mte_sc_pmu_read_acc_ub_instr_0", ub_reads},
    {"ub_pmu_vec_rd_ub_acc", ub_writes},
    {"ub_pmu_vec_wr_ub_acc", ub_reads},
};
constexpr PmuEvent kA5Cache[] = {
    {"bif_sc_pmu_ar_close_l2_hit_core", nullptr},     {"bif_sc_pmu_ar_close_l2_miss_core", far_reads},
    {"bif_sc_pmu_ar_close_l2_victim_core", nullptr},  {"bif_sc_pmu_aw_close_l2_hit_core", nullptr},
    {"bif_sc_pmu_aw_close_l2_miss_core", far_writes}, {"bif_sc_pmu_aw_close_l2_victim_core", nullptr},
};

constexpr PmuGroup kA2A3Groups[] = {
    {1, "ARITHMETIC", kA2A3Arithmetic},
    {2, "PIPE", kA2A3Pipe},
    {4, "MEMORY", kA2A3Memory},
    {5, "MEMORY_L0", kA2A3MemoryL0},
    {6, "RESOURCE_CONFLICT", kA2A3Conflicts},
    {7, "MEMORY_UB", kA2A3MemoryUb},
    {8, "L2_CACHE", kA2A3Cache},
};
constexpr PmuGroup kA5Groups[] = {
    {1, "ARITHMETIC", kA5Arithmetic},
    {2, "PIPE", kA5Pipe},
    {4, "MEMORY", kA5Memory},
    {5, "MEMORY_L0", kA5MemoryL0},
    {6, "RESOURCE_CONFLICT", kA5Conflicts},
    {7, "MEMORY_UB", kA5MemoryUb},
    {8, "L2_CACHE", kA5Cache},
};

}  // namespace

std::span<const PmuGroup> pmu_groups(PmuFamily family) {
  return family == PmuFamily::kA5 ? std::span<const PmuGroup>(kA5Groups)
                                  : std::span<const PmuGroup>(kA2A3Groups);
}

const PmuGroup& pmu_group(PmuFamily family, std::uint32_t type) {
  const std::span<const PmuGroup> groups = pmu_groups(family);
  for (const std::uint32_t wanted : {type, kDefaultPmuGroup})
    for (const PmuGroup& group : groups)
      if (group.type == wanted) return group;
  return groups.front();
}

std::uint64_t pmu_value(const PmuEvent& event, const PmuCounts& counts) {
  return event.value == nullptr ? 0 : event.value(counts);
}

}  // namespace accelscope::device
