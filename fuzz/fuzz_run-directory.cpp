// Whatever lies in a run directory's JSON files, reading it answers with a directory or an error. The first
// byte chooses the file, the rest is its content.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "experiments/run_directory.h"
#include "require.h"

namespace {

namespace experiments = accelscope::experiments;
namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "accelscope-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  if (size == 0) return 0;
  constexpr const char* kNames[] = {"manifest.json", "metrics.json", "toy_pipeline_summary.json"};
  const std::string file = folder.path() + "/" + kNames[data[0] % 3];
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<long>(size - 1));
  const auto run = experiments::read_run_directory(folder.path(), {});
  require(run || !run.error().message.empty(), "an error has a message");
  if (run)
    for (const experiments::RunProblem& problem : run->problems)
      require(problem.id.starts_with("run_directory."), "a problem has an id");
  std::error_code ignored;
  fs::remove(file, ignored);
  return 0;
}
