#include "emulator/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/half_float.h"
#include "base/json_cursor.h"
#include "base/json_writer.h"

namespace accelscope::emulator {
namespace {

using base::ErrorCode;
using base::JsonCursor;

constexpr std::string_view kFormatName = "accelscope expectation";
constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kBytesPerValue = 2;
// Far beyond any memory, and small enough that no address wraps: a side times a stride is below 2^62.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 48U;
constexpr std::uint64_t kLargestSide = std::uint64_t{1} << 30U;
constexpr std::uint64_t kLargestStride = std::uint64_t{1} << 32U;

void refuse(JsonCursor& json, std::string message) {
  json.fail_here(ErrorCode::kMalformed, std::move(message));
}

struct NumberField {
  std::string_view name;
  std::uint64_t ExpectedTensor::*member;
  std::uint64_t least;
  std::uint64_t most;
  bool required;
};
constexpr auto kNumbers = std::to_array<NumberField>({
    {"address", &ExpectedTensor::address, 0, kLargest, true},
    {"rows", &ExpectedTensor::rows, 1, kLargestSide, true},
    {"columns", &ExpectedTensor::columns, 1, kLargestSide, true},
    {"block_columns", &ExpectedTensor::block_columns, 1, kLargestSide, true},
    {"block_stride", &ExpectedTensor::block_stride, 0, kLargestStride, true},
    {"row_stride", &ExpectedTensor::row_stride, 0, kLargestStride, true},
    {"scale_address", &ExpectedTensor::scale_address, 0, kLargest, false},
    {"offset", &ExpectedTensor::offset, 0, kLargest, true},
});

void read_memory(JsonCursor& json, ExpectedTensor& tensor) {
  const std::string_view name = json.string();
  if (!json.ok()) return;
  if (name == name_of(ExpectedMemory::kVector))
    tensor.memory = ExpectedMemory::kVector;
  else if (name == name_of(ExpectedMemory::kExternal))
    tensor.memory = ExpectedMemory::kExternal;
  else
    refuse(json, fmt::format("there is no memory '{}'; expected vram or hbm", name));
}

void read_format(JsonCursor& json, ExpectedTensor& tensor) {
  const std::string_view name = json.string();
  if (!json.ok()) return;
  if (const auto format = boards::parse_number_format(name))
    tensor.format = *format;
  else
    refuse(json, format.error().message);
}

void read_number(JsonCursor& json, const NumberField& field, ExpectedTensor& tensor) {
  const std::uint64_t number = json.unsigned_integer();
  if (!json.ok()) return;
  if (number < field.least || number > field.most)
    refuse(json, fmt::format("{} is {}; expected {} to {}", field.name, number, field.least, field.most));
  tensor.*field.member = number;
}

// What is wrong with a tensor by itself; "" where nothing is.
std::string fault_of(const ExpectedTensor& tensor) {
  if (tensor.columns % tensor.block_columns != 0)
    return fmt::format("columns ({}) must be a multiple of block_columns ({})", tensor.columns,
                       tensor.block_columns);
  if (tensor.memory == ExpectedMemory::kVector) {
    if (tensor.format.in_blocks()) return "the vector memory has no formats with scales";
    return "";
  }
  if (tensor.block_columns != tensor.columns)
    return fmt::format("in hbm rows lie in one piece: block_columns ({}) must be columns ({})",
                       tensor.block_columns, tensor.columns);
  const boards::NumberFormat& format = tensor.format;
  if (format.element.bits() == 0 || format.element.bits() % 8 != 0)
    return fmt::format("elements of {} bits have no address", format.element.bits());
  if (!format.in_blocks()) return "";
  const std::uint64_t block_bytes = std::uint64_t{format.block} * format.element.bits() / 8;
  if (format.scale.bits() != 8 || tensor.columns % format.block != 0 || tensor.row_stride % block_bytes != 0)
    return fmt::format("columns ({}) and row_stride ({}) must be whole blocks of {} ({} bytes)",
                       tensor.columns, tensor.row_stride, boards::name_of(format), block_bytes);
  return "";
}

ExpectedTensor read_tensor(JsonCursor& json, std::size_t number) {
  ExpectedTensor tensor;
  std::array<bool, kNumbers.size()> seen{};
  bool has_memory = false;
  json.begin_object();
  while (json.next_key()) {
    const auto field = std::ranges::find(kNumbers, json.key(), &NumberField::name);
    if (field != kNumbers.end()) {
      seen[static_cast<std::size_t>(field - kNumbers.begin())] = true;
      read_number(json, *field, tensor);
    } else if (json.key() == "name") {
      tensor.name = json.string();
    } else if (json.key() == "memory") {
      has_memory = true;
      read_memory(json, tensor);
    } else if (json.key() == "format") {
      read_format(json, tensor);
    } else {
      json.skip_value();
    }
  }
  for (std::size_t i = 0; i < kNumbers.size(); ++i)
    if (kNumbers[i].required && !seen[i])
      refuse(json, fmt::format("tensor {} has no \"{}\"", number, kNumbers[i].name));
  if (!has_memory) refuse(json, fmt::format("tensor {} has no \"memory\"", number));
  if (!json.ok()) return tensor;
  if (const std::string fault = fault_of(tensor); !fault.empty())
    refuse(json, fmt::format("tensor {} ({}): {}", number, tensor.name, fault));
  return tensor;
}

struct Document {
  std::string values_file = {};
  std::vector<ExpectedTensor> tensors = {};
};

base::Result<Document> read_document(const base::MappedFile& file) {
  Document document;
  bool has_format = false;
  bool has_tensors = false;
  JsonCursor json(file.text(), file.path());
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "format") {
      has_format = json.string() == kFormatName;
    } else if (json.key() == "version") {
      const std::uint64_t version = json.unsigned_integer();
      if (json.ok() && version != kVersion)
        refuse(json, fmt::format("version {} is not known; this program reads {}", version, kVersion));
    } else if (json.key() == "values") {
      document.values_file = json.string();
    } else if (json.key() == "tensors") {
      if (std::exchange(has_tensors, true)) refuse(json, "a second \"tensors\"");
      json.begin_array();
      while (json.next_element()) document.tensors.push_back(read_tensor(json, document.tensors.size()));
    } else {
      json.skip_value();
    }
  }
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  if (!has_format || !has_tensors)
    return base::fail_at(base::Location::of_file(file.path()), ErrorCode::kMalformed,
                         "an expectation has \"format\": \"{}\" and \"tensors\", and one of them is missing",
                         kFormatName);
  return document;
}

base::Result<Expectation> with_values(const std::string& path, Document document, base::MappedFile values) {
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const ExpectedTensor& tensor = document.tensors[i];
    const std::uint64_t room =
        tensor.offset > values.size() ? 0 : (values.size() - tensor.offset) / kBytesPerValue;
    if (tensor.rows > room / tensor.columns)
      return base::fail_at(base::Location::of_file(path), ErrorCode::kMalformed,
                           "tensor {} ({}): {} x {} values from byte {} on are not in {}, which has {} bytes",
                           i, tensor.name, tensor.rows, tensor.columns, tensor.offset, values.path(),
                           values.size());
  }
  return Expectation{std::move(document.tensors), std::move(values)};
}

void write_tensor(base::JsonWriter& json, const ExpectedTensor& tensor) {
  json.begin_object();
  json.member("name", tensor.name).member("memory", name_of(tensor.memory));
  json.member("format", boards::name_of(tensor.format));
  for (const NumberField& field : kNumbers)
    if (field.required || tensor.*field.member != 0) json.member(field.name, tensor.*field.member);
  json.end_object();
}

}  // namespace

std::string_view name_of(ExpectedMemory memory) {
  return memory == ExpectedMemory::kVector ? "vram" : "hbm";
}

float Expectation::value(const ExpectedTensor& tensor, std::uint64_t row, std::uint64_t column) const {
  const std::byte* at =
      values.bytes().data() + tensor.offset + (row * tensor.columns + column) * kBytesPerValue;
  const unsigned bits = std::to_integer<unsigned>(at[0]) | std::to_integer<unsigned>(at[1]) << 8U;
  return base::float_of_bfloat16(static_cast<std::uint16_t>(bits));
}

base::Result<Expectation> read_expectation(const base::MappedFile& document, base::MappedFile values) {
  ACCELSCOPE_TRY(Document read, read_document(document));
  return with_values(document.path(), std::move(read), std::move(values));
}

base::Result<Expectation> load_expectation(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
  ACCELSCOPE_TRY(Document read, read_document(file));
  if (read.values_file.empty())
    return base::fail_at(base::Location::of_file(path), ErrorCode::kMalformed,
                         "\"values\", the name of the file with the values, is missing");
  const std::filesystem::path beside = std::filesystem::path(path).parent_path() / read.values_file;
  ACCELSCOPE_TRY(base::MappedFile values, base::MappedFile::open(beside.string()));
  return with_values(path, std::move(read), std::move(values));
}

void write_expectation(const std::vector<ExpectedTensor>& tensors, std::string_view values_file,
                       base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("format", kFormatName).member("version", kVersion).member("values", values_file);
  json.key("tensors").begin_array();
  for (const ExpectedTensor& tensor : tensors) write_tensor(json, tensor);
  json.end_array();
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::emulator
