// Starts, drains and stops the performance monitor of one core. Runs on the control CPU of the chip.
//
// At each task boundary: drain() says which bytes of the ring are new, the caller copies them, confirm() says
// how many of them the hardware may have written over meanwhile. It never fights: a monitor that is not free
// is not started, and one whose registers change underneath is left alone from then on (state()).
//
// `Bus` is how registers are reached: read_reg(core, offset), write_reg(core, offset, value), barrier(), and
// give_up(core), after which nothing may restore that core: it is somebody else's. One thread uses one
// object; it owns nothing. Freestanding, no allocation.
//
//   CorePerfmon<Bus> perfmon(kA5Perfmon, bus, core);
//   if (perfmon.start({.base = ring, .ring_bytes = 65536}) != Fault::kNone) ...
//   const Slice slice = perfmon.drain();
//   copy(slice);
//   const Confirmation copied = perfmon.confirm(slice);
//   copy(perfmon.stop());
//   if (perfmon.ring_may_be_released()) ...
#pragma once

#include "accelscope/perfmon/ring_account.h"
#include "accelscope/perfmon/start.h"

namespace accelscope::perfmon {

template <class Bus>
class CorePerfmon {
 public:
  // The chip and the bus must outlive it.
  CorePerfmon(const PerfmonChip& chip, Bus& bus, uint32_t core) : chip_(&chip), bus_(&bus), core_(core) {}

  CoreState state() const { return state_; }
  uint32_t core() const { return core_; }
  // Since the start: all that the hardware has counted, and what of it no slice has.
  uint64_t counted_bytes() const { return account_.counted_bytes(); }
  uint64_t lost_bytes() const { return account_.lost_bytes(); }
  // False while the hardware may still have its address.
  bool ring_may_be_released() const {
    return state_ == CoreState::kStopped || state_ == CoreState::kBaseTaken ||
           state_ == CoreState::kPointerOutside;
  }

  // After a fault every register is as it was.
  Fault start(const StartConfig& config) {
    if (state_ == CoreState::kRunning || state_ == CoreState::kPaused) return Fault::kAlreadyStarted;
    config_ = config;
    if (const Fault fault = fault_in(config, *chip_); fault != Fault::kNone) return fault;
    before_ = look();
    if (const Fault fault = fault_in_owner(); fault != Fault::kNone) return fault;
    changed_ = 0;
    account_ = RingAccount(chip_->behaviour, config.ring_bytes);
    const ProgrammingOrder& order = config.order != nullptr ? *config.order : *chip_->order;
    for (uint32_t i = 0; i + 1 < order.count; ++i) take_step(order.steps[i]);
    // The hardware moves it, whether or not the order sets it.
    if (config.enable == EnableOwner::kThisProgram) mark_changed(Register::kWritePointer);
    // Nothing is written to memory before the last step; so this is where it will begin.
    const RegistersSeen ready = look();
    if (!account_.can_begin_at(ready)) return undo(Fault::kPointerOutside);
    account_.begin_at(ready);
    take_step(order.steps[order.count - 1]);
    bus_->barrier();
    const RegistersSeen seen = look();
    enable_was_on_ = config.enable == EnableOwner::kThisProgram || on(seen.enable);
    if (seen.device_gone()) return undo(Fault::kDeviceGone);
    if (underneath(seen) != CoreState::kRunning || seen.glitch_filter != config.glitch_filter)
      return undo(Fault::kNotAccepted);
    state_ = CoreState::kRunning;
    return Fault::kNone;
  }

  Slice drain() {
    if (state_ != CoreState::kRunning) return nothing_new();
    RegistersSeen seen = look();
    state_ = underneath(seen);
    if (state_ != CoreState::kRunning) return last_of_a_taken_core(seen);
    if (config_.mode == DrainMode::kReadOnly) return take(seen, false);
    const bool settled = turn_off();
    seen = look();
    state_ = CoreState::kPaused;
    Slice slice = take(seen, true);
    slice.final = false;
    slice.settled = settled;
    return slice;
  }

  Confirmation confirm(const Slice& slice) {
    if (state_ == CoreState::kPaused) {
      restart();
      return {0, state_};
    }
    if (state_ != CoreState::kRunning || config_.mode == DrainMode::kRestart) return {0, state_};
    bus_->barrier();  // the counter is read behind the copy
    return {account_.overwritten(slice, read(Register::kSamplesWritten)), state_};
  }

  // Off, what is left, every register as it was. The caller copies the slice before it frees the ring.
  Slice stop() {
    if (state_ != CoreState::kRunning && state_ != CoreState::kPaused) return nothing_new();
    const bool paused = state_ == CoreState::kPaused;
    RegistersSeen seen = look();
    state_ = underneath(seen, paused);
    if (state_ != CoreState::kRunning) return last_of_a_taken_core(seen);
    const bool settled = turn_off();
    seen = look();
    Slice slice = take(seen, true);
    slice.settled = settled;
    slice.final = true;
    restore();
    slice.state = state_;
    return slice;
  }

 private:
  uint32_t read(Register which) { return bus_->read_reg(core_, chip_->registers.offset(which)); }
  RegistersSeen look() { return read_registers(chip_->registers, *bus_, core_); }
  bool on(uint32_t enable) const { return (enable & chip_->registers.enable_bit) != 0; }
  // Left out: what belongs to the launch hardware, and the pointer, which needs the monitor off.
  void write(Register which, uint32_t value) {
    const bool needs_enable = which == Register::kEnable || which == Register::kWritePointer;
    if (needs_enable && config_.enable == EnableOwner::kLaunchHardware) return;
    mark_changed(which);
    bus_->write_reg(core_, chip_->registers.offset(which), value);
  }
  void mark_changed(Register which) { changed_ |= 1U << static_cast<uint32_t>(which); }
  bool changed(Register which) const { return (changed_ >> static_cast<uint32_t>(which) & 1U) != 0; }

  uint32_t value_of(Register which, Value value) const {
    const uint32_t as_it_was = which == Register::kEnable ? before_.enable : before_.global_enable;
    switch (value) {
      case Value::kOff:
        return as_it_was & ~chip_->registers.enable_bit;
      case Value::kOn:
        return as_it_was | chip_->registers.enable_bit;
      case Value::kZero:
        return 0;
      case Value::kOne:
        return 1;
      case Value::kBaseLow:
        return static_cast<uint32_t>(config_.base);
      case Value::kBaseHigh:
        return static_cast<uint32_t>(config_.base >> 32U);
      case Value::kLength:
        return chip_->behaviour.length_register(config_.ring_bytes);
      case Value::kGlitchFilter:
        return config_.glitch_filter;
    }
    return 0;
  }

  void take_step(const Step& step) {
    write(step.reg, value_of(step.reg, step.value));
    if (step.barrier) bus_->barrier();
  }

  Fault fault_in_owner() const {
    switch (owner_of(*chip_, before_, config_.known_base)) {
      case Owner::kNobody:
        return Fault::kNone;
      case Owner::kFirmware:
        return config_.take_armed ? Fault::kNone : Fault::kArmedByFirmware;
      case Owner::kDriverChannel:
        return config_.enable == EnableOwner::kLaunchHardware ? Fault::kNone : Fault::kOwnedByDriver;
      case Owner::kSomebody:
        return Fault::kOwnedBySomebody;
      case Owner::kDeviceGone:
        break;
    }
    return Fault::kDeviceGone;
  }

  Fault undo(Fault fault) {
    if (fault != Fault::kDeviceGone) restore();
    return fault;
  }

  // What the registers say about whose the core is.
  CoreState underneath(const RegistersSeen& seen, bool paused = false) {
    if (seen.device_gone()) return CoreState::kDeviceGone;
    if (seen.base() != config_.base) return CoreState::kBaseTaken;
    if (seen.length != chip_->behaviour.length_register(config_.ring_bytes)) return CoreState::kLengthTaken;
    if (!on(seen.global_enable)) return CoreState::kGlobalEnableTaken;
    if (enable_was_on_ && !paused && !on(seen.enable)) return CoreState::kEnableTaken;
    if (paused && on(seen.enable)) return CoreState::kEnableTaken;
    if (account_.outside(seen)) return CoreState::kPointerOutside;
    enable_was_on_ = enable_was_on_ || on(seen.enable);
    return CoreState::kRunning;
  }

  Slice nothing_new() const {
    Slice slice;
    slice.core = core_;
    slice.generation = config_.generation;
    slice.first_byte = account_.next_byte();
    slice.state = state_;
    return slice;
  }

  // The registers that made it so are the evidence.
  Slice nothing_new_but(const RegistersSeen& seen) const {
    Slice slice = nothing_new();
    slice.seen = seen;
    return slice;
  }

  // Who only turned the monitor off left what it had written. Registers are not touched any more; only a
  // monitor that writes elsewhere, and is still ours, is turned off.
  Slice last_of_a_taken_core(const RegistersSeen& seen) {
    if (state_ == CoreState::kPointerOutside) {
      turn_off();
      restore();
      if (state_ == CoreState::kStopped) state_ = CoreState::kPointerOutside;
      return nothing_new_but(seen);
    }
    changed_ = 0;
    bus_->give_up(core_);
    const bool turned_off = state_ == CoreState::kEnableTaken || state_ == CoreState::kGlobalEnableTaken;
    if (!turned_off) return nothing_new_but(seen);
    Slice slice = take(seen, true);
    slice.final = true;
    return slice;
  }

  // `standing`: nothing is in flight any more.
  Slice take(const RegistersSeen& seen, bool standing) {
    Slice slice = nothing_new();
    slice.seen = seen;
    account_.take(seen, standing, slice);
    bus_->barrier();  // and the copy behind the counter
    return slice;
  }

  // False when the pointer still moved after the last look.
  bool turn_off() {
    const bool ours = config_.enable == EnableOwner::kThisProgram;
    const Register which = ours ? Register::kEnable : Register::kGlobalEnable;
    write(which, value_of(which, Value::kOff));
    bus_->barrier();
    uint32_t last = read(Register::kWritePointer);
    uint32_t same = 1;
    for (uint32_t reads = 1; reads < config_.most_reads && same < config_.stable_reads; ++reads) {
      const uint32_t now = read(Register::kWritePointer);
      same = now == last ? same + 1 : 1;
      last = now;
    }
    return same >= config_.stable_reads;
  }

  void restart() {
    const RegistersSeen paused = look();
    state_ = underneath(paused, true);
    if (state_ != CoreState::kRunning) {
      last_of_a_taken_core(paused);
      return;
    }
    write(Register::kWritePointer, 0);
    write(Register::kSamplesClear, 1);
    write(Register::kSamplesWritten, 0);
    // What they read now, whether or not the hardware took the zeros.
    const RegistersSeen reset = look();
    if (!account_.can_begin_at(reset)) {
      state_ = CoreState::kPointerOutside;
      last_of_a_taken_core(reset);
      return;
    }
    account_.continue_at(reset);
    bus_->barrier();
    write(Register::kEnable, value_of(Register::kEnable, Value::kOn));
    const RegistersSeen seen = look();
    state_ = underneath(seen);
    if (state_ != CoreState::kRunning) last_of_a_taken_core(seen);
  }

  void restore() {
    for (const Register which : kRestoredOff)
      if (changed(which)) write(which, value_of(which, Value::kOff));
    bus_->barrier();
    for (const Register which : kRestoredNext)
      if (changed(which)) write(which, saved(which));
    bus_->barrier();
    for (const Register which : kRestoredOff)
      if (changed(which)) write(which, saved(which));
    bus_->barrier();
    const RegistersSeen seen = look();
    bool same = true;
    for (uint32_t i = 0; i < kRegisters; ++i) {
      const auto which = static_cast<Register>(i);
      same = same && (!is_restored(which) || !changed(which) || value_in(seen, which) == saved(which));
    }
    state_ = same ? CoreState::kStopped : CoreState::kNotRestored;
    changed_ = 0;
  }

  // Counters can only be cleared.
  static constexpr bool is_restored(Register which) {
    return which != Register::kSamples && which != Register::kSamplesClear &&
           which != Register::kSamplesWritten;
  }
  uint32_t saved(Register which) const { return value_in(before_, which); }
  static uint32_t value_in(const RegistersSeen& seen, Register which) {
    switch (which) {
      case Register::kEnable:
        return seen.enable;
      case Register::kGlobalEnable:
        return seen.global_enable;
      case Register::kBufferLength:
        return seen.length;
      case Register::kGlitchFilter:
        return seen.glitch_filter;
      case Register::kBaseLow:
        return seen.base_low;
      case Register::kBaseHigh:
        return seen.base_high;
      case Register::kWritePointer:
        return seen.write_pointer;
      case Register::kSamples:
        return seen.samples;
      case Register::kSamplesWritten:
        return seen.samples_written;
      case Register::kSamplesClear:
        break;
    }
    return 0;
  }

  const PerfmonChip* chip_;
  Bus* bus_;
  uint32_t core_;
  CoreState state_ = CoreState::kStopped;
  bool enable_was_on_ = false;
  StartConfig config_ = {};
  RegistersSeen before_ = {};
  uint32_t changed_ = 0;  // bits by Register
  RingAccount account_ = {};
};

}  // namespace accelscope::perfmon
