// Sweeps: every combination of some values of some dimensions, in a fixed order, written in one line.
//
//   "mlen=64,128,256 blen=4..64*2 board=*"
//
// Dimensions stand apart by blanks. Values are a list; `a..b*f` multiplies from a up to b, `a..b+s` and
// `a..b` add (s is 1); `*` stands for all that there are, where there is a list of them. The last dimension
// changes fastest. Plain data and pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const Sweep sweep, parse_sweep(text, known, 1'000'000));
//   for (std::uint64_t i = 0; i < sweep.points(); ++i) use(sweep.point(i));
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace accelscope::base {

// A dimension that can be swept: whole numbers, or words.
struct SweepKind {
  std::string_view name;
  bool numbers = true;
  std::vector<std::string> all = {};  // what `*` stands for; none: it is refused
};

struct SweepDimension {
  std::string name;
  std::vector<std::string> values;  // at least one, none twice

  bool operator==(const SweepDimension&) const = default;
};

struct Sweep {
  std::vector<SweepDimension> dimensions;

  std::uint64_t points() const;  // 1 without dimensions
  // For each dimension the place of its value.
  std::vector<std::size_t> point(std::uint64_t index) const;

  bool operator==(const Sweep&) const = default;
};

Result<Sweep> parse_sweep(std::string_view text, std::span<const SweepKind> known, std::uint64_t most_points);

// "2/8": the second of eight equal parts. Points are dealt out in turn, so that every part has all kinds of
// them.
struct Shard {
  std::uint64_t index = 0;  // from 0
  std::uint64_t count = 1;

  bool operator==(const Shard&) const = default;
};
Result<Shard> parse_shard(std::string_view text);

}  // namespace accelscope::base
