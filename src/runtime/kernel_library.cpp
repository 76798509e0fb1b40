#include "runtime/kernel_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <utility>

namespace accelscope::runtime {
namespace {

using base::ErrorCode;
using base::Location;

constexpr const char* kExportedFunction = "accelscope_kernels";

std::string last_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason is given";
}

}  // namespace

void KernelLibrary::Close::operator()(void* handle) const {
  dlclose(handle);
}

base::Result<KernelLibrary> KernelLibrary::open(const std::string& path) {
  const Location where = Location::of_file(path);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return base::fail_at(where, ErrorCode::kNotFound, "there is no such shared object of kernels");
  // A pipe would be waited for.
  if (!std::filesystem::is_regular_file(status))
    return base::fail_at(where, ErrorCode::kNotReadable, "is no file, so no shared object of kernels");
  // With a slash, the loader does not search the system's folders.
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  Handle handle(dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (handle == nullptr)
    return base::fail_at(where, ErrorCode::kNotReadable, "cannot be loaded as a shared object: {}",
                         last_error());
  void* symbol = dlsym(handle.get(), kExportedFunction);
  if (symbol == nullptr)
    return base::fail_at(where, ErrorCode::kUnknownFormat,
                         "exports no function {}(); a C++ file declares it extern \"C\" "
                         "(accelscope/accelscope_kernel.h)",
                         kExportedFunction);
  const accelscope_kernel_table* table = reinterpret_cast<accelscope_kernels_function>(symbol)();
  if (table == nullptr)
    return base::fail_at(where, ErrorCode::kMalformed, "{}() returns no table", kExportedFunction);
  if (table->abi < ACCELSCOPE_KERNEL_OLDEST_ABI || table->abi > ACCELSCOPE_KERNEL_ABI)
    return base::fail_at(where, ErrorCode::kUnknownFormat,
                         "was built for version {} of the kernel interface, this program has version {}: "
                         "build it again with this program's accelscope_kernel.h",
                         table->abi, static_cast<std::uint32_t>(ACCELSCOPE_KERNEL_ABI));
  return KernelLibrary(std::move(handle), table);
}

}  // namespace accelscope::runtime
