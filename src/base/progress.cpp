#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/human.h"

namespace accelscope::base {
namespace {

constexpr auto kRedrawInterval = std::chrono::milliseconds(100);
// Work that ends sooner than this shows nothing: a flash of text is noise.
constexpr auto kFirstDrawAfter = std::chrono::milliseconds(300);

void put(int descriptor, std::string_view text) {
  // A progress line that cannot be drawn is no reason to stop the work.
  [[maybe_unused]] const ssize_t ignored = ::write(descriptor, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string label, std::uint64_t total, int descriptor, Display display)
    : label_(std::move(label)),
      total_(total),
      descriptor_(descriptor),
      visible_(display == Display::kAlways || isatty(descriptor) == 1),
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
  if (total_ == 0) return fmt::format("{}  {}", label_, format_count(done));
  constexpr std::uint64_t kBarWidth = 24;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  std::string text = fmt::format("{}  [{}{}] {:3.0f} %", label_, std::string(filled, '#'),
                                 std::string(kBarWidth - filled, '.'), share * 100);
  const auto elapsed = std::chrono::steady_clock::now() - started_;
  if (share > 0.02 && share < 1.0) {
    const double left = static_cast<double>(elapsed.count()) * (1 - share) / share;
    text += fmt::format("  {} left", format_duration(Nanoseconds{static_cast<std::int64_t>(left)}));
  }
  return text;
}

}  // namespace accelscope::base
