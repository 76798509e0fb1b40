#include "base/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/human.h"
#include "base/utf8.h"

namespace accelscope::base {
namespace {

constexpr auto kRedrawInterval = std::chrono::milliseconds(100);
// Work that ends sooner than this shows nothing: a flash of text is noise.
constexpr auto kFirstDrawAfter = std::chrono::milliseconds(300);

void put(int descriptor, std::string_view text) {
  // A progress line that cannot be drawn is no reason to stop the work.
  [[maybe_unused]] const ssize_t ignored = ::write(descriptor, text.data(), text.size());
}

bool can_redraw_lines(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t columns_of(int descriptor) {
  winsize size = {};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// File names are part of labels: a control character in one must not reach the terminal.
std::string printable(std::string_view text) {
  std::string clean = replace_invalid_utf8(text);
  std::replace_if(
      clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return clean;
}

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

// The first characters of `text`, as many as fit into `columns`, the last of them an ellipsis if some do not.
std::string clipped(const std::string& text, std::size_t columns) {
  if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character)) <= columns)
    return text;
  if (columns == 0) return "";
  std::size_t kept = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!starts_character(text[end])) continue;
    if (kept == columns - 1) break;
    ++kept;
  }
  return text.substr(0, end) + "\u2026";
}

}  // namespace

Progress::Progress(std::string_view label, std::uint64_t total, int descriptor, Display display)
    : label_(printable(label)),
      total_(total),
      descriptor_(descriptor),
      visible_(display == Display::kAlways || can_redraw_lines(descriptor)),
      started_(std::chrono::steady_clock::now()),
      last_drawn_(display == Display::kAlways ? started_ - kRedrawInterval
                                              : started_ + kFirstDrawAfter - kRedrawInterval) {}

Progress::~Progress() {
  if (drawn_) put(descriptor_, "\r\x1b[K");
}

void Progress::advance_to(std::uint64_t done) {
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_drawn_ < kRedrawInterval) return;
  last_drawn_ = now;
  drawn_ = true;
  put(descriptor_, fmt::format("\r{}\x1b[K", line(done)));
}

std::string Progress::line(std::uint64_t done) const {
  const std::string state = total_ == 0 ? format_count(done) : bar(done);
  // A line that wraps cannot be wiped: the label gives way. State is ASCII but for the micro sign.
  const std::size_t columns = columns_of(descriptor_);
  const std::size_t room = columns > state.size() + 3 ? columns - state.size() - 3 : 0;
  return clipped(fmt::format("{}  {}", clipped(label_, room), state), columns - 1);
}

std::string Progress::bar(std::uint64_t done) const {
  constexpr std::uint64_t kBarWidth = 24;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  // Rounded down: 100 % is shown when all is done, not before.
  std::string text = fmt::format("[{}{}] {:3} %", std::string(filled, '#'),
                                 std::string(kBarWidth - filled, '.'), static_cast<int>(share * 100));
  // The first moments say little about the rest.
  if (share > 0.02 && share < 1.0) {
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - started_;
    const double left = elapsed.count() * (1 - share) / share;
    text += fmt::format("  {} left", format_duration(Nanoseconds{static_cast<std::int64_t>(left)}));
  }
  return text;
}

}  // namespace accelscope::base
