#include "jobs/emulate_dumps.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/number_in.h"
#include "base/output_file.h"
#include "emulator/dump.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

std::string_view name_of(DumpedMemory memory) {
  constexpr std::array<std::string_view, 5> kNames{"vector memory", "matrix memory",
                                                   "scalar memory of floats", "scalar memory of integers",
                                                   "external memory"};
  return kNames[static_cast<std::size_t>(memory)];
}

std::string_view unit_of(DumpedMemory memory) {
  return memory == DumpedMemory::kExternal ? "bytes" : "elements";
}

std::uint64_t size_of(DumpedMemory memory, const isa::Machine& machine) {
  switch (memory) {
    case DumpedMemory::kVectors:
      return machine.vector_rows * machine.vlen;
    case DumpedMemory::kMatrices:
      return machine.matrix_tiles * machine.mlen * machine.mlen;
    case DumpedMemory::kFloats:
    case DumpedMemory::kIntegers:
      return emulator::kScalarWords;
    case DumpedMemory::kExternal:
      return static_cast<std::uint64_t>(machine.external_memory.value);
  }
  return 0;
}

// Elements of a row, where rows are what is written.
std::uint64_t row_of(DumpedMemory memory, const isa::Machine& machine) {
  if (memory == DumpedMemory::kVectors) return machine.vlen;
  return memory == DumpedMemory::kMatrices ? machine.mlen : 1;
}

Status dump(base::Output& out, const DumpWish& wish, const emulator::State& state,
            const isa::Machine& machine) {
  const std::uint64_t row = row_of(wish.memory, machine);
  const emulator::DumpRange range =
      wish.range ? emulator::DumpRange{wish.range->first / row, wish.range->count / row}
                 : emulator::DumpRange{};
  switch (wish.memory) {
    case DumpedMemory::kVectors:
      return dump_vectors(out, state, machine.formats.vector_sram, range);
    case DumpedMemory::kMatrices:
      return dump_matrices(out, state, machine.formats.matrix_sram, range);
    case DumpedMemory::kFloats:
      return dump_floats(out, state, range);
    case DumpedMemory::kIntegers:
      return dump_integers(out, state, range);
    case DumpedMemory::kExternal:
      return dump_external(out, state, range);
  }
  return {};
}

// A range is nothing but digits and one sign; any other text behind a colon belongs to the file's name.
bool looks_like_range(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789+-") == std::string_view::npos;
}

std::optional<DumpedRange> parse_range(std::string_view text) {
  const std::size_t sign = text.find_first_of("+-");
  if (sign == std::string_view::npos) return std::nullopt;
  const auto first = base::number_in<std::uint64_t>(text.substr(0, sign));
  const auto second = base::number_in<std::uint64_t>(text.substr(sign + 1));
  if (!first || !second) return std::nullopt;
  if (text[sign] == '+') return *second == 0 ? std::nullopt : std::optional(DumpedRange{*first, *second});
  return *second <= *first ? std::nullopt : std::optional(DumpedRange{*first, *second - *first});
}

}  // namespace

Result<DumpWish> parse_dump(DumpedMemory memory, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  DumpWish wish{.memory = memory, .file = std::string(text)};
  if (colon != std::string_view::npos && looks_like_range(text.substr(colon + 1))) {
    wish.range = parse_range(text.substr(colon + 1));
    if (!wish.range)
      return base::fail(
          ErrorCode::kUsage,
          "{}: expected FILE, FILE:FIRST-END with an end above the first (which is not part of it) "
          "or FILE:FIRST+COUNT",
          text);
    wish.file = text.substr(0, colon);
  }
  if (wish.file.empty() || wish.file == "-")
    return base::fail(ErrorCode::kUsage, "{}: a dump needs a file of its own", text);
  return wish;
}

Status check_dump(const DumpWish& wish, const isa::Machine& machine) {
  if (!wish.range) return {};
  const std::uint64_t row = row_of(wish.memory, machine);
  if (wish.range->first % row != 0 || wish.range->count % row != 0)
    return base::fail_at(base::Location::of_file(wish.file), ErrorCode::kUsage,
                         "the {} is written by rows of {} elements: {} from {} on are not whole rows",
                         name_of(wish.memory), row, wish.range->count, wish.range->first);
  const std::uint64_t size = size_of(wish.memory, machine);
  if (wish.range->first < size && wish.range->count <= size - wish.range->first) return {};
  return base::fail_at(base::Location::of_file(wish.file), ErrorCode::kUsage,
                       "{} {} from {} on are not in the {}, which has {}", wish.range->count,
                       unit_of(wish.memory), wish.range->first, name_of(wish.memory), size);
}

std::string describe(const DumpWish& wish) {
  if (!wish.range) return std::string(name_of(wish.memory));
  return fmt::format("{}, {} {} to {}", name_of(wish.memory), unit_of(wish.memory), wish.range->first,
                     wish.range->first + wish.range->count - 1);
}

Status write_dump(const DumpWish& wish, const emulator::State& state, const isa::Machine& machine) {
  ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create(wish.file));
  ACCELSCOPE_CHECK(dump(file.output(), wish, state, machine));
  return file.commit();
}

}  // namespace accelscope::jobs
