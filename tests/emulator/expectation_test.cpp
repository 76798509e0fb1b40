#include "emulator/expectation.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/half_float.h"
#include "emulator/comparison.h"
#include "emulator/row_codec.h"
#include "support/temporary_folder.h"

namespace accelscope::emulator {
namespace {

using base::MappedFile;

MappedFile bf16_values(const std::vector<float>& values) {
  std::string bytes;
  for (const float value : values) {
    const std::uint16_t bits = base::bfloat16_bits(value);
    bytes += static_cast<char>(bits & 0xFFU);
    bytes += static_cast<char>(bits >> 8U);
  }
  return MappedFile::from_memory("values", bytes);
}

ExpectedTensor in_vectors(std::uint64_t rows, std::uint64_t columns, std::uint64_t length) {
  return {.name = "Y",
          .rows = rows,
          .columns = columns,
          .block_columns = length,
          .block_stride = rows * length,
          .row_stride = length};
}

std::string document_of(const std::vector<ExpectedTensor>& tensors) {
  base::MemoryOutput out;
  write_expectation(tensors, "expected.bin", out);
  return std::string(out.bytes());
}

State small_state() {
  const auto machine = isa::make_machine({.overrides = {.mlen = 8, .blen = 4, .hlen = 8}});
  auto state = make_state(*machine);
  EXPECT_TRUE(state);
  return *std::move(state);
}

TEST(Expectation, ReadsWhatItWrites) {
  ExpectedTensor outside{.name = "Z \"2\"",
                         .memory = ExpectedMemory::kExternal,
                         .address = 640,
                         .rows = 2,
                         .columns = 16,
                         .block_columns = 16,
                         .row_stride = 32,
                         .format = boards::kPlenaMx,
                         .scale_address = 1024,
                         .offset = 64};
  EXPECT_EQ(outside.scale_stride(), 4U);
  const std::vector<ExpectedTensor> tensors{in_vectors(4, 8, 8), outside};
  const auto read = read_expectation(MappedFile::from_memory("expected.json", document_of(tensors)),
                                     bf16_values(std::vector<float>(64, 1.5F)));
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->tensors, tensors);
  EXPECT_EQ(read->value(read->tensors[1], 1, 15), 1.5F);
}

TEST(Expectation, FindsItsValuesBesideItself) {
  const tests::TemporaryFolder folder;
  tests::write_file(folder.file("expected.json"), document_of({in_vectors(1, 8, 8)}));
  const auto missing = load_expectation(folder.file("expected.json"));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().to_string().find("expected.bin"), std::string::npos);
  tests::write_file(folder.file("expected.bin"), bf16_values({0, 1, 2, 3, 4, 5, 6, 7}).text());
  const auto read = load_expectation(folder.file("expected.json"));
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->value(read->tensors[0], 0, 6), 6);
}

TEST(Expectation, ExplainsWhatIsWrong) {
  const auto error = [](std::string_view from, std::string_view to) {
    std::string text = document_of({in_vectors(4, 8, 8)});
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto read =
        read_expectation(MappedFile::from_memory("e.json", text), bf16_values(std::vector<float>(32)));
    return read ? std::string() : read.error().to_string();
  };
  EXPECT_EQ(error("\"Y\"", "\"Z\""), "");
  EXPECT_NE(error("\"vram\"", "\"vrom\"").find("there is no memory 'vrom'; expected vram or hbm"),
            std::string::npos);
  EXPECT_NE(error("\"rows\": 4", "\"rows\": 0").find("rows is 0; expected 1 to"), std::string::npos);
  EXPECT_NE(error("\"rows\": 4", "\"rows\": 5")
                .find("5 x 8 values from byte 0 on are not in values, which "
                      "has 64 bytes"),
            std::string::npos);
  EXPECT_NE(error("\"offset\": 0", "\"offset\": 2").find("from byte 2 on"), std::string::npos);
  EXPECT_NE(error("\"offset\": 0", "\"offset\": 70").find("from byte 70 on"), std::string::npos);
  EXPECT_NE(error("\"rows\": 4", "\"row\": 4").find("tensor 0 has no \"rows\""), std::string::npos);
  EXPECT_NE(error("\"memory\"", "\"mem\"").find("tensor 0 has no \"memory\""), std::string::npos);
  EXPECT_NE(error("\"block_columns\": 8", "\"block_columns\": 3")
                .find("tensor 0 (Y): columns (8) must be a multiple of block_columns (3)"),
            std::string::npos);
  EXPECT_NE(error("bf16", "mxfp8/8").find("the vector memory has no formats with scales"), std::string::npos);
  EXPECT_NE(error("bf16", "bf17").find("unknown number format `bf17`"), std::string::npos);
  EXPECT_NE(error("accelscope expectation", "x").find("and one of them is missing"), std::string::npos);
  EXPECT_NE(error("\"version\": 1", "\"version\": 2").find("version 2 is not known"), std::string::npos);
}

TEST(Expectation, ExplainsWhatCannotLieOutside) {
  const auto error = [](const ExpectedTensor& tensor) {
    const auto read = read_expectation(MappedFile::from_memory("e.json", document_of({tensor})),
                                       bf16_values(std::vector<float>(64)));
    return read ? std::string() : read.error().message;
  };
  ExpectedTensor tensor = in_vectors(2, 16, 16);
  tensor.memory = ExpectedMemory::kExternal;
  EXPECT_EQ(error(tensor), "");
  tensor.format = boards::kPlenaMx;
  EXPECT_EQ(error(tensor), "");
  tensor.row_stride = 20;
  EXPECT_EQ(error(tensor),
            "tensor 0 (Y): columns (16) and row_stride (20) must be whole blocks of mxfp8/8 (8 bytes)");
  tensor.row_stride = 16;
  tensor.format = boards::NumberFormat{boards::ElementType::integer(4)};
  EXPECT_EQ(error(tensor), "tensor 0 (Y): elements of 4 bits have no address");
  tensor.block_columns = 8;
  EXPECT_EQ(error(tensor),
            "tensor 0 (Y): in hbm rows lie in one piece: block_columns (8) must be columns (16)");
}

TEST(Comparison, FindsWhatDiffersInTheVectorMemory) {
  State state = small_state();
  std::vector<float> values;
  for (std::uint64_t row = 0; row < 4; ++row)
    for (std::uint64_t column = 0; column < 16; ++column) {
      const auto value = static_cast<float>(row * 16 + column);
      values.push_back(value);
      // Columns of tiles: [2][4][8], from element 64 on.
      state.vectors.elements[64 + column / 8 * 32 + row * 8 + column % 8] = value;
    }
  ExpectedTensor tensor = in_vectors(4, 16, 8);
  tensor.address = 64;
  const Expectation expectation{{tensor}, bf16_values(values)};
  auto found = compare(state, expectation, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->checked, 64U);
  EXPECT_EQ(found->different, 0U);
  state.vectors.elements[64 + 32 + 2 * 8 + 1] = 41.25F;  // of row 2, column 9: 41
  found = compare(state, expectation, {});
  EXPECT_EQ(found->different, 1U);
  EXPECT_EQ(found->largest_error, 0.25);
  EXPECT_EQ(found->largest_steps, 1);  // 41 is 1.28 * 2^5, so its last bit is worth 2^-2
  ASSERT_EQ(found->first.size(), 1U);
  EXPECT_EQ(describe(found->first[0], expectation), "Y[2, 9]: expected 41, got 41.25 (vram, element 113)");
  EXPECT_EQ(compare(state, expectation, {.steps = 1})->different, 0U);
  EXPECT_EQ(compare(state, expectation, {.steps = 0.5})->different, 1U);
  EXPECT_EQ(compare(state, expectation, {.absolute = 0.25})->different, 0U);
  EXPECT_EQ(compare(state, expectation, {.relative = 0.006})->different, 1U);
  EXPECT_EQ(compare(state, expectation, {.relative = 0.0062})->different, 0U);
}

TEST(Comparison, TakesWhatIsNoNumberForWhatItIs) {
  State state = small_state();
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const std::vector<float> got{kNone, kInfinite, 0, kNone, 1, kInfinite, -kInfinite, -1};
  for (std::size_t i = 0; i < got.size(); ++i) state.vectors.elements[i] = got[i];
  const Expectation expectation{{in_vectors(1, 8, 8)},
                                bf16_values({kNone, kInfinite, -0.0F, 1, kNone, -kInfinite, kInfinite, -1})};
  const auto found = compare(state, expectation, {.absolute = 1e30, .relative = 1e30, .steps = 1e30});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->different, 4U);
  EXPECT_EQ(found->largest_error, std::numeric_limits<double>::infinity());
}

TEST(Comparison, ReadsExternalMemoryInItsFormat) {
  State state = small_state();
  const auto codec = RowCodec::make(boards::kPlenaMx);
  ASSERT_TRUE(codec);
  const std::vector<float> row{1, 0.5F, -0.25F, 1.5F, 0, 0.125F, 1.75F, -1};
  std::vector<std::byte> elements(8);
  std::vector<std::byte> scales(1);
  codec->encode(row, elements, scales);
  ASSERT_TRUE(state.external.write(128, elements) && state.external.write(512, scales));
  ExpectedTensor tensor{.name = "K",
                        .memory = ExpectedMemory::kExternal,
                        .address = 128,
                        .rows = 1,
                        .columns = 8,
                        .block_columns = 8,
                        .row_stride = 8,
                        .format = boards::kPlenaMx,
                        .scale_address = 512};
  const Expectation right{{tensor}, bf16_values(row)};
  EXPECT_EQ(compare(state, right, {})->different, 0U);
  // A step is that of the block's largest, 1.75: an eighth.
  std::vector<float> other = row;
  other[2] = -0.375F;
  const Expectation wrong{{tensor}, bf16_values(other)};
  const auto found = compare(state, wrong, {});
  EXPECT_EQ(found->different, 1U);
  EXPECT_EQ(found->largest_steps, 1);
  EXPECT_EQ(describe(found->first[0], wrong), "K[0, 2]: expected -0.375, got -0.25 (hbm, byte 130)");
}

TEST(Comparison, SaysWhatLiesOutside) {
  const State state = small_state();
  ExpectedTensor tensor = in_vectors(1, 8, 8);
  tensor.address = state.vectors.elements.size() - 7;
  const auto found = compare(state, {{tensor}, bf16_values(std::vector<float>(8))}, {});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("the expected tensor Y ends behind the vector memory"),
            std::string::npos);
  tensor.memory = ExpectedMemory::kExternal;
  tensor.format = boards::kPlenaMx;
  tensor.address = std::uint64_t{1} << 47U;
  const auto outside = compare(state, {{tensor}, bf16_values(std::vector<float>(8))}, {});
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().message.find("the expected tensor Y: "), std::string::npos);
}

TEST(Comparison, KeepsTheFirstDifferencesOnly) {
  const State state = small_state();
  const Expectation expectation{{in_vectors(16, 8, 8)}, bf16_values(std::vector<float>(128, 1))};
  const auto found = compare(state, expectation, {});
  EXPECT_EQ(found->different, 128U);
  EXPECT_EQ(found->tensors.front().different, 128U);
  EXPECT_EQ(found->first.size(), kMostDifferences);
}

}  // namespace
}  // namespace accelscope::emulator
