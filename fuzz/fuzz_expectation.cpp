// Whatever the bytes, the reader of expectations answers with one that comes back equal from the writer and
// that can be compared with a memory, or with an error that says something.
#include <cstdint>
#include <string>
#include <utility>

#include "base/mapped_file.h"
#include "base/output.h"
#include "emulator/comparison.h"
#include "emulator/expectation.h"
#include "isa/machine.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace emulator = accelscope::emulator;

base::MappedFile values() {
  return base::MappedFile::from_memory("values", std::string(4096, '\x3f'));
}

const emulator::State& small_state() {
  static const emulator::State kState = [] {
    accelscope::isa::Machine machine;
    machine.vector_rows = 64;
    auto made = emulator::make_state(machine);
    require(made.has_value(), "a small state can be made");
    return *std::move(made);
  }();
  return kState;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = emulator::read_expectation(
      base::MappedFile::from_memory("fuzzed-input", {reinterpret_cast<const char*>(data), size}), values());
  if (!read) {
    require(!read.error().message.empty(), "an error has a message");
    return 0;
  }
  base::MemoryOutput out;
  emulator::write_expectation(read->tensors, "values", out);
  const auto back =
      emulator::read_expectation(base::MappedFile::from_memory("written", out.bytes()), values());
  require(back.has_value(), "what was written can be read");
  require(back->tensors == read->tensors, "what was written reads back equal");
  const auto found = emulator::compare(small_state(), *read, {.steps = 1});
  if (!found) {
    require(!found.error().message.empty(), "an error has a message");
    return 0;
  }
  require(found->different <= found->checked, "no more differ than there are");
  for (const emulator::Difference& difference : found->first)
    require(!emulator::describe(difference, *read).empty(), "a difference can be described");
  return 0;
}
