// Sizes, rates, durations, counts and frequencies as people write them, both ways.
//
// Parsing accepts what formatting prints of a value from zero up, and the usual spellings besides; what it
// cannot read is an error that says what was expected. Fractions of a byte or a nanosecond are dropped. Pure
// functions, safe from any thread; nothing is kept.
//
//   parse_size("512M")          -> 536870912 bytes (powers of 1024, as memory sizes are meant)
//   format_size(Bytes{1536})    -> "1.5 KiB"
//   parse_duration("1.5ms")     -> 1500000 ns
//   format_duration(Nanoseconds{1898821}) -> "1.899 ms"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::base {

// "512", "512B", "512K", "512k", "512KiB", "1.5G", up to P; "kB", "MB", "GB" are powers of 1000.
Result<Bytes> parse_size(std::string_view text);
std::string format_size(Bytes size);

// "38000000", "38MB/s", "1.5 GB/s", "2GiB/s": a size for every second, with or without the "/s".
Result<BytesPerSecond> parse_rate(std::string_view text);
// Powers of 1000, as links are sold: "1.5 GB/s", "38 MB/s".
std::string format_rate(BytesPerSecond rate);

// "12", "12ns", "3us", "3µs", "1.5ms", "2s", "1m", "1h", "3 min 20 s"; without a unit, nanoseconds.
Result<Nanoseconds> parse_duration(std::string_view text);
// Four significant digits: "812 ns", "9.300 µs", "1.899 ms", "2.500 s", "3 min 20 s",
// "2 h 5 min".
std::string format_duration(Nanoseconds duration);

// "1000000000", "1GHz", "50MHz", "19.2 MHz", "32768 Hz": exact, as a ratio of integers.
Result<Frequency> parse_frequency(std::string_view text);
// Six significant digits: "50 MHz", "833.333 MHz"; "unknown unit" for an unknown frequency.
std::string format_frequency(Frequency frequency);

// Thousands apart: 173201 -> "173 201".
std::string format_count(std::uint64_t count);

}  // namespace accelscope::base
