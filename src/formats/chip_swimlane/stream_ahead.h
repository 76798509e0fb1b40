// Reads the scheduler's rows of a large file in another thread, while the reader of the document is busy with
// the cores' rows before them.
//
// Where the rows begin is a guess: the first place that looks like their key. The reader of the document
// takes them only when it comes to that key at that place; otherwise, and when they have a fault, it reads
// them itself, so that what it answers never depends on the guess. The file must outlive this, whose end
// waits for the other thread.
//
//   SchedulerStreamAhead ahead(file.text());
//   if (!ahead.take(json, stream)) read_scheduler_rows(json, stream);
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/beside.h"
#include "base/json_cursor.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

class SchedulerStreamAhead {
 public:
  explicit SchedulerStreamAhead(std::string_view text);

  // True, and the cursor is moved behind the rows, when they are those at the cursor.
  bool take(base::JsonCursor& json, SchedulerStream& stream);

 private:
  struct Guess {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    SchedulerStream stream = {};
  };
  static std::optional<Guess> read(std::string_view text);

  base::Beside<std::optional<Guess>> guess_;
};

}  // namespace accelscope::formats::chip_swimlane
