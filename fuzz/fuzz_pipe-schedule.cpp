// Whatever the bytes, the reader of pipe schedules answers with one that can be written and read again, and
// whose events add up to its busy times, or with an error that says something.
#include <array>
#include <cstdint>
#include <string_view>

#include "device/pipe_schedule.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace device = accelscope::device;
constexpr std::size_t kPipes = accelscope::formats::perfmon::kPipes;

void require_events_to_add_up(const device::PipeSchedule& schedule) {
  std::array<std::int64_t, kPipes> busy = {};
  std::int64_t now = 0;
  device::PipeMask mask = 0;
  for (const device::PipeEvent& event : device::events_of(schedule)) {
    require(event.at >= now && event.at <= schedule.length, "events come in the order of time");
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      if (((mask >> pipe) & 1U) != 0) busy[pipe] += event.at - now;
    now = event.at;
    mask = event.busy;
  }
  require(mask == 0, "all pipes are idle in the end");
  require(busy == device::busy_of(schedule), "events add up to the busy times");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto schedule = device::read_pipe_schedule(base::MappedFile::from_memory("fuzzed-input", text));
  if (!schedule) {
    require(!schedule.error().message.empty(), "an error has a message");
    return 0;
  }
  base::MemoryOutput out;
  device::write_pipe_schedule(*schedule, out);
  const auto again = device::read_pipe_schedule(base::MappedFile::from_memory("written", out.bytes()));
  require(again && *again == *schedule, "what is written is what was read");
  require_events_to_add_up(*schedule);
  require_events_to_add_up(device::scaled(*schedule, base::Cycles{static_cast<std::int64_t>(size) * 7919}));
  return 0;
}
