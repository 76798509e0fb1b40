// How long the program takes to start: --help, and the conversion of a small ETDump, beside the cost of
// starting any program.
#include <filesystem>
#include <fstream>

#include "command_times.h"
#include "formats/etdump/sample_dumps.h"

int main() {
  namespace etdump = accelscope::formats::etdump;
  using accelscope::benchmarks::print_times;
  constexpr std::size_t kRuns = 101;
  const std::string folder =
      std::filesystem::temp_directory_path() / fmt::format("accelscope-startup-{}", getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/toy.etdump", std::ios::binary)
      << etdump::write_etdump(etdump::toy_dump(etdump::ToySpeed::kFast));
  print_times("floor: /bin/true", {"/bin/true"}, kRuns);
  print_times("accelscope --help", {ACCELSCOPE_PROGRAM, "--help"}, kRuns);
  print_times("accelscope convert toy.etdump (10 KB)",
              {ACCELSCOPE_PROGRAM, "convert", folder + "/toy.etdump", "-o", folder + "/toy.pftrace", "-q"},
              kRuns);
  std::filesystem::remove_all(folder);
}
