// How fast Chrome JSON is read and written, beside what the same bytes cost at least: the index pass of
// simdjson for reading, a memcpy for writing. Also the peak of memory against the size of the file.
//
//   bench_chrome_json [megabytes]          (200 when not given)
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "base/output.h"
#include "formats/chrome_json/reader.h"
#include "formats/chrome_json/structural_index.h"
#include "formats/chrome_json/writer.h"

namespace accelscope {
namespace {

namespace chrome = formats::chrome_json;

constexpr int kRuns = 5;

class Random {
 public:
  std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_ % limit;
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15U;
};

constexpr std::array<std::string_view, 12> kNames = {
    "aten::convolution",
    "aten::addmm",
    "aten::copy_",
    "aten::empty_strided",
    "cudaLaunchKernel",
    "aten::mul",
    "aten::native_batch_norm",
    "MatMul",
    "Optimizer.step#Adam.step",
    "aten::relu_",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int, float)",
    "aten::_softmax_backward_data"};

std::string arguments(std::size_t event, Random& random) {
  const std::uint64_t channels = std::uint64_t{16} << random.below(5);
  return fmt::format(
      ",\"args\":{{\"External id\":{},\"Record function id\":0,\"Ev "
      "Idx\":{},\"stream\":{},\"occupancy\":{}.{},"
      "\"Input Dims\":[[1,{},56,56],[{}]],\"Input type\":\"float\",\"kernel\":\"{}\"}}",
      event, event, random.below(16), random.below(100), random.below(1000), channels, channels,
      kNames[random.below(kNames.size())]);
}

// Events of eight threads, in the order of time, as most producers write them.
std::string make_trace(std::size_t bytes, bool with_arguments) {
  constexpr std::size_t kThreads = 8;
  Random random;
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  std::uint64_t now = 1'699'999'999'123'456;
  for (std::size_t event = 0; text.size() < bytes; ++event) {
    now += random.below(4000);
    const std::uint64_t duration = 1 + random.below(event % 10 == 0 ? 100'000 : 9000);
    text += fmt::format(
        "{}{{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"{}\",\"pid\":17345,\"tid\":{},\"ts\":{}.{:03},"
        "\"dur\":{}.{:03}{}}}",
        event == 0 ? "" : ",\n", kNames[random.below(kNames.size())], 17345 + random.below(kThreads),
        now / 1000, now % 1000, duration / 1000, duration % 1000,
        with_arguments ? arguments(event, random) : "");
  }
  return text + "\n]}\n";
}

template <class Work>
double best_seconds(Work&& work) {
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double megabytes_per_second(std::size_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e6 / seconds;
}

void check(bool good, std::string_view what) {
  if (good) return;
  fmt::print(stderr, "bench_chrome_json: {}\n", what);
  std::exit(1);
}

// Reads a file, does nothing else, and prints the peak of the process in kilobytes.
int print_peak_of_reading(const char* path, bool keep_args) {
  {
    const auto file = base::MappedFile::open(path);
    check(file && chrome::read(*file, {.keep_args = keep_args}), "the trace cannot be read");
  }
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) fmt::print("{}\n", std::strtoul(line.c_str() + 6, nullptr, 10));
  return 0;
}

// In a process of its own, because a peak never goes down again.
double peak_bytes(const std::string& text, bool keep_args) {
  std::string path = "/tmp/bench_chrome_json_XXXXXX";
  const int descriptor = mkstemp(path.data());
  check(descriptor >= 0, "no temporary file");
  base::DescriptorOutput out(descriptor, path);
  out.append(text);
  check(out.flush().has_value(), "the temporary file cannot be written");
  close(descriptor);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  FILE* const child =
      popen(fmt::format("'{}' {} {}", self, keep_args ? "--peak" : "--peak-without-args", path).c_str(), "r");
  check(child != nullptr, "no process to measure memory in");
  double kilobytes = 0;
  check(std::fscanf(child, "%lf", &kilobytes) == 1 && pclose(child) == 0, "the reading process failed");
  unlink(path.c_str());
  return kilobytes * 1024.0;
}

struct IndexPass {
  double warm;   // into memory that was written before
  double fresh;  // with an index of its own, as a reader of one file needs it
};

IndexPass index_pass_rates(const base::MappedFile& file) {
  const auto build = [&](chrome::StructuralIndex& index) {
    check(index.build(file.text().data(), static_cast<std::uint32_t>(file.size())) ==
              chrome::IndexOutcome::kIndexed,
          "the index pass failed");
  };
  chrome::StructuralIndex reused;
  const double warm = best_seconds([&] { build(reused); });
  const double fresh = best_seconds([&] {
    chrome::StructuralIndex index;
    build(index);
  });
  return {megabytes_per_second(file.size(), warm), megabytes_per_second(file.size(), fresh)};
}

void measure_reading(std::string_view label, const std::string& text, bool keep_args) {
  const base::MappedFile file = base::MappedFile::from_memory("memory", text);
  const IndexPass floor = index_pass_rates(file);
  std::uint32_t slices = 0;
  const double rate = megabytes_per_second(file.size(), best_seconds([&] {
                                             const auto trace = chrome::read(file, {.keep_args = keep_args});
                                             check(trace.has_value(), "the trace cannot be read");
                                             slices = trace->slices().size();
                                           }));
  const double peak = peak_bytes(text, keep_args);
  fmt::print(
      "{:28} {:6.1f} MB {:9} slices {:6.0f} MB/s   index pass {:5.0f} MB/s (ratio {:.2f}), warm {:5.0f} "
      "({:.2f})   "
      "peak {:.2f} x file\n",
      label, static_cast<double>(file.size()) / 1e6, slices, rate, floor.fresh, rate / floor.fresh,
      floor.warm, rate / floor.warm, peak / static_cast<double>(file.size()));
}

void measure_writing(std::string_view label, const std::string& text) {
  const auto trace = chrome::read(base::MappedFile::from_memory("memory", text), {});
  check(trace.has_value(), "the trace cannot be read");
  base::MemoryOutput out;
  const double seconds = best_seconds([&] {
    out.clear();
    check(chrome::write(*trace, out).has_value(), "the trace cannot be written");
  });
  const std::string_view written = out.bytes();
  const auto copy = std::make_unique<char[]>(written.size());
  const double copy_seconds = best_seconds([&] { std::memcpy(copy.get(), written.data(), written.size()); });
  const double rate = megabytes_per_second(written.size(), seconds);
  const double floor = megabytes_per_second(written.size(), copy_seconds);
  fmt::print("{:28} {:6.1f} MB {:9} slices {:6.0f} MB/s   memcpy {:9.0f} MB/s (ratio {:.2f})\n", label,
             static_cast<double>(written.size()) / 1e6, trace->slices().size(), rate, floor, rate / floor);
}

int run(std::size_t megabytes) {
  const std::string plain = make_trace(megabytes * 1'000'000, false);
  measure_reading("read, events without args", plain, true);
  const std::string with_args = make_trace(megabytes * 1'000'000, true);
  measure_reading("read, args kept", with_args, true);
  measure_reading("read, args skipped", with_args, false);
  measure_writing("write, events without args", plain);
  measure_writing("write, with args", with_args);
  return 0;
}

}  // namespace
}  // namespace accelscope

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--peak") == 0)
    return accelscope::print_peak_of_reading(argv[2], true);
  if (argc == 3 && std::strcmp(argv[1], "--peak-without-args") == 0)
    return accelscope::print_peak_of_reading(argv[2], false);
  return accelscope::run(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200);
}
