#include "base/csv.h"

#include <gtest/gtest.h>

#include <string>

#include "base/output.h"

namespace accelscope::base {
namespace {

using Record = std::vector<std::string>;

std::vector<Record> read_all(std::string_view text) {
  CsvReader reader("test.csv", text);
  std::vector<Record> records;
  while (reader.next()) records.emplace_back(reader.cells().begin(), reader.cells().end());
  EXPECT_TRUE(reader.status()) << reader.status().error().to_string();
  return records;
}

TEST(CsvReader, TakesEveryLineEnd) {
  const std::vector<Record> expected = {{"a", "b"}, {"c", "d"}};
  EXPECT_EQ(read_all("a,b\r\nc,d\r\n"), expected);
  EXPECT_EQ(read_all("a,b\nc,d"), expected);
  EXPECT_EQ(read_all("a,b\rc,d\r"), expected);
  EXPECT_EQ(read_all("\xEF\xBB\xBF"
                     "a,b\r\n\r\n\nc,d"),
            expected);
}

TEST(CsvReader, KeepsEmptyCells) {
  EXPECT_EQ(read_all(",\n,,x\n"), (std::vector<Record>{{"", ""}, {"", "", "x"}}));
  EXPECT_EQ(read_all("a,"), (std::vector<Record>{{"a", ""}}));
  EXPECT_TRUE(read_all("").empty());
  EXPECT_TRUE(read_all("\r\n\n").empty());
}

TEST(CsvReader, UnderstandsQuotedCells) {
  EXPECT_EQ(read_all("\"a,b\",\"say \"\"hi\"\"\",\"\"\n"), (std::vector<Record>{{"a,b", "say \"hi\"", ""}}));
  EXPECT_EQ(read_all("\"two\r\nlines\",x\ny,z"), (std::vector<Record>{{"two\r\nlines", "x"}, {"y", "z"}}));
  EXPECT_EQ(read_all("\"a\"b,c\n"), (std::vector<Record>{{"ab", "c"}}));
  EXPECT_EQ(read_all("a\"b,c\n"), (std::vector<Record>{{"a\"b", "c"}}));
}

TEST(CsvReader, CountsLinesThroughQuotedBreaks) {
  CsvReader reader("test.csv", "a\n\"x\ny\"\nb\n\"p\"\"\nq\"\nc\n");
  std::vector<std::uint64_t> lines;
  while (reader.next()) lines.push_back(reader.line());
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 2, 4, 5, 7}));
}

TEST(CsvReader, ReadsARecordAgain) {
  CsvReader reader("test.csv", "a,b\n\"c\"\"c\",d\ne,f\n");
  ASSERT_TRUE(reader.next());
  ASSERT_TRUE(reader.next());
  const std::size_t offset = reader.offset();
  const std::uint64_t line = reader.line();
  while (reader.next()) {
  }
  reader.seek(offset, line);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.cells()[0], "c\"c");
  EXPECT_EQ(reader.line(), 2U);
}

TEST(CsvReader, NamesTheLineOfAnOpenQuote) {
  CsvReader reader("test.csv", "a\nb,\"never closed\nc\n");
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  ASSERT_FALSE(reader.status());
  EXPECT_EQ(reader.status().error().where, base::Location::line("test.csv", 2));
}

TEST(CsvReader, RefusesCellsBeyondTheLimit) {
  const std::string huge = "x\n\"" + std::string(CsvReader::kMaxCellBytes + 1, 'a') + "\"\n";
  CsvReader reader("test.csv", huge);
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  ASSERT_FALSE(reader.status());
  EXPECT_EQ(reader.status().error().code, base::ErrorCode::kTooLarge);

  const std::string commas(CsvReader::kMaxCells + 1, ',');
  CsvReader many("test.csv", commas);
  EXPECT_FALSE(many.next());
  EXPECT_FALSE(many.status());
}

TEST(CsvWriter, QuotesOnlyWhatNeedsIt) {
  const auto written = [](std::string_view cell) {
    base::MemoryOutput out;
    append_csv_cell(out, cell);
    return std::string(out.bytes());
  };
  EXPECT_EQ(written("plain text #1"), "plain text #1");
  EXPECT_EQ(written("a,b"), "\"a,b\"");
  EXPECT_EQ(written("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(written("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(written(""), "");
}

TEST(CsvWriter, IsUnderstoodByTheReader) {
  for (const std::string cell : {"a,b", "\"", "\"\"", "x\r\ny", ",\"\n", "plain"}) {
    base::MemoryOutput out;
    append_csv_cell(out, cell);
    out.append(",end\r\n");
    EXPECT_EQ(read_all(out.bytes()), (std::vector<Record>{{cell, "end"}}));
  }
}

}  // namespace
}  // namespace accelscope::base
