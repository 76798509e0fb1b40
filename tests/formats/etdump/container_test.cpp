#include "formats/etdump/container.h"

#include "formats/etdump/flat_view.h"
#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"

namespace accelscope::formats::etdump {
namespace {

using base::ErrorCode;

Dump small_dump(std::uint64_t start = 100) {
  return {{execute_block({event("native_call_add.out", 0, start + 10, start + 50),
                          event("OPERATOR_CALL", 0, start + 5, start + 60), execute(start, start + 100)})}};
}

base::Error error_of(std::string_view bytes) {
  const auto result = read_bytes(bytes);
  EXPECT_FALSE(result);
  return result ? base::Error{} : result.error();
}

TEST(Container, RecognisesBothLayouts) {
  EXPECT_TRUE(looks_like_etdump(write_etdump(small_dump(), Prefix::kSize)));
  EXPECT_TRUE(looks_like_etdump(write_etdump(small_dump(), Prefix::kNone)));
  EXPECT_FALSE(looks_like_etdump("dummy-etdump\n\n\n"));
  EXPECT_FALSE(looks_like_etdump(""));
  EXPECT_FALSE(looks_like_etdump("ED00"));
}

TEST(Container, BothLayoutsReadTheSame) {
  for (const Prefix prefix : {Prefix::kSize, Prefix::kNone}) {
    const auto trace = read_bytes(write_etdump(small_dump(), prefix));
    ASSERT_TRUE(trace) << trace.error().to_string();
    EXPECT_EQ(trace->slices().size(), 3U);
    EXPECT_EQ(trace->runs().size(), 1U);
  }
}

TEST(Container, NamesTheSourceAndItsTracks) {
  const trace::Trace trace = read_dump(small_dump());
  ASSERT_EQ(trace.sources().size(), 1U);
  EXPECT_EQ(trace.sources()[0].path, kTestFile);
  EXPECT_EQ(trace.sources()[0].format, "etdump");
  EXPECT_GT(trace.sources()[0].bytes, 0U);
  EXPECT_EQ(trace.text(trace.tracks()[0].name), "test");
  EXPECT_EQ(trace.text(trace.tracks()[1].name), "host");
  EXPECT_TRUE(trace.tracks()[1].coverage_known);
  EXPECT_EQ(trace.tracks()[1].covered_from.value, 100);
  EXPECT_EQ(trace.tracks()[1].covered_to.value, 200);
}

TEST(Container, EmptyAndShortFilesAreTruncated) {
  EXPECT_EQ(error_of("").code, ErrorCode::kTruncated);
  EXPECT_EQ(error_of("dummy").code, ErrorCode::kTruncated);
  EXPECT_EQ(error_of("").where.file, kTestFile);
}

TEST(Container, AnotherFormatIsNamedAsSuch) {
  const base::Error error = error_of("dummy-etdump\n\n\n");
  EXPECT_EQ(error.code, ErrorCode::kUnknownFormat);
  EXPECT_NE(error.message.find("ED00"), std::string::npos);
}

TEST(Container, TruncationNamesBothSizes) {
  const std::string bytes = write_etdump(small_dump());
  const base::Error error = error_of(std::string_view(bytes).substr(0, bytes.size() - 10));
  EXPECT_EQ(error.code, ErrorCode::kTruncated);
  EXPECT_NE(error.message.find(std::to_string(bytes.size())), std::string::npos);
  EXPECT_NE(error.message.find(std::to_string(bytes.size() - 10)), std::string::npos);
}

TEST(Container, AnAbsurdlySmallSizeIsMalformed) {
  std::string bytes = write_etdump(small_dump());
  bytes.replace(0, 4, std::string("\x02\0\0\0", 4));
  EXPECT_EQ(error_of(bytes).code, ErrorCode::kMalformed);
}

TEST(Container, TrailingBytesAreTolerated) {
  const auto trace = read_bytes(write_etdump(small_dump()) + "some text behind");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), 3U);
  EXPECT_EQ(quality_count(*trace, "etdump.trailing_bytes"), 16U);
}

TEST(Container, DumpsInARowGetTracksOfTheirOwn) {
  const auto trace = read_bytes(write_etdump(small_dump(100)) + write_etdump(small_dump(50)) +
                                write_etdump(small_dump(70), Prefix::kNone));
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->runs().size(), 3U);
  EXPECT_EQ(trace->slices().size(), 9U);
  EXPECT_EQ(trace->slices_of(trace::TrackId{1}).count, 3U);
  EXPECT_EQ(trace->slices_of(trace::TrackId{2}).count, 3U);
  EXPECT_EQ(trace->text(trace->tracks()[3].name), "host of dump 3");
  EXPECT_EQ(quality_count(*trace, "etdump.several_dumps"), 3U);
  EXPECT_EQ(trace->text(trace->runs()[2].method), "method 1") << "the same method in all of them";
}

TEST(Container, DumpsInARowNeedNoAlignment) {
  // A dump padded by one byte (its size says so): what follows is at an odd place in memory.
  std::string first = write_etdump(small_dump()) + '\0';
  const auto size = static_cast<std::uint32_t>(first.size() - 4);
  std::memcpy(first.data(), &size, 4);
  const auto trace = read_bytes(first + write_etdump(small_dump(70)));
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), 6U);
  EXPECT_EQ(quality_count(*trace, "etdump.misaligned"), 1U);
}

TEST(Container, ADumpWithoutItsPrefixIsReadThoughMisaligned) {
  const std::string bytes = write_etdump(quirks_dump());
  const auto trace = read_bytes(std::string_view(bytes).substr(4));
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), read_dump(quirks_dump()).slices().size());
  EXPECT_EQ(quality_count(*trace, "etdump.misaligned"), 1U);
}

TEST(Container, ALaterDumpThatIsBadDoesNotTakeTheFirstWithIt) {
  const std::string whole = write_etdump(small_dump());
  const auto cut = read_bytes(whole + whole.substr(0, whole.size() - 8));
  ASSERT_TRUE(cut) << cut.error().to_string();
  EXPECT_EQ(cut->runs().size(), 1U);
  EXPECT_TRUE(cut->quality().has_errors());
  std::string damaged = whole;
  damaged[6] = '\x7F';  // the root offset
  const auto bad = read_bytes(whole + damaged + whole);
  ASSERT_TRUE(bad) << bad.error().to_string();
  EXPECT_EQ(quality_count(*bad, "etdump.further_dump_unreadable"), 1U);
  EXPECT_EQ(bad->runs().size(), 2U);
}

}  // namespace
}  // namespace accelscope::formats::etdump
