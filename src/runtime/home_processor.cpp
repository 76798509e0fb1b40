#include "runtime/home_processor.h"

#include "base/beside.h"

namespace accelscope::runtime {

HomeProcessor::HomeProcessor(std::uint32_t number, std::uint32_t threads) {
  const cpu_set_t processors = base::own_processors();
  const auto count = static_cast<std::uint32_t>(CPU_COUNT(&processors));
  if (count == 0 || count >= threads) return;
  std::uint32_t before = number % count;
  for (int processor = 0; home_ == kNone && processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(static_cast<unsigned>(processor), &processors) && before-- == 0) home_ = processor;
  go();
}

void HomeProcessor::go_back_after_a_while() {
  const Clock::time_point now = Clock::now();
  if (now - last_move_ < kBetweenMoves) return;
  last_move_ = now;
  go();
}

void HomeProcessor::go() const {
  const cpu_set_t processors = base::own_processors();
  if (!CPU_ISSET(static_cast<unsigned>(home_), &processors)) return;
  cpu_set_t home = {};
  CPU_SET(static_cast<unsigned>(home_), &home);
  base::use_processors(home);
  base::use_processors(processors);
}

}  // namespace accelscope::runtime
