// Whatever the bytes, words of a performance monitor are decoded: cut anywhere they tell the same, times run
// forwards until something is lost, every word is counted once, and sums agree with intervals. An input that
// begins with '{' is the file of registers beside such words. Of others the first byte says where to cut, the
// second the ratio of clocks.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/splitmix.h"
#include "formats/perfmon/busy_sums.h"
#include "formats/perfmon/infer.h"
#include "formats/perfmon/intervals.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
using namespace accelscope::formats::perfmon;  // NOLINT(google-build-using-namespace): one short program

// Everything that was said, in one number, and whether times ran forwards.
struct Digest {
  std::uint64_t value = 0;
  std::int64_t last = 0;
  bool connected = false;

  void take(std::uint64_t kind, std::int64_t time, std::uint64_t detail) {
    value = base::splitmix(value + kind * base::kSplitmixStep) ^ static_cast<std::uint64_t>(time) ^
            (detail << 48U);
  }
  void forwards(std::int64_t time) {
    require(time >= last, "times run forwards until something is lost");
    last = time;
  }
  void stamp(base::Ticks base, std::uint32_t block) {
    if (!connected) last = base.value;
    connected = true;
    take(1, base.value, block);
  }
  void state(base::Ticks time, PipeMask busy) {
    forwards(time.value);
    take(2, time.value, busy);
  }
  void mark(base::Ticks time, Pipe pipe, std::uint32_t id) {
    forwards(time.value);
    take(3 + static_cast<std::uint64_t>(pipe), time.value, id);
  }
  void end_of_block(base::Ticks time) {
    forwards(time.value);
    take(20, time.value, 0);
  }
  void lost(base::Ticks reached) {
    connected = false;
    take(21, reached.value, 0);
  }
};

void require_all_counted(const Counters& c) {
  require(c.words == c.stamps * kBiuPerf.stamp.words + c.stamp_fragments + c.states + c.marks + c.unknown +
                         c.undatable + c.filler + c.ends_of_block,
          "every word is counted once");
}

void require_slices_alike(std::span<const std::byte> bytes, ClockRatio ratio, std::uint64_t seed) {
  Digest whole;
  Decoder<> decoder(ratio);
  decoder.feed(bytes, whole);
  decoder.finish(whole);
  require_all_counted(decoder.counters());
  Digest cut;
  Decoder<ChosenLayout> second(ratio);
  for (std::uint64_t at = 0; at < bytes.size();) {
    seed += base::kSplitmixStep;
    const std::uint64_t size = std::min<std::uint64_t>(base::splitmix(seed) % 11, bytes.size() - at);
    second.feed(bytes.subspan(at, size), cut);
    at += size;
  }
  second.finish(cut);
  require(whole.value == cut.value && decoder.counters() == second.counters(),
          "cut anywhere, words tell the same");
}

void require_sums_agree(std::span<const std::byte> bytes, ClockRatio ratio) {
  IntervalList list;
  IntervalBuilder builder(list);
  Decoder<> decoder(ratio);
  decoder.feed(bytes, builder);
  builder.finish(decoder.time());
  std::int64_t middle = 0;
  for (const BusyInterval& busy : list.intervals) {
    require(busy.begin <= busy.end, "no interval ends before it begins");
    middle = busy.begin.value;
  }
  std::vector<BusyWindow> windows{{base::Ticks{middle}, base::Ticks{middle + 1'000}}};
  BusySums sums(windows);
  Decoder<> again(ratio);
  again.feed(bytes, sums);
  sums.finish(again.time());
  std::vector<std::int64_t> expected(kPipes);
  for (const BusyInterval& busy : list.intervals)
    expected[static_cast<std::size_t>(busy.pipe)] += (busy.end - busy.begin).value;
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
    require(windows[0].busy[pipe] + sums.outside().busy[pipe] == base::Ticks{expected[pipe]},
            "sums and intervals agree");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  if (data[0] == '{') {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto registers = read_registers(base::MappedFile::from_memory("fuzzed-input", text));
    if (!registers) require(registers.error().where.file == "fuzzed-input", "an error names the file");
    return 0;
  }
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data + 2, size - 2));
  const ClockRatio ratio = data[1] == 0 ? ClockRatio{} : ClockRatio{.ticks = data[1], .cycles = 100};
  require_slices_alike(bytes, ratio, data[0]);
  require_sums_agree(bytes, ratio);
  const Inference found = infer(bytes, Registers{.wptr = bytes.size(), .samp_wrt = data[1], .buf_len = size});
  for (const Question& question : found.questions)
    require(!question.answer.empty(), "every question has an answer");
  return 0;
}
