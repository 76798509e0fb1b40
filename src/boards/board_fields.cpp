#include <array>

#include "boards/board_file.h"

namespace accelscope::boards {
namespace {

constexpr std::string_view kFit = "fit";
constexpr std::string_view kProfile = "isa profile";
constexpr std::string_view kManifest = "fit, manifest";
constexpr std::string_view kAll = "fit, isa profile";
constexpr std::string_view kNobody = "";

struct Row {
  BoardField field;
  bool (*given)(const Board&);
};

bool always(const Board& /*board*/) {
  return true;
}

// The order of docs/boards.md.
constexpr std::array kRows{
    Row{{"name", kAll}, always},
    Row{{"description", kNobody}, [](const Board& b) { return !b.description.empty(); }},
    Row{{"vendor", kNobody}, [](const Board& b) { return !b.vendor.empty(); }},
    Row{{"family", kNobody}, [](const Board& b) { return !b.family.empty(); }},
    Row{{"part", kNobody}, [](const Board& b) { return !b.part.empty(); }},
    Row{{"clock_mhz", kAll}, always},
    Row{{"memory.type", kNobody}, [](const Board& b) { return !b.memory.type.empty(); }},
    Row{{"memory.spec", kNobody}, [](const Board& b) { return !b.memory.spec.empty(); }},
    Row{{"memory.chip", kNobody}, [](const Board& b) { return !b.memory.chip.empty(); }},
    Row{{"memory.bus_width", kNobody}, [](const Board& b) { return !b.memory.bus_width.empty(); }},
    Row{{"memory.physical_size_bytes", kManifest},
        [](const Board& b) { return b.memory.physical_size.has_value(); }},
    Row{{"memory.capacity_bytes", kManifest},
        [](const Board& b) { return b.memory.capacity_size.has_value(); }},
    Row{{"memory.modeled_size_bytes", kNobody},
        [](const Board& b) { return b.memory.modeled_size.has_value(); }},
    Row{{"memory.bus_width_bits", kNobody},
        [](const Board& b) { return b.memory.bus_width_bits.has_value(); }},
    Row{{"memory.peak_bandwidth_gbps", kFit},
        [](const Board& b) { return b.memory.peak_bandwidth.has_value(); }},
    Row{{"memory.effective_bandwidth_gbps", kFit},
        [](const Board& b) { return b.memory.effective_bandwidth.has_value(); }},
    Row{{"memory.hbm_size_bytes", kManifest}, [](const Board& b) { return b.memory.hbm_size.has_value(); }},
    Row{{"memory.hbm_width_bits", kNobody},
        [](const Board& b) { return b.memory.hbm_width_bits.has_value(); }},
    Row{{"memory.hbm_bandwidth_gbps", kFit},
        [](const Board& b) { return b.memory.hbm_bandwidth.has_value(); }},
    Row{{"memory.matrix_sram_tiles", kFit},
        [](const Board& b) { return b.memory.matrix_sram_tiles.has_value(); }},
    Row{{"memory.vector_sram_depth", kFit},
        [](const Board& b) { return b.memory.vector_sram_depth.has_value(); }},
    Row{{"memory.hbm_m_prefetch_amount", kProfile},
        [](const Board& b) { return b.memory.matrix_prefetch_rows.has_value(); }},
    Row{{"memory.hbm_v_prefetch_amount", kProfile},
        [](const Board& b) { return b.memory.vector_prefetch_rows.has_value(); }},
    Row{{"memory.hbm_v_writeback_amount", kProfile},
        [](const Board& b) { return b.memory.vector_writeback_rows.has_value(); }},
    Row{{"memory.ddr3_burst_cycles", kNobody},
        [](const Board& b) { return b.memory.ddr3_burst.has_value(); }},
    Row{{"memory.ddr3_row_miss_penalty", kNobody},
        [](const Board& b) { return b.memory.ddr3_row_miss_penalty.has_value(); }},
    Row{{"memory.prefetch_v_cycles", kProfile},
        [](const Board& b) { return b.memory.prefetch_vector.has_value(); }},
    Row{{"memory.prefetch_m_cycles", kProfile},
        [](const Board& b) { return b.memory.prefetch_matrix.has_value(); }},
    Row{{"memory.store_v_cycles", kProfile},
        [](const Board& b) { return b.memory.store_vector.has_value(); }},
    Row{{"host_link.type", kFit}, [](const Board& b) { return b.host_link.has_value(); }},
    Row{{"host_link.bandwidth_bytes_per_sec", kFit}, [](const Board& b) { return b.host_link.has_value(); }},
    Row{{"host_link.theoretical_bandwidth_bytes_per_sec", kFit},
        [](const Board& b) { return b.host_link && b.host_link->theoretical_bandwidth; }},
    Row{{"host_link.latency_ns", kFit}, [](const Board& b) { return b.host_link && b.host_link->latency; }},
    Row{{"precision.matrix_sram", kFit}, [](const Board& b) { return b.precision.matrix_sram.has_value(); }},
    Row{{"precision.vector_sram", kFit}, [](const Board& b) { return b.precision.vector_sram.has_value(); }},
    Row{{"precision.hbm_act", kFit}, [](const Board& b) { return b.precision.activations.has_value(); }},
    Row{{"precision.hbm_weight", kFit}, [](const Board& b) { return b.precision.weights.has_value(); }},
    Row{{"latency.dc_lib_en", kNobody}, always},
    Row{{"latency.systolic_processing_overhead", kProfile}, always},
    Row{{"latency.vector_add_cycles", kProfile}, always},
    Row{{"latency.vector_mul_cycles", kProfile}, always},
    Row{{"latency.vector_exp_cycles", kProfile}, always},
    Row{{"latency.vector_reci_cycles", kProfile}, always},
    Row{{"latency.vector_max_cycles", kProfile}, always},
    Row{{"latency.vector_sum_cycles", kProfile}, always},
    Row{{"latency.vector_shift_cycles", kNobody}, always},
    Row{{"latency.vector_prefix_scan_cycles", kNobody}, always},
    Row{{"latency.scalar_fp_basic_cycles", kProfile}, always},
    Row{{"latency.scalar_fp_exp_cycles", kProfile}, always},
    Row{{"latency.scalar_fp_sqrt_cycles", kProfile}, always},
    Row{{"latency.scalar_fp_reci_cycles", kProfile}, always},
    Row{{"latency.scalar_int_basic_cycles", kProfile}, always},
    Row{{"power.tdp_watts", kFit}, [](const Board& b) { return b.power.tdp_watts.has_value(); }},
    Row{{"power.io_voltage", kNobody}, [](const Board& b) { return b.power.io_voltage.has_value(); }},
    Row{{"resources.luts", kNobody}, [](const Board& b) { return b.resources.luts.has_value(); }},
    Row{{"resources.ffs", kNobody}, [](const Board& b) { return b.resources.ffs.has_value(); }},
    Row{{"resources.bram_36k", kFit}, [](const Board& b) { return b.resources.bram_36k.has_value(); }},
    Row{{"resources.uram", kFit}, [](const Board& b) { return b.resources.uram.has_value(); }},
    Row{{"resources.dsp48", kNobody}, [](const Board& b) { return b.resources.dsp_kind == "dsp48"; }},
    Row{{"resources.dsp58", kNobody}, [](const Board& b) { return b.resources.dsp_kind == "dsp58"; }},
    Row{{"resources.aie_tiles", kNobody}, [](const Board& b) { return b.resources.aie_tiles.has_value(); }},
    Row{{"tile_hints", kFit}, [](const Board& b) { return !b.tile_hints.empty(); }},
};

constexpr auto kFields = [] {
  std::array<BoardField, kRows.size()> fields;
  for (std::size_t i = 0; i < kRows.size(); ++i) fields[i] = kRows[i].field;
  return fields;
}();

}  // namespace

std::span<const BoardField> board_fields() {
  return kFields;
}

std::vector<std::string_view> unused_fields(const Board& board) {
  std::vector<std::string_view> unused;
  for (const Row& row : kRows)
    if (row.field.used_by.empty() && row.given(board)) unused.push_back(row.field.path);
  return unused;
}

}  // namespace accelscope::boards
