#include "isa/generators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/closest_name.h"
#include "isa/generator_families.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;

const std::array<ProgramGenerator, 9>& generators() {
  static const std::array kGenerators{add_generator(),      attention_generator(),  decoder_layer_generator(),
                                      ffn_generator(),      layer_norm_generator(), linear_generator(),
                                      rms_norm_generator(), rope_generator(),       softmax_generator()};
  return kGenerators;
}

}  // namespace

std::span<const ProgramGenerator> program_generators() {
  return generators();
}

std::string program_generators_help() {
  std::string help;
  for (const ProgramGenerator& generator : generators())
    help += fmt::format("{}: {}\n  --shape {}\n{}", generator.name, generator.help,
                        fmt::join(generator.shape, " x "), base::parameters_help(generator.parameters));
  return help;
}

base::Result<const ProgramGenerator*> find_generator(std::string_view name) {
  const auto& all = generators();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ProgramGenerator& one) { return one.name == name; });
  if (found != all.end()) return &*found;
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const ProgramGenerator& one : all) names.push_back(one.name);
  return base::fail(ErrorCode::kUsage, "no generator of programs is called `{}`{}; there are: {}", name,
                    base::suggestion(name, names), fmt::join(names, ", "));
}

base::Result<GeneratedProgram> generate(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  ACCELSCOPE_TRY(const ProgramGenerator* const found, find_generator(name));
  base::ReadParameters read = base::read_parameters(
      name, found->parameters, colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  if (read.errors.empty()) {
    base::Result<GeneratedProgram> made = found->make(read.values);
    if (made) {
      made->name = found->name;
      made->parameters = read.values;
      return made;
    }
    read.errors.push_back(made.error());
  }
  return base::fail(read.errors.front().code, "{}",
                    base::with_all(fmt::format("the program `{}`", text), read.errors));
}

base::Result<std::string> generate_program(std::string_view text) {
  ACCELSCOPE_TRY(GeneratedProgram made, generate(text));
  return std::move(made.listing);
}

const ProgramTensor* find_tensor(const GeneratedProgram& program, std::string_view name, TensorPlace place) {
  const auto found =
      std::find_if(program.tensors.begin(), program.tensors.end(),
                   [&](const ProgramTensor& tensor) { return tensor.name == name && tensor.place == place; });
  return found == program.tensors.end() ? nullptr : &*found;
}

}  // namespace accelscope::isa
