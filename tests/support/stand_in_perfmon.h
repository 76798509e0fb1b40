// A device that is two files: registers that behave like memory, and memory for the rings; and somebody who
// plays the hardware of one core on them, in a thread of the test, as the program sees it from outside.
//
// The thread writes a burst of words, moves pointer and counters, and goes on when a file tells that they
// were drained, so that nothing depends on the machine's speed. It gives up after a while.
//
//   StandInDevice device(2);
//   StandInMonitor monitor(device, 0, words, {.folder = out});
//   ...record...
//   EXPECT_TRUE(monitor.finish());
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "accelscope/perfmon/chip.h"
#include "device/replay_window.h"
#include "formats/perfmon/registers_file.h"
#include "support/temporary_folder.h"

namespace accelscope::tests {

class StandInDevice {
 public:
  static constexpr std::uint32_t kOffset = 0x1010;  // not on a page
  static constexpr std::uint32_t kStride = 0x10000;
  static constexpr std::uint32_t kMemoryOffset = 0x2040;
  static constexpr std::uint64_t kAddress = 0x1'2345'6000;
  static constexpr std::uint32_t kMemoryBytes = 0x20000;

  explicit StandInDevice(std::uint32_t cores) : cores_(cores) {
    write_file(registers_file(), std::string(kOffset + std::size_t{cores} * kStride, '\0'));
    write_file(memory_file(), std::string(kMemoryOffset + kMemoryBytes, '\1'));
    registers_ = map(registers_file(), register_bytes());
    memory_ = map(memory_file(), kMemoryOffset + kMemoryBytes);
    for (std::uint32_t core = 0; core < cores; ++core) {
      set(core, perfmon::Register::kEnable, 0x4);
      set(core, perfmon::Register::kGlobalEnable, 0);
      set(core, perfmon::Register::kBufferLength, perfmon::kA5Perfmon.firmware_length);
      set(core, perfmon::Register::kGlitchFilter, 7);
      set(core, perfmon::Register::kBaseLow, 0x1230);
      set(core, perfmon::Register::kBaseHigh, 0x45);
      set(core, perfmon::Register::kWritePointer, 64 + 4 * core);
    }
  }
  StandInDevice(const StandInDevice&) = delete;
  StandInDevice& operator=(const StandInDevice&) = delete;
  ~StandInDevice() {
    ::munmap(registers_, register_bytes());
    ::munmap(memory_, kMemoryOffset + kMemoryBytes);
  }

  std::uint32_t cores() const { return cores_; }
  std::string registers_file() const { return folder_.file("bar"); }
  std::string memory_file() const { return folder_.file("memory"); }
  std::string file(std::string_view name) const { return folder_.file(name); }

  std::uint32_t get(std::uint32_t core, perfmon::Register which) const {
    return place(core, which).load(std::memory_order_acquire);
  }
  void set(std::uint32_t core, perfmon::Register which, std::uint32_t value) const {
    place(core, which).store(value, std::memory_order_release);
  }
  // Of a core, but for its counters.
  std::vector<std::uint32_t> settings(std::uint32_t core) const {
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i) {
      const auto which = static_cast<perfmon::Register>(i);
      if (which != perfmon::Register::kSamples && which != perfmon::Register::kSamplesWritten)
        values.push_back(get(core, which));
    }
    return values;
  }
  bool is_on(std::uint32_t core) const {
    return (get(core, perfmon::Register::kEnable) & get(core, perfmon::Register::kGlobalEnable) & 1U) != 0;
  }
  // Nullptr where a monitor would meet no memory.
  std::uint32_t* memory_at(std::uint64_t address, std::uint64_t bytes) const {
    if (address < kAddress || address - kAddress + bytes > kMemoryBytes) return nullptr;
    return reinterpret_cast<std::uint32_t*>(memory_ + kMemoryOffset + (address - kAddress));
  }

 private:
  std::size_t register_bytes() const { return kOffset + std::size_t{cores_} * kStride; }
  static std::byte* map(const std::string& path, std::size_t bytes) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    void* there = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (there == MAP_FAILED) throw std::runtime_error("not mapped: " + path);
    return static_cast<std::byte*>(there);
  }
  std::atomic_ref<std::uint32_t> place(std::uint32_t core, perfmon::Register which) const {
    return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(registers_ + kOffset + core * kStride +
                                                             perfmon::kDefaultRegisters.offset(which)));
  }

  TemporaryFolder folder_ = {};
  const std::uint32_t cores_;
  std::byte* registers_ = nullptr;
  std::byte* memory_ = nullptr;
};

struct StandInMonitorOptions {
  std::string folder = {};                              // where drains are waited for
  std::uint32_t burst_words = 200;                      // less than the ring, or words get lost
  std::function<void(std::uint32_t burst)> after = {};  // of a burst that was drained; counted from 1
};

class StandInMonitor {
 public:
  StandInMonitor(const StandInDevice& device, std::uint32_t core, std::vector<std::uint32_t> words,
                 StandInMonitorOptions options)
      : device_(device), core_(core), words_(std::move(words)), options_(std::move(options)), thread_([this] {
          play();
        }) {}
  ~StandInMonitor() {
    given_up_ = true;
    finish();
  }

  // Whether everything was written and drained. Waits for it.
  bool finish() {
    if (thread_.joinable()) thread_.join();
    return done_;
  }

 private:
  using Register = perfmon::Register;

  void play() {
    if (!wait([&] { return device_.is_on(core_); })) return;
    std::uint32_t burst = 0;
    for (std::size_t at = 0; at < words_.size(); at += options_.burst_words) {
      const std::size_t count = std::min<std::size_t>(options_.burst_words, words_.size() - at);
      if (!write(std::span(words_).subspan(at, count))) return;
      if (!wait([&] { return is_drained(); })) return;
      if (options_.after) options_.after(++burst);
    }
    done_ = true;
  }

  bool write(std::span<const std::uint32_t> words) {
    const std::uint64_t base = std::uint64_t{device_.get(core_, Register::kBaseHigh)} << 32U |
                               device_.get(core_, Register::kBaseLow);
    const std::uint32_t length = device_.get(core_, Register::kBufferLength);
    std::uint32_t* ring = device_.memory_at(base, length);
    if (ring == nullptr || !device_.is_on(core_)) return false;
    std::uint32_t pointer = device_.get(core_, Register::kWritePointer);
    for (const std::uint32_t word : words) {
      std::atomic_ref(ring[pointer / 4]).store(word, std::memory_order_relaxed);
      pointer = (pointer + 4) % length;
    }
    const auto count = static_cast<std::uint32_t>(words.size());
    device_.set(core_, Register::kSamples, device_.get(core_, Register::kSamples) + count);
    device_.set(core_, Register::kSamplesWritten, device_.get(core_, Register::kSamplesWritten) + 4 * count);
    device_.set(core_, Register::kWritePointer, pointer);
    return true;
  }

  bool is_drained() const {
    const auto files = device::find_replay_files(options_.folder);
    if (!files || files->size() <= core_ || (*files)[core_].empty()) return false;
    const auto beside = base::MappedFile::open(formats::perfmon::registers_path((*files)[core_].back()));
    const auto registers =
        beside ? formats::perfmon::read_registers(*beside) : base::Result<formats::perfmon::Registers>();
    return registers && registers->samp_wrt == device_.get(core_, Register::kSamplesWritten) &&
           registers->wptr == device_.get(core_, Register::kWritePointer);
  }

  template <class Test>
  bool wait(Test&& test) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!test()) {
      if (given_up_ || std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }

  const StandInDevice& device_;
  const std::uint32_t core_;
  const std::vector<std::uint32_t> words_;
  const StandInMonitorOptions options_;
  bool done_ = false;
  std::atomic<bool> given_up_ = false;
  std::thread thread_;
};

}  // namespace accelscope::tests
