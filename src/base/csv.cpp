#include "base/csv.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace accelscope::base {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::array<bool, 256> make_cell_ends() {
  std::array<bool, 256> ends{};
  for (const char c : {',', '\r', '\n'}) ends[static_cast<unsigned char>(c)] = true;
  return ends;
}
constexpr std::array<bool, 256> kEndsCell = make_cell_ends();

const char* find_cell_end(const char* from, const char* end) {
  while (from != end && !kEndsCell[static_cast<unsigned char>(*from)]) ++from;
  return from;
}

const char* find_quote(const char* from, const char* end) {
  const void* found = std::memchr(from, '"', static_cast<std::size_t>(end - from));
  return found == nullptr ? end : static_cast<const char*>(found);
}

std::uint64_t line_breaks(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

CsvReader::CsvReader(std::string file, std::string_view text)
    : file_(std::move(file)), text_(text), next_(text.data()), end_(text.data() + text.size()) {
  if (text.starts_with(kByteOrderMark)) next_ += kByteOrderMark.size();
  record_ = next_;
}

void CsvReader::seek(std::size_t offset, std::uint64_t line) {
  next_ = text_.data() + std::min(offset, text_.size());
  line_ = line;
}

bool CsvReader::next() {
  cells_.clear();
  scratch_.clear();
  unescaped_.clear();
  if (!status_ || !skip_empty_lines()) return false;
  record_ = next_;
  record_line_ = line_;
  while (true) {
    const bool read = next_ != end_ && *next_ == '"' ? read_quoted_cell() : read_plain_cell();
    if (!read) return false;
    if (next_ == end_ || *next_ != ',') break;
    ++next_;
  }
  end_line();
  for (const Unescaped& cell : unescaped_)
    cells_[cell.cell] = std::string_view(scratch_).substr(cell.begin, cell.size);
  return true;
}

bool CsvReader::skip_empty_lines() {
  while (next_ != end_ && (*next_ == '\n' || *next_ == '\r')) end_line();
  return next_ != end_;
}

void CsvReader::end_line() {
  if (next_ == end_) return;
  if (*next_ == '\r') ++next_;
  if (next_ != end_ && *next_ == '\n') ++next_;
  ++line_;
}

bool CsvReader::read_plain_cell() {
  const char* cell_end = find_cell_end(next_, end_);
  const std::string_view cell(next_, static_cast<std::size_t>(cell_end - next_));
  next_ = cell_end;
  return add_cell(cell);
}

bool CsvReader::read_quoted_cell() {
  const char* content = next_ + 1;
  const char* quote = find_quote(content, end_);
  const bool plain = quote != end_ && (quote + 1 == end_ || kEndsCell[static_cast<unsigned char>(quote[1])]);
  if (!plain) return unescape_cell(content);
  const std::string_view cell(content, static_cast<std::size_t>(quote - content));
  line_ += line_breaks(cell);
  next_ = quote + 1;
  return add_cell(cell);
}

// The slow way: doubled quotes become one, and what follows a closing quote is taken as it stands.
bool CsvReader::unescape_cell(const char* content) {
  const std::uint64_t opened_on = line_;
  const std::size_t begin = scratch_.size();
  while (true) {
    const char* quote = find_quote(content, end_);
    const std::string_view part(content, static_cast<std::size_t>(quote - content));
    if (scratch_.size() - begin + part.size() > kMaxCellBytes) return cell_too_large(opened_on);
    if (quote == end_) {
      status_ = fail_at(Location::line(file_, opened_on), ErrorCode::kMalformed,
                        "a quotation mark opens a cell on this line and none closes it");
      return false;
    }
    scratch_ += part;
    line_ += line_breaks(part);
    content = quote + 1;
    if (content == end_ || *content != '"') break;
    scratch_ += '"';
    ++content;
  }
  const char* cell_end = find_cell_end(content, end_);
  const std::string_view rest(content, static_cast<std::size_t>(cell_end - content));
  if (scratch_.size() - begin + rest.size() > kMaxCellBytes) return cell_too_large(opened_on);
  scratch_ += rest;
  next_ = cell_end;
  unescaped_.push_back({cells_.size(), begin, scratch_.size() - begin});
  return add_cell({});
}

bool CsvReader::add_cell(std::string_view cell) {
  if (cell.size() > kMaxCellBytes) return cell_too_large(record_line_);
  if (cells_.size() == kMaxCells) {
    status_ = fail_at(Location::line(file_, record_line_), ErrorCode::kTooLarge,
                      "more than {} cells in one row", kMaxCells);
    return false;
  }
  cells_.push_back(cell);
  return true;
}

bool CsvReader::cell_too_large(std::uint64_t line) {
  status_ = fail_at(Location::line(file_, line), ErrorCode::kTooLarge,
                    "a cell of more than {} bytes begins here: is a closing quotation mark missing?",
                    kMaxCellBytes);
  return false;
}

void append_csv_cell(Output& out, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.append(cell);
    return;
  }
  out.append('"');
  for (std::size_t from = 0; from < cell.size();) {
    const std::size_t quote = cell.find('"', from);
    if (quote == std::string_view::npos) {
      out.append(cell.substr(from));
      break;
    }
    out.append(cell.substr(from, quote + 1 - from));
    out.append('"');
    from = quote + 1;
  }
  out.append('"');
}

}  // namespace accelscope::base
