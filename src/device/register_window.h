// How the registers of a chip's cores are reached: a software model, a mapped device, or a recording.
//
// Accesses are of 32 bits, by core and by the register's offset from the core's base. Where nothing answers,
// reads are all ones and writes are lost, as on a bus. Which threads may call what is said by each
// implementation.
//
//   WindowBus bus{window};
//   perfmon::CorePerfmon perfmon(perfmon::kA5Perfmon, bus, core);
#pragma once

#include <cstdint>

namespace accelscope::device {

class RegisterWindow {
 public:
  RegisterWindow() = default;
  RegisterWindow(const RegisterWindow&) = delete;
  RegisterWindow& operator=(const RegisterWindow&) = delete;
  virtual ~RegisterWindow() = default;

  virtual std::uint32_t cores() const = 0;
  virtual std::uint32_t read32(std::uint32_t core, std::uint32_t offset) = 0;
  virtual void write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) = 0;
  // What was written before has reached the device before anything that follows.
  virtual void barrier() = 0;
  // The core is somebody else's now: what was changed of it is not restored.
  virtual void give_up(std::uint32_t core) = 0;
};

// A window as the control CPU's code (include/accelscope/perfmon) wants it.
struct WindowBus {
  RegisterWindow& window;

  std::uint32_t read_reg(std::uint32_t core, std::uint32_t offset) { return window.read32(core, offset); }
  void write_reg(std::uint32_t core, std::uint32_t offset, std::uint32_t value) {
    window.write32(core, offset, value);
  }
  void barrier() { window.barrier(); }
  void give_up(std::uint32_t core) { window.give_up(core); }
};

}  // namespace accelscope::device
