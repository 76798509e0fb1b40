// recording_process FILE SEED: records the counting run until it is killed, as a collector would, and says
// "recording" on standard output once the file has its configuration. The seed decides in which order buffers
// come, how long they are and how they are put into chunks.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "accelscope/dfx_flags.h"
#include "base/output.h"
#include "formats/capture/recording_writer.h"
#include "formats/chip_run/counting_run.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
namespace capture = formats::capture;

// One producer of one kind.
template <class Record>
struct Lane {
  std::uint32_t producer;
  Record (*make)(std::uint32_t producer, std::uint64_t number);
  std::uint64_t recorded = 0;
  std::uint32_t buffers = 0;

  bool hand_over(std::uint32_t count, capture::RecordingWriter& writer) {
    std::vector<Record> records;
    for (std::uint32_t i = 0; i < count; ++i) records.push_back(make(producer, recorded + i));
    const recorder::BufferHeader header{.magic = recorder::kBufferMagic,
                                        .kind = Record::kKind,
                                        .record_bytes = sizeof(Record),
                                        .producer = producer,
                                        .buffer_number = buffers++,
                                        .generation = 1,
                                        .first_record = recorded,
                                        .count = count,
                                        .dropped_before = 0,
                                        .paused_from = 0,
                                        .paused_to = 0};
    recorded += count;
    return writer.take(header, std::as_bytes(std::span(records))).has_value();
  }
};

capture::RecordingFacts facts() {
  capture::RecordingFacts facts;
  facts.dfx_flags = dfx_flags_of_level(3) | kDfxDumpTensor;
  facts.clock = base::Frequency::mhz(50);
  facts.cores.assign(tests::kCountingCores, capture::CoreType::kVector);
  facts.scheduler_threads = tests::kCountingThreads;
  facts.phases = {"dispatch", "complete"};
  return facts;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int file = open(argv[1], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return 3;
  std::mt19937 random(static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)));
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  base::DescriptorOutput out(file, argv[1]);
  capture::RecordingWriter writer(out, facts(),
                                  {.records_per_chunk = 1 + below(5000), .waiting_buffers = 1 + below(40)});
  if (write(STDOUT_FILENO, "recording\n", 10) != 10) return 4;
  std::vector<Lane<recorder::CoreTaskRecord>> cores;
  std::vector<Lane<recorder::TaskLifecycleRecord>> lifecycles;
  std::vector<Lane<recorder::SchedulerPhaseRecord>> phases;
  std::vector<Lane<recorder::TensorRecord>> tensors;
  std::vector<Lane<recorder::TensorBlockRecord>> blocks;
  for (std::uint32_t core = 0; core < tests::kCountingCores; ++core)
    cores.push_back({core, tests::core_task});
  for (std::uint32_t thread = 0; thread < tests::kCountingThreads; ++thread) {
    lifecycles.push_back({thread, tests::lifecycle});
    phases.push_back({thread, tests::phase});
    tensors.push_back({thread, tests::tensor});
    blocks.push_back({thread, tests::block});
  }
  const std::uint32_t longest = 1 + below(1000);
  bool good = true;
  while (good) {
    const std::uint32_t count = 1 + below(longest);
    const std::uint32_t lane = below(tests::kCountingCores + 4 * tests::kCountingThreads);
    const std::uint32_t thread = lane / 4 % tests::kCountingThreads;
    if (lane < tests::kCountingCores)
      good = cores[lane].hand_over(count, writer);
    else if (lane % 4 == 0)
      good = lifecycles[thread].hand_over(count, writer);
    else if (lane % 4 == 1)
      good = phases[thread].hand_over(count, writer);
    else if (lane % 4 == 2)
      good = tensors[thread].hand_over(1 + count / 3, writer);
    else
      good = blocks[thread].hand_over(count, writer);
  }
  return 5;
}
