// A board: the chip that an accelerator is put on, its clock, its memory and its link to a host. What a field
// is, where it comes from and who uses it is in docs/boards.md; the files are read by board_file.h.
//
// Everything that a file may leave out is optional; what needs it says so instead of guessing. Plain data,
// safe from any thread.
//
//   ACCELSCOPE_TRY(const Board board, load_board("nexys_video"));
//   if (board.memory.capacity()) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "boards/number_format.h"

namespace accelscope::boards {

// External memory, and what of the on-chip memories the board fixes.
struct BoardMemory {
  std::string type;       // "ddr3", "hbm"
  std::string spec;       // "DDR3-1600"
  std::string chip;       // "MT41K256M16HA"
  std::string bus_width;  // "x16"
  std::optional<base::Bytes> physical_size;
  std::optional<base::Bytes> capacity_size;
  std::optional<base::Bytes> modeled_size;  // what the emulator's address space is given
  std::optional<base::Bytes> hbm_size;
  std::optional<std::uint32_t> bus_width_bits;
  std::optional<std::uint32_t> hbm_width_bits;
  std::optional<base::BytesPerSecond> peak_bandwidth;
  std::optional<base::BytesPerSecond> effective_bandwidth;
  std::optional<base::BytesPerSecond> hbm_bandwidth;
  std::optional<std::uint64_t> matrix_sram_tiles;
  std::optional<std::uint64_t> vector_sram_depth;
  std::optional<std::uint64_t> matrix_prefetch_rows;
  std::optional<std::uint64_t> vector_prefetch_rows;
  std::optional<std::uint64_t> vector_writeback_rows;
  std::optional<base::Cycles> ddr3_burst;
  std::optional<base::Cycles> ddr3_row_miss_penalty;
  // What a transfer costs, for tiles of the size that they were worked out for.
  std::optional<base::Cycles> prefetch_vector;
  std::optional<base::Cycles> prefetch_matrix;
  std::optional<base::Cycles> store_vector;

  // The bytes that there are for a model: capacity, else physical size, else the HBM's.
  std::optional<base::Bytes> capacity() const;
  // The bytes a second that a program gets: effective, else HBM's, else peak.
  std::optional<base::BytesPerSecond> bandwidth() const;
  bool charges_transfers() const { return prefetch_vector && prefetch_matrix && store_vector; }

  bool operator==(const BoardMemory&) const = default;
};

struct HostLink {
  std::string type;  // "usb2", "pcie_gen2_x4"
  base::BytesPerSecond bandwidth;
  std::optional<base::BytesPerSecond> theoretical_bandwidth;
  std::optional<base::Nanoseconds> latency;  // before the first byte of a transfer; our own field

  bool operator==(const HostLink&) const = default;
};

struct BoardPrecision {
  std::optional<NumberFormat> matrix_sram;
  std::optional<NumberFormat> vector_sram;
  std::optional<NumberFormat> activations;  // in external memory
  std::optional<NumberFormat> weights;      // in external memory

  bool operator==(const BoardPrecision&) const = default;
};

// In cycles; all of them are needed, because an instruction must not cost nothing by accident.
struct BoardLatency {
  bool dc_lib_enabled = false;
  std::uint64_t systolic_processing_overhead = 0;
  std::uint64_t vector_add = 0;
  std::uint64_t vector_mul = 0;
  std::uint64_t vector_exp = 0;
  std::uint64_t vector_reci = 0;
  std::uint64_t vector_max = 0;
  std::uint64_t vector_sum = 0;
  std::uint64_t vector_shift = 0;
  std::uint64_t vector_prefix_scan = 0;
  std::uint64_t scalar_fp_basic = 0;
  std::uint64_t scalar_fp_exp = 0;
  std::uint64_t scalar_fp_sqrt = 0;
  std::uint64_t scalar_fp_reci = 0;
  std::uint64_t scalar_int_basic = 0;

  bool operator==(const BoardLatency&) const = default;
};

struct BoardPower {
  std::optional<double> tdp_watts;
  std::optional<double> io_voltage;

  bool operator==(const BoardPower&) const = default;
};

struct BoardResources {
  std::optional<std::uint64_t> luts;
  std::optional<std::uint64_t> ffs;
  std::optional<std::uint64_t> bram_36k;  // blocks of 36 Kibit
  std::optional<std::uint64_t> uram;      // blocks of 288 Kibit
  std::optional<std::uint64_t> dsp;       // dsp48 or dsp58
  std::string dsp_kind;                   // "dsp48", "dsp58", ""
  std::optional<std::uint64_t> aie_tiles;

  // Block and ultra memory together; nothing where neither is said.
  std::optional<base::Bytes> on_chip_memory() const;

  bool operator==(const BoardResources&) const = default;
};

// Dimensions that somebody tried, or did not.
struct TileHint {
  std::uint64_t mlen = 0;
  std::uint64_t vlen = 0;
  std::uint64_t blen = 0;
  std::uint64_t batch = 1;
  std::string status;  // "proven", "untested", "exceeds_resources"

  bool operator==(const TileHint&) const = default;
};

struct Board {
  std::string name;
  std::string description;
  std::string vendor;
  std::string family;
  std::string part;
  base::Frequency clock;
  BoardMemory memory = {};
  std::optional<HostLink> host_link = std::nullopt;
  BoardPrecision precision = {};
  BoardLatency latency = {};
  BoardPower power = {};
  BoardResources resources = {};
  std::vector<TileHint> tile_hints = {};

  bool operator==(const Board&) const = default;
};

}  // namespace accelscope::boards
