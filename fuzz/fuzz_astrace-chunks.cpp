// Whatever the chunks of a capture file hold, reading them, as a saved trace or as a recording, answers with
// a sound trace or an error, and likewise the tensors of a recording are a sound dump or an error. The input
// is a list of chunks (kind: 1 byte, length: 2, payload) that get their headers and checksums here, so that
// the fuzzer attacks what lies behind them; fuzz_astrace attacks the container.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/mapped_file.h"
#include "base/output.h"
#include "formats/capture/container_writer.h"
#include "formats/capture/trace_chunks.h"
#include "formats/capture/wire.h"
#include "formats/chip_run/recorded_tensors.h"
#include "formats/chip_run/recording_reader.h"
#include "require.h"
#include "trace/summary.h"

namespace {

namespace base = accelscope::base;
namespace capture = accelscope::formats::capture;
namespace chip_run = accelscope::formats::chip_run;
namespace trace = accelscope::trace;

// Every text and list that a reader of the trace would follow.
void walk(const trace::Trace& read) {
  std::size_t bytes = 0;
  const trace::SliceTable& slices = read.slices();
  for (std::uint32_t row = 0; row < slices.size(); ++row) {
    bytes += read.text(slices.name[row]).size() + read.category_name(slices.category[row]).size();
    for (trace::ArgId arg = slices.first_arg[row]; arg != trace::ArgId::kNone;
         arg = read.args().next[index(arg)])
      if (const trace::Value value = read.args().value(arg); value.holds_text())
        bytes += read.text(value.as_text()).size();
    require(slices.duration[row].value >= 0, "no slice has a negative duration");
    require(index(slices.track[row]) < read.tracks().size(), "every slice has a track");
  }
  require(trace::summarise(read).slices == slices.size() && bytes < SIZE_MAX,
          "the summary counts every slice");
}

void check_tensors(const base::MappedFile& file) {
  std::uint64_t end = 0;
  const auto put = [&](std::uint64_t offset, std::string_view bytes) -> base::Status {
    require(offset + bytes.size() > offset, "bytes have a place");
    end = std::max(end, offset + bytes.size());
    return {};
  };
  const auto dump = chip_run::read_recorded_tensors(file, put);
  if (!dump) return require(!dump.error().message.empty(), "an error has a message");
  require(end == dump->binary_bytes, "the binary has all bytes that were put there");
  require(!check(dump->manifest, "manifest", dump->binary_bytes).has_errors(), "a dump is in order");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  base::MemoryOutput out;
  capture::ContainerWriter writer(out);
  capture::WireReader in(std::string_view(reinterpret_cast<const char*>(data), size));
  // An odd length leaves the file unfinished.
  const bool finished = size % 2 == 0;
  while (!in.rest().empty() && in.good()) {
    const auto kind = static_cast<capture::ChunkKind>(in.u8());
    writer.add_chunk(kind, 1, in.take(in.u16()));
  }
  if (finished) require(writer.finish().has_value(), "chunks of this size can be written");
  const base::MappedFile file = base::MappedFile::from_memory("fuzzed-input", out.bytes());
  if (chip_run::is_recording(file)) check_tensors(file);
  const auto result = chip_run::is_recording(file) ? chip_run::read_recording(file) : capture::read(file);
  if (result) {
    walk(*result);
    base::MemoryOutput again;
    require(capture::write(*result, again).has_value(), "what was read can be saved");
    require(capture::read(base::MappedFile::from_memory("saved", again.bytes())).has_value(),
            "what was saved can be read");
  } else {
    require(!result.error().message.empty() && result.error().where.file == "fuzzed-input",
            "an error has a message and names the file");
  }
  return 0;
}
