#include "jobs/emulate_inputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>

#include "base/human.h"
#include "experiments/fingerprint.h"

namespace accelscope::jobs {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;
using base::Status;

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// What may lie in a folder, our own name first.
struct FolderFile {
  std::string EmulateFiles::*where;
  std::string_view what;
  std::initializer_list<std::string_view> names;
};

constexpr std::string_view kProgramNames[] = {"program.asm", "program.mem", "generated_machine_code.mem"};

const FolderFile kFolderFiles[] = {
    {&EmulateFiles::external, "external memory", {"hbm.bin", "hbm_for_behave_sim.bin"}},
    {&EmulateFiles::floats, "scalar memory of floats", {"fp_sram.bin"}},
    {&EmulateFiles::integers, "scalar memory of integers", {"int_sram.bin"}},
    {&EmulateFiles::vectors, "vector memory", {"vram_preload.bin"}},
    {&EmulateFiles::settings, "settings", {"settings.toml", "plena_settings.toml"}},
    {&EmulateFiles::manifest, "weight manifest", {"weight_manifest.json"}},
    {&EmulateFiles::expectation, "expectation", {"expected.json"}},
};

Result<std::string> program_of(const std::string& folder) {
  for (const std::string_view name : kProgramNames)
    if (std::string path = fmt::format("{}/{}", folder, name); is_file(path)) return path;
  return base::fail_at(Location::of_file(folder), ErrorCode::kNotFound,
                       "is a folder without a program: none of {}", fmt::join(kProgramNames, ", "));
}

// Written by the reference's runner for memories that differ from the settings'.
Status take_size(EmulateFiles& files, const std::string& folder) {
  const std::string path = folder + "/hbm_size.txt";
  if (!is_file(path)) return {};
  ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(path));
  std::string_view text = file.text();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  const Result<base::Bytes> size = base::parse_size(text);
  if (!size || size->value <= 0)
    return base::fail_at(Location::of_file(path), ErrorCode::kMalformed, "holds no size above zero");
  files.external_size = *size;
  files.taken.push_back(fmt::format("size of external memory: {}", path));
  return {};
}

Status open_into(std::optional<MappedFile>& into, const std::string& path, std::string_view role,
                 std::vector<findings::Input>& inputs) {
  if (path.empty()) return {};
  ACCELSCOPE_TRY(MappedFile file, MappedFile::open(path));
  inputs.push_back({.path = path,
                    .format = "image",
                    .bytes = file.size(),
                    .hash = experiments::xxh3_of(file.text()),
                    .role = std::string(role)});
  into = std::move(file);
  return {};
}

std::span<const std::byte> bytes_of(const std::optional<MappedFile>& file) {
  return file ? file->bytes() : std::span<const std::byte>();
}

}  // namespace

Result<EmulateFiles> with_files_of_folder(EmulateFiles files) {
  if (is_directory(files.program)) {
    std::string folder = files.program;
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    ACCELSCOPE_TRY(files.program, program_of(folder));
    files.taken.push_back(fmt::format("program: {}", files.program));
    for (const FolderFile& one : kFolderFiles) {
      if (!(files.*one.where).empty()) continue;
      for (const std::string_view name : one.names)
        if (std::string path = fmt::format("{}/{}", folder, name); is_file(path)) {
          files.taken.push_back(fmt::format("{}: {}", one.what, path));
          files.*one.where = std::move(path);
          break;
        }
    }
    ACCELSCOPE_CHECK(take_size(files, folder));
  }
  if (files.expectation == kNoExpectation) files.expectation.clear();
  return files;
}

emulator::Images EmulateInputs::images() const {
  return {.external = bytes_of(external),
          .floats = bytes_of(floats),
          .integers = bytes_of(integers),
          .vectors = bytes_of(vectors)};
}

Result<EmulateInputs> read_emulate_inputs(const EmulateFiles& files, isa::Dialect dialect) {
  ACCELSCOPE_TRY(const MappedFile listing, MappedFile::open(files.program));
  EmulateInputs inputs{.read = isa::read_program(listing.path(), listing.text(), dialect)};
  inputs.inputs.push_back({.path = files.program,
                           .format = "isa",
                           .bytes = listing.size(),
                           .hash = experiments::xxh3_of(listing.text()),
                           .role = "program"});
  if (!inputs.read.diagnostics.ok()) return inputs;
  if (inputs.program().words.empty())
    return base::fail_at(Location::of_file(files.program), ErrorCode::kMalformed,
                         "holds no instruction: there is nothing to run");
  ACCELSCOPE_CHECK(open_into(inputs.external, files.external, "external memory", inputs.inputs));
  ACCELSCOPE_CHECK(open_into(inputs.floats, files.floats, "scalar floats", inputs.inputs));
  ACCELSCOPE_CHECK(open_into(inputs.integers, files.integers, "scalar integers", inputs.inputs));
  ACCELSCOPE_CHECK(open_into(inputs.vectors, files.vectors, "vector memory", inputs.inputs));
  ACCELSCOPE_CHECK(open_into(inputs.stage_listing, files.stage_listing, "stages", inputs.inputs));
  if (!inputs.inputs.empty() && inputs.stage_listing) inputs.inputs.back().format = "isa";
  if (!files.manifest.empty()) {
    ACCELSCOPE_TRY(inputs.manifest, boards::load_manifest(files.manifest));
    inputs.inputs.push_back({.path = files.manifest, .format = "manifest", .role = "weight manifest"});
  }
  return inputs;
}

Status check_images(const EmulateInputs& inputs, const isa::Machine& machine, emulator::Rules rules) {
  const auto check = [&](const std::optional<MappedFile>& file,
                         std::span<const std::byte> emulator::Images::*which) -> Status {
    if (!file) return {};
    emulator::Images one;
    one.*which = file->bytes();
    Status fits = emulator::check_images(one, machine, rules);
    if (!fits) fits.error().where = Location::of_file(file->path());
    return fits;
  };
  ACCELSCOPE_CHECK(check(inputs.external, &emulator::Images::external));
  ACCELSCOPE_CHECK(check(inputs.floats, &emulator::Images::floats));
  ACCELSCOPE_CHECK(check(inputs.integers, &emulator::Images::integers));
  return check(inputs.vectors, &emulator::Images::vectors);
}

}  // namespace accelscope::jobs
