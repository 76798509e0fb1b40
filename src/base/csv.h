// Comma-separated values as RFC 4180 and Python's csv module write them: quoted cells, commas, quotes and
// line breaks inside them, CRLF or LF (or a lone CR), a byte-order mark, a last line without a line end.
//
// The reader walks the text once and copies nothing but cells with doubled quotes; the text must outlive it.
// Trouble is sticky: next() answers false and status() says what and on which line. One thread uses one
// reader; the writing functions keep no state.
//
//   CsvReader reader(file.path(), file.text());
//   while (reader.next()) use(reader.line(), reader.cells());
//   ACCELSCOPE_CHECK(reader.status());
//   append_csv_cell(out, "Convert (NC, F32, F16) #1");   // quoted, because of the commas
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "base/result.h"

namespace accelscope::base {

class CsvReader {
 public:
  // Bounds that no honest file reaches; they keep a stray quotation mark from swallowing gigabytes.
  static constexpr std::size_t kMaxCellBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMaxCells = 4096;

  CsvReader(std::string file, std::string_view text);

  // Moves to the next record that is not an empty line; false at the end or after trouble.
  bool next();
  // The cells of the current record, good until next() is called.
  std::span<const std::string_view> cells() const { return cells_; }
  // The line on which the current record begins, from 1.
  std::uint64_t line() const { return record_line_; }
  // Where the current record begins, in bytes from the start of the text.
  std::size_t offset() const { return static_cast<std::size_t>(record_ - text_.data()); }
  const Status& status() const { return status_; }

  // Reads one record again, given what line() and offset() said about it.
  void seek(std::size_t offset, std::uint64_t line);

 private:
  struct Unescaped {
    std::size_t cell;
    std::size_t begin;
    std::size_t size;
  };

  bool skip_empty_lines();
  void end_line();
  bool read_plain_cell();
  bool read_quoted_cell();
  bool unescape_cell(const char* content);
  bool add_cell(std::string_view cell);
  bool cell_too_large(std::uint64_t line);

  std::string file_;
  std::string_view text_;
  const char* next_;
  const char* end_;
  const char* record_;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 1;
  std::vector<std::string_view> cells_;
  std::string scratch_;  // cells that had doubled quotes
  std::vector<Unescaped> unescaped_;
  Status status_;
};

// Quoted only where it must be: commas, quotation marks, line breaks.
void append_csv_cell(Output& out, std::string_view cell);

}  // namespace accelscope::base
