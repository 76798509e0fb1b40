// A control CPU's recorder of performance monitors: each drain as a record that the host gets at once.
//
// A drain whose record found no buffer is not lost silently: its bytes count as lost in the next record of
// the core, which has its number. One thread, the one that drains. Freestanding.
//
//   PerfmonDrainRecorder<Platform> recorder(flags, writer);
//   DrainAccount account;                              // of a core
//   recorder.on_drain(account, perfmon.drain(), task, now);
//   recorder.publish();
#pragma once

#include "accelscope/dfx_flags.h"
#include "accelscope/perfmon/drain_record.h"
#include "accelscope/recorder/record_writer.h"

namespace accelscope::recorder {

// Of the drains of one core.
struct DrainAccount {
  uint32_t drains = 0;      // that have a record
  uint32_t unrecorded = 0;  // bytes of drains that have none
};

template <class Platform>
class PerfmonDrainRecorder {
 public:
  using Writer = RecordWriter<PerfmonDrainRecord, Platform>;
  PerfmonDrainRecorder(uint64_t flags, Writer* writer)
      : writer_((flags & kDfxCoreSwimlane) != 0 ? writer : nullptr) {}

  // False when there was no buffer for the record.
  bool on_drain(DrainAccount& account, const perfmon::Slice& slice, uint64_t task, uint64_t time) {
    if (writer_ == nullptr) return false;
    PerfmonDrainRecord record = perfmon::drain_record_of(slice, task, account.drains + 1, time);
    record.written = sum(record.written, account.unrecorded);
    record.lost = record.written - slice.bytes;
    writer_->put(record);
    is_new_ = true;
    if (writer_->dropped_last()) {
      account.unrecorded = record.written;
      return false;
    }
    ++account.drains;
    account.unrecorded = 0;
    return true;
  }

  // Hands over what was recorded since: the hardware's rings go round meanwhile. A host that is behind gets
  // more at once, so it is called again when the control CPU has a moment.
  void publish() {
    if (is_new_) is_new_ = !writer_->publish();
  }

 private:
  static constexpr uint32_t sum(uint32_t a, uint32_t b) { return a > 0xFFFFFFFF - b ? 0xFFFFFFFF : a + b; }

  Writer* writer_;
  bool is_new_ = false;
};

}  // namespace accelscope::recorder
