// The kernels that a run knows, by name: the built-in ones and those of a user's shared objects.
//
// A registry owns what it names: names stay where they are, and a shared object stays loaded as long as the
// registry lives. It is filled by one thread and may then be read by many. docs/kernels.md lists what is
// built in and walks through a shared object.
//
//   KernelRegistry kernels = KernelRegistry::with_builtins();
//   ACCELSCOPE_CHECK(kernels.add_library("./my_kernels.so"));
//   const accelscope_kernel* gemm = kernels.find("gemm");
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "base/result.h"
#include "runtime/kernel_library.h"

namespace accelscope::runtime {

class KernelRegistry {
 public:
  KernelRegistry() = default;
  static KernelRegistry with_builtins();

  KernelRegistry(KernelRegistry&&) = default;
  KernelRegistry& operator=(KernelRegistry&&) = default;
  KernelRegistry(const KernelRegistry&) = delete;
  KernelRegistry& operator=(const KernelRegistry&) = delete;
  ~KernelRegistry() = default;

  // All kernels of a table, or none of them and why: no name, no function, an engine that does not exist, a
  // name that is taken. `origin` says in messages whose table it is.
  base::Status add(const accelscope_kernel_table& table, const std::string& origin);
  base::Status add_library(const std::string& path);

  // nullptr when there is none of that name.
  const accelscope_kernel* find(std::string_view name) const;
  // "built in", or the path of a shared object; "" when there is none of that name.
  std::string_view origin_of(std::string_view name) const;
  // In the order of the alphabet.
  std::vector<std::string_view> names() const;

 private:
  struct Entry {
    accelscope_kernel kernel = {};
    std::string origin;
  };

  // Declared first, so that no kernel outlives the code it points at.
  std::vector<KernelLibrary> libraries_;
  std::map<std::string, Entry, std::less<>> kernels_;  // its nodes, and with them the names, never move
};

}  // namespace accelscope::runtime
