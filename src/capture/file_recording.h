// Records a run of a chip into a capture file (docs/formats.md, "Recordings").
//
// The collector's thread writes the file as the run goes, in place and under its own name: whatever happens
// to the process, what was written stays and can be read. Under the policy `overwrite` the file gets what is
// kept when the recording ends, and save() writes it to other files at any time. With no feature on, nothing
// is allocated and no file is made. A file that cannot be written is an error of begin(); one that cannot be
// written any more is in what end() returns, and the run goes on.
//
// A simulated chip that runs in one thread records by polling: it calls poll() now and then, and the file is
// written there, so that equal runs give equal files. One that runs in a process of its own is begun before
// that process is: start() makes the collector's threads when it is there. In that process, only producer(),
// dfx_flags() and has_full_buffers() may be called.
//
// begin(), start(), poll(), end() and the destructor are for one thread; producer() and save() for any, also
// while the recording ends. The device's memory must outlive it. Producers must have ended before the
// destructor; what they record after end() is lost.
//
//   FileRecordingPlan plan{.path = "run.astrace", .facts = facts};
//   ACCELSCOPE_TRY(const std::unique_ptr<FileRecording> recording, FileRecording::begin(*memory, plan));
//   const std::optional<ProducerParts> core = recording->producer(RecordKind::kCoreTask, 7);
//   ...
//   const RecordingEnd end = recording->end();
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/output.h"
#include "base/result.h"
#include "capture/chip_swimlane_collector.h"
#include "formats/capture/recording_writer.h"

namespace accelscope::capture {

enum class Collecting : std::uint8_t {
  kByThreads,
  kByThreadsLater,  // when start() is called
  kByPolling,
};

struct FileRecordingPlan {
  std::string path = {};
  bool replace = false;  // a file that is there already
  Collecting collecting = Collecting::kByThreads;
  // Flags, cores, threads and clock are these; `options` has the rest.
  formats::capture::RecordingFacts facts = {};
  ChipSwimlaneOptions options = {};
  formats::capture::RecordingOptions file = {};
};

// How a recording ends.
struct Ending {
  Producers producers = Producers::kFlush;
  std::vector<trace::QualityRow> remarks = {};  // on the run, for whoever reads the file
};

struct RecordingEnd {
  CollectorReport report = {};
  // The first error of the file: what was written before it is kept.
  base::Status file = {};
  std::uint64_t file_bytes = 0;
};

class FileRecording {
 public:
  static base::Result<std::unique_ptr<FileRecording>> begin(device::DeviceMemory& memory,
                                                            const FileRecordingPlan& plan);
  // Ends the recording if end() did not.
  ~FileRecording();
  FileRecording(const FileRecording&) = delete;
  FileRecording& operator=(const FileRecording&) = delete;

  // Nothing when it is not recorded.
  std::optional<ProducerParts> producer(recorder::RecordKind kind, std::uint32_t number) const;
  std::uint64_t dfx_flags() const { return plan_.facts.dfx_flags; }

  // Writes what a flight recorder keeps now; an error under another policy. The file is there, and holds what
  // could be written, also when `error` of what is returned is set.
  base::Result<FlightSave> save(const std::string& path, bool replace = false) const;
  base::Status start();
  // When recording by polling: takes what producers have handed over, if anything.
  void poll();
  bool has_full_buffers() const;
  // A second time: nothing.
  RecordingEnd end(const Ending& ending = {});

 private:
  // The file, and what writes into it; used by the collector's thread until it has ended.
  struct File {
    base::FileDescriptor descriptor;
    base::DescriptorOutput output;
    formats::capture::RecordingWriter writer;

    File(base::FileDescriptor opened, const FileRecordingPlan& plan, const std::string& path)
        : descriptor(std::move(opened)),
          output(descriptor.get(), path),
          writer(output, plan.facts, plan.file) {}
  };
  static base::Result<std::unique_ptr<File>> create_file(const FileRecordingPlan& plan,
                                                         const std::string& path, bool replace);

  explicit FileRecording(FileRecordingPlan plan) : plan_(std::move(plan)) {}

  FileRecordingPlan plan_;
  std::unique_ptr<File> file_;                        // until the end
  std::unique_ptr<ChipSwimlaneCollector> collector_;  // nothing when nothing is recorded
};

}  // namespace accelscope::capture
