// Files of traces that were cut, changed, made by another version, or made to harm: the reader gives what is
// there and says what is not, or an error that names the place.
#include <gtest/gtest.h>

#include "formats/capture/container_writer.h"
#include "formats/capture/full_trace.h"
#include "formats/capture/rows_chunk.h"
#include "formats/capture/strings_chunk.h"
#include "formats/capture/trace_chunks.h"
#include "formats/capture/wire.h"
#include "support/trace_equality.h"
#include "trace/summary.h"

namespace accelscope::formats::capture {
namespace {

using base::ErrorCode;
using base::MappedFile;
using trace::Ticks;
using trace::Trace;

base::Result<Trace> opened_damaged(std::string_view bytes) {
  return read(MappedFile::from_memory("x.astrace", bytes));
}

std::string small_file() {
  base::MemoryOutput out;
  EXPECT_TRUE(write(full_trace(5, 12), out));
  return std::string(out.bytes());
}

template <class T>
bool begins_with(const trace::Column<T>& whole, const trace::Column<T>& part) {
  if (part.size() > whole.size()) return false;
  for (std::uint32_t row = 0; row < part.size(); ++row)
    if (whole[row] != part[row]) return false;
  return true;
}

// A capture file written chunk by chunk. Every chunk of rows has columns of one value for all its rows.
class HandMade {
 public:
  HandMade() : writer_(out_) {}

  HandMade& chunk(ChunkKind kind, std::string_view payload) {
    writer_.add_chunk(kind, 1, payload);
    return *this;
  }
  HandMade& strings(std::initializer_list<std::string_view> texts) {
    base::StringInterner interner;
    for (const std::string_view text : texts) interner.intern(text);
    for_each_strings_chunk(
        interner, [&](std::uint64_t, std::string_view payload) { chunk(ChunkKind::kStrings, payload); });
    return *this;
  }
  HandMade& begin(std::string_view table, std::uint32_t first, std::uint32_t rows) {
    encoder_.begin(table, first, rows);
    return *this;
  }
  template <class T>
  HandMade& column(std::string_view name, T value) {
    encoder_.add<T>(name, [&](std::uint32_t) { return value; });
    return *this;
  }
  HandMade& end() { return chunk(ChunkKind::kRows, encoder_.finish()); }

  HandMade& clock() {
    return begin("clocks", 0, 1).column("frequency", base::Frequency::nanoseconds()).end();
  }
  // One track with one clock, for rows to be on.
  HandMade& track() { return clock().begin("tracks", 0, 1).column("clock", trace::ClockId{0}).end(); }

  base::Result<Trace> read() {
    EXPECT_TRUE(writer_.finish());
    return opened_damaged(out_.bytes());
  }
  void expect_refused(std::string_view message) {
    const auto trace = read();
    ASSERT_FALSE(trace) << message;
    EXPECT_EQ(trace.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(trace.error().where.file, "x.astrace");
    EXPECT_EQ(trace.error().message, message);
  }

 private:
  base::MemoryOutput out_;
  ContainerWriter writer_;
  RowsEncoder encoder_;
};

TEST(TraceDamage, CutAnywhereGivesWhatIsBefore) {
  const std::string whole = small_file();
  const Trace truth = std::move(*opened_damaged(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto trace = opened_damaged(whole.substr(0, size));
    if (size < kFileHeaderBytes) {
      ASSERT_FALSE(trace) << size;
      EXPECT_EQ(trace.error().where.file, "x.astrace");
      continue;
    }
    ASSERT_TRUE(trace) << size << ": " << trace.error().to_string();
    EXPECT_EQ(trace->quality().count("astrace.ended_early"), 1U) << size;
    EXPECT_TRUE(begins_with(truth.slices().start, trace->slices().start));
    EXPECT_TRUE(begins_with(truth.slices().name, trace->slices().name));
    EXPECT_TRUE(begins_with(truth.tasks().external_id, trace->tasks().external_id));
    EXPECT_TRUE(begins_with(truth.states().start, trace->states().start));
    EXPECT_EQ(trace::summarise(*trace).slices, trace->slices().size());
  }
}

TEST(TraceDamage, CutBeforeItsEndIsAllThere) {
  const std::string whole = small_file();
  const Trace truth = std::move(*opened_damaged(whole));
  const auto cut = opened_damaged(whole.substr(0, whole.size() - 1));
  ASSERT_TRUE(cut);
  EXPECT_EQ(tests::differences(truth, *cut), "quality: 2 rows and 3\n");
}

TEST(TraceDamage, EveryChangedByteIsNoticed) {
  const std::string whole = small_file();
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ 0x10);
    const auto trace = opened_damaged(changed);
    if (place < kFileHeaderBytes) {
      EXPECT_FALSE(trace) << place;
      continue;
    }
    ASSERT_TRUE(trace) << place << ": " << trace.error().to_string();
    EXPECT_EQ(trace->quality().count("astrace.damaged"), 1U) << place;
    EXPECT_TRUE(trace->quality().has_errors());
  }
}

TEST(TraceDamage, AReferenceToWhatWasCutIsForgotten) {
  const std::string whole = small_file();
  const auto truth = opened_damaged(whole);
  ASSERT_TRUE(truth);
  ASSERT_NE(truth->runs()[0].root, trace::SliceId::kNone);
  bool cut_between = false;
  for (std::size_t size = kFileHeaderBytes; size < whole.size(); ++size) {
    const auto trace = opened_damaged(whole.substr(0, size));
    ASSERT_TRUE(trace);
    if (trace->runs().empty() || trace->slices().size() > 0) continue;
    cut_between = true;
    EXPECT_EQ(trace->runs()[0].root, trace::SliceId::kNone);
  }
  EXPECT_TRUE(cut_between);
}

TEST(TraceDamage, BytesBehindTheEndAreSaid) {
  const auto trace = opened_damaged(small_file() + "xyz");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->quality().count("astrace.trailing_bytes"), 3U);
}

TEST(OtherVersions, UnknownKindsTablesAndColumnsAreSkippedAndCounted) {
  HandMade file;
  file.strings({"a"}).chunk(ChunkKind{99}, "whatever").chunk(ChunkKind{100}, "");
  file.begin("dreams", 0, 3).column("colour", std::uint8_t{1}).end().track();
  file.begin("slices", 0, 2)
      .column("track", trace::TrackId{0})
      .column("weight", 0.5)
      .column("mood", true)
      .end();
  const auto trace = file.read();
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), 2U);
  EXPECT_EQ(trace->quality().count("astrace.unknown_chunk"), 3U);
  EXPECT_EQ(trace->quality().count("astrace.unknown_column"), 2U);
  EXPECT_EQ(trace->quality().rows().size(), 2U);
}

TEST(OtherVersions, MissingColumnsGetTheirDefaults) {
  HandMade file;
  file.track().begin("slices", 0, 1).column("track", trace::TrackId{0}).column("start", Ticks{7}).end();
  const auto trace = file.read();
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_TRUE(trace->quality().rows().empty());
  const trace::SliceTable& slices = trace->slices();
  EXPECT_EQ(slices.start[0], Ticks{7});
  EXPECT_EQ(slices.duration[0], Ticks{0});
  EXPECT_EQ(slices.parent[0], trace::SliceId::kNone);
  EXPECT_EQ(slices.task[0], trace::TaskId::kNone);
  EXPECT_EQ(slices.first_arg[0], trace::ArgId::kNone);
  EXPECT_EQ(slices.category[0], trace::CategoryId::kNone);
  EXPECT_EQ(slices.name[0], trace::StringId::kEmpty);
  EXPECT_EQ(trace->tracks()[0].kind, trace::TrackKind::kSlices);
  EXPECT_EQ(trace->tracks()[0].parent, trace::TrackId::kNone);
}

TEST(OtherVersions, AColumnOfAnotherTypeIsAnotherColumn) {
  HandMade file;
  file.track().begin("slices", 0, 1).column("track", trace::TrackId{0}).column("start", 1.5).end();
  const auto trace = file.read();
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().start[0], Ticks{0});
  EXPECT_EQ(trace->quality().count("astrace.unknown_column"), 1U);
}

TEST(HostileFiles, IdsOfRowsThatAreNotThereAreRefused) {
  HandMade()
      .track()
      .begin("slices", 0, 1)
      .column("track", trace::TrackId{1})
      .end()
      .expect_refused("a row names a track that was never added");
  HandMade().begin("tracks", 0, 1).end().expect_refused("track '' has no clock");
  HandMade()
      .track()
      .begin("slices", 0, 2)
      .column("track", trace::TrackId{0})
      .column("parent", trace::SliceId{1})
      .end()
      .expect_refused("a slice is its own ancestor");
  HandMade()
      .begin("flows", 0, 1)
      .column("from", trace::SliceId{0})
      .end()
      .expect_refused("a flow names a slice that was never added");
  HandMade()
      .track()
      .begin("slices", 0, 1)
      .column("track", trace::TrackId{0})
      .column("first_arg", trace::ArgId{0})
      .end()
      .expect_refused("a value of slices 'first_arg' is out of range");
}

TEST(HostileFiles, TextsAndCategoriesThatAreNotThereAreRefused) {
  HandMade()
      .strings({"a"})
      .begin("tasks", 0, 1)
      .column("name", trace::StringId{2})
      .end()
      .expect_refused("a value of tasks 'name' is out of range");
  HandMade()
      .track()
      .begin("instants", 0, 1)
      .column("track", trace::TrackId{0})
      .column("category", trace::CategoryId{1})
      .end()
      .expect_refused("a value of instants 'category' is out of range");
  HandMade()
      .begin("categories", 0, 1)
      .column("name", trace::StringId{5})
      .end()
      .expect_refused("a category's name is out of range");
  HandMade()
      .begin("facts", 0, 1)
      .column("value", trace::Value{trace::ValueType::kString, 9})
      .end()
      .expect_refused("a value of facts 'value' is out of range");
}

TEST(HostileFiles, ListsOfArgumentsThatNeverEndAreRefused) {
  HandMade()
      .begin("args", 0, 2)
      .column("next", trace::ArgId{1})
      .end()
      .expect_refused("a list of arguments runs backwards");
  HandMade()
      .begin("args", 0, 1)
      .column("type", trace::ValueType::kString)
      .column("bits", std::uint64_t{1} << 40U)
      .end()
      .expect_refused("the value of an argument is out of range");
}

TEST(HostileFiles, ValuesThatNoEnumerationHasAreRefused) {
  const auto refused = [](std::string_view table, std::string_view column) {
    HandMade file;
    file.clock()
        .begin(table, 0, 1)
        .column("clock", trace::ClockId{0})
        .column(column, std::uint8_t{200})
        .end();
    file.expect_refused(fmt::format("a value of {} '{}' is out of range", table, column));
  };
  refused("tracks", "level");
  refused("tracks", "kind");
  refused("tracks", "counter_type");
  refused("runs", "kind");
  refused("runs", "status");
  HandMade()
      .begin("args", 0, 1)
      .column("type", std::uint8_t{9})
      .end()
      .expect_refused("the value of an argument is out of range");
  HandMade()
      .begin("quality", 0, 1)
      .column("severity", std::uint8_t{3})
      .end()
      .expect_refused("a column of quality is malformed");
  HandMade()
      .begin("clocks", 0, 1)
      .column("frequency", base::Frequency{5, 0})
      .end()
      .expect_refused("a value of clocks 'frequency' is out of range");
}

TEST(HostileFiles, ImpossibleTimesAreRefused) {
  const auto slice = [](Ticks start, Ticks duration) {
    HandMade file;
    file.track().begin("slices", 0, 1).column("track", trace::TrackId{0}).column("start", start);
    file.column("duration", duration).end();
    return file.read();
  };
  EXPECT_FALSE(slice(Ticks{0}, Ticks{-1}));
  EXPECT_FALSE(slice(Ticks::max(), Ticks{1}));
  EXPECT_TRUE(slice(Ticks::max(), Ticks{0}));
  HandMade()
      .track()
      .begin("slices", 0, 1)
      .column("track", trace::TrackId{0})
      .column("start", Ticks::max())
      .end()
      .begin("stages", 0, 1)
      .column("slice", trace::SliceId{0})
      .column("offset", Ticks{1})
      .end()
      .expect_refused("a stage lies beyond 64 bits");
}

TEST(HostileFiles, ClockReadingsAreCounted) {
  const auto relation = [](std::uint32_t stored, std::uint32_t claimed) {
    HandMade file;
    file.clock().begin("clock_knots", 0, stored).column("from", Ticks{1}).column("to", Ticks{1}).end();
    file.begin("clock_relations", 0, 1).column("from", trace::ClockId{0}).column("to", trace::ClockId{0});
    return file.column("knots", claimed).end().read();
  };
  EXPECT_TRUE(relation(0, 0));
  EXPECT_EQ(relation(1, 2).error().message, "a clock relation has more readings than there are");
  EXPECT_EQ(relation(1, 1).error().message, "a clock relation has a single knot");
  EXPECT_EQ(relation(2, 2).error().message, "the relation of clocks '' and '' runs backwards");
}

TEST(HostileFiles, RowsMustFollowEachOther) {
  HandMade().begin("tasks", 1, 1).end().expect_refused("rows of tasks do not follow those before");
  HandMade()
      .begin("tasks", 0, 2)
      .end()
      .begin("tasks", 1, 1)
      .end()
      .expect_refused("rows of tasks do not follow those before");
  HandMade()
      .begin("tasks", 0, kMaxRowsOfChunk + 1)
      .end()
      .expect_refused("the rows of this chunk contradict their sizes");
  HandMade().strings({"a"}).strings({"b"}).expect_refused(
      "the texts of this chunk do not follow those before");
}

TEST(HostileFiles, SizesWithinAChunkAreChecked) {
  HandMade().chunk(ChunkKind::kRows, "").expect_refused("the rows of this chunk contradict their sizes");
  std::string column_too_long;
  append_text8(column_too_long, "tasks");
  append_u32(column_too_long, 0);
  append_u32(column_too_long, 1);
  append_u16(column_too_long, 1);
  append_text8(column_too_long, "name");
  append_text8(column_too_long, "string");
  append_u8(column_too_long, 0);
  append_u32(column_too_long, 0xFFFFFFFF);
  HandMade()
      .chunk(ChunkKind::kRows, column_too_long)
      .expect_refused("the rows of this chunk contradict their sizes");
  std::string texts;
  append_u32(texts, 1);
  append_u32(texts, 0xFFFFFFFF);
  append_u8(texts, 0);
  HandMade()
      .chunk(ChunkKind::kStrings, texts)
      .expect_refused("the texts of this chunk do not follow those before");
}

TEST(ColumnCodec, RefusesBytesThatAreNotTheRows) {
  std::vector<std::uint64_t> words(3);
  using namespace std::string_view_literals;
  EXPECT_TRUE(read_words(Encoding::kDelta, "\2\2\1"sv, 4, words));
  EXPECT_EQ(words, (std::vector<std::uint64_t>{1, 2, 1}));
  EXPECT_FALSE(read_words(Encoding::kDelta, "\2\2"sv, 4, words));
  EXPECT_FALSE(read_words(Encoding::kDelta, "\2\2\2\2"sv, 4, words));
  EXPECT_FALSE(read_words(Encoding::kDelta, "\2\2\x80"sv, 4, words));
  EXPECT_FALSE(read_words(Encoding::kDelta, "\2\2\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1"sv, 4, words));
  EXPECT_FALSE(read_words(Encoding::kRaw, "\1\0\2\0\3"sv, 2, words));
  EXPECT_TRUE(read_words(Encoding::kRaw, "\1\0\2\0\3\1"sv, 2, words));
  EXPECT_EQ(words, (std::vector<std::uint64_t>{1, 2, 0x103}));
  EXPECT_FALSE(read_words(Encoding::kConstant, "\1\1"sv, 1, words));
  EXPECT_FALSE(read_words(Encoding::kTexts, ""sv, 1, words));
  EXPECT_FALSE(read_words(Encoding{77}, ""sv, 1, words));
}

TEST(ColumnCodec, RefusesNumbersThatNeverEndFarFromTheEnd) {
  std::vector<std::uint64_t> words(16);
  EXPECT_FALSE(read_words(Encoding::kDelta, std::string(200, '\xFF'), 4, words));
  // Two bytes each: 200 = 0x48 and a one above the seventh bit; zigzag makes 100 of it.
  std::string two_bytes;
  for (int i = 0; i < 100; ++i) two_bytes += "\xC8\x01";
  std::vector<std::uint64_t> hundreds(100);
  ASSERT_TRUE(read_words(Encoding::kDelta, two_bytes, 8, hundreds));
  for (std::size_t i = 0; i < hundreds.size(); ++i) EXPECT_EQ(hundreds[i], 100 * (i + 1));
  EXPECT_FALSE(read_words(Encoding::kDelta, two_bytes + "\2", 8, hundreds));
}

TEST(ColumnCodec, TakesTheShortestForm) {
  const auto encoded = [](std::vector<std::uint64_t> words, std::size_t width) {
    std::string bytes;
    const Encoding encoding = append_words(bytes, words, width);
    std::vector<std::uint64_t> again(words.size());
    EXPECT_TRUE(read_words(encoding, bytes, width, again));
    EXPECT_EQ(again, words);
    return std::pair(encoding, bytes.size());
  };
  const std::uint64_t none = 0xFFFFFFFF;
  EXPECT_EQ(encoded({9, 9, 9}, 8), std::pair(Encoding::kConstant, std::size_t{8}));
  EXPECT_EQ(encoded({none, 0, none, 1}, 4), std::pair(Encoding::kDelta, std::size_t{4}));
  EXPECT_EQ(encoded({1, 200, 3, 250}, 1), std::pair(Encoding::kRaw, std::size_t{4}));
}

}  // namespace
}  // namespace accelscope::formats::capture
