#include "jobs/program_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "base/json_writer.h"
#include "base/output_file.h"
#include "boards/model_file.h"
#include "boards/settings_file.h"
#include "emulator/program_images.h"
#include "isa/assembler.h"
#include "isa/generators.h"
#include "isa/words.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

std::string_view name_of(isa::TensorRole role) {
  switch (role) {
    case isa::TensorRole::kInput:
      return "input";
    case isa::TensorRole::kOutput:
      return "output";
    case isa::TensorRole::kWork:
      return "work";
  }
  return "";
}

void write_tensors(const isa::GeneratedProgram& program, base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object().member("program", program.name).member("mlen", program.mlen);
  json.member("blen", program.blen);
  json.key("tensors").begin_array();
  for (const isa::ProgramTensor& tensor : program.tensors) {
    const bool external = tensor.place == isa::TensorPlace::kExternal;
    json.begin_object().member("name", tensor.name).member("where", external ? "hbm" : "vram");
    json.member("address", tensor.address).member("rows", tensor.rows).member("columns", tensor.columns);
    json.member("layout", external ? "rows" : "column-blocks");
    json.member("format", external ? boards::name_of(boards::kPlenaMx) : std::string("bf16"));
    json.member("role", name_of(tensor.role)).member("kind", boards::name_of(tensor.kind));
    json.member("layer", tensor.layer).end_object();
  }
  json.end_array();
  json.key("scalars").begin_array();
  for (const isa::ProgramScalar& scalar : program.scalars)
    json.begin_object().member("address", scalar.address).member("value", scalar.value).end_object();
  json.end_array().end_object();
  out.append('\n');
}

void append_bytes(base::Output& out, std::span<const std::byte> bytes) {
  out.append(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// Files of one folder, each whole or not there.
class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  void write(std::string_view name, const std::function<void(base::Output&)>& contents) {
    if (!status_) return;
    status_ = base::write_file((std::filesystem::path(path_) / name).string(), contents);
    names_.emplace_back(name);
  }
  Result<ProgramFiles> take() {
    ACCELSCOPE_CHECK(status_);
    return ProgramFiles{std::move(names_)};
  }

 private:
  std::string path_;
  Status status_ = {};
  std::vector<std::string> names_ = {};
};

// "rows", "in" and "out" of "128x64x256".
Status append_shape(std::string_view text, const isa::ProgramGenerator& generator,
                    std::vector<std::string>& assignments) {
  std::string_view rest = text;
  for (std::size_t i = 0; i < generator.shape.size(); ++i) {
    const std::size_t end = rest.find('x');
    const bool last = i + 1 == generator.shape.size();
    if (rest.empty() || last != (end == std::string_view::npos))
      return base::fail(ErrorCode::kUsage, "--shape {}: the shape of `{}` is {}", text, generator.name,
                        fmt::join(generator.shape, " x "));
    assignments.push_back(fmt::format("{}={}", generator.shape[i], rest.substr(0, end)));
    rest = last ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

Status append_model(const std::string& name, const isa::ProgramGenerator& generator,
                    std::vector<std::string>& assignments) {
  if (generator.name != "decoder-layer")
    return base::fail(ErrorCode::kUsage, "--model is for `decoder-layer`, not for `{}`", generator.name);
  ACCELSCOPE_TRY(const boards::Model model, boards::load_model(name));
  const boards::TextModel& text = model.text;
  if (!text.gated || text.experts)
    return base::fail(ErrorCode::kUsage,
                      "--model {}: a layer with a gated feed-forward network of its own is expected", name);
  for (const auto& [parameter, value] :
       {std::pair{"hidden", text.hidden}, std::pair{"inter", text.intermediate},
        std::pair{"heads", text.heads}, std::pair{"kv_heads", text.kv_heads},
        std::pair{"dim", text.head_dim}})
    assignments.push_back(fmt::format("{}={}", parameter, value));
  return {};
}

}  // namespace

Result<std::string> program_text(const ProgramWords& words) {
  const std::size_t colon = words.program.find(':');
  const std::string name = words.program.substr(0, colon);
  ACCELSCOPE_TRY(const isa::ProgramGenerator* const generator, isa::find_generator(name));
  std::vector<std::string> assignments;
  if (colon != std::string::npos) assignments.push_back(words.program.substr(colon + 1));
  if (!words.model.empty()) ACCELSCOPE_CHECK(append_model(words.model, *generator, assignments));
  if (!words.shape.empty()) ACCELSCOPE_CHECK(append_shape(words.shape, *generator, assignments));
  // Whatever counts the rows of the input.
  if (!words.rows.empty()) assignments.push_back(fmt::format("{}={}", generator->shape.front(), words.rows));
  if (!words.mlen.empty()) assignments.push_back("mlen=" + words.mlen);
  if (!words.blen.empty()) assignments.push_back("blen=" + words.blen);
  return assignments.empty() ? name : fmt::format("{}:{}", name, fmt::join(assignments, ","));
}

Result<ProgramFiles> write_program_files(const ProgramFilesOptions& options) {
  ACCELSCOPE_TRY(const isa::GeneratedProgram program, isa::generate(options.program));
  ACCELSCOPE_TRY(const emulator::PreparedProgram ready, emulator::prepare(program, options.inputs));
  const isa::Assembly made = isa::assemble("program.asm", program.listing, isa::Dialect::kStrict);
  if (!made.diagnostics.ok())
    return base::fail(ErrorCode::kInternal, "the listing of `{}` does not assemble:\n{}", options.program,
                      made.diagnostics.to_string());
  ACCELSCOPE_CHECK(base::make_folder(options.folder));
  Folder folder(options.folder);
  folder.write("program.asm", [&](base::Output& out) { out.append(program.listing); });
  folder.write("program.mem", [&](base::Output& out) { isa::write_words(out, made.words); });
  folder.write("hbm.bin", [&](base::Output& out) { append_bytes(out, ready.images.external); });
  folder.write("fp_sram.bin", [&](base::Output& out) { append_bytes(out, ready.images.floats); });
  // No program here uses integers of the scalar memory.
  folder.write("int_sram.bin", [](base::Output&) {});
  folder.write("settings.toml", [&](base::Output& out) { boards::write_settings(ready.settings, out); });
  folder.write("weight_manifest.json",
               [&](base::Output& out) { boards::write_manifest(ready.manifest, out); });
  folder.write("tensors.json", [&](base::Output& out) { write_tensors(program, out); });
  folder.write("expected.bin",
               [&](base::Output& out) { append_bytes(out, ready.expectation.values.bytes()); });
  folder.write("expected.json", [&](base::Output& out) {
    emulator::write_expectation(ready.expectation.tensors, "expected.bin", out);
  });
  return folder.take();
}

}  // namespace accelscope::jobs
