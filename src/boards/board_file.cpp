#include "boards/board_file.h"

#include <algorithm>
#include <array>

#include "base/preset_file.h"
#include "base/utf8.h"
#include "boards/config_formats.h"
#include "boards/config_reader.h"
#include "boards/config_yaml.h"

namespace accelscope::boards {
namespace {

// Bounds that no board reaches, and that keep sums and products of what is counted within 64 bits.
constexpr ConfigRange kCycleRange{0, 1'000'000'000};
constexpr ConfigRange kResourceRange{0, std::uint64_t{1} << 32U};
constexpr std::int64_t kMostHertz = 1'000'000'000'000;  // a clock of 1 THz
constexpr std::int64_t kMostBytesPerSecond = std::int64_t{1} << 60U;

std::string text(ConfigMap& map, std::string_view key) {
  return base::replace_invalid_utf8(map.text(key).value_or(""));
}

template <class Unit>
std::optional<Unit> quantity(ConfigMap& map, std::string_view key, ConfigRange range) {
  const auto value = map.integer(key, range);
  if (!value) return std::nullopt;
  return Unit{static_cast<std::int64_t>(*value)};
}

std::optional<std::uint32_t> small(ConfigMap& map, std::string_view key, ConfigRange range) {
  const auto value = map.integer(key, range);
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<base::BytesPerSecond> bandwidth(ConfigMap& map, std::string_view key, std::int64_t factor,
                                              std::string_view unit) {
  const auto value = map.scaled(key, factor, unit);
  if (!value) return std::nullopt;
  if (*value > kMostBytesPerSecond) {
    map.problem(key, "more than {} bytes a second are no bandwidth", kMostBytesPerSecond);
    return std::nullopt;
  }
  return base::BytesPerSecond{*value};
}

// The published files say `gbps` and mean gigabytes: 10^9 bytes a second.
std::optional<base::BytesPerSecond> gigabytes(ConfigMap& map, std::string_view key) {
  return bandwidth(map, key, 1'000'000'000, "GB/s");
}

void read_transfers(ConfigMap& map, BoardMemory& memory) {
  memory.matrix_prefetch_rows = map.integer("hbm_m_prefetch_amount", kRowRange);
  memory.vector_prefetch_rows = map.integer("hbm_v_prefetch_amount", kRowRange);
  memory.vector_writeback_rows = map.integer("hbm_v_writeback_amount", kRowRange);
  memory.ddr3_burst = quantity<base::Cycles>(map, "ddr3_burst_cycles", kCycleRange);
  memory.ddr3_row_miss_penalty = quantity<base::Cycles>(map, "ddr3_row_miss_penalty", kCycleRange);
  memory.prefetch_vector = quantity<base::Cycles>(map, "prefetch_v_cycles", kCycleRange);
  memory.prefetch_matrix = quantity<base::Cycles>(map, "prefetch_m_cycles", kCycleRange);
  memory.store_vector = quantity<base::Cycles>(map, "store_v_cycles", kCycleRange);
}

BoardMemory read_memory(ConfigMap& map) {
  BoardMemory memory;
  memory.type = text(map, "type");
  memory.spec = text(map, "spec");
  memory.chip = text(map, "chip");
  memory.bus_width = text(map, "bus_width");
  memory.physical_size = quantity<base::Bytes>(map, "physical_size_bytes", kByteRange);
  memory.capacity_size = quantity<base::Bytes>(map, "capacity_bytes", kByteRange);
  memory.modeled_size = quantity<base::Bytes>(map, "modeled_size_bytes", kByteRange);
  memory.hbm_size = quantity<base::Bytes>(map, "hbm_size_bytes", kByteRange);
  memory.bus_width_bits = small(map, "bus_width_bits", kWidthRange);
  memory.hbm_width_bits = small(map, "hbm_width_bits", kWidthRange);
  memory.peak_bandwidth = gigabytes(map, "peak_bandwidth_gbps");
  memory.effective_bandwidth = gigabytes(map, "effective_bandwidth_gbps");
  memory.hbm_bandwidth = gigabytes(map, "hbm_bandwidth_gbps");
  if (const ConfigNode* rows = map.find("matrix_sram_tiles", "matrix_sram_depth"); rows != nullptr)
    memory.matrix_sram_tiles = map.integer_of(*rows, "matrix_sram_tiles", kRowRange);
  memory.vector_sram_depth = map.integer("vector_sram_depth", kRowRange);
  read_transfers(map, memory);
  if (memory.peak_bandwidth && memory.effective_bandwidth &&
      *memory.effective_bandwidth > *memory.peak_bandwidth)
    map.problem("effective_bandwidth_gbps", "is more than `{}`", map.path_of("peak_bandwidth_gbps"));
  return memory;
}

std::optional<HostLink> read_host_link(ConfigMap& map) {
  if (!map.present()) return std::nullopt;
  HostLink link;
  link.type = base::replace_invalid_utf8(map.required_text("type"));
  map.complain_if_missing("bandwidth_bytes_per_sec");
  link.bandwidth = bandwidth(map, "bandwidth_bytes_per_sec", 1, "bytes/s").value_or(base::BytesPerSecond{1});
  link.theoretical_bandwidth = bandwidth(map, "theoretical_bandwidth_bytes_per_sec", 1, "bytes/s");
  link.latency = quantity<base::Nanoseconds>(map, "latency_ns", {0, 60'000'000'000});
  if (link.theoretical_bandwidth && link.bandwidth > *link.theoretical_bandwidth)
    map.problem("bandwidth_bytes_per_sec", "is more than `{}`",
                map.path_of("theoretical_bandwidth_bytes_per_sec"));
  map.refuse_unknown();
  return link;
}

struct LatencyField {
  std::string_view key;
  std::string_view short_key;  // "" for none
  std::uint64_t BoardLatency::*place;
};
constexpr std::array kLatencyFields{
    LatencyField{"systolic_processing_overhead", "", &BoardLatency::systolic_processing_overhead},
    LatencyField{"vector_add_cycles", "vector_add", &BoardLatency::vector_add},
    LatencyField{"vector_mul_cycles", "vector_mul", &BoardLatency::vector_mul},
    LatencyField{"vector_exp_cycles", "vector_exp", &BoardLatency::vector_exp},
    LatencyField{"vector_reci_cycles", "vector_reci", &BoardLatency::vector_reci},
    LatencyField{"vector_max_cycles", "vector_max", &BoardLatency::vector_max},
    LatencyField{"vector_sum_cycles", "vector_sum", &BoardLatency::vector_sum},
    LatencyField{"vector_shift_cycles", "vector_shift", &BoardLatency::vector_shift},
    LatencyField{"vector_prefix_scan_cycles", "vector_prefix_scan", &BoardLatency::vector_prefix_scan},
    LatencyField{"scalar_fp_basic_cycles", "scalar_fp_basic", &BoardLatency::scalar_fp_basic},
    LatencyField{"scalar_fp_exp_cycles", "scalar_fp_exp", &BoardLatency::scalar_fp_exp},
    LatencyField{"scalar_fp_sqrt_cycles", "scalar_fp_sqrt", &BoardLatency::scalar_fp_sqrt},
    LatencyField{"scalar_fp_reci_cycles", "scalar_fp_reci", &BoardLatency::scalar_fp_reci},
    LatencyField{"scalar_int_basic_cycles", "scalar_int_basic", &BoardLatency::scalar_int_basic},
};

BoardLatency read_latency(ConfigMap map) {
  BoardLatency latency;
  if (!map.present()) return latency;
  map.complain_if_missing("dc_lib_en");
  latency.dc_lib_enabled = map.boolean("dc_lib_en").value_or(false);
  for (const LatencyField& field : kLatencyFields) {
    const ConfigNode* value =
        field.short_key.empty() ? map.find(field.key) : map.find(field.key, field.short_key);
    if (value == nullptr) {
      map.problem(field.key, "is missing");
    } else {
      latency.*field.place = map.integer_of(*value, field.key, kLatencyRange).value_or(0);
    }
  }
  map.refuse_unknown();
  return latency;
}

BoardPrecision read_precision(ConfigMap map) {
  BoardPrecision precision;
  precision.matrix_sram = read_board_format(map, "matrix_sram");
  precision.vector_sram = read_board_format(map, "vector_sram");
  precision.activations = read_board_format(map, "hbm_act");
  precision.weights = read_board_format(map, "hbm_weight");
  map.refuse_unknown();
  return precision;
}

BoardPower read_power(ConfigMap map) {
  constexpr double kMostWatts = 1e6;
  constexpr double kLeastWatts = 1e-3;
  BoardPower power;
  power.tdp_watts = map.number("tdp_watts", kLeastWatts, kMostWatts);
  power.io_voltage = map.number("io_voltage", 1e-3, 1000);
  map.refuse_unknown();
  return power;
}

BoardResources read_resources(ConfigMap map) {
  BoardResources resources;
  resources.luts = map.integer("luts", kResourceRange);
  resources.ffs = map.integer("ffs", kResourceRange);
  resources.bram_36k = map.integer("bram_36k", kResourceRange);
  resources.uram = map.integer("uram", kResourceRange);
  for (const std::string_view kind : {"dsp48", "dsp58"}) {
    const auto count = map.integer(kind, kResourceRange);
    if (!count) continue;
    if (resources.dsp) map.problem(kind, "a board has `dsp48` or `dsp58`, this has both");
    resources.dsp = count;
    resources.dsp_kind = kind;
  }
  resources.aie_tiles = map.integer("aie_tiles", kResourceRange);
  map.refuse_unknown();
  return resources;
}

TileHint read_tile_hint(ConfigMap map) {
  static constexpr std::array<std::string_view, 3> kStatuses{"proven", "untested", "exceeds_resources"};
  TileHint hint;
  hint.mlen = map.required_integer("mlen", kTileRange);
  hint.vlen = map.required_integer("vlen", kTileRange);
  hint.blen = map.required_integer("blen", kTileRange);
  if (const ConfigNode* batch = map.find("batch_size", "batch"); batch != nullptr)
    hint.batch = map.integer_of(*batch, "batch_size", kTileRange).value_or(1);
  hint.status = map.required_text("status");
  if (!hint.status.empty() && std::find(kStatuses.begin(), kStatuses.end(), hint.status) == kStatuses.end())
    map.problem("status", "`proven`, `untested` or `exceeds_resources` is expected, this is `{}`",
                shown(hint.status));
  map.refuse_unknown();
  return hint;
}

base::Frequency read_clock(ConfigMap& map) {
  map.complain_if_missing("clock_mhz");
  // A clock of 33.333333 MHz is exact in hertz; fractions of a hertz are dropped.
  const auto hertz = map.scaled("clock_mhz", 1'000'000, "MHz");
  if (hertz && *hertz > kMostHertz) map.problem("clock_mhz", "is above {} MHz", kMostHertz / 1'000'000);
  return base::Frequency::hz(hertz.value_or(1));
}

// The oldest files have the link's speed among the memory's, in megabytes a second.
void read_links(ConfigMap& map, ConfigMap& memory, Board& board) {
  ConfigMap link = map.map("host_link");
  board.host_link = read_host_link(link);
  const auto usb = bandwidth(memory, "usb2_bandwidth_mbps", 1'000'000, "MB/s");
  if (usb && board.host_link)
    memory.problem("usb2_bandwidth_mbps", "is the older form of `host_link`, which is given, too");
  else if (usb)
    board.host_link = HostLink{"usb2", *usb, std::nullopt, std::nullopt};
}

}  // namespace

base::Result<Board> read_board(const base::MappedFile& file) {
  ACCELSCOPE_TRY(const ConfigNode root, read_yaml(file));
  ConfigProblems problems(file.path());
  ConfigMap map(root, problems);
  Board board;
  board.name = base::replace_invalid_utf8(map.required_text("name"));
  board.description = text(map, "description");
  board.vendor = text(map, "vendor");
  board.family = text(map, "family");
  board.part = text(map, "part");
  board.clock = read_clock(map);
  ConfigMap memory = map.map("memory");
  board.memory = read_memory(memory);
  read_links(map, memory, board);
  memory.refuse_unknown();
  board.precision = read_precision(map.map("precision"));
  board.latency = read_latency(map.required_map("latency"));
  board.power = read_power(map.map("power"));
  board.resources = read_resources(map.map("resources"));
  std::size_t index = 0;
  for (const ConfigNode& hint : map.list("tile_hints"))
    board.tile_hints.push_back(read_tile_hint(map.item(hint, "tile_hints", index++)));
  map.refuse_unknown();
  ACCELSCOPE_CHECK(problems.status());
  return board;
}

base::Result<Board> load_board(const std::string& name_or_path) {
  ACCELSCOPE_TRY(const base::MappedFile file,
                 base::open_preset(name_or_path, "board", board_presets(), kMaxConfigBytes));
  return read_board(file);
}

}  // namespace accelscope::boards
