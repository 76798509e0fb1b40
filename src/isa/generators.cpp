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

const std::array<ProgramGenerator, 7>& generators() {
  static const std::array kGenerators{add_generator(),    attention_generator(), ffn_generator(),
                                      linear_generator(), rms_norm_generator(),  rope_generator(),
                                      softmax_generator()};
  return kGenerators;
}

}  // namespace

std::span<const ProgramGenerator> program_generators() {
  return generators();
}

std::string program_generators_help() {
  std::string help;
  for (const ProgramGenerator& generator : generators())
    help += fmt::format("{}: {}\n{}", generator.name, generator.help,
                        base::parameters_help(generator.parameters));
  return help;
}

base::Result<std::string> generate_program(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto& all = generators();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ProgramGenerator& one) { return one.name == name; });
  if (found == all.end()) {
    std::vector<std::string_view> names;
    for (const ProgramGenerator& one : all) names.push_back(one.name);
    return base::fail(ErrorCode::kUsage, "no generator of programs is called `{}`{}; there are: {}", name,
                      base::suggestion(name, names), fmt::join(names, ", "));
  }
  base::ReadParameters read = base::read_parameters(
      name, found->parameters, colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  if (read.errors.empty()) {
    base::Result<std::string> made = found->make(read.values);
    if (made) return made;
    read.errors.push_back(made.error());
  }
  return base::fail(read.errors.front().code, "{}",
                    base::with_all(fmt::format("the program `{}`", text), read.errors));
}

}  // namespace accelscope::isa
