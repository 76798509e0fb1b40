#include "device/perfmon_engine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace accelscope::device {

using base::Cycles;
using formats::perfmon::kPipes;
using perfmon::BufferKind;
using perfmon::PointerKind;
using perfmon::Unit;

std::uint64_t MonitorMemory::map(Address block, std::size_t bytes, MemoryStream stream) {
  // A gap behind each, so that what runs over an end meets nothing.
  constexpr std::uint64_t kPage = 1U << 16U;
  const std::uint64_t base = next_base_;
  next_base_ += (bytes + 2 * kPage) / kPage * kPage;
  ranges_.push_back({base, bytes, block, stream});
  return options_.base_address == BaseAddress::kPhysical ? base + options_.physical_offset : base;
}

void MonitorMemory::unmap(std::uint64_t base) {
  if (options_.base_address == BaseAddress::kPhysical) base -= options_.physical_offset;
  std::erase_if(ranges_, [&](const Range& range) { return range.base == base; });
}

std::byte* MonitorMemory::at(std::uint64_t address, std::size_t bytes) const {
  if (options_.base_address == BaseAddress::kPhysical) address -= options_.physical_offset;
  const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                       [](std::uint64_t a, const Range& range) { return a < range.base; });
  if (behind == ranges_.begin()) return nullptr;
  const Range& range = *(behind - 1);
  const std::uint64_t offset = address - range.base;
  if (offset > range.bytes || range.bytes - offset < bytes || range.stream != options_.stream) return nullptr;
  return static_cast<std::byte*>(memory_.as_device_sees(range.block)) + offset;
}

PerfmonEngine::PerfmonEngine(const MonitorMemory& memory, const PerfmonModelOptions& options,
                             MonitorRegisters& registers, bool armed)
    : memory_(memory),
      options_(options),
      registers_(registers),
      words_(options.words),
      encoder_(options.words) {
  reg(Register::kGlobalEnable) = armed ? options.chip.registers.enable_bit : 0;
  reg(Register::kBufferLength) = options.chip.firmware_length;
  reg(Register::kBaseLow) = static_cast<std::uint32_t>(options.firmware_base);
  reg(Register::kBaseHigh) = static_cast<std::uint32_t>(options.firmware_base >> 32U);
}

// Registers, for any thread.

std::uint32_t PerfmonEngine::read(std::uint32_t offset) {
  if (options_.landing_per_read > 0) land(options_.landing_per_read);
  for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i) {
    if (options_.chip.registers.places[i].offset != offset) continue;
    const auto which = static_cast<Register>(i);
    if (which == Register::kWritePointer) return pointer_shown();
    if (which == Register::kEnable) return load(which) | options_.chip.registers.enable_constant;
    return which == Register::kSamplesClear ? 0 : load(which);
  }
  return 0;
}

void PerfmonEngine::write(std::uint32_t offset, std::uint32_t value) {
  const perfmon::RegisterTable& table = options_.chip.registers;
  for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i) {
    if (table.places[i].offset != offset) continue;
    const auto which = static_cast<Register>(i);
    value &= table.places[i].bits;
    switch (which) {
      case Register::kEnable:
        if (options_.software_can_enable) set_enable(which, (value & table.enable_bit) != 0);
        break;
      case Register::kGlobalEnable:
        set_enable(which, (value & table.enable_bit) != 0);
        break;
      case Register::kWritePointer:
        if (on(Register::kEnable)) break;
        registers_.shown = registers_.issue =
            options_.chip.behaviour.bytes(value, options_.chip.behaviour.pointer_in);
        break;
      case Register::kSamples:
        break;
      case Register::kSamplesClear:
        if (value != 0) reg(Register::kSamples) = 0;
        break;
      case Register::kSamplesWritten:
        if (value == 0 && options_.zero_clears_samples_written) reg(which) = 0;
        break;
      default:
        reg(which).store(value, std::memory_order_release);
    }
  }
}

void PerfmonEngine::launch(bool on) {
  if (options_.launch_owns_enable) set_enable(Register::kEnable, on);
}

void PerfmonEngine::set_enable(Register which, bool on) {
  const bool were_on = this->on(Register::kEnable) && this->on(Register::kGlobalEnable);
  reg(which).store(on ? options_.chip.registers.enable_bit : 0, std::memory_order_release);
  const bool are_on = this->on(Register::kEnable) && this->on(Register::kGlobalEnable);
  if (are_on && !were_on) registers_.starts.fetch_add(1, std::memory_order_release);
}

std::uint64_t PerfmonEngine::ring_bytes() {
  const std::uint64_t length = load(Register::kBufferLength);
  const perfmon::Behaviour& behaviour = options_.chip.behaviour;
  return behaviour.length == perfmon::LengthKind::kLastWord ? length + behaviour.word_bytes : length;
}

std::uint32_t PerfmonEngine::pointer_shown() {
  const std::uint64_t bytes = registers_.shown.load(std::memory_order_acquire);
  const perfmon::Behaviour& behaviour = options_.chip.behaviour;
  return static_cast<std::uint32_t>(behaviour.pointer_in == Unit::kWords ? bytes / behaviour.word_bytes
                                                                         : bytes);
}

// What the pipes do.

base::Status PerfmonEngine::set_busy(Cycles now, PipeMask busy) {
  ACCELSCOPE_CHECK(pass(now));
  const Cycles shortest{load(Register::kGlitchFilter)};
  for (unsigned changed = busy_ ^ busy; changed != 0; changed &= changed - 1) {
    Pending& pending = pending_[static_cast<std::size_t>(std::countr_zero(changed))];
    // One that waited and changes back was too short.
    if (pending.waits) counts_.filtered += 2;
    pending = {!pending.waits, now + shortest};
  }
  busy_ = busy;
  return pass(now);
}

base::Status PerfmonEngine::mark(Cycles now, Pipe pipe, std::uint32_t id) {
  ACCELSCOPE_CHECK(pass(now));
  if (is_sampling()) return encoder_.mark(now, pipe, id, to_memory());
  ++counts_.unsampled;
  return {};
}

base::Status PerfmonEngine::idle(Cycles until) {
  const Cycles period = options_.noise_period;
  const Cycles length = options_.noise_length;
  if (period > length && length > Cycles{0} && busy_ == 0)
    for (Cycles at = now_ + period; at + length <= until; at += period) {
      ACCELSCOPE_CHECK(set_busy(at, formats::perfmon::bit_of(Pipe::kSu)));
      ACCELSCOPE_CHECK(set_busy(at + length, 0));
    }
  return pass(until);
}

void PerfmonEngine::set_block(std::uint32_t block) {
  words_.block = block;
  encoder_.set_block(block);
}

// Changes that have lasted long enough are told, at the time at which that was certain.
base::Status PerfmonEngine::pass(Cycles now) {
  if (now < now_)
    return base::fail(base::ErrorCode::kUsage, "cycle {} of a core comes after its cycle {}", now.value,
                      now_.value);
  for (;;) {
    Cycles due = Cycles::max();
    for (const Pending& pending : pending_)
      if (pending.waits) due = std::min(due, pending.due);
    if (due > now || due == Cycles::max()) break;
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
      if (!pending_[pipe].waits || pending_[pipe].due != due) continue;
      pending_[pipe].waits = false;
      told_ = static_cast<PipeMask>(told_ ^ (1U << pipe));
    }
    now_ = due;
    ACCELSCOPE_CHECK(tell(due, told_));
  }
  now_ = now;
  land_due();
  return {};
}

base::Status PerfmonEngine::tell(Cycles now, PipeMask busy) {
  if (is_sampling()) return encoder_.state(now, busy, to_memory());
  ++counts_.unsampled;
  return {};
}

// A monitor that is turned on again begins with a stamp, also when it was off for a moment only.
bool PerfmonEngine::is_sampling() {
  if (!on(Register::kEnable) || !on(Register::kGlobalEnable)) return false;
  const std::uint64_t starts = registers_.starts.load(std::memory_order_acquire);
  if (starts != encoded_start_) {
    encoded_start_ = starts;
    encoder_ = formats::perfmon::Encoder(words_);
    ++counts_.starts;
  }
  return true;
}

// Words on their way.

void PerfmonEngine::make_word(std::span<const std::byte> word) {
  if (torn_) return;
  ++counts_.words_made;
  reg(Register::kSamples).fetch_add(1, std::memory_order_relaxed);
  InFlight flying;
  if (!place(word.size(), flying)) {
    ++counts_.words_dropped;
    return;
  }
  std::copy(word.begin(), word.end(), flying.bytes.begin());
  flying.due = options_.dma_delay > Cycles::max() - now_ ? Cycles::max() : now_ + options_.dma_delay;
  if (options_.counted_when == CountedWhen::kIssued) count(flying.next, word.size());
  queue_.push_back(flying);
  land_due();
}

// Where the next word goes; false where there is no room for it.
bool PerfmonEngine::place(std::size_t bytes, InFlight& word) {
  const perfmon::Behaviour& behaviour = options_.chip.behaviour;
  const std::uint64_t ring = ring_bytes();
  std::uint64_t position = registers_.issue.load(std::memory_order_relaxed);
  if (ring < bytes) return false;
  const auto at_end = [&](std::uint64_t p) {
    return p == ring || (p > ring && !options_.wraps_only_when_equal);
  };
  if (behaviour.buffer == BufferKind::kLinear) {
    if (position + bytes > ring) return false;
  } else if (behaviour.pointer == PointerKind::kInRing && at_end(position)) {
    position = 0;
  }
  const std::uint64_t offset =
      behaviour.buffer == BufferKind::kRing && behaviour.pointer == PointerKind::kTotal ? position % ring
                                                                                        : position;
  word.target = (std::uint64_t{load(Register::kBaseHigh)} << 32U | load(Register::kBaseLow)) + offset;
  word.next = position + bytes;
  const bool wraps_now =
      behaviour.buffer == BufferKind::kRing && options_.pointer_wrap == PointerWrap::kAtOnce;
  if (wraps_now && behaviour.pointer == PointerKind::kInRing && at_end(word.next)) word.next = 0;
  registers_.issue.store(word.next, std::memory_order_relaxed);
  return true;
}

void PerfmonEngine::tear(std::span<const std::byte> word, std::size_t bytes) {
  InFlight last;
  land(std::numeric_limits<std::uint64_t>::max());
  if (torn_ || !place(bytes, last)) return;
  torn_ = true;
  std::byte* there = memory_.at(last.target, word.size());
  if (there != nullptr) {
    std::array<std::byte, 8> merged = {};
    std::memcpy(merged.data(), there, word.size());
    std::copy_n(word.begin(), bytes, merged.begin());
    store(last.target, std::span(merged).first(word.size()));
  }
  count(last.next, bytes);
}

void PerfmonEngine::land(std::uint64_t words) {
  for (; words > 0 && !queue_.empty(); --words) land_one();
}

void PerfmonEngine::land_due() {
  while (!queue_.empty() && (queue_.front().due <= now_ ||
                             (options_.most_in_flight > 0 && queue_.size() > options_.most_in_flight)))
    land_one();
}

void PerfmonEngine::land_one() {
  const InFlight word = queue_.front();
  queue_.pop_front();
  const std::size_t bytes = words_.layout->word_bytes;
  const bool reached = word.target % sizeof(std::uint32_t) == 0 && memory_.at(word.target, bytes) != nullptr;
  if (reached) {
    store(word.target, std::span(word.bytes).first(bytes));
    ++counts_.words_landed;
  } else {
    ++counts_.words_faulted;
  }
  if (options_.counted_when == CountedWhen::kLanded && (reached || options_.faults_are_counted))
    count(word.next, bytes);
}

void PerfmonEngine::store(std::uint64_t target, std::span<const std::byte> bytes) {
  auto* there = reinterpret_cast<std::uint32_t*>(memory_.at(target, bytes.size()));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t part = 0;
    std::memcpy(&part, bytes.data() + at, sizeof part);
    std::atomic_ref(*there++).store(part, std::memory_order_relaxed);
  }
}

// The pointer before the count: who reads the count first never sees a pointer that tells of less.
void PerfmonEngine::count(std::uint64_t next, std::size_t bytes) {
  const perfmon::Behaviour& behaviour = options_.chip.behaviour;
  registers_.shown.store(next, std::memory_order_release);
  const std::size_t counted =
      behaviour.samples_written_in == Unit::kWords ? bytes / behaviour.word_bytes : bytes;
  reg(Register::kSamplesWritten).fetch_add(static_cast<std::uint32_t>(counted), std::memory_order_acq_rel);
}

}  // namespace accelscope::device
