// The families of generators.h, each with its parameters. For generators.cpp only.
//
// Parameters come complete and within their ranges; what only their combination shows (too many tasks) is an
// error of the family.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/generators.h"
#include "runtime/graph_builder.h"

namespace accelscope::runtime {

// The values of a family's parameters.
class Parameters : public base::ParameterValues {
 public:
  explicit Parameters(base::ParameterValues values) : base::ParameterValues(std::move(values)) {}

  DataType type(std::string_view name) const;
};

using GenerateFamily = base::Result<Graph> (*)(const Parameters& parameters, std::string name);

struct Family {
  GeneratorFacts facts;
  GenerateFamily generate;
};

Family attention_family();
Family bgemm_family();
Family chain_family();
Family fan_family();
Family moe_family();
Family random_family();
Family vector_family();

// What several families have.
inline constexpr std::string_view kFloatTypes[] = {"f32", "f16", "bf16"};
inline constexpr GeneratorParameter kSeed = {"seed", "of the inputs", 1, 0, ~0ULL};
inline constexpr GeneratorParameter kExpect = {"expect", "1: small graphs carry their expected outputs", 1, 0,
                                               1};
inline constexpr GeneratorParameter kType = {"type",     "of the inputs of matrix multiplications", 0, 0, 2,
                                             kFloatTypes};

// An error when there would be too many tasks, or more elements in all buffers than memory could hold.
base::Status check_size(double tasks, double elements);

// Plain computations beyond this are left out.
inline constexpr double kMaxExpectedWork = 3e7;
inline constexpr double kMaxExpectedValues = 65536;

// What a buffer begins with, as its type holds it.
std::vector<double> numbers_of(const Buffer& buffer);

// The whole buffer, in one dimension.
Expectation expected(std::uint32_t buffer, std::vector<double> values, double tolerance);

// Rows of `columns` elements each, `stride` apart, from `start` on.
TensorView matrix(std::uint32_t buffer, std::uint64_t start, std::uint64_t rows, std::uint64_t columns,
                  std::uint64_t stride);
TensorView row_of(std::uint32_t buffer, std::uint64_t start, std::uint64_t elements);
TensorView single(std::uint32_t buffer, std::uint64_t start = 0);

// out[m, n] = a[m, k] * b[k, n].
std::vector<double> multiplied(std::span<const double> a, std::span<const double> b, std::size_t m,
                               std::size_t k, std::size_t n);

}  // namespace accelscope::runtime
