// Writes chip swimlane files as today's recorder does: the same keys, columns and order of rows, one row to a
// line.
//
// write_capture() writes a whole Capture. CaptureWriter takes the rows piece by piece, stream after stream in
// the order of its functions, so that a run of any length needs no memory. What today's files have no place
// for (the functions, fan-out and totals of old ones) is not written, and times in nanoseconds become cycles
// of 1 GHz; an end that is not known is written as 0. What the numbers of these rows cannot say,
// fit_to_cycles() (cycle_limits.h) brings into reach. One thread uses one writer; the Output and the Capture
// must outlive it.
//
//   CaptureWriter writer(facts, out);  // its level, clock, cores and phase names, not its rows
//   for (std::size_t core = 0; core < cores; ++core) writer.add_core_rows(core, rows_of(core));
//   for (std::size_t core = 0; core < cores; ++core) writer.add_scheduler_rows(core, rows_of(core));
//   writer.finish();
#pragma once

#include <cstddef>

#include "base/output.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

void write_capture(const Capture& capture, base::Output& out);

class CaptureWriter {
 public:
  // Writes the level and the metadata.
  CaptureWriter(const Capture& facts, base::Output& out);

  void add_core_rows(std::size_t core, const CoreRows& rows);
  // Dispatch and finish of the rows that have them; a level 1 capture has none.
  void add_scheduler_rows(std::size_t core, const CoreRows& rows);
  void begin_scheduler_thread();
  void add_phase(const PhaseRow& row);
  void begin_orchestrator();
  void add_submit(const SubmitRow& row);
  void begin_host_orchestrator();
  void add_host_submit(const SubmitRow& row);
  void add_upload(const UploadRow& row);
  // Closes what is open, and adds the streams of the level that nothing was added to.
  void finish();

 private:
  enum class Stream : unsigned char { kNone, kCores, kSchedulers, kPhases, kSubmits, kHostSubmits, kUploads };

  void enter(Stream stream);
  void leave();
  void begin_thread();
  // The comma, line end and indentation before a row.
  void begin_row(std::string_view indentation);
  void write_submit(const SubmitRow& row, std::string_view unit);

  const Capture& facts_;
  base::Output& out_;
  Stream stream_ = Stream::kNone;
  bool in_thread_ = false;
  bool has_threads_ = false;
  bool has_rows_ = false;
};

}  // namespace accelscope::formats::chip_swimlane
