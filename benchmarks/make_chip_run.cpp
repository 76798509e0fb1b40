// Writes a made-up run of a chip of any size: make_chip_run TASKS LEVEL OUT [--cores N]
#include <fmt/core.h>

#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include "base/output_file.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace {

namespace base = accelscope::base;
namespace chip_swimlane = accelscope::formats::chip_swimlane;

template <class T>
std::optional<T> number_in(std::string_view text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    return std::nullopt;
  return value;
}

base::Status write(const chip_swimlane::SyntheticRun& run, const std::string& path) {
  ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create(path));
  chip_swimlane::write_synthetic_run(run, file.output());
  return file.commit();
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_cores = argc == 6 && std::string_view(argv[4]) == "--cores";
  const auto tasks = number_in<std::uint64_t>(argc > 3 ? argv[1] : "", 0, 4'000'000'000);
  const auto level = number_in<int>(argc > 3 ? argv[2] : "", 1, 4);
  const auto cores = number_in<std::uint32_t>(with_cores ? argv[5] : "24", 1, 65'536);
  if ((argc != 4 && !with_cores) || !tasks || !level || !cores) {
    fmt::print(stderr, "usage: make_chip_run TASKS LEVEL(1-4) OUT [--cores N]\n");
    return 2;
  }
  const base::Status status = write({.tasks = *tasks, .level = *level, .cores = *cores}, argv[3]);
  if (status) return 0;
  fmt::print(stderr, "make_chip_run: {}\n", status.error().to_string());
  return 1;
}
