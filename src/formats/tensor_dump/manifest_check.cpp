#include <fmt/core.h>

#include <algorithm>

#include "formats/tensor_dump/data_types.h"
#include "formats/tensor_dump/manifest_words.h"

namespace accelscope::formats::tensor_dump {
namespace {

using base::Location;
using trace::Severity;

// Nothing when it does not fit 64 bits.
std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& factors) {
  if (std::find(factors.begin(), factors.end(), 0U) != factors.end()) return 0;
  std::uint64_t result = 1;
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  return result;
}

// Whether strides are those of a tensor without gaps. One without elements has none.
bool lies_row_by_row(const Argument& argument) {
  if (product(argument.shape) == 0U) return true;
  std::uint64_t next = 1;
  for (std::size_t i = argument.shape.size(); i > 0; --i) {
    if (argument.shape[i - 1] != 1 && argument.strides[i - 1] != next) return false;
    if (__builtin_mul_overflow(next, argument.shape[i - 1], &next)) return false;
  }
  return true;
}

class Checker {
 public:
  Checker(const Manifest& manifest, const std::string& path, std::optional<std::uint64_t> binary_bytes)
      : manifest_(manifest), path_(path), binary_bytes_(binary_bytes) {}

  trace::QualityTable check() {
    check_binary();
    check_counts();
    const Argument* before = nullptr;
    for (const Argument& argument : manifest_.arguments) {
      check_argument(argument);
      if (before != nullptr && comes_before(argument, *before))
        note("tensor_dump.not_sorted", Severity::kWarning, argument,
             "Arguments are not in the order of tasks, stages and indices.");
      before = &argument;
    }
    check_places();
    return std::move(quality_);
  }

 private:
  void note(std::string_view id, Severity severity, const Argument& argument, std::string_view sentence) {
    add(id, severity, sentence, 1, Location::byte(path_, argument.place));
  }
  void note_file(std::string_view id, Severity severity, std::string_view sentence, std::uint64_t count = 1) {
    add(id, severity, sentence, count, Location::of_file(path_));
  }
  void add(std::string_view id, Severity severity, std::string_view sentence, std::uint64_t count,
           const Location& place) {
    quality_.add({std::string(id), severity, std::string(sentence), count, place});
  }

  void check_binary() {
    if (!binary_bytes_)
      note_file("tensor_dump.no_binary", Severity::kError,
                "The binary that the manifest names cannot be read: no bytes are there.");
    if (manifest_.order != kLogicalOrder || manifest_.byte_order != kLittleEndian)
      note_file("tensor_dump.other_layout", Severity::kWarning,
                "The bytes are said to be in another order than elements one by one, little endian.");
    if (manifest_.dropped_records > 0)
      note_file("tensor_dump.dropped", Severity::kWarning,
                "Arguments were dropped while recording: the manifest does not have them.",
                manifest_.dropped_records);
  }

  void check_counts() {
    const Counts counted = counts_of(manifest_.arguments);
    for (const CountKey& entry : kCountKeys)
      if (const std::uint64_t said = manifest_.counts.*entry.count, there = counted.*entry.count;
          said != there)
        note_file("tensor_dump.counts_differ", Severity::kError,
                  fmt::format("{} is {}, but the arguments make it {}.", entry.key, said, there));
  }

  void check_argument(const Argument& argument) {
    if (argument.is_scalar && (argument.value.empty() || argument.bin_size > 0))
      note("tensor_dump.bad_scalar", Severity::kError, argument, "Scalars have no value, or bytes.");
    if (!argument.is_scalar) check_size(argument);
    if (argument.strides.size() != argument.shape.size())
      note("tensor_dump.bad_strides", Severity::kError, argument,
           "Arguments have more or fewer strides than dimensions.");
    else if (argument.is_contiguous && !lies_row_by_row(argument))
      note("tensor_dump.bad_strides", Severity::kError, argument,
           "Arguments are said to have no gaps, and their strides leave some.");
    if (argument.truncated)
      note("tensor_dump.truncated", Severity::kWarning, argument,
           "Arguments are cut: the binary has less than all their bytes.");
    if (argument.overwritten)
      note("tensor_dump.overwritten", Severity::kWarning, argument,
           "Arguments were overwritten by newer ones before they were saved.");
  }

  void check_size(const Argument& argument) {
    if (product(argument.shape) != argument.elements)
      note("tensor_dump.elements_differ", Severity::kError, argument,
           "numel is not what the shape of arguments makes.");
    const auto type = data_type_named(argument.data_type);
    if (!type)
      return note("tensor_dump.unknown_type", Severity::kInfo, argument,
                  "Types of elements are not known: whether sizes are right cannot be said.");
    std::uint64_t whole = 0;
    const bool too_large = __builtin_mul_overflow(argument.elements, element_bytes(*type), &whole);
    const bool may_be_less = argument.truncated || argument.overwritten ||
                             (argument.bin_size == 0 && manifest_.level == kLevelMarked);
    if (too_large || (may_be_less ? argument.bin_size > whole : argument.bin_size != whole))
      note("tensor_dump.size_differs", Severity::kError, argument,
           "bin_size is not what the elements of arguments take.");
  }

  // Each byte of the binary belongs to one argument.
  void check_places() {
    std::vector<const Argument*> by_place;
    for (const Argument& argument : manifest_.arguments)
      if (argument.bin_size > 0) by_place.push_back(&argument);
    std::stable_sort(by_place.begin(), by_place.end(),
                     [](const Argument* a, const Argument* b) { return a->bin_offset < b->bin_offset; });
    std::uint64_t end = 0;
    std::uint64_t unused = 0;
    for (const Argument* argument : by_place) {
      std::uint64_t own_end = 0;
      const bool beyond = __builtin_add_overflow(argument->bin_offset, argument->bin_size, &own_end);
      if (beyond || own_end > binary_bytes_.value_or(UINT64_MAX)) {
        note("tensor_dump.outside_binary", Severity::kError, *argument,
             "The bytes of arguments lie beyond the end of the binary.");
        continue;
      }
      if (argument->bin_offset < end)
        note("tensor_dump.shared_bytes", Severity::kError, *argument,
             "Arguments have bytes in common with others.");
      else
        unused += argument->bin_offset - end;
      end = std::max(end, own_end);
    }
    unused += std::max(binary_bytes_.value_or(0), end) - end;
    if (unused > 0)
      note_file("tensor_dump.unused_bytes", Severity::kInfo,
                "Bytes of the binary belong to no argument of the manifest.", unused);
  }

  const Manifest& manifest_;
  const std::string& path_;
  std::optional<std::uint64_t> binary_bytes_;
  trace::QualityTable quality_;
};

}  // namespace

trace::QualityTable check(const Manifest& manifest, const std::string& path,
                          std::optional<std::uint64_t> binary_bytes) {
  return Checker(manifest, path, binary_bytes).check();
}

}  // namespace accelscope::formats::tensor_dump
