// A shared object with kernels, loaded.
//
// The object owns the loaded code: its table is valid as long as it lives. It moves, and is not copied. One
// thread opens; what is loaded may be used by many.
//
//   ACCELSCOPE_TRY(const KernelLibrary library, KernelLibrary::open("./my_kernels.so"));
//   use(library.table().kernels[0].name);
#pragma once

#include <memory>
#include <string>

#include "accelscope/accelscope_kernel.h"
#include "base/result.h"

namespace accelscope::runtime {

class KernelLibrary {
 public:
  // A path without a slash is a file of the current folder, never one of the system's libraries.
  static base::Result<KernelLibrary> open(const std::string& path);

  const accelscope_kernel_table& table() const { return *table_; }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  using Handle = std::unique_ptr<void, Close>;

  KernelLibrary(Handle handle, const accelscope_kernel_table* table)
      : handle_(std::move(handle)), table_(table) {}

  Handle handle_;
  const accelscope_kernel_table* table_ = nullptr;
};

}  // namespace accelscope::runtime
