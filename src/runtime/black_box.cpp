#include "runtime/black_box.h"

namespace accelscope::runtime {

base::Result<BlackBox> BlackBox::make(std::uint32_t cores) {
  BlackBox box;
  constexpr std::size_t kNotes = alignof(CoreNote);  // where they begin
  static_assert(sizeof(RunNote) <= kNotes);
  ACCELSCOPE_TRY(box.memory_, base::SharedMemory::make(kNotes + cores * sizeof(CoreNote)));
  box.run_ = new (box.memory_.data()) RunNote();
  box.notes_ = reinterpret_cast<CoreNote*>(box.memory_.data() + kNotes);
  for (std::uint32_t core = 0; core < cores; ++core) new (box.notes_ + core) CoreNote();
  box.cores_ = cores;
  return box;
}

}  // namespace accelscope::runtime
