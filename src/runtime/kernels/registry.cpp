#include "runtime/kernels/registry.h"

#include <set>
#include <utility>

#include "runtime/kernels/builtins.h"

namespace accelscope::runtime {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::string_view kBuiltIn = "built in";

base::Status check_entry(const accelscope_kernel& kernel, std::uint32_t position, const std::string& origin) {
  const Location where = Location::of_file(origin);
  if (kernel.name == nullptr || *kernel.name == '\0')
    return base::fail_at(where, ErrorCode::kMalformed, "kernel {} of the table has no name", position);
  if (kernel.run == nullptr)
    return base::fail_at(where, ErrorCode::kMalformed, "kernel `{}` has no function to run", kernel.name);
  if (kernel.engine != ACCELSCOPE_ENGINE_CUBE && kernel.engine != ACCELSCOPE_ENGINE_VECTOR)
    return base::fail_at(where, ErrorCode::kMalformed,
                         "kernel `{}` is for engine {}: 0 (cube) and 1 (vector) exist", kernel.name,
                         kernel.engine);
  return {};
}

}  // namespace

KernelRegistry KernelRegistry::with_builtins() {
  KernelRegistry registry;
  for (const std::span<const accelscope_kernel> group : builtin_kernels())
    for (const accelscope_kernel& kernel : group) {
      const auto place =
          registry.kernels_.try_emplace(kernel.name, Entry{kernel, std::string(kBuiltIn)}).first;
      place->second.kernel.name = place->first.c_str();
    }
  return registry;
}

base::Status KernelRegistry::add(const accelscope_kernel_table& table, const std::string& origin) {
  const Location where = Location::of_file(origin);
  if (table.count > 0 && table.kernels == nullptr)
    return base::fail_at(where, ErrorCode::kMalformed, "its table announces {} kernels and has none",
                         table.count);
  std::set<std::string_view> new_names;
  for (std::uint32_t i = 0; i < table.count; ++i) {
    const accelscope_kernel& kernel = table.kernels[i];
    ACCELSCOPE_CHECK(check_entry(kernel, i, origin));
    if (!new_names.insert(kernel.name).second)
      return base::fail_at(where, ErrorCode::kMalformed, "has two kernels `{}`", kernel.name);
    if (const std::string_view taken = origin_of(kernel.name); !taken.empty())
      return base::fail_at(where, ErrorCode::kMalformed, "kernel `{}` is there already ({}): rename one",
                           kernel.name, taken);
  }
  for (std::uint32_t i = 0; i < table.count; ++i) {
    const auto place = kernels_.try_emplace(table.kernels[i].name, Entry{table.kernels[i], origin}).first;
    place->second.kernel.name = place->first.c_str();
  }
  return {};
}

base::Status KernelRegistry::add_library(const std::string& path) {
  ACCELSCOPE_TRY(KernelLibrary library, KernelLibrary::open(path));
  ACCELSCOPE_CHECK(add(library.table(), path));
  libraries_.push_back(std::move(library));
  return {};
}

const accelscope_kernel* KernelRegistry::find(std::string_view name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second.kernel;
}

std::string_view KernelRegistry::origin_of(std::string_view name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? std::string_view() : std::string_view(found->second.origin);
}

std::vector<std::string_view> KernelRegistry::names() const {
  std::vector<std::string_view> names;
  names.reserve(kernels_.size());
  for (const auto& [name, entry] : kernels_) names.push_back(name);
  return names;
}

}  // namespace accelscope::runtime
