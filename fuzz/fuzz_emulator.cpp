// Whatever the words, the core carries them out or says why not, by both rules and in plain and odd formats;
// constants stay what they are, and what the memories hold can be written out.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/output.h"
#include "emulator/core.h"
#include "emulator/dump.h"
#include "emulator/images.h"
#include "require.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using emulator::Core;
using emulator::Rules;

constexpr std::size_t kMostOperations = 2000;

isa::Machine machine_of(bool odd) {
  isa::Machine machine;
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = odd ? 12 : 16;
  machine.blen = odd ? 3 : 4;
  machine.hlen = odd ? 6 : 4;
  machine.broadcast = odd ? 2 : 4;
  machine.matrix_tiles = 4;
  machine.vector_rows = 128;
  machine.external_memory = {65'536};
  if (!odd) return machine;
  machine.formats.vector_sram = {boards::ElementType::floating(true, 5, 10)};
  machine.formats.matrix_weights = {boards::ElementType::floating(true, 2, 1), 4, boards::kE8m0};
  machine.formats.vector_activations = {boards::ElementType::integer(4), 8, boards::kE8m0};
  machine.formats.vector_kv = {boards::ElementType::floating(true, 3, 2), 2, boards::kE8m0,
                               boards::BlockRule::kOcp};
  machine.formats.matrix_kv = {boards::ElementType::integer(32)};
  return machine;
}

void run(const isa::Machine& machine, Rules rules, std::span<const std::uint32_t> words,
         std::span<const std::byte> bytes) {
  auto core = Core::make(machine, rules);
  require(core.has_value(), "there is such a machine");
  const std::span<const std::byte> image = bytes.first(std::min<std::size_t>(bytes.size(), 1024));
  const emulator::Images images{image, image, image, image};
  require(load_images(core->state(), images, machine, Rules::kCompat).has_value(), "small images are loaded");
  for (const std::uint32_t word : words) {
    const emulator::Operation operation = decode(word, machine, emulator::CostTable::kReference);
    const emulator::Fault fault = core->carry_out(operation);
    require(!fault.found() || !fault.text().empty(), "a fault is said in words");
  }
  require(rules == Rules::kCompat || core->state().registers.gp[0] == 0, "gp0 stays 0 by strict rules");
  require(rules == Rules::kCompat || core->state().registers.f[0] == 0, "f0 stays 0 by strict rules");
  base::MemoryOutput out;
  require(dump_vectors(out, core->state(), machine.formats.vector_sram).has_value(),
          "vectors can be written");
  require(dump_matrices(out, core->state(), machine.formats.matrix_sram).has_value(), "tiles can be written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  std::vector<std::uint32_t> words(std::min(kMostOperations, size / 4));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(std::uint32_t));
  for (const bool odd : {false, true}) {
    const isa::Machine machine = machine_of(odd);
    for (const Rules rules : {Rules::kStrict, Rules::kCompat}) run(machine, rules, words, bytes);
  }
  return 0;
}
