#include "emulator/dump.h"

#include <gtest/gtest.h>

#include "emulator/core_fixture.h"
#include "emulator/images.h"

namespace accelscope::emulator {
namespace {

using ByteVector = std::vector<std::uint8_t>;

ByteVector bytes_of(const base::MemoryOutput& out) {
  return {out.bytes().begin(), out.bytes().end()};
}

TEST(Dump, PacksRowsInTheFormatOfTheirMemory) {
  TestCore core(Rules::kStrict);
  core.set_row(2, {1, -2});
  base::MemoryOutput out;
  ASSERT_TRUE(dump_vectors(out, core.state(), {boards::kBf16}));
  ByteVector expected(64 * 16);
  expected[2 * 16 + 1] = 0x3F;
  expected[2 * 16] = 0x80;
  expected[2 * 16 + 3] = 0xC0;
  EXPECT_EQ(bytes_of(out), expected);
  out.clear();
  ASSERT_TRUE(dump_vectors(out, core.state(), {boards::kBf16}, {.first = 2, .count = 1}));
  EXPECT_EQ(bytes_of(out), ByteVector(expected.begin() + 32, expected.begin() + 48));
  out.clear();
  ASSERT_TRUE(dump_vectors(out, core.state(), {boards::kBf16}, {.first = 63, .count = 5}));
  EXPECT_EQ(bytes_of(out), ByteVector(16)) << "nothing behind the end";
  ASSERT_TRUE(dump_vectors(out, core.state(), {boards::kBf16}, {.first = 64, .count = 5}));
  EXPECT_FALSE(dump_vectors(out, core.state(), boards::kPlenaMx));
}

TEST(Dump, RoundsMatricesThatWereNeverRounded) {
  TestCore core(Rules::kStrict);
  std::vector<float> tile(64, 1 + 0x1p-7F + 0x1p-8F);
  core.set_tile(1, tile);
  base::MemoryOutput out;
  ASSERT_TRUE(dump_matrices(out, core.state(), {boards::kBf16}));
  ASSERT_EQ(out.bytes().size(), 4 * 64 * 2U);
  EXPECT_EQ(bytes_of(out)[0], 0);
  EXPECT_EQ(bytes_of(out)[128], 0x82);
  out.clear();
  ASSERT_TRUE(dump_matrices(out, core.state(), {boards::kBf16}, {.first = 8, .count = 1}));
  EXPECT_EQ(out.bytes().size(), 16U);
}

TEST(Dump, WritesScalarsAndExternalMemory) {
  TestCore core(Rules::kStrict);
  core.state().scalars.floats[1] = -1;
  core.state().scalars.integers[1] = 0x01020304;
  base::MemoryOutput out;
  ASSERT_TRUE(dump_floats(out, core.state(), {.first = 0, .count = 2}));
  EXPECT_EQ(bytes_of(out), (ByteVector{0, 0, 0x80, 0xBF}));
  out.clear();
  ASSERT_TRUE(dump_integers(out, core.state(), {.first = 1, .count = 1}));
  EXPECT_EQ(bytes_of(out), (ByteVector{4, 3, 2, 1}));
  out.clear();
  ASSERT_TRUE(dump_floats(out, core.state()));
  ASSERT_TRUE(dump_integers(out, core.state()));
  EXPECT_EQ(out.bytes().size(), 1024U * 6);
  const ByteVector image{9, 8, 7};
  ASSERT_TRUE(core.state().external.write(65'533, std::as_bytes(std::span(image))));
  out.clear();
  ASSERT_TRUE(dump_external(out, core.state(), {.first = 65'532, .count = 100}));
  EXPECT_EQ(bytes_of(out), (ByteVector{0, 9, 8, 7}));
  out.clear();
  ASSERT_TRUE(dump_external(out, core.state()));
  EXPECT_EQ(out.bytes().size(), 65'536U);
}

std::span<const std::byte> view(const ByteVector& bytes) {
  return std::as_bytes(std::span(bytes));
}

TEST(Images, AreLoadedAndDumpedAgain) {
  TestCore core(Rules::kStrict);
  const ByteVector external{1, 2, 3};
  const ByteVector floats{0x00, 0x3C, 0x01, 0x3C};  // 1 and the next float16, which is 1 in bf16
  const ByteVector integers{7, 0, 0, 0};
  ByteVector vectors(20);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = static_cast<std::uint8_t>(i * 13);
  ASSERT_TRUE(load_images(core.state(), {view(external), view(floats), view(integers), view(vectors)},
                          core.machine(), Rules::kStrict));
  const State& state = core.state();
  EXPECT_EQ(state.scalars.floats[0], 1.0F);
  EXPECT_EQ(state.scalars.floats[1], 1.0F);
  EXPECT_TRUE(state.scalars.float_written[1]);
  EXPECT_FALSE(state.scalars.float_written[2]);
  EXPECT_EQ(state.scalars.integers[0], 7U);
  EXPECT_TRUE(state.scalars.integer_written[0]);
  EXPECT_FALSE(state.scalars.integer_written[1]);
  EXPECT_EQ(state.vectors.written.rows[1], state.vectors.written.all)
      << "the last row is filled up with zeros";
  EXPECT_EQ(state.vectors.written.rows[2], 0U);
  base::MemoryOutput out;
  ASSERT_TRUE(dump_vectors(out, state, core.machine().formats.vector_sram, {.first = 0, .count = 2}));
  vectors.resize(32);
  EXPECT_EQ(bytes_of(out), vectors);
}

TEST(Images, SayAllThatIsWrong) {
  const isa::Machine machine = small_machine();
  const ByteVector external(65'537);
  const ByteVector floats(2049);
  const ByteVector integers(4097);
  const ByteVector vectors(64 * 16 + 1);
  const Images images{view(external), view(floats), view(integers), view(vectors)};
  const auto checked = check_images(images, machine, Rules::kStrict);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "the image of the external memory has 65537 bytes, and there is room for 65536; "
            "the image of the scalar memory of floats has 2049 bytes, and there is room for 2048; "
            "the image of the scalar memory of floats has 2049 bytes, which are no whole words of 2; "
            "the image of the scalar memory of integers has 4097 bytes, and there is room for 4096; "
            "the image of the scalar memory of integers has 4097 bytes, which are no whole words of 4; "
            "the image of the vector memory has 1025 bytes, and there is room for 1024; "
            "the image of the vector memory has 1025 bytes, which are no whole words of 2");
  TestCore core(Rules::kStrict);
  EXPECT_FALSE(load_images(core.state(), images, machine, Rules::kStrict));
}

TEST(Images, IgnorePartsOfWordsUnlessStrict) {
  TestCore core(Rules::kCompat);
  const ByteVector floats{0x00, 0x3C, 0x01};
  const ByteVector integers{7, 0, 0, 0, 9, 9, 9};
  const Images images{{}, view(floats), view(integers), {}};
  EXPECT_FALSE(check_images(images, core.machine(), Rules::kStrict));
  ASSERT_TRUE(load_images(core.state(), images, core.machine(), Rules::kCompat));
  EXPECT_EQ(core.state().scalars.floats[0], 1.0F);
  EXPECT_FALSE(core.state().scalars.float_written[1]);
  EXPECT_FALSE(core.state().scalars.integer_written[1]);
}

}  // namespace
}  // namespace accelscope::emulator
