#include "runtime/generators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/closest_name.h"
#include "runtime/buffer_content.h"
#include "runtime/generator_families.h"

namespace accelscope::runtime {
namespace {

using base::ErrorCode;

const std::array<Family, 7>& families() {
  static const std::array kFamilies = {attention_family(), bgemm_family(),  chain_family(), fan_family(),
                                       moe_family(),       random_family(), vector_family()};
  return kFamilies;
}

const Family* family_named(std::string_view name) {
  const auto found =
      std::ranges::find_if(families(), [&](const Family& family) { return family.facts.name == name; });
  return found == families().end() ? nullptr : &*found;
}

}  // namespace

DataType Parameters::type(std::string_view name) const {
  return data_type_named(kFloatTypes[(*this)[name]]).value_or(DataType::kFloat32);
}

base::Status check_size(double tasks, double elements) {
  constexpr double kMaxElements = 0x1p34;
  if (tasks > static_cast<double>(kMaxGeneratedTasks))
    return base::fail(ErrorCode::kTooLarge, "{:.0f} tasks would be made; {} are the most", tasks,
                      kMaxGeneratedTasks);
  if (elements > kMaxElements)
    return base::fail(ErrorCode::kTooLarge, "the buffers would have {:.3g} elements; {:.3g} are the most",
                      elements, kMaxElements);
  return {};
}

std::vector<double> numbers_of(const Buffer& buffer) {
  std::vector<std::byte> memory(bytes_of(buffer));
  fill(buffer, memory);
  std::vector<double> numbers(buffer.elements);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = load(buffer.type, memory.data() + i * facts_of(buffer.type).bytes);
  return numbers;
}

Expectation expected(std::uint32_t buffer, std::vector<double> values, double tolerance) {
  const TensorView view = row_of(buffer, 0, values.size());
  return {.view = view, .values = std::move(values), .absolute = tolerance, .relative = tolerance};
}

TensorView matrix(std::uint32_t buffer, std::uint64_t start, std::uint64_t rows, std::uint64_t columns,
                  std::uint64_t stride) {
  TensorView view{.buffer = buffer, .dimensions = 2, .start = start};
  view.shape = {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)};
  view.strides = {static_cast<std::uint32_t>(stride), 1};
  return view;
}

TensorView row_of(std::uint32_t buffer, std::uint64_t start, std::uint64_t elements) {
  TensorView view{.buffer = buffer, .dimensions = 1, .start = start};
  view.shape[0] = static_cast<std::uint32_t>(elements);
  view.strides[0] = 1;
  return view;
}

TensorView single(std::uint32_t buffer, std::uint64_t start) {
  return {.buffer = buffer, .start = start};
}

std::vector<double> multiplied(std::span<const double> a, std::span<const double> b, std::size_t m,
                               std::size_t k, std::size_t n) {
  std::vector<double> out(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * k + l] * b[l * n + j];
  return out;
}

std::span<const GeneratorFacts> generators() {
  static const std::vector<GeneratorFacts> kFacts = [] {
    std::vector<GeneratorFacts> facts;
    for (const Family& family : families()) facts.push_back(family.facts);
    return facts;
  }();
  return kFacts;
}

std::string generators_help() {
  std::string help;
  for (const GeneratorFacts& facts : generators()) {
    help += fmt::format("{}: {}\n", facts.name, facts.help);
    help += base::parameters_help(facts.parameters);
  }
  return help;
}

bool names_generator(std::string_view text) {
  return family_named(text.substr(0, text.find(':'))) != nullptr;
}

base::Result<Graph> generate(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const Family* family = family_named(name);
  if (family == nullptr) {
    std::vector<std::string_view> names;
    for (const Family& known : families()) names.push_back(known.facts.name);
    return base::fail(ErrorCode::kUsage, "no generator of graphs is called `{}`{}; there are: {}", name,
                      base::suggestion(name, names), fmt::join(names, ", "));
  }
  base::ReadParameters read =
      base::read_parameters(name, family->facts.parameters,
                            colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  std::vector<base::Error>& errors = read.errors;
  if (errors.empty()) {
    auto graph = family->generate(Parameters(std::move(read.values)), std::string(text));
    if (graph) return graph;
    errors.push_back(graph.error());
  }
  return base::fail(errors.front().code, "{}", base::with_all(fmt::format("the graph `{}`", text), errors));
}

}  // namespace accelscope::runtime
