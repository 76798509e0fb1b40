#include "formats/etdump/damage.h"

#include <fmt/core.h>

#include <array>
#include <span>

#include "formats/etdump/etdump_generated.h"
#include "formats/etdump/flat_view.h"

namespace accelscope::formats::etdump {
namespace {

// Every table takes at least an offset that leads to it and its own first four bytes, so that only files
// whose tables are shared reach this.
std::uint64_t most_tables(std::string_view bytes) {
  return bytes.size() / 4 + 16;
}

enum class FieldKind : std::uint8_t { kScalar, kText, kVector, kTable, kTables };
enum class TableKind : std::uint8_t {
  kDump,
  kRun,
  kAllocator,
  kEvent,
  kProfileEvent,
  kAllocationEvent,
  kDebugEvent,
  kValue,
  kTensor,
  kTensorList,
  kEightBytes,
  kFourBytes,
  kOneByte,
};

struct FieldRule {
  FieldKind kind;
  std::uint8_t bytes;  // of the scalar or of one element
  TableKind target;    // of an offset to a table
  const char* name;
};

constexpr FieldRule scalar(std::uint8_t bytes, const char* name) {
  return {FieldKind::kScalar, bytes, TableKind::kDump, name};
}
constexpr FieldRule text(const char* name) {
  return {FieldKind::kText, 1, TableKind::kDump, name};
}
constexpr FieldRule vector_of(std::uint8_t bytes, const char* name) {
  return {FieldKind::kVector, bytes, TableKind::kDump, name};
}
constexpr FieldRule table(TableKind target, const char* name) {
  return {FieldKind::kTable, 4, target, name};
}
constexpr FieldRule tables(TableKind target, const char* name) {
  return {FieldKind::kTables, 4, target, name};
}

// Field n of a table is rule n: the ids of etdump.fbs.
constexpr std::array kDumpFields = {scalar(4, "version"), tables(TableKind::kRun, "run_data")};
constexpr std::array kRunFields = {text("name"), scalar(4, "bundled_input_index"),
                                   tables(TableKind::kAllocator, "allocators"),
                                   tables(TableKind::kEvent, "events")};
constexpr std::array kAllocatorFields = {text("name")};
constexpr std::array kEventFields = {table(TableKind::kProfileEvent, "profile_event"),
                                     table(TableKind::kAllocationEvent, "allocation_event"),
                                     table(TableKind::kDebugEvent, "debug_event")};
constexpr std::array kProfileEventFields = {text("name"),
                                            scalar(4, "chain_index"),
                                            scalar(4, "instruction_id"),
                                            scalar(4, "delegate_debug_id_int"),
                                            text("delegate_debug_id_str"),
                                            vector_of(1, "delegate_debug_metadata"),
                                            scalar(8, "start_time"),
                                            scalar(8, "end_time")};
constexpr std::array kAllocationEventFields = {scalar(4, "allocator_id"), scalar(8, "allocation_size")};
constexpr std::array kDebugEventFields = {scalar(8, "chain_index"),
                                          scalar(4, "instruction_id"),
                                          table(TableKind::kValue, "debug_entry"),
                                          scalar(4, "delegate_debug_id_int"),
                                          text("delegate_debug_id_str"),
                                          text("name")};
constexpr std::array kValueFields = {scalar(1, "val"),
                                     table(TableKind::kTensor, "tensor"),
                                     table(TableKind::kTensorList, "tensor_list"),
                                     table(TableKind::kEightBytes, "int_value"),
                                     table(TableKind::kFourBytes, "float_value"),
                                     table(TableKind::kEightBytes, "double_value"),
                                     table(TableKind::kOneByte, "bool_value"),
                                     table(TableKind::kOneByte, "output")};
constexpr std::array kTensorFields = {scalar(1, "scalar_type"), vector_of(8, "sizes"),
                                      vector_of(8, "strides"), scalar(8, "offset")};
constexpr std::array kTensorListFields = {tables(TableKind::kTensor, "tensors")};
constexpr std::array kEightBytesFields = {scalar(8, "value")};
constexpr std::array kFourBytesFields = {scalar(4, "value")};
constexpr std::array kOneByteFields = {scalar(1, "value")};

std::span<const FieldRule> fields_of(TableKind kind) {
  switch (kind) {
    case TableKind::kDump:
      return kDumpFields;
    case TableKind::kRun:
      return kRunFields;
    case TableKind::kAllocator:
      return kAllocatorFields;
    case TableKind::kEvent:
      return kEventFields;
    case TableKind::kProfileEvent:
      return kProfileEventFields;
    case TableKind::kAllocationEvent:
      return kAllocationEventFields;
    case TableKind::kDebugEvent:
      return kDebugEventFields;
    case TableKind::kValue:
      return kValueFields;
    case TableKind::kTensor:
      return kTensorFields;
    case TableKind::kTensorList:
      return kTensorListFields;
    case TableKind::kEightBytes:
      return kEightBytesFields;
    case TableKind::kFourBytes:
      return kFourBytesFields;
    case TableKind::kOneByte:
      return kOneByteFields;
  }
  return {};
}

// Visits the tables in the order of the verifier and stops at the first bad one. The schema has no cycles, so
// the depth is that of the schema (seven), whatever the file says.
class Walk {
 public:
  explicit Walk(std::string_view bytes) : bytes_(bytes), tables_left_(most_tables(bytes)) {}

  bool root(std::uint64_t place) {
    const auto target = target_of(place, place, "the root offset");
    return target && table_at(*target, place, TableKind::kDump);
  }
  Damage damage() && { return std::move(damage_); }

 private:
  bool inside(std::uint64_t place, std::uint64_t size) const {
    return size < bytes_.size() && place <= bytes_.size() - size;
  }
  template <class T>
  T at(std::uint64_t place) const {
    return load<T>(bytes_.data() + place);
  }
  template <class... Args>
  bool bad(std::uint64_t place, fmt::format_string<Args...> reason, Args&&... args) {
    damage_ = {place, fmt::format(reason, std::forward<Args>(args)...), false};
    return false;
  }
  // `what` at `place` reaches over the end; `origin` is the byte that led there.
  bool outside(std::uint64_t origin, const char* what, std::uint64_t place) {
    bad(origin, "{} is said to be at byte {}, outside the {} bytes of the dump", what, place, bytes_.size());
    damage_.leads_outside = true;
    return false;
  }

  std::optional<std::uint64_t> target_of(std::uint64_t place, std::uint64_t origin, const char* name) {
    if (!inside(place, 4)) {
      outside(origin, name, place);
      return std::nullopt;
    }
    const auto offset = at<std::uint32_t>(place);
    if (offset == 0) {
      bad(place, "{} leads to itself", name);
      return std::nullopt;
    }
    if (offset > 0x7FFFFFFFU || !inside(place + offset, 1)) {
      outside(place, name, place + offset);
      return std::nullopt;
    }
    return place + offset;
  }

  bool table_at(std::uint64_t place, std::uint64_t origin, TableKind kind) {
    if (!inside(place, 4)) return outside(origin, "a table", place);
    const std::uint64_t vtable = place - static_cast<std::uint64_t>(std::int64_t{at<std::int32_t>(place)});
    if (tables_left_ == 0)
      return bad(place,
                 "more tables than {} bytes can hold: offsets share tables, which no runtime does; the file "
                 "is damaged or made to exhaust memory",
                 bytes_.size());
    --tables_left_;
    if (!inside(vtable, 2)) return bad(place, "the table's list of fields lies outside the dump");
    const auto vtable_bytes = at<std::uint16_t>(vtable);
    if (vtable_bytes % 2 != 0 || !inside(vtable, vtable_bytes))
      return bad(vtable, "a list of fields of {} bytes is odd or too long", vtable_bytes);
    std::uint64_t slot = vtable + 4;
    for (const FieldRule& rule : fields_of(kind)) {
      if (slot - vtable >= vtable_bytes) break;
      const auto offset = at<std::uint16_t>(slot);
      if (offset != 0 && !field_at(place + offset, slot, rule)) return false;
      slot += 2;
    }
    return true;
  }

  bool field_at(std::uint64_t place, std::uint64_t slot, const FieldRule& rule) {
    if (rule.kind == FieldKind::kScalar) return inside(place, rule.bytes) || outside(slot, rule.name, place);
    const auto target = target_of(place, slot, rule.name);
    if (!target) return false;
    if (rule.kind == FieldKind::kTable) return table_at(*target, place, rule.target);
    return vector_at(*target, place, rule);
  }

  bool vector_at(std::uint64_t place, std::uint64_t origin, const FieldRule& rule) {
    if (!inside(place, 4)) return outside(origin, rule.name, place);
    const auto count = at<std::uint32_t>(place);
    const std::uint64_t content = std::uint64_t{count} * rule.bytes;
    if (!inside(place, 4 + content)) {
      bad(place, "{} has {} elements of {} bytes, which end outside the {} bytes of the dump", rule.name,
          count, rule.bytes, bytes_.size());
      damage_.leads_outside = true;
      return false;
    }
    if (rule.kind == FieldKind::kText) {
      const std::uint64_t end = place + 4 + content;
      if (!inside(end, 1) || bytes_[end] != '\0') return bad(end, "the text {} is not closed", rule.name);
    }
    if (rule.kind != FieldKind::kTables) return true;
    for (std::uint64_t element = place + 4; element < place + 4 + content; element += 4)
      if (!table_at(element + at<std::uint32_t>(element), element, rule.target)) return false;
    return true;
  }

  std::string_view bytes_;
  std::uint64_t tables_left_;
  Damage damage_;
};

}  // namespace

bool library_accepts(std::string_view bytes, Prefix prefix) {
  if (bytes.size() > kMaxDumpBytes) return false;
  flatbuffers::Verifier::Options options;
  options.max_depth = 16;
  options.max_tables = static_cast<flatbuffers::uoffset_t>(most_tables(bytes));
  options.check_alignment = true;
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), options);
  return prefix == Prefix::kSize ? wire::VerifySizePrefixedETDumpBuffer(verifier)
                                 : wire::VerifyETDumpBuffer(verifier);
}

std::optional<Damage> find_damage(std::string_view bytes, Prefix prefix) {
  Walk walk(bytes);
  if (walk.root(prefix == Prefix::kSize ? 4 : 0)) return std::nullopt;
  return std::move(walk).damage();
}

DumpCheck check_dump(std::string_view bytes, Prefix prefix) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0;
  if (aligned && library_accepts(bytes, prefix)) return {};
  return {find_damage(bytes, prefix), true};
}

}  // namespace accelscope::formats::etdump
