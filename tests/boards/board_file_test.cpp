#include "boards/board_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace accelscope::boards {
namespace {

using base::BytesPerSecond;

base::Result<Board> read(std::string_view text) {
  return read_board(base::MappedFile::from_memory("b.yaml", text));
}

std::string error_of(std::string_view text) {
  const auto board = read(text);
  return board ? "" : board.error().to_string();
}

constexpr std::string_view kLatency = R"(
latency:
  dc_lib_en: false
  systolic_processing_overhead: 0
  vector_add_cycles: 1
  vector_mul_cycles: 2
  vector_exp_cycles: 3
  vector_reci_cycles: 4
  vector_max_cycles: 5
  vector_sum_cycles: 6
  vector_shift_cycles: 7
  vector_prefix_scan_cycles: 8
  scalar_fp_basic_cycles: 9
  scalar_fp_exp_cycles: 10
  scalar_fp_sqrt_cycles: 11
  scalar_fp_reci_cycles: 12
  scalar_int_basic_cycles: 13
)";

// A board with what must be there, and these lines besides.
std::string with(std::string_view lines) {
  return "name: b\nclock_mhz: 100\n" + std::string(lines) + std::string(kLatency);
}

Board preset(const std::string& name) {
  auto board = load_board(name);
  EXPECT_TRUE(board) << board.error().to_string();
  return board.value_or(Board{});
}

TEST(BoardFiles, ArePartOfTheProgram) {
  std::vector<std::string> names;
  for (const base::EmbeddedFile& file : board_presets()) {
    names.emplace_back(file.name);
    EXPECT_EQ(preset(names.back()).name, names.back());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"nexys_a7", "nexys_video", "custom_a7", "v80"}));
}

TEST(BoardFiles, HaveWhatIsPublished) {
  const Board board = preset("nexys_video");
  EXPECT_EQ(board.clock, base::Frequency::mhz(100));
  EXPECT_EQ(board.memory.capacity(), base::Bytes{536'870'912});
  EXPECT_EQ(board.memory.prefetch_vector, base::Cycles{25});
  EXPECT_EQ(board.memory.prefetch_matrix, base::Cycles{400});
  EXPECT_EQ(board.memory.store_vector, base::Cycles{25});
  EXPECT_TRUE(board.memory.charges_transfers());
  EXPECT_EQ(board.latency.systolic_processing_overhead, 8U);
  EXPECT_EQ(board.latency.vector_sum, 30U);
  EXPECT_EQ(board.precision.weights, kPlenaMx);
  EXPECT_EQ(board.precision.matrix_sram, NumberFormat{kBf16});
  EXPECT_EQ(board.tile_hints.size(), 5U);
  EXPECT_EQ(board.tile_hints[2], (TileHint{64, 64, 16, 2, "proven"}));
  const Board first = preset("nexys_a7");
  EXPECT_EQ(first.latency.vector_add, 2U);
  EXPECT_EQ(first.latency.vector_sum, 20U);
  EXPECT_EQ(preset("custom_a7").host_link->bandwidth, BytesPerSecond{1'500'000'000});
  const Board v80 = preset("v80");
  EXPECT_EQ(v80.clock, base::Frequency::mhz(400));
  EXPECT_EQ(v80.memory.capacity(), base::Bytes{34'359'738'368});
  EXPECT_FALSE(v80.memory.charges_transfers());
  EXPECT_TRUE(v80.latency.dc_lib_enabled);
}

// What the published files contradict each other in.
TEST(BoardFiles, SettleContradictions) {
  EXPECT_EQ(preset("nexys_video").memory.peak_bandwidth, BytesPerSecond{3'200'000'000});
  EXPECT_EQ(preset("nexys_video").host_link->bandwidth, BytesPerSecond{38'000'000});
  EXPECT_EQ(preset("nexys_a7").host_link->bandwidth, BytesPerSecond{38'000'000}) << "the older form";
  EXPECT_EQ(preset("nexys_a7").host_link->type, "usb2");
  EXPECT_EQ(preset("v80").resources.dsp, 10'848U);
  EXPECT_EQ(preset("v80").resources.dsp_kind, "dsp58");
}

TEST(BoardFiles, ReadDecimalsExactly) {
  EXPECT_EQ(preset("v80").memory.hbm_bandwidth, BytesPerSecond{819'200'000'000});
  const auto board = read(with("memory: {peak_bandwidth_gbps: 0.000000001}"));
  ASSERT_TRUE(board) << board.error().to_string();
  EXPECT_EQ(board->memory.peak_bandwidth, BytesPerSecond{1});
  const auto clock = read("name: b\nclock_mhz: 33.333333" + std::string(kLatency));
  ASSERT_TRUE(clock) << clock.error().to_string();
  EXPECT_EQ(clock->clock, base::Frequency::hz(33'333'333));
}

TEST(BoardFiles, TakeOtherNamesOfKeys) {
  std::string text = with(
      "memory: {matrix_sram_depth: 9216}\ntile_hints: [{mlen: 1, vlen: 2, blen: 3, batch: 4, "
      "status: untested}]");
  text.replace(text.find("vector_add_cycles"), 17, "vector_add");
  const auto board = read(text);
  ASSERT_TRUE(board) << board.error().to_string();
  EXPECT_EQ(board->memory.matrix_sram_tiles, 9216U);
  EXPECT_EQ(board->tile_hints.front().batch, 4U);
  EXPECT_EQ(board->latency.vector_add, 1U);
  EXPECT_EQ(error_of(with("memory: {matrix_sram_depth: 1, matrix_sram_tiles: 1}")),
            "b.yaml:3: `memory.matrix_sram_depth`: is another name of `memory.matrix_sram_tiles`, which is "
            "given, too");
}

TEST(BoardFiles, NameNumberFormats) {
  const auto board =
      read(with("precision: {matrix_sram: bf16, hbm_weight: mxfp4, hbm_act: {type: int, width: 8}}"));
  ASSERT_TRUE(board) << board.error().to_string();
  EXPECT_EQ(board->precision.weights, parse_number_format("mxfp4").value());
  EXPECT_EQ(board->precision.activations, NumberFormat{ElementType::integer(8)});
  EXPECT_NE(error_of(with("precision: {matrix_sram: bf17}")).find("did you mean `bf16`?"), std::string::npos);
  EXPECT_EQ(error_of(with("precision: {hbm_act: {exponent: 4, mantissa: 3, block: 8}}")),
            "b.yaml:3: `precision.hbm_act.scale_exponent`: is missing");
}

TEST(BoardFiles, SayEverythingThatIsWrongAtOnce) {
  EXPECT_EQ(
      error_of("name: b\n"
               "clock_mzh: 100\n"
               "memory:\n"
               "  capacity_bytes: 0\n"
               "  effective_bandwidth_gbps: -1\n"
               "  physical_size_bytes: 99999999999999999999\n"
               "power: 75\n" +
               std::string(kLatency)),
      "b.yaml: `clock_mhz`: is missing\n"
      "b.yaml:2: `clock_mzh`: is not known; did you mean `clock_mhz`?\n"
      "b.yaml:4: `memory.capacity_bytes`: a whole number from 1 to 1152921504606846976 is expected, this "
      "is 0\n"
      "b.yaml:5: `memory.effective_bandwidth_gbps`: a decimal number above 0, in GB/s, is expected, this "
      "is -1\n"
      "b.yaml:6: `memory.physical_size_bytes`: a whole number from 1 to 1152921504606846976 is expected, "
      "this is 99999999999999999999\n"
      "b.yaml:7: `power`: a map is expected, this is 75");
}

TEST(BoardFiles, RefuseWhatIsNoBoard) {
  EXPECT_EQ(error_of(""), "b.yaml: is empty; YAML with `key: value` lines is expected");
  EXPECT_EQ(error_of("- 1\n"), "b.yaml:1: a map of keys and values is expected, this is a list");
  EXPECT_EQ(error_of("name: [1\nb: 2\n"), "b.yaml:2: YAML: end of sequence flow not found");
  EXPECT_EQ(error_of("name: b\n---\nname: c\n"),
            "b.yaml: holds more than one YAML document; one is expected");
  EXPECT_EQ(error_of("name: b\nclock_mhz: 100\n"), "b.yaml: `latency`: is missing");
  EXPECT_EQ(error_of(with("memory: {capacity_bytes: 1, capacity_bytes: 2}")),
            "b.yaml:3: `memory.capacity_bytes`: is given twice");
  EXPECT_EQ(error_of(with("host_link: {type: usb2}")),
            "b.yaml:3: `host_link.bandwidth_bytes_per_sec`: is missing");
  EXPECT_EQ(error_of(with("memory: {usb2_bandwidth_mbps: 38}\n"
                          "host_link: {type: usb2, bandwidth_bytes_per_sec: 1}")),
            "b.yaml:3: `memory.usb2_bandwidth_mbps`: is the older form of `host_link`, which is given, too");
  EXPECT_EQ(error_of(with("memory: {peak_bandwidth_gbps: 1, effective_bandwidth_gbps: 2}")),
            "b.yaml:3: `memory.effective_bandwidth_gbps`: is more than `memory.peak_bandwidth_gbps`");
  for (const std::string_view clock : {"0", "-5", "fast", "1e400", "nan", "1e3", "99999999999", "[]"}) {
    const std::string text = "name: b\nclock_mhz: " + std::string(clock) + std::string(kLatency);
    EXPECT_NE(error_of(text).find("b.yaml:2: `clock_mhz`: "), std::string::npos) << clock << error_of(text);
  }
}

TEST(BoardFiles, StopBombs) {
  EXPECT_EQ(error_of("a: &x [1]\nb: [*x, *x]\n"), "b.yaml:1: YAML: anchors (&name) are not allowed here");
  EXPECT_EQ(error_of("a: !!python/object:x\n"), "b.yaml:1: YAML: tags (!name) are not allowed here");
  EXPECT_EQ(error_of("name: " + std::string(100, '[') + std::string(100, ']')),
            "b.yaml:1: YAML: is nested too deeply");
  EXPECT_NE(error_of(std::string(100'000, '{')), "");
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  EXPECT_NE(error_of(dashes), "");
  EXPECT_EQ(error_of(std::string(2U << 20U, 'a')), "b.yaml: has 2097152 bytes; 1048576 are the most");
  std::string keys;
  for (int i = 0; i < 60'000; ++i) keys += "key" + std::to_string(i) + ": 1\n";
  const std::string many = error_of(keys);
  EXPECT_NE(many.find("\nb.yaml: and 5"), std::string::npos) << many.substr(0, 500);
  EXPECT_LT(many.size(), 20'000U);
}

TEST(BoardFiles, AreFoundByNameOrPath) {
  const auto wrong = load_board("nexys_vidoe");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().to_string(),
            "`nexys_vidoe` is neither a board of this program (nexys_a7, nexys_video, custom_a7, v80) nor a "
            "file; did you mean `nexys_video`?");
  EXPECT_TRUE(load_board(ACCELSCOPE_SOURCE_DIR "/data/boards/v80.yaml"));
}

TEST(BoardFields, TellWhatNothingUses) {
  const std::vector<std::string_view> unused = unused_fields(preset("v80"));
  const auto has = [&](std::string_view path) {
    return std::find(unused.begin(), unused.end(), path) != unused.end();
  };
  EXPECT_TRUE(has("resources.dsp58"));
  EXPECT_FALSE(has("resources.dsp48")) << "not given";
  EXPECT_FALSE(has("clock_mhz")) << "used";
  EXPECT_FALSE(has("memory.chip")) << "not given";
}

}  // namespace
}  // namespace accelscope::boards
