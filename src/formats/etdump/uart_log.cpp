#include "formats/etdump/uart_log.h"

#include <algorithm>
#include <optional>

#include "formats/etdump/base64.h"
#include "formats/etdump/etdump_reader.h"

namespace accelscope::formats::etdump {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::string_view kDumpMarker = "# Writing etdump.bin [base64]";
constexpr std::string_view kDebugBufferMarker = "# Writing debug_buffer.bin [base64]";
constexpr std::string_view kCyclesAdvice = "--source_time_scale cycles";
constexpr std::string_view kCommand = "echo \"";
// Other messages of the board may come between the marker and the command.
constexpr int kLinesToTheCommand = 8;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Lines without their ends, counted from 1.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return line;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

class Extraction {
 public:
  Extraction(const std::string& path, std::string_view text) : path_(path), lines_(text) {}

  base::Result<UartLog> run() {
    UartLog log;
    while (const auto line = lines_.next()) {
      log.says_cycles = log.says_cycles || contains(*line, kCyclesAdvice);
      if (contains(*line, kDebugBufferMarker)) ++log.debug_buffers;
      if (!contains(*line, kDumpMarker)) continue;
      ACCELSCOPE_TRY(UartDump dump, read_command());
      log.dumps.push_back(std::move(dump));
    }
    if (log.dumps.empty())
      return base::fail_at(Location::of_file(path_), ErrorCode::kUnknownFormat,
                           "no line '{}' in this log: it holds no ETDump", kDumpMarker);
    return log;
  }

 private:
  base::Result<UartDump> read_command() {
    const std::size_t marker_line = lines_.number();
    for (int tries = 0; tries < kLinesToTheCommand; ++tries) {
      const auto line = lines_.next();
      if (!line) break;
      const std::size_t command = line->find(kCommand);
      if (command == std::string_view::npos) continue;
      return read_base64(command > 0, line->substr(command + kCommand.size()));
    }
    return base::fail_at(Location::line(path_, marker_line), ErrorCode::kMalformed,
                         "an ETDump is announced, but no line with 'echo \"' and base64 text follows");
  }

  // `first` is what follows the opening quotation mark; the text may go on over many lines.
  base::Result<UartDump> read_base64(bool lines_have_prefix, std::string_view first) {
    const std::size_t command_line = lines_.number();
    std::string encoded;
    std::optional<std::string_view> line = first;
    bool is_first = true;
    while (line) {
      const std::size_t quote = line->find('"');
      std::string_view part = line->substr(0, quote);
      if (quote == std::string_view::npos && !part.empty() && part.back() == '\\') part.remove_suffix(1);
      while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
      if (!is_first && lines_have_prefix) part = without_prefix(part);
      if (!std::all_of(part.begin(), part.end(), is_base64_character))
        return base::fail_at(Location::line(path_, lines_.number()), ErrorCode::kMalformed,
                             "this line is inside the base64 text that begins in line {}, but holds other "
                             "characters: messages were mixed into the dump, or the log is incomplete",
                             command_line);
      encoded += part;
      if (quote != std::string_view::npos) return decode(command_line, encoded);
      line = lines_.next();
      is_first = false;
    }
    return base::fail_at(
        Location::line(path_, command_line), ErrorCode::kTruncated,
        "the base64 text that begins here is not closed: the log ends after {} characters of "
        "it",
        encoded.size());
  }

  // What a terminal program writes in front ends with something that is not base64: a blank, a bracket.
  static std::string_view without_prefix(std::string_view line) {
    std::size_t begin = line.size();
    while (begin > 0 && is_base64_character(line[begin - 1])) --begin;
    return line.substr(begin);
  }

  base::Result<UartDump> decode(std::size_t line, const std::string& encoded) const {
    std::optional<std::string> bytes = decode_base64(encoded);
    if (bytes) return UartDump{line, std::move(*bytes)};
    return base::fail_at(Location::line(path_, line), ErrorCode::kMalformed,
                         "{} characters of base64 do not decode: the padding is wrong or characters are "
                         "missing",
                         encoded.size());
  }

  const std::string& path_;
  Lines lines_;
};

}  // namespace

bool looks_like_uart_log(std::string_view bytes) {
  // A log is text, and a board's log is short: neither a huge binary nor a huge text is searched to its end.
  constexpr std::size_t kTextProof = std::size_t{4} << 10U;
  constexpr std::size_t kSearched = std::size_t{256} << 20U;
  if (contains(bytes.substr(0, kTextProof), std::string_view("\0", 1))) return false;
  return contains(bytes.substr(0, kSearched), kDumpMarker);
}

base::Result<UartLog> extract_from_uart_log(const std::string& path, std::string_view text) {
  return Extraction(path, text).run();
}

}  // namespace accelscope::formats::etdump
