#include "device/drain_files.h"

#include <fmt/core.h>

#include <filesystem>
#include <string_view>

#include "base/output_file.h"
#include "device/replay_window.h"

namespace accelscope::device {
namespace {

base::Status remove_file(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error)
    return base::fail_at(base::Location::of_file(path), base::ErrorCode::kWriteFailed,
                         "cannot be removed: {}", error.message());
  return {};
}

}  // namespace

std::string drain_path(const std::string& folder, std::uint32_t core, std::uint32_t drain) {
  return (std::filesystem::path(folder) / fmt::format("core{}.{}.bin", core, drain)).string();
}

formats::perfmon::Registers registers_of(const perfmon::RegistersSeen& seen) {
  return {.wptr = seen.write_pointer,
          .samp_wrt = seen.samples_written,
          .samp_crt = seen.samples,
          .buf_len = seen.length,
          .base = seen.base()};
}

base::Status write_drain(const std::string& folder, std::uint32_t core, std::uint32_t drain,
                         std::span<const std::byte> ring, const formats::perfmon::Registers& registers) {
  const std::string path = drain_path(folder, core, drain);
  ACCELSCOPE_CHECK(base::write_file(formats::perfmon::registers_path(path), [&](base::Output& out) {
    formats::perfmon::write_registers(registers, out);
  }));
  base::Status written = base::write_file(path, [&](base::Output& out) {
    out.append(std::string_view(reinterpret_cast<const char*>(ring.data()), ring.size()));
  });
  if (!written) static_cast<void>(remove_file(formats::perfmon::registers_path(path)));
  return written;
}

bool has_drains(const std::string& folder) {
  return find_replay_files(folder).has_value();
}

base::Status remove_drains(const std::string& folder) {
  // More than once where several names mean one drain, such as core0.bin and core0.0.bin.
  for (;;) {
    const base::Result<ReplayFiles> files = find_replay_files(folder);
    if (!files && files.error().code == base::ErrorCode::kNotFound) return {};
    if (!files) return tl::unexpected(files.error());
    for (const std::vector<std::string>& drains : *files)
      for (const std::string& path : drains) {
        // The ring first: it never lies there without its registers.
        ACCELSCOPE_CHECK(remove_file(path));
        ACCELSCOPE_CHECK(remove_file(formats::perfmon::registers_path(path)));
      }
  }
}

}  // namespace accelscope::device
