#include "device/replay_window.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "base/number_in.h"
#include "formats/perfmon/registers_file.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;
using perfmon::Register;
using perfmon::Unit;

// Cores of a chip; a file of a higher number is something else.
constexpr std::uint32_t kMostCores = 1U << 16U;

struct FileNumber {
  std::uint32_t core = 0;
  std::uint32_t drain = 0;
};

// core3.bin and core3.12.bin
std::optional<FileNumber> number_of(std::string_view name) {
  constexpr std::string_view kFirst = "core";
  constexpr std::string_view kLast = ".bin";
  if (!name.starts_with(kFirst) || !name.ends_with(kLast) || name.size() < kFirst.size() + kLast.size())
    return std::nullopt;
  name.remove_prefix(kFirst.size());
  name.remove_suffix(kLast.size());
  const std::size_t point = name.find('.');
  const auto core = base::number_in<std::uint32_t>(name.substr(0, point));
  if (!core || *core >= kMostCores) return std::nullopt;
  if (point == std::string_view::npos) return FileNumber{*core, 0};
  const auto drain = base::number_in<std::uint32_t>(name.substr(point + 1));
  if (!drain) return std::nullopt;
  return FileNumber{*core, *drain};
}

std::uint32_t in_unit(std::uint64_t bytes, Unit unit, std::uint32_t word_bytes) {
  return static_cast<std::uint32_t>(unit == Unit::kWords ? bytes / word_bytes : bytes);
}

}  // namespace

base::Result<ReplayFiles> find_replay_files(const std::string& folder) {
  std::error_code error;
  std::map<std::uint32_t, std::map<std::uint32_t, std::string>> found;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (const auto number = number_of(entry->path().filename().string()))
      found[number->core][number->drain] = entry->path().string();
  if (error)
    return base::fail_at(Location::of_file(folder), ErrorCode::kNotReadable, "cannot be listed: {}",
                         error.message());
  if (found.empty())
    return base::fail_at(Location::of_file(folder), ErrorCode::kNotFound,
                         "has no copies of buffers: they are called core<N>.bin or core<N>.<K>.bin");
  ReplayFiles files(found.rbegin()->first + std::size_t{1});
  for (const auto& [core, drains] : found)
    for (const auto& [drain, path] : drains) files[core].push_back(path);
  return files;
}

base::Result<std::unique_ptr<ReplayWindow>> ReplayWindow::open(DeviceMemory& memory, const ReplayFiles& files,
                                                               const perfmon::PerfmonChip& chip) {
  std::unique_ptr<ReplayWindow> window(new ReplayWindow(memory, chip));
  for (const std::vector<std::string>& paths : files) {
    Core core;
    for (const std::string& path : paths) ACCELSCOPE_CHECK(window->add_drain(core, path));
    window->set_begin(core);
    window->cores_.push_back(std::move(core));
  }
  return window;
}

// What is not written down is put together from what is: the counter from the way of the pointer, the pointer
// from the counter, and where neither is known the whole buffer is new.
base::Status ReplayWindow::add_drain(Core& core, const std::string& path) const {
  const perfmon::Behaviour& behaviour = chip_.behaviour;
  const std::uint32_t word = behaviour.word_bytes;
  ACCELSCOPE_TRY(base::MappedFile bytes, base::MappedFile::open(path));
  const Location where = Location::of_file(path);
  if (bytes.size() == 0 || bytes.size() % word != 0 || bytes.size() > 0xFFFFFFFF)
    return base::fail_at(where, ErrorCode::kMalformed, "has {} bytes: no buffer of words of {} bytes",
                         bytes.size(), word);
  if (!core.drains.empty() && core.drains.front().bytes.size() != bytes.size())
    return base::fail_at(where, ErrorCode::kMalformed,
                         "has {} bytes, and the first copy of this buffer has {}", bytes.size(),
                         core.drains.front().bytes.size());
  ACCELSCOPE_TRY(const base::MappedFile beside,
                 base::MappedFile::open(formats::perfmon::registers_path(path)));
  ACCELSCOPE_TRY(const formats::perfmon::Registers registers, formats::perfmon::read_registers(beside));

  const std::uint64_t ring = bytes.size();
  const Drain* last = core.drains.empty() ? nullptr : &core.drains.back();
  const auto bytes_of = [&](std::uint64_t value, Unit unit) {
    return unit == Unit::kWords ? value * word : value;
  };
  const std::uint64_t last_written =
      last == nullptr ? 0 : bytes_of(last->samples_written, behaviour.samples_written_in);
  std::uint64_t written = last_written + ring;
  if (registers.samp_wrt) {
    written = bytes_of(*registers.samp_wrt, behaviour.samples_written_in);
  } else if (registers.wptr) {
    const std::uint64_t from =
        last == nullptr ? 0 : bytes_of(last->write_pointer, behaviour.pointer_in) % ring;
    written = last_written + (bytes_of(*registers.wptr, behaviour.pointer_in) % ring + ring - from) % ring;
  }
  const std::uint64_t place = behaviour.pointer == perfmon::PointerKind::kTotal ? written : written % ring;
  Drain drain{.bytes = std::move(bytes)};
  drain.samples_written = in_unit(written, behaviour.samples_written_in, word);
  drain.write_pointer = registers.wptr ? static_cast<std::uint32_t>(*registers.wptr)
                                       : in_unit(place, behaviour.pointer_in, word);
  drain.samples = static_cast<std::uint32_t>(registers.samp_crt.value_or(written / word));
  core.drains.push_back(std::move(drain));
  return {};
}

// As firmware leaves a core, but for the pointer: it is where the first drain says that recording began.
void ReplayWindow::set_begin(Core& core) const {
  value(core, Register::kEnable) = chip_.registers.enable_constant;
  value(core, Register::kBufferLength) = chip_.firmware_length;
  if (core.drains.empty()) return;
  const perfmon::Behaviour& behaviour = chip_.behaviour;
  const Drain& first = core.drains.front();
  const std::uint64_t ring = first.bytes.size();
  const std::uint64_t written = behaviour.bytes(first.samples_written, behaviour.samples_written_in);
  const std::uint64_t pointer = behaviour.bytes(first.write_pointer, behaviour.pointer_in);
  const std::uint64_t began = behaviour.pointer == perfmon::PointerKind::kTotal
                                  ? pointer - written
                                  : (pointer % ring + ring - written % ring) % ring;
  value(core, Register::kWritePointer) = in_unit(began, behaviour.pointer_in, behaviour.word_bytes);
}

std::uint32_t ReplayWindow::read32(std::uint32_t core, std::uint32_t offset) {
  if (core >= cores()) return perfmon::kNoDevice;
  for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i)
    if (chip_.registers.places[i].offset == offset) return cores_[core].values[i];
  return 0;
}

void ReplayWindow::write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) {
  if (core >= cores()) return;
  Core& there = cores_[core];
  for (std::uint32_t i = 0; i < perfmon::kRegisters; ++i) {
    if (chip_.registers.places[i].offset != offset) continue;
    const auto which = static_cast<Register>(i);
    const std::uint32_t bits = chip_.registers.places[i].bits;
    // Where recording began is known from the files, whatever is set before.
    const bool is_counter = which == Register::kWritePointer || which == Register::kSamplesWritten;
    if (which == Register::kSamplesClear || which == Register::kSamples || (is_counter && there.passed == 0))
      return;
    there.values[i] = (value & bits) | (which == Register::kEnable ? chip_.registers.enable_constant : 0);
  }
}

std::uint32_t ReplayWindow::ring_bytes(std::uint32_t core) const {
  const Core& there = cores_[core];
  return there.drains.empty() ? 0 : static_cast<std::uint32_t>(there.drains.front().bytes.size());
}

std::uint64_t ReplayWindow::attach(std::uint32_t core, Address ring) {
  constexpr std::uint64_t kFirstBase = 0x0010'0000'0000;
  cores_[core].ring = ring;
  return kFirstBase + (std::uint64_t{core} << 32U);
}

bool ReplayWindow::next(std::uint32_t core) {
  Core& there = cores_[core];
  const bool on = (value(there, Register::kEnable) & value(there, Register::kGlobalEnable) &
                   chip_.registers.enable_bit) != 0;
  const std::uint64_t base =
      std::uint64_t{value(there, Register::kBaseHigh)} << 32U | value(there, Register::kBaseLow);
  if (!on || there.passed == there.drains.size() || there.ring == Address::kNowhere ||
      base != attach(core, there.ring))
    return false;
  const Drain& drain = there.drains[there.passed++];
  auto* words = static_cast<std::uint32_t*>(memory_.as_device_sees(there.ring));
  for (std::size_t at = 0; at + 4 <= drain.bytes.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, drain.bytes.bytes().data() + at, sizeof word);
    std::atomic_ref(*words++).store(word, std::memory_order_relaxed);
  }
  value(there, Register::kWritePointer) = drain.write_pointer;
  value(there, Register::kSamples) = drain.samples;
  value(there, Register::kSamplesWritten) = drain.samples_written;
  return true;
}

std::size_t ReplayWindow::drains_left(std::uint32_t core) const {
  return cores_[core].drains.size() - cores_[core].passed;
}

}  // namespace accelscope::device
