#include <glob.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiments/raw_facts.h"
#include "experiments/target.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;

// The folder that the kit runs a runner in: the checkout of ExecuTorch that it was built in.
std::string executorch_above(const std::string& program) {
  for (fs::path folder = fs::path(program).parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (folder.filename() == "executorch") return folder.string();
  return {};
}

class LocalTarget final : public Target {
 public:
  explicit LocalTarget(std::string root) : root_(std::move(root)) {}

  Platform platform() const override { return Platform::kLocal; }
  std::string identity() const override { return "this machine"; }
  base::Status connect() override { return {}; }

  base::Result<std::string> push(const std::string& local_path, const std::string&, Push) override {
    std::error_code error;
    if (!fs::is_regular_file(local_path, error))
      return base::fail_at(Location::of_file(local_path), ErrorCode::kNotFound, "there is no such file");
    return fs::absolute(local_path, error).string();
  }
  std::string program_called(const std::string& name) const override { return name; }
  std::string name_of_output(const std::string& local_path) const override { return local_path; }
  base::Status pull(const std::string& local_path) override {
    std::error_code ignored;
    if (fs::exists(local_path, ignored)) return {};
    return base::fail_at(Location::of_file(local_path), ErrorCode::kNotFound, "the runner did not write it");
  }

  base::Status forget_output(const std::string& local_path) override {
    std::error_code error;
    fs::remove(local_path, error);
    if (!error) return {};
    return base::fail_at(Location::of_file(local_path), ErrorCode::kWriteFailed, "cannot be replaced: {}",
                         error.message());
  }

  std::vector<std::string> words_of(const TargetCommand& command) const override {
    std::vector<std::string> words;
    if (!command.cpu_affinity.empty()) words = {"taskset", command.cpu_affinity};
    words.push_back(command.program);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    return words;
  }

  base::Result<ProcessResult> run(const TargetCommand& command) override {
    return run_process(
        {.argv = words_of(command),
         .environment = command.environment,
         .directory = command.directory.empty() ? executorch_above(command.program) : command.directory,
         .output_file = command.log_file,
         .timeout = command.timeout,
         .interrupted = command.interrupted});
  }
  base::Result<ProcessResult> run_traced(const TargetCommand& command) override { return run(command); }

  RawFacts read_facts(const std::vector<std::string>& patterns) override {
    RawFacts facts;
    for (const std::string& pattern : patterns) add_files(pattern, facts);
    if (!root_.empty()) return facts;
    utsname names = {};
    if (uname(&names) == 0) facts.files["uname -m"] = names.machine;
    if (facts.files.count("/proc/cpuinfo") == 0) add_sysctl(facts);
    return facts;
  }

 private:
  void add_files(const std::string& pattern, RawFacts& facts) const {
    glob_t found = {};
    if (glob((root_ + pattern).c_str(), 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        const std::string path = found.gl_pathv[i];
        std::ifstream file(path, std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        // A sensor that answers nothing has nothing to say.
        if (!text.empty()) facts.files[path.substr(root_.size())] = std::move(text);
      }
    }
    globfree(&found);
  }

  // macOS has no /proc.
  static void add_sysctl(RawFacts& facts) {
    const std::string line =
        "sysctl machdep.cpu.brand_string hw.ncpu hw.model kern.osproductversion kern.osrelease vm.loadavg";
    const auto result = run_process({.argv = {"sh", "-c", line}, .timeout = std::chrono::seconds(10)});
    if (result) facts.properties = parse_sysctl(result->output);
  }

  std::string root_;
};

}  // namespace

std::unique_ptr<Target> make_local_target(std::string root) {
  return std::make_unique<LocalTarget>(std::move(root));
}

}  // namespace accelscope::experiments
