#include "formats/etdump/etdump_writer.h"

#include <fmt/core.h>

#include "formats/etdump/base64.h"
#include "formats/etdump/etdump_generated.h"

namespace accelscope::formats::etdump {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::String;

Offset<String> stored_string(FlatBufferBuilder& out, const std::string& text) {
  return text.empty() ? Offset<String>() : out.CreateString(text);
}

Offset<String> stored_string(FlatBufferBuilder& out, const std::optional<std::string>& text) {
  return text ? out.CreateString(*text) : Offset<String>();
}

Offset<wire::Event> write_event(FlatBufferBuilder& out, const ProfileEvent& event) {
  const bool delegated = event.delegate_number || event.delegate_name;
  const auto name = stored_string(out, event.name);
  const auto delegate_name = stored_string(out, event.delegate_name);
  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> metadata;
  if (delegated)
    metadata =
        out.CreateVector(reinterpret_cast<const std::uint8_t*>(event.metadata.data()), event.metadata.size());
  const auto profile =
      wire::CreateProfileEvent(out, name, event.chain, event.instruction, event.delegate_number.value_or(-1),
                               delegate_name, metadata, event.start, event.end);
  return wire::CreateEvent(out, profile);
}

Offset<wire::Event> write_event(FlatBufferBuilder& out, const AllocationEvent& event) {
  return wire::CreateEvent(out, {}, wire::CreateAllocationEvent(out, event.allocator, event.bytes));
}

Offset<wire::Tensor> write_tensor(FlatBufferBuilder& out, const TensorValue& tensor) {
  const auto sizes = out.CreateVector(tensor.sizes);
  const auto strides = out.CreateVector(tensor.strides);
  return wire::CreateTensor(out, tensor.scalar_type, sizes, strides, tensor.offset);
}

// One overload per kind of value; `output` is the flag that the value is a result of the program.
struct ValueWriter {
  FlatBufferBuilder& out;
  Offset<wire::Bool> output;

  Offset<wire::Value> operator()(std::monostate) const {
    return wire::CreateValue(out, wire::ValueType::Null, {}, {}, {}, {}, {}, {}, output);
  }
  Offset<wire::Value> operator()(std::int64_t value) const {
    const auto table = wire::CreateInt(out, value);
    return wire::CreateValue(out, wire::ValueType::Int, {}, {}, table, {}, {}, {}, output);
  }
  Offset<wire::Value> operator()(bool value) const {
    const auto table = wire::CreateBool(out, value);
    return wire::CreateValue(out, wire::ValueType::Bool, {}, {}, {}, {}, {}, table, output);
  }
  Offset<wire::Value> operator()(float value) const {
    const auto table = wire::CreateFloat(out, value);
    return wire::CreateValue(out, wire::ValueType::Float, {}, {}, {}, table, {}, {}, output);
  }
  Offset<wire::Value> operator()(double value) const {
    const auto table = wire::CreateDouble(out, value);
    return wire::CreateValue(out, wire::ValueType::Double, {}, {}, {}, {}, table, {}, output);
  }
  Offset<wire::Value> operator()(const TensorValue& value) const {
    const auto table = write_tensor(out, value);
    return wire::CreateValue(out, wire::ValueType::Tensor, table, {}, {}, {}, {}, {}, output);
  }
  Offset<wire::Value> operator()(const std::vector<TensorValue>& values) const {
    std::vector<Offset<wire::Tensor>> tensors;
    tensors.reserve(values.size());
    for (const TensorValue& value : values) tensors.push_back(write_tensor(out, value));
    const auto table = wire::CreateTensorList(out, out.CreateVector(tensors));
    return wire::CreateValue(out, wire::ValueType::TensorList, {}, table, {}, {}, {}, {}, output);
  }
};

Offset<wire::Event> write_event(FlatBufferBuilder& out, const DebugEvent& event) {
  const auto name = stored_string(out, event.name);
  const auto delegate_name = stored_string(out, event.delegate_name);
  Offset<wire::Bool> output;
  if (event.is_output) output = wire::CreateBool(out, *event.is_output);
  const auto value = std::visit(ValueWriter{out, output}, event.value);
  const auto debug = wire::CreateDebugEvent(out, static_cast<std::uint64_t>(event.chain), event.instruction,
                                            value, event.delegate_number.value_or(-1), delegate_name, name);
  return wire::CreateEvent(out, {}, {}, debug);
}

Offset<wire::RunData> write_block(FlatBufferBuilder& out, const Block& block) {
  const auto name = stored_string(out, block.name);
  std::vector<Offset<wire::Allocator>> allocators;
  for (const std::string& allocator : block.allocators)
    allocators.push_back(wire::CreateAllocator(out, stored_string(out, allocator)));
  std::vector<Offset<wire::Event>> events;
  events.reserve(block.events.size());
  for (const Event& event : block.events)
    events.push_back(std::visit([&](const auto& content) { return write_event(out, content); }, event));
  flatbuffers::Offset<flatbuffers::Vector<Offset<wire::Allocator>>> allocator_list;
  if (!allocators.empty()) allocator_list = out.CreateVector(allocators);
  flatbuffers::Offset<flatbuffers::Vector<Offset<wire::Event>>> event_list;
  if (!events.empty()) event_list = out.CreateVector(events);
  return wire::CreateRunData(out, name, block.bundled_input_index, allocator_list, event_list);
}

}  // namespace

std::string write_etdump(const Dump& dump, Prefix prefix) {
  FlatBufferBuilder out(std::size_t{1} << 16U);
  std::vector<Offset<wire::RunData>> blocks;
  blocks.reserve(dump.blocks.size());
  for (const Block& block : dump.blocks) blocks.push_back(write_block(out, block));
  const auto root = wire::CreateETDump(out, 0, out.CreateVector(blocks));
  if (prefix == Prefix::kSize)
    wire::FinishSizePrefixedETDumpBuffer(out, root);
  else
    wire::FinishETDumpBuffer(out, root);
  return {reinterpret_cast<const char*>(out.GetBufferPointer()), out.GetSize()};
}

std::string write_uart_log(const Dump& dump, std::size_t line_width) {
  const std::string encoded = encode_base64(write_etdump(dump));
  std::string text = "#[RUN THIS]\n# Writing etdump.bin [base64]\necho \"";
  const std::size_t width = line_width == 0 ? encoded.size() : line_width;
  for (std::size_t i = 0; i < encoded.size(); i += width) {
    if (i > 0) text += '\n';
    text.append(encoded, i, width);
  }
  text += "\" | base64 -d >etdump.bin\n#[END]\n";
  return text;
}

}  // namespace accelscope::formats::etdump
