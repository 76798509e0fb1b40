#include "device/core_recording.h"

#include <span>

#include "device/drain_files.h"

namespace accelscope::device {

using perfmon::CoreState;
using perfmon::Slice;

CoreRecording::CoreRecording(const perfmon::PerfmonChip& chip, WindowBus& bus, DeviceMemory& memory,
                             std::uint32_t core, Address ring, const perfmon::StartConfig& config)
    : chip_(chip),
      bus_(bus),
      memory_(memory),
      config_(config),
      perfmon_(chip, bus, core),
      ring_(ring),
      copy_(config.ring_bytes / sizeof(std::uint32_t)) {}

perfmon::Fault CoreRecording::start() {
  const perfmon::Fault fault = perfmon_.start(config_);
  if (fault == perfmon::Fault::kNone) seen_ = look();
  return fault;
}

void CoreRecording::drain() {
  if (!is_running()) return;
  const Slice slice = perfmon_.drain();
  // Only what stands still leaves the rest as it was when the registers were read.
  const bool stands = !is_running();
  take(slice);
  if (waiting_ && stands) copy_rest(slice);
  const std::uint32_t overwritten = perfmon_.confirm(slice).overwritten_bytes;
  counts_.overwritten_bytes += overwritten;
  counts_.copied_bytes -= overwritten;
  if (waiting_ && !stands) copy_rest(slice);
  // A restart has reset the counters, or has not.
  if (config_.mode == perfmon::DrainMode::kRestart && is_running()) seen_ = look();
}

void CoreRecording::stop() {
  if (!is_running()) return;
  const Slice slice = perfmon_.stop();
  take(slice);
  if (waiting_) copy_rest(slice);
}

base::Status CoreRecording::write(const std::string& folder) {
  if (!waiting_) return {};
  const formats::perfmon::Registers registers = registers_of(*waiting_);
  waiting_.reset();
  ACCELSCOPE_CHECK(
      write_drain(folder, core(), counts_.files + 1, std::as_bytes(std::span(copy_)), registers));
  ++counts_.files;
  return {};
}

CoreRecordingCounts CoreRecording::counts() const {
  CoreRecordingCounts counts = counts_;
  counts.written_bytes = perfmon_.counted_bytes();
  counts.lost_bytes = perfmon_.lost_bytes();
  return counts;
}

void CoreRecording::take(const Slice& slice) {
  ++counts_.drains;
  counts_.copied_bytes += slice.bytes;
  counts_.torn_bytes += slice.torn_bytes;
  counts_.pointers_agree = counts_.pointers_agree && slice.pointer_agrees;
  counts_.settled = counts_.settled && slice.settled;
  waiting_.reset();
  if (is_news(slice)) {
    waiting_ = slice.seen;
    copy_slice(slice);
  }
  seen_ = slice.seen;
}

// Counters that moved are news, too, where by what is assumed of them no byte is new: whoever wants to find
// out what they count needs them and the ring. Of a ring that is not ours any more there is no news.
bool CoreRecording::is_news(const Slice& slice) const {
  if (slice.seen.base() != config_.base || slice.state == CoreState::kLengthTaken) return false;
  return slice.bytes > 0 || slice.lost_bytes > 0 || slice.torn_bytes > 0 ||
         slice.seen.samples_written != seen_.samples_written ||
         slice.seen.write_pointer != seen_.write_pointer;
}

void CoreRecording::copy_slice(const Slice& slice) {
  const std::uint32_t first = slice.first_piece(config_.ring_bytes);
  copy_piece(slice.from, first);
  copy_piece(0, slice.second_piece(config_.ring_bytes));
}

void CoreRecording::copy_rest(const Slice& slice) {
  if (slice.bytes == 0) return copy_piece(0, config_.ring_bytes);
  const std::uint32_t second = slice.second_piece(config_.ring_bytes);
  if (slice.wrapped) return copy_piece(second, slice.from - second);
  const std::uint32_t end = slice.from + slice.bytes;
  copy_piece(end, config_.ring_bytes - end);
  copy_piece(0, slice.from);
}

void CoreRecording::copy_piece(std::uint32_t from, std::uint32_t bytes) {
  if (bytes == 0) return;
  constexpr std::uint32_t kWord = sizeof(std::uint32_t);
  const Address place = ring_ + from;
  memory_.invalidate(place, bytes);
  memory_.copy_words(place, std::span(copy_).subspan(from / kWord, bytes / kWord));
}

perfmon::RegistersSeen CoreRecording::look() const {
  return perfmon::read_registers(chip_.registers, bus_, perfmon_.core());
}

}  // namespace accelscope::device
