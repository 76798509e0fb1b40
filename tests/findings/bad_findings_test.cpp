// Whatever a findings file holds, reading it gives findings or an error that names the file.
#include <gtest/gtest.h>

#include <filesystem>

#include "findings/findings_json.h"
#include "findings/sample_findings.h"
#include "support/temporary_folder.h"

namespace accelscope::findings {
namespace {

std::string written(const Findings& findings) {
  base::MemoryOutput out;
  write_json(findings, out);
  return std::string(out.bytes());
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string sample_with(std::string_view from, std::string_view to) {
  return with(written(tests::sample_findings()), from, to);
}

// The message of the error that reading must end in; "" when it did not.
std::string error_of(std::string_view text) {
  const auto read = read_json(base::MappedFile::from_memory("f.json", text));
  if (read) return {};
  EXPECT_EQ(read.error().where.file, "f.json");
  return read.error().message;
}

TEST(BadFindings, CutAnywhere) {
  const std::string text = written(tests::sample_findings());
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    ASSERT_NE(error_of(text.substr(0, size)), "") << size;
  EXPECT_EQ(error_of(text.substr(0, text.size() - 1)), "");  // only the line feed is missing
}

TEST(BadFindings, SomethingElse) {
  for (const std::string_view text :
       {"", " ", "{}", "[]", "null", "{\"traceEvents\":[]}", "{\"accelscope_finding\": 1}",
        "accelscope_findings", "{\"kind\": \"\", \"accelscope_findings\": 1}", "\x1f\x8b",
        "{\"accelscope_findings"}) {
    EXPECT_FALSE(is_findings(text)) << text;
    EXPECT_NE(error_of(text).find("not a findings file"), std::string::npos) << text;
  }
  EXPECT_TRUE(is_findings(" \n{ \"accelscope_findings\" : 1}"));
}

TEST(BadFindings, OtherVersion) {
  EXPECT_NE(error_of(sample_with("findings\": 1", "findings\": 2")).find("schema version 2"),
            std::string::npos);
  EXPECT_EQ(error_of("{\"accelscope_findings\": 3}").substr(0, 24), "has the schema version 3");
  EXPECT_EQ(error_of("{\"accelscope_findings\": \"1\"}"),
            "accelscope_findings: expected an integer of 64 bits from zero up, found a string");
  EXPECT_NE(error_of("{\"accelscope_findings\": 1.5}"), "");
  EXPECT_NE(error_of("{\"accelscope_findings\": -1}"), "");
}

TEST(BadFindings, SaysWhere) {
  EXPECT_EQ(error_of(sample_with("\"n\": 9", "\"n\": -9")),
            "sections[0].metrics[0].n: expected an integer of 64 bits from zero up, found a number");
  EXPECT_EQ(error_of(sample_with("\"higher\"", "\"upwards\"")),
            "sections[0].metrics[1].better: 'upwards' is not a known word here");
  EXPECT_EQ(error_of(sample_with("\"depth\": 2", "\"depth\": 1")),
            "sections[0].depth: expected an integer from 2 to 3, found 1");
  EXPECT_EQ(error_of(sample_with("\"decimals\":3", "\"decimals\":99")),
            "sections[1].tables[0].columns[0].decimals: expected an integer from 0 to 17, found 99");
  EXPECT_EQ(error_of(sample_with("\"GEMM\",4,", "\"GEMM\",")),
            "sections[1].tables[0]: rows[0] has 4 cells for 5 columns");
  EXPECT_EQ(error_of(sample_with("\"GEMM\",4,", "\"GEMM\",[4],")),
            "sections[1].tables[0].rows[0][1]: expected a string, a number, an integer of 64 bits or null, "
            "found an array");
  EXPECT_EQ(error_of(with(written({}), "\"seed\": 0", "\"sed\": 0")), "provenance: has no member 'seed'");
}

TEST(BadFindings, HugeNumbers) {
  EXPECT_NE(error_of(sample_with("0.262", "1e999")), "");
  EXPECT_NE(error_of(sample_with("\"n\": 9", "\"n\": 99999999999999999999999")), "");
  EXPECT_EQ(error_of(sample_with("\"n\": 9", "\"n\": 18446744073709551615")), "");
  EXPECT_NE(error_of(sample_with("\"GEMM\",4", "\"GEMM\",18446744073709551615")), "");
  EXPECT_NE(error_of(sample_with("\"n\": 9", "\"n\": 9.0")), "");
}

TEST(BadFindings, NotANumber) {
  for (const std::string_view odd : {"NaN", "nan", "Infinity", "-Infinity", "0x10", "+1", "01", ".5", "1."})
    EXPECT_NE(error_of(sample_with("0.262", odd)).find("not valid JSON"), std::string::npos) << odd;
}

TEST(BadFindings, Twice) {
  EXPECT_EQ(error_of(sample_with("\"latency.speedup\"", "\"latency.median\"")),
            "sections[0].metrics: two of them have the id 'latency.median'");
  EXPECT_EQ(error_of(sample_with("\"id\": \"categories\"", "\"id\": \"latency\"")),
            "sections: two of them have the id 'latency'");
  EXPECT_EQ(error_of(sample_with("{\"id\":\"count\"", "{\"id\":\"category\"")),
            "sections[1].tables[0].columns: two of them have the id 'category'");
  EXPECT_EQ(error_of(sample_with("\"unit\": \"ms\"", "\"unit\": \"ms\", \"unit\": \"s\"")),
            "sections[0].metrics[0]: has the member 'unit' twice");
  // Statements may share an id.
  EXPECT_EQ(error_of(sample_with("\"advice.layout\"", "\"advice.gemm\"")), "");
  const std::string row = R"({"id":"a","severity":"info","sentence":"b","count":1,"first_place":null})";
  EXPECT_EQ(error_of(with(written({}), "\"quality\": []", "\"quality\": [" + row + "," + row + "]")),
            "quality: two rows have the id 'a' and the same sentence");
}

TEST(BadFindings, NotUtf8) {
  EXPECT_NE(error_of(sample_with("toy.etdump", "toy\xff")), "");
  EXPECT_NE(error_of(sample_with("toy.etdump", "toy\n")), "");
  EXPECT_NE(error_of(sample_with("toy.etdump", "\\ud800")), "");
  EXPECT_NE(error_of(sample_with("toy.etdump", std::string_view("\0", 1))), "");
}

TEST(BadFindings, Deep) {
  const std::size_t depth = 1'000'000;
  const std::string deep = std::string(depth, '[') + std::string(depth, ']');
  EXPECT_NE(error_of(with(written({}), "\"seed\": 0", "\"seed\": 0, \"new\": " + deep)), "");
  EXPECT_NE(error_of(with(written({}), "\"seed\": 0", "\"seed\": 0, \"new\": " + std::string(depth, '{'))),
            "");
}

TEST(BadFindings, UnknownMembersAreIgnored) {
  EXPECT_EQ(error_of(sample_with("\"n\": 9", "\"newer\": {\"x\": [1, null]}, \"n\": 9")), "");
  EXPECT_EQ(error_of(with(written({}), "\"seed\": 0", "\"seed\": 0, \"newer\": [1]")), "");
}

TEST(BadFindings, MoreThanTheDocument) {
  const std::string text = written({});
  EXPECT_NE(error_of(text + "x"), "");
  EXPECT_NE(error_of(text + text), "");
  EXPECT_EQ(error_of(text + " \n\t\r"), "");
}

TEST(BadFindings, TooLarge) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("large.json");
  tests::write_file(path, written({}));
  std::filesystem::resize_file(path, 100'000'001);  // zeros that take no room on the disk
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  const auto read = read_json(*file);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, base::ErrorCode::kTooLarge);
}

TEST(BadFindings, ManyQualityRowsTakeNoTime) {
  std::string rows;
  for (int i = 0; i < 200'000; ++i)
    rows += (i == 0 ? "" : ",") + (R"({"id":"a","severity":"info","sentence":")" + std::to_string(i) +
                                   R"(","count":1,"first_place":null})");
  EXPECT_EQ(error_of(with(written({}), "\"quality\": []", "\"quality\": [" + rows + "]")), "");
}

}  // namespace
}  // namespace accelscope::findings
