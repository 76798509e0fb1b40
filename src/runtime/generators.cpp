#include "runtime/generators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/closest_name.h"
#include "base/number_in.h"
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

std::string range_in_words(const GeneratorParameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  if (parameter.most == ~0ULL) return fmt::format("from {} on", parameter.least);
  return fmt::format("{} to {}", parameter.least, parameter.most);
}

std::string default_in_words(const GeneratorParameter& parameter) {
  return parameter.choices.empty() ? fmt::format("{}", parameter.otherwise)
                                   : std::string(parameter.choices[parameter.otherwise]);
}

base::Result<std::uint64_t> value_of(const GeneratorParameter& parameter, std::string_view text) {
  if (!parameter.choices.empty()) {
    const auto found = std::ranges::find(parameter.choices, text);
    if (found != parameter.choices.end())
      return static_cast<std::uint64_t>(found - parameter.choices.begin());
  } else if (const auto number = base::number_in<std::uint64_t>(text);
             number && *number >= parameter.least && *number <= parameter.most) {
    return *number;
  }
  return base::fail(ErrorCode::kUsage, "`{}={}`: {} is expected: {}", parameter.name, text,
                    parameter.choices.empty() ? "a whole number" : "one word", range_in_words(parameter));
}

// One "name=value".
base::Status read_assignment(const GeneratorFacts& facts, std::string_view text, Parameters& parameters,
                             std::vector<bool>& given) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto found = std::ranges::find(facts.parameters, name, &GeneratorParameter::name);
  if (found == facts.parameters.end()) {
    std::vector<std::string_view> names;
    for (const GeneratorParameter& parameter : facts.parameters) names.push_back(parameter.name);
    return base::fail(ErrorCode::kUsage, "`{}` has no parameter `{}`{}; there are: {}", facts.name, name,
                      base::suggestion(name, names), fmt::join(names, ", "));
  }
  if (equals == std::string_view::npos)
    return base::fail(ErrorCode::kUsage, "`{}` has no value; `{}={}` is its default", name, name,
                      default_in_words(*found));
  const auto position = static_cast<std::size_t>(found - facts.parameters.begin());
  if (given[position]) return base::fail(ErrorCode::kUsage, "`{}` is given twice", name);
  given[position] = true;
  ACCELSCOPE_TRY(const std::uint64_t value, value_of(*found, text.substr(equals + 1)));
  parameters.set(position, value);
  return {};
}

std::string with_all(const std::vector<base::Error>& errors, std::string_view text) {
  std::string message = fmt::format("the graph `{}`:", text);
  for (const base::Error& error : errors)
    message += fmt::format("{}{}", errors.size() == 1 ? " " : "\n  ", error.message);
  return message;
}

const Family* family_named(std::string_view name) {
  const auto found =
      std::ranges::find_if(families(), [&](const Family& family) { return family.facts.name == name; });
  return found == families().end() ? nullptr : &*found;
}

}  // namespace

Parameters::Parameters(std::span<const GeneratorParameter> known) : known_(known) {
  for (const GeneratorParameter& parameter : known) values_.push_back(parameter.otherwise);
}

std::size_t Parameters::position(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::find(known_, name, &GeneratorParameter::name) -
                                  known_.begin());
}

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
    for (const GeneratorParameter& parameter : facts.parameters)
      help +=
          fmt::format("  {:<20}{} ({})\n", fmt::format("{}={}", parameter.name, default_in_words(parameter)),
                      parameter.help, range_in_words(parameter));
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
  Parameters parameters(family->facts.parameters);
  std::vector<bool> given(family->facts.parameters.size());
  std::vector<base::Error> errors;
  std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const auto status = read_assignment(family->facts, rest.substr(0, comma), parameters, given);
    if (!status) errors.push_back(status.error());
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  if (errors.empty()) {
    auto graph = family->generate(parameters, std::string(text));
    if (graph) return graph;
    errors.push_back(graph.error());
  }
  return base::fail(errors.front().code, "{}", with_all(errors, text));
}

}  // namespace accelscope::runtime
