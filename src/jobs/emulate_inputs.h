// The files of an emulation: from what a user names, a program, or a folder that holds one with its images,
// to contents.
//
// A folder made by `accelscope isa gen --images`, or a build folder of the reference's test bench, is taken
// apart by the names of its files; what is named outright is stronger. Reads files, prints nothing.
//
//   ACCELSCOPE_TRY(EmulateFiles files, with_files_of_folder({.program = "build"}));
//   ACCELSCOPE_TRY(const EmulateInputs inputs, read_emulate_inputs(files, isa::Dialect::kStrict));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/units.h"
#include "boards/weight_manifest.h"
#include "emulator/emulation.h"
#include "findings/findings.h"
#include "isa/program.h"

namespace accelscope::jobs {

// Paths; "" for none.
struct EmulateFiles {
  std::string program = {};  // a listing, words, or a folder
  std::string external = {};
  std::string floats = {};
  std::string integers = {};
  std::string vectors = {};
  std::string settings = {};
  std::string manifest = {};
  std::string expectation = {};
  std::string stage_listing = {};
  // From a folder: what was found there, as sentences, and the size that it says external memory has.
  std::vector<std::string> taken = {};
  std::optional<base::Bytes> external_size = std::nullopt;
};

// As an expectation: none is wanted, not even that of a folder.
inline constexpr std::string_view kNoExpectation = "none";

// The same files, and where the program is a folder, those that it holds.
base::Result<EmulateFiles> with_files_of_folder(EmulateFiles files);

struct EmulateInputs {
  isa::ReadProgram read;
  std::optional<base::MappedFile> external = std::nullopt;
  std::optional<base::MappedFile> floats = std::nullopt;
  std::optional<base::MappedFile> integers = std::nullopt;
  std::optional<base::MappedFile> vectors = std::nullopt;
  std::optional<base::MappedFile> stage_listing = std::nullopt;
  std::optional<boards::WeightManifest> manifest = std::nullopt;
  std::vector<findings::Input> inputs = {};

  const isa::Program& program() const { return read.program; }
  emulator::Images images() const;
};

base::Result<EmulateInputs> read_emulate_inputs(const EmulateFiles& files, isa::Dialect dialect);

// Whether the images fit a machine; an error names the file.
base::Status check_images(const EmulateInputs& inputs, const isa::Machine& machine, emulator::Rules rules);

}  // namespace accelscope::jobs
