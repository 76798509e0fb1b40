// Writes listings: what the generators of programs are made of.
//
// Constants of any size up to 32 bits are made of as few instructions as they need. Mnemonics come from the
// table of instructions; a wrong one is a defect of the caller and shows when the listing is assembled. One
// thread uses one builder, which owns its text.
//
//   ProgramBuilder build;
//   build.section("scale 8 rows");
//   build.set(2, 0);
//   build.loop(3, 8, [&] {
//     build.line("V_MUL_VF gp{0}, gp{0}, f1", 2);
//     build.add(2, 2, 64);
//   });
//   std::string listing = build.take();
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace accelscope::isa {

class ProgramBuilder {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    indent();
    fmt::format_to(std::back_inserter(text_), text, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void comment(std::string_view text) { line("; {}", text); }
  void layer(std::string_view name) { line(";@ layer {}", name); }
  void section(std::string_view name) { line(";@ section {}", name); }
  void tensor(std::string_view name) { line(";@ tensor {}", name); }

  // gp[to] = value: one instruction below 2^18, two above.
  void set(unsigned to, std::uint32_t value);
  // gp[to] = gp[from] + value; for 2^18 and more gp[kScratch] is overwritten.
  void add(unsigned to, unsigned from, std::uint32_t value);

  template <class Body>
  void loop(unsigned counter, std::uint32_t count, Body&& body) {
    line("C_LOOP_START gp{}, {}", counter, count);
    ++depth_;
    body();
    --depth_;
    line("C_LOOP_END gp{}", counter);
  }

  std::string take() { return std::move(text_); }

  static constexpr unsigned kScratch = 15;

 private:
  void indent() { text_.append(2 * depth_, ' '); }

  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace accelscope::isa
