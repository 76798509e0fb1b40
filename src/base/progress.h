// A line on the terminal that says how far long work has come. Silent when standard error is not a terminal.
//
// The line is drawn at most ten times a second, fits the width of the terminal, and is wiped when the work
// ends, so that what remains is what the program printed. Threads: one thread moves it; it owns nothing but
// the line.
//
//   Progress progress("reading trace.json", total_bytes);
//   for (...) progress.advance_to(bytes_done);
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace accelscope::base {

class Progress {
 public:
  enum class Display : unsigned char { kWhenTerminal, kAlways };

  // A total of 0 means that the end is not known: the line then shows the count alone.
  Progress(std::string_view label, std::uint64_t total, int descriptor = 2,
           Display display = Display::kWhenTerminal);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void advance_to(std::uint64_t done);

 private:
  std::string line(std::uint64_t done) const;
  std::string bar(std::uint64_t done) const;

  std::string label_;
  std::uint64_t total_;
  int descriptor_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace accelscope::base
