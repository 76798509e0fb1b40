#include "formats/etdump/side_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/etdump/etdump_generated.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etdump {
namespace {

using trace::StringId;
using trace::Value;

// No framework has tensors of more; a damaged or hostile file can claim millions.
constexpr std::uint32_t kMostDimensions = 64;

struct ScalarTypeName {
  std::int8_t number;
  std::string_view name;
};
constexpr ScalarTypeName kScalarTypes[] = {
    {0, "BYTE"},        {1, "CHAR"},          {2, "SHORT"},           {3, "INT"},
    {4, "LONG"},        {5, "HALF"},          {6, "FLOAT"},           {7, "DOUBLE"},
    {11, "BOOL"},       {12, "QINT8"},        {13, "QUINT8"},         {14, "QINT32"},
    {15, "BFLOAT16"},   {16, "QUINT4X2"},     {17, "QUINT2X4"},       {22, "BITS16"},
    {23, "FLOAT8E5M2"}, {24, "FLOAT8E4M3FN"}, {25, "FLOAT8E5M2FNUZ"}, {26, "FLOAT8E4M3FNUZ"},
    {27, "UINT16"},     {28, "UINT32"},       {29, "UINT64"},
};

std::string scalar_type_name(std::int8_t number) {
  const auto* known = std::find_if(std::begin(kScalarTypes), std::end(kScalarTypes),
                                   [&](const ScalarTypeName& type) { return type.number == number; });
  return known != std::end(kScalarTypes) ? std::string(known->name) : fmt::format("TYPE_{}", number);
}

}  // namespace

SideEvents::SideEvents(trace::TraceBuilder& builder, NameTable& names, Remarks& remarks,
                       std::size_t file_bytes)
    : builder_(builder),
      names_(names),
      remarks_(remarks),
      text_budget_(std::uint64_t{file_bytes} * 4 + 65536) {
  args_ = {builder.intern(trace::arg::kRecord),      builder.intern(trace::arg::kChain),
           builder.intern(trace::arg::kInstruction), builder.intern(trace::arg::kDelegateId),
           builder.intern(trace::arg::kValue),       builder.intern("output"),
           builder.intern(trace::arg::kAllocator),   builder.intern(trace::arg::kBytes)};
}

void SideEvents::begin_dump(trace::TrackId process, trace::ClockId clock, const char* data,
                            std::uint64_t dump_offset, std::string label) {
  process_ = process;
  clock_ = clock;
  data_ = data;
  dump_offset_ = dump_offset;
  label_ = std::move(label);
  allocations_ = trace::TrackId::kNone;
  debug_values_ = trace::TrackId::kNone;
}

std::uint64_t SideEvents::offset_of(const FlatTable& table) const {
  return dump_offset_ + static_cast<std::uint64_t>(table.place() - data_);
}

trace::TrackId SideEvents::track(trace::TrackId& known, std::string_view name) {
  if (known == trace::TrackId::kNone)
    known = builder_.add_track({.name = builder_.intern(fmt::format("{}{}", name, label_)),
                                .parent = process_,
                                .kind = trace::TrackKind::kSlices,
                                .clock = clock_});
  return known;
}

void SideEvents::add(const StagedBlock& block, const StagedSideEvent& event, trace::Ticks time,
                     trace::RunId run) {
  if (event.is_allocation)
    add_allocation(block, event, time, run);
  else
    add_debug_value(event, time, run);
}

void SideEvents::add_allocation(const StagedBlock& block, const StagedSideEvent& event, trace::Ticks time,
                                trace::RunId run) {
  const auto id = event.table.scalar<std::int32_t>(wire::AllocationEvent::VT_ALLOCATOR_ID, 0);
  remarks_.note(Remark::kAllocation, offset_of(event.table));
  // Ids count from 1, whatever the format's own comment says.
  const bool known = id >= 1 && static_cast<std::uint32_t>(id) <= block.allocators.size();
  StringId name = StringId::kEmpty;
  if (known) {
    const FlatTable allocator = block.allocators.table(static_cast<std::uint32_t>(id) - 1);
    name = names_.intern(allocator.text(wire::Allocator::VT_NAME));
  } else {
    remarks_.note(Remark::kUnknownAllocator, offset_of(event.table));
    name = builder_.intern(fmt::format("allocator {}", id));
  }
  const std::uint32_t instant = builder_.add_instant(
      {.track = track(allocations_, "allocations"), .time = time, .name = name, .run = run});
  builder_.add_instant_arg(instant, args_.record, Value::of_uint(event.record));
  builder_.add_instant_arg(instant, args_.allocator, Value::of_int(id));
  builder_.add_instant_arg(
      instant, args_.bytes,
      Value::of_uint(event.table.scalar<std::uint64_t>(wire::AllocationEvent::VT_ALLOCATION_SIZE, 0)));
}

void SideEvents::add_debug_value(const StagedSideEvent& event, trace::Ticks time, trace::RunId run) {
  const FlatTable& table = event.table;
  remarks_.note(Remark::kDebugValue, offset_of(table));
  const bool has_text_id = table.has(wire::DebugEvent::VT_DELEGATE_DEBUG_ID_STR);
  const auto number_id = table.scalar<std::int32_t>(wire::DebugEvent::VT_DELEGATE_DEBUG_ID_INT, -1);
  const StringId text_id =
      has_text_id ? names_.intern(table.text(wire::DebugEvent::VT_DELEGATE_DEBUG_ID_STR)) : StringId::kEmpty;
  StringId name = names_.intern(table.text(wire::DebugEvent::VT_NAME));
  if (name == StringId::kEmpty) name = text_id;
  const bool delegated = has_text_id || number_id != -1;
  const std::uint32_t instant =
      builder_.add_instant({.track = track(debug_values_, "debug values"),
                            .time = time,
                            .name = name,
                            .category = delegated ? builder_.category(trace::category::kDelegateOperator)
                                                  : trace::CategoryId::kNone,
                            .run = run});
  builder_.add_instant_arg(instant, args_.record, Value::of_uint(event.record));
  // The field is unsigned and holds -1 for "outside every instruction".
  const auto chain = table.scalar<std::uint64_t>(wire::DebugEvent::VT_CHAIN_INDEX, 0);
  builder_.add_instant_arg(instant, args_.chain, Value::of_int(static_cast<std::int64_t>(chain)));
  builder_.add_instant_arg(
      instant, args_.instruction,
      Value::of_int(table.scalar<std::int32_t>(wire::DebugEvent::VT_INSTRUCTION_ID, -1)));
  if (has_text_id) builder_.add_instant_arg(instant, args_.delegate_id, Value::of_string(text_id));
  if (number_id != -1) builder_.add_instant_arg(instant, args_.delegate_id, Value::of_int(number_id));
  const FlatTable value = table.table(wire::DebugEvent::VT_DEBUG_ENTRY);
  if (!value.present()) return;
  builder_.add_instant_arg(instant, args_.value, value_of(value, offset_of(table)));
  const FlatTable output = value.table(wire::Value::VT_OUTPUT);
  if (output.present())
    builder_.add_instant_arg(instant, args_.output,
                             Value::of_bool(output.scalar<std::uint8_t>(wire::Bool::VT_VALUE, 0) != 0));
}

Value SideEvents::value_of(const FlatTable& value, std::uint64_t offset) {
  switch (static_cast<wire::ValueType>(value.scalar<std::int8_t>(wire::Value::VT_VAL, 0))) {
    case wire::ValueType::Int: {
      const FlatTable number = value.table(wire::Value::VT_INT_VALUE);
      if (number.present()) return Value::of_int(number.scalar<std::int64_t>(wire::Int::VT_VALUE, 0));
      break;
    }
    case wire::ValueType::Bool: {
      const FlatTable truth = value.table(wire::Value::VT_BOOL_VALUE);
      if (truth.present()) return Value::of_bool(truth.scalar<std::uint8_t>(wire::Bool::VT_VALUE, 0) != 0);
      break;
    }
    case wire::ValueType::Float: {
      const FlatTable number = value.table(wire::Value::VT_FLOAT_VALUE);
      if (number.present())
        return Value::of_double(static_cast<double>(number.scalar<float>(wire::Float::VT_VALUE, 0)));
      break;
    }
    case wire::ValueType::Double: {
      const FlatTable number = value.table(wire::Value::VT_DOUBLE_VALUE);
      if (number.present()) return Value::of_double(number.scalar<double>(wire::Double::VT_VALUE, 0));
      break;
    }
    case wire::ValueType::Tensor: {
      std::string json;
      describe_tensor(value.table(wire::Value::VT_TENSOR), offset, json);
      return Value::of_json(builder_.intern(json));
    }
    case wire::ValueType::TensorList: {
      const FlatTable list = value.table(wire::Value::VT_TENSOR_LIST);
      const FlatVector tensors = list.present() ? list.vector(wire::TensorList::VT_TENSORS) : FlatVector();
      std::string json = "[";
      for (std::uint32_t i = 0; i < tensors.size(); ++i) {
        if (i > 0) json += ',';
        describe_tensor(tensors.table(i), offset, json);
      }
      json += ']';
      return Value::of_json(builder_.intern(json));
    }
    default:
      break;
  }
  return Value::null();
}

void SideEvents::describe_tensor(const FlatTable& tensor, std::uint64_t offset, std::string& json) {
  const std::size_t before = json.size();
  if (tensor.present() && text_budget_ > 0) {
    json += fmt::format(R"({{"scalar_type":"{}","sizes":)",
                        scalar_type_name(tensor.scalar<std::int8_t>(wire::Tensor::VT_SCALAR_TYPE, 0)));
    list_integers(tensor.vector(wire::Tensor::VT_SIZES), offset, json);
    json += R"(,"strides":)";
    list_integers(tensor.vector(wire::Tensor::VT_STRIDES), offset, json);
    json += fmt::format(R"(,"offset":{}}})", tensor.scalar<std::int64_t>(wire::Tensor::VT_OFFSET, 0));
  } else {
    if (tensor.present()) remarks_.note(Remark::kShortenedTensor, offset);
    json += "null";
  }
  text_budget_ -= std::min<std::uint64_t>(text_budget_, json.size() - before);
}

void SideEvents::list_integers(FlatVector numbers, std::uint64_t offset, std::string& json) {
  const std::uint32_t shown = std::min(numbers.size(), kMostDimensions);
  if (shown < numbers.size()) remarks_.note(Remark::kShortenedTensor, offset);
  json += '[';
  for (std::uint32_t i = 0; i < shown; ++i) {
    if (i > 0) json += ',';
    json += fmt::format_int(numbers.scalar<std::int64_t>(i)).c_str();
  }
  json += ']';
}

}  // namespace accelscope::formats::etdump
