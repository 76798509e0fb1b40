// In place of ExecuTorch's executor_runner: takes its flags, prints its lines and writes ETDumps of a toy
// model.
//
// It is slow when its path holds "off", and logs as XNNPACK does when its path holds "xnnlog" or "trace" or
// XNN_LOG_LEVEL is 5. The environment makes it misbehave:
//   STAND_IN_BEHAVIOUR  crash | hang | exit3 | half (of an ETDump) | no_etdump | nan | aborted (a run less)
//   STAND_IN_WHEN       only when the ETDump's name holds this text
//   STAND_IN_RECORD     a file that gets a line with the arguments of each call
//   STAND_IN_LOGCAT     a file that gets XNNPACK's lines, as a device's log would
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats/etdump/sample_dumps.h"

namespace {

using accelscope::formats::etdump::Dump;
using accelscope::formats::etdump::ProfileEvent;
using accelscope::formats::etdump::toy_dump;
using accelscope::formats::etdump::ToySpeed;
using accelscope::formats::etdump::write_etdump;

struct Arguments {
  std::string model_path;
  std::string etdump_path;
  unsigned executions = 1;
  unsigned threads = 1;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--model_path")
      arguments.model_path = argv[++i];
    else if (flag == "--etdump_path")
      arguments.etdump_path = argv[++i];
    else if (flag == "--num_executions")
      arguments.executions = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (flag == "--cpu_threads")
      arguments.threads = static_cast<unsigned>(std::atoi(argv[++i]));
  }
  return arguments;
}

void record_call(int argc, char** argv) {
  const std::string path = variable("STAND_IN_RECORD");
  if (path.empty()) return;
  std::string line;
  for (int i = 1; i < argc; ++i) line += (i > 1 ? " " : "") + std::string(argv[i]);
  std::ofstream(path, std::ios::app) << line << '\n';
}

void log_kernels(bool fast) {
  const std::string kernel = fast ? "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2"
                                  : "xnn_f16_gemm_minmax_ukernel_6x16__neonfp16arith";
  const std::string text = "Using gemm microkernel '" + kernel + "'. (init_gemm_config, gemm-config.c:251)\n";
  const std::string logcat = variable("STAND_IN_LOGCAT");
  if (!logcat.empty())
    std::ofstream(logcat, std::ios::app) << "11-15 10:00:00.123  4242  4242 I XNNPACK : " << text;
  else
    std::fputs(("Note (XNNPACK): " + text).c_str(), stderr);
}

[[noreturn]] void misbehave(const std::string& how) {
  std::fflush(stdout);
  if (how == "crash") {
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (how == "hang")
    for (;;) pause();
  std::fputs("E executorch:method.cpp:1] Method load failed with status 0x14\n", stderr);
  std::exit(3);
}

double milliseconds_of(const Dump& dump, std::size_t block) {
  const auto& event = std::get<ProfileEvent>(dump.blocks[block].events.back());
  return static_cast<double>(event.end - event.start) / 1e6;
}

int run(int argc, char** argv) {
  record_call(argc, argv);
  const Arguments arguments = parse(argc, argv);
  const std::string_view path = argv[0];
  const auto is_called = [&](std::string_view word) { return path.find(word) != std::string_view::npos; };
  const bool fast = !is_called("off");
  const std::string when = variable("STAND_IN_WHEN");
  std::string behaviour = variable("STAND_IN_BEHAVIOUR");
  if (arguments.etdump_path.find(when) == std::string::npos) behaviour.clear();

  if (!std::ifstream(arguments.model_path).good()) {
    std::fprintf(stderr, "E executorch:executor_runner.cpp:1] cannot open %s\n",
                 arguments.model_path.c_str());
    return 1;
  }
  std::printf("I 00:00:00.000400 executorch:executor_runner.cpp:210] Model loaded in 4.202100 ms\n");
  if (is_called("xnnlog") || is_called("trace") || variable("XNN_LOG_LEVEL") == "5") log_kernels(fast);
  if (behaviour == "crash" || behaviour == "hang" || behaviour == "exit3") misbehave(behaviour);
  if (behaviour == "nan") std::printf("Output 0: nan, nan\n");

  // The seed follows from the file's name, so that rounds differ and repetitions do not.
  unsigned seed = 1;
  for (const char c : arguments.etdump_path.substr(arguments.etdump_path.rfind('/') + 1))
    seed = seed * 31 + static_cast<unsigned char>(c);
  Dump dump = toy_dump(fast ? ToySpeed::kFast : ToySpeed::kSlow, {arguments.executions, seed});
  double total = 0;
  for (unsigned i = 0; i < arguments.executions; ++i) {
    const double time = milliseconds_of(dump, i + 1);
    total += time;
    std::printf("I 00:00:00.001 executorch:executor_runner.cpp:340] Iteration %u of %u: %f ms\n", i + 1,
                arguments.executions, time);
  }
  std::printf(
      "I 00:00:00.001234 executorch:executor_runner.cpp:357] Model executed successfully %u time(s) in %f "
      "ms.\n",
      arguments.executions, total);
  if (behaviour == "aborted") dump.blocks.back().events.pop_back();
  if (arguments.etdump_path.empty() || behaviour == "no_etdump") return 0;
  const std::string bytes = write_etdump(dump);
  const std::size_t size = behaviour == "half" ? bytes.size() / 2 : bytes.size();
  std::ofstream(arguments.etdump_path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(size));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stand-in runner: %s\n", error.what());
    return 1;
  }
}
