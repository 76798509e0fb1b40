// The tree of a block's events, from the order in which they were logged.
//
// Ordinary events are logged as they end, so an event's children are those logged before it that lie within
// its times; of two with equal bounds the later one is the parent. Delegate events wait for the DELEGATE_CALL
// of their instruction, whatever their times. Those that wait in vain when the method ends have no parent.
// One thread per object; it keeps only scratch memory.
//
//   nester.nest(block.events, unwrapper.overflowed(), dump_offset);
//   block.events[i].parent, .placement
#pragma once

#include <span>
#include <vector>

#include "formats/etdump/delegate_calls.h"
#include "formats/etdump/remarks.h"
#include "formats/etdump/staged_event.h"
#include "trace/nesting.h"

namespace accelscope::formats::etdump {

class BlockNester {
 public:
  explicit BlockNester(Remarks& remarks) : remarks_(remarks) {}

  void nest(std::span<StagedEvent> events, bool counter_overflowed, std::uint64_t dump_offset);

 private:
  void add_ordinary(std::span<StagedEvent> events, std::uint32_t position, bool counter_overflowed);
  void place_orphans(std::span<StagedEvent> events, std::uint64_t dump_offset);

  Remarks& remarks_;
  trace::CompletionNester nester_;
  DelegateCalls delegate_calls_;
  std::vector<std::uint32_t> claimed_;
};

// Adds up the children of every event on the host's track, and notes those that outlast their parent.
void sum_children(std::span<StagedEvent> events, Remarks& remarks, std::uint64_t dump_offset);

}  // namespace accelscope::formats::etdump
