#include "experiments/runner_log.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

#include "experiments/text_lines.h"

namespace accelscope::experiments {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Walks along a line: words that must stand there, numbers between them, blanks wherever.
class LineWalker {
 public:
  explicit LineWalker(std::string_view line) : rest_(line) {}

  // Moves behind the first place where the words stand.
  bool seek(std::string_view words) {
    const std::size_t at = rest_.find(words);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + words.size());
    return true;
  }
  bool skip(std::string_view words) {
    skip_blanks();
    if (!rest_.starts_with(words)) return false;
    rest_.remove_prefix(words.size());
    return true;
  }
  template <class Number>
  bool read(Number& number) {
    skip_blanks();
    const auto end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (end.ec != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end.ptr - rest_.data()));
    return true;
  }
  bool read_time(double& milliseconds) {
    return read(milliseconds) && skip("ms") && std::isfinite(milliseconds) && milliseconds >= 0;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string_view rest_;
};

bool has_word_nan(std::string_view line) {
  const auto is_letter = [&](std::size_t at) {
    return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) != 0 || line[at] == '_');
  };
  for (std::size_t at = line.find("nan"); at != std::string_view::npos; at = line.find("nan", at + 1))
    if (!is_letter(at + 3) && (at == 0 || !is_letter(at - 1))) return true;
  return false;
}

void read_line(std::string_view line, RunnerLog& log) {
  std::int64_t count = 0;
  std::int64_t of = 0;
  double time = 0;
  if (LineWalker total(line); total.seek("model executed successfully") && total.read(count) &&
                              total.skip("time(s)") && total.skip("in") && total.read_time(time)) {
    log.executions = count;
    log.total_ms = time;
  } else if (LineWalker step(line); step.seek("iteration ") && step.read(count) && step.skip("of") &&
                                    step.read(of) && step.skip(":") && step.read_time(time)) {
    log.iteration_ms.push_back(time);
  } else if (LineWalker load(line); load.seek("model loaded in") && load.read_time(time)) {
    log.load_ms = time;
  }
  log.mentions_nan = log.mentions_nan || has_word_nan(line);
}

}  // namespace

RunnerLog parse_runner_log(std::string_view text) {
  RunnerLog log;
  for (const std::string_view line : lines_of(text)) read_line(lower_case(line), log);
  return log;
}

}  // namespace accelscope::experiments
