#include "formats/etdump/time_unit.h"

#include "base/human.h"

namespace accelscope::formats::etdump {

using base::Frequency;

base::Result<TimeUnit> parse_time_unit(std::string_view text) {
  constexpr std::string_view kCyclesPrefix = "cycles:";
  if (text == "ns") return TimeUnit::nanoseconds();
  if (text == "us" || text == "µs") return TimeUnit{"us", Frequency::mhz(1)};
  if (text == "ms") return TimeUnit{"ms", Frequency::khz(1)};
  if (text == "s") return TimeUnit{"s", Frequency::hz(1)};
  if (text == "cycles") return TimeUnit::cycles();
  if (text.substr(0, kCyclesPrefix.size()) == kCyclesPrefix) {
    ACCELSCOPE_TRY(const Frequency frequency, base::parse_frequency(text.substr(kCyclesPrefix.size())));
    if (frequency.known()) return TimeUnit::cycles(frequency);
    return base::fail(base::ErrorCode::kUsage, "a frequency above zero is needed after 'cycles:', not '{}'",
                      text.substr(kCyclesPrefix.size()));
  }
  return base::fail(base::ErrorCode::kUsage,
                    "'{}' is not a time unit; say ns, us, ms, s, cycles, or cycles:FREQUENCY such as "
                    "cycles:400MHz",
                    text);
}

}  // namespace accelscope::formats::etdump
