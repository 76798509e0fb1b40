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
    {"cube_fp16_exec", 0x49, cube_busy},     {"cube_int8_exec", 0x4a, nullptr},
    {"vec_fp32_exec", 0x4b, vector_busy},    {"vec_fp16_128lane_exec", 0x4c, nullptr},
    {"vec_fp16_64lane_exec", 0x4d, nullptr}, {"vec_int32_exec", 0x4e, nullptr},
    {"vec_misc_exec", 0x4f, nullptr},
};
constexpr PmuEvent kA2A3Pipe[] = {
    {"vec_busy_cycles", 0x08, vector_busy},
    {"cube_busy_cycles", 0x0a, cube_busy},
    {"scalar_busy_cycles", 0x09, scalar_busy},
    {"mte1_busy_cycles", 0x0b, mte1_busy},
    {"mte2_busy_cycles", 0x0c, mte2_busy},
    {"mte3_busy_cycles", 0x0d, mte3_busy},
    {"icache_miss", 0x55, nullptr},
    {"icache_req", 0x54, fetches},
};
constexpr PmuEvent kA2A3Memory[] = {
    {"ub_read_req", 0x15, ub_reads},    {"ub_write_req", 0x16, ub_writes},
    {"l1_read_req", 0x31, l1_reads},    {"l1_write_req", 0x32, l1_writes},
    {"l2_read_req", 0x0f, far_reads},   {"l2_write_req", 0x10, far_writes},
    {"main_read_req", 0x12, far_reads}, {"main_write_req", 0x13, far_writes},
};
constexpr PmuEvent kA2A3MemoryL0[] = {
    {"l0a_read_req", 0x1b, l0_operand}, {"l0a_write_req", 0x1c, l0_operand},
    {"l0b_read_req", 0x21, l0_operand}, {"l0b_write_req", 0x22, l0_operand},
    {"l0c_read_req", 0x27, l0c_reads},  {"l0c_write_req", 0x28, l0c_reads},
};
constexpr PmuEvent kA2A3Conflicts[] = {
    {"bankgroup_stall_cycles", 0x64, nullptr},
    {"bank_stall_cycles", 0x65, nullptr},
    {"vec_resc_conflict_cycles", 0x66, nullptr},
};
constexpr PmuEvent kA2A3MemoryUb[] = {
    {"ub_read_bw_mte", 0x3d, ub_reads},      {"l2_write_bw", 0x10, far_writes},
    {"main_mem_write_bw", 0x13, far_writes}, {"ub_write_bw_mte", 0x3e, ub_writes},
    {"ub_read_bw_vector", 0x43, ub_writes},  {"ub_write_bw_vector", 0x44, ub_reads},
    {"ub_read_bw_scalar", 0x37, nullptr},    {"ub_write_bw_scalar", 0x38, nullptr},
};
constexpr PmuEvent kA2A3Cache[] = {
    {"write_cache_hit", 0x500, nullptr},   {"write_cache_miss_allocate", 0x502, far_writes},
    {"r0_read_cache_hit", 0x504, nullptr}, {"r0_read_cache_miss_allocate", 0x506, far_reads},
    {"r1_read_cache_hit", 0x508, nullptr}, {"r1_read_cache_miss_allocate", 0x50a, nullptr},
};

constexpr PmuEvent kA5Arithmetic[] = {
    {"cube_fp_instr_busy", 0x323, cube_busy},
    {"cube_int_instr_busy", 0x324, nullptr},
};
constexpr PmuEvent kA5Pipe[] = {
    {"pmu_idc_aic_vec_busy_o", 0x501, vector_busy},
    {"cube_instr_busy", 0x301, cube_busy},
    {"scalar_instr_busy", 0x1, scalar_busy},
    {"mte1_instr_busy", 0x701, mte1_busy},
    {"mte2_instr_busy", 0x202, mte2_busy},
    {"mte3_instr_busy", 0x203, mte3_busy},
    {"icache_req", 0x34, fetches},
    {"icache_miss", 0x35, nullptr},
    {"pmu_fix_instr_busy", 0x714, nullptr},
};
constexpr PmuEvent kA5Memory[] = {
    {"bif_sc_pmu_read_main_instr_core", 0x400, far_reads},
    {"bif_sc_pmu_write_main_instr_core", 0x401, far_writes},
    {"pmu_aiv_ext_rd_ub_instr", 0x56f, ub_reads},
    {"ub_pmu_vec_rd_ub_acc", 0x571, ub_writes},
    {"pmu_aiv_ext_wr_ub_instr", 0x570, ub_writes},
    {"ub_pmu_vec_wr_ub_acc", 0x572, ub_reads},
    {"pmu_rd_l1_instr", 0x707, l1_reads},
    {"pmu_wr_l1_instr", 0x709, l1_writes},
};
constexpr PmuEvent kA5MemoryL0[] = {
    {"cube_sc_pmu_read_l0a_instr", 0x304, l0_operand}, {"pmu_wr_l0a_instr", 0x703, l0_operand},
    {"cube_sc_pmu_read_l0b_instr", 0x306, l0_operand}, {"pmu_wr_l0b_instr", 0x705, l0_operand},
    {"fixp_rd_l0c_instr", 0x712, l0c_reads},           {"cube_sc_pmu_read_l0c_instr", 0x30a, nullptr},
    {"cube_sc_pmu_write_l0c_instr", 0x308, l0c_reads},
};
constexpr PmuEvent kA5Conflicts[] = {
    {"stu_pmu_wctl_ub_cflt", 0x3556, nullptr},
    {"ldu_pmu_ib_ub_cflt", 0x3540, nullptr},
    {"pmu_idc_aic_vec_instr_vf_busy_o", 0x3502, vector_busy},
    {"idu_pmu_ins_iss_cnt", 0x3528, nullptr},
};
constexpr PmuEvent kA5MemoryUb[] = {
    {"pmu_rd_acc_ub_instr_p", 0x3, nullptr},
    {"pmu_wr_acc_ub_instr_p", 0x5, nullptr},
    {"pmu_fix_wr_ub_instr", 0x70c, nullptr},
    {"mte_sc_pmu_write_acc_ub_instr_0", 0x206, ub_writes},
    {"mte_sc_pmu_read_acc_ub_instr_0", 0x204, ub_reads},
    {"ub_pmu_vec_rd_ub_acc", 0x571, ub_writes},
    {"ub_pmu_vec_wr_ub_acc", 0x572, ub_reads},
};
constexpr PmuEvent kA5Cache[] = {
    {"bif_sc_pmu_ar_close_l2_hit_core", 0x424, nullptr},
    {"bif_sc_pmu_ar_close_l2_miss_core", 0x425, far_reads},
    {"bif_sc_pmu_ar_close_l2_victim_core", 0x426, nullptr},
    {"bif_sc_pmu_aw_close_l2_hit_core", 0x42a, nullptr},
    {"bif_sc_pmu_aw_close_l2_miss_core", 0x42b, far_writes},
    {"bif_sc_pmu_aw_close_l2_victim_core", 0x42c, nullptr},
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
