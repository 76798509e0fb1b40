#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "base/json_cursor.h"
#include "base/json_outline.h"
#include "base/number_in.h"
#include "base/utf8.h"
#include "formats/tensor_dump/manifest_words.h"

namespace accelscope::formats::tensor_dump {
namespace {

using base::ErrorCode;
using base::JsonCursor;
using base::JsonKind;
using recorder::TensorRole;
using recorder::TensorStage;

std::string text(JsonCursor& json) {
  return base::replace_invalid_utf8(json.string());
}

// "0x0000000100000002", or any number.
std::uint64_t task_id(JsonCursor& json) {
  if (json.kind() != JsonKind::kString) return json.unsigned_integer();
  const std::string_view digits = json.string();
  const auto number = digits.starts_with("0x") ? base::number_in<std::uint64_t>(digits.substr(2), 16)
                                               : base::number_in<std::uint64_t>(digits);
  if (!number) json.fail_here(ErrorCode::kMalformed, "the number of a task is expected here");
  return number.value_or(0);
}

template <class Number>
Number number_up_to(JsonCursor& json, Number most) {
  const std::uint64_t value = json.unsigned_integer();
  if (value > static_cast<std::uint64_t>(most))
    json.fail_here(ErrorCode::kMalformed, "the number is larger than what it counts can be");
  return static_cast<Number>(value);
}

// One of these words; the answer is which.
template <std::size_t kCount>
std::size_t word(JsonCursor& json, const std::string_view (&words)[kCount]) {
  const std::string_view found = json.string();
  for (std::size_t i = 0; i < kCount; ++i)
    if (words[i] == found) return i;
  json.fail_here(ErrorCode::kMalformed,
                 fmt::format("one of \"{}\" is expected here", fmt::join(words, "\", \"")));
  return 0;
}

template <class Number, class Read>
std::vector<Number> list(JsonCursor& json, Read&& read) {
  std::vector<Number> numbers;
  json.begin_array();
  while (json.next_element()) numbers.push_back(read(json));
  return numbers;
}

std::vector<std::uint64_t> sizes(JsonCursor& json) {
  return list<std::uint64_t>(json, [](JsonCursor& in) { return in.unsigned_integer(); });
}

// A plain value as it stands there.
std::string value(JsonCursor& json) {
  const JsonKind kind = json.kind();
  if (kind == JsonKind::kObject || kind == JsonKind::kArray)
    json.fail_here(ErrorCode::kMalformed, "the value of a scalar is a number, a text or a truth");
  return base::replace_invalid_utf8(json.raw_value());
}

void read_member(JsonCursor& json, Argument& argument) {
  const std::string_view key = json.key();
  if (key == "func_id")
    argument.functions = list<std::int64_t>(json, [](JsonCursor& in) { return in.integer(); });
  else if (key == "role")
    argument.role = static_cast<TensorRole>(word(json, kRoles));
  else if (key == "stage")
    argument.stage = static_cast<TensorStage>(word(json, kStages));
  else if (key == "kind")
    argument.is_scalar = word(json, kKinds) == 1;
  else if (key == "dtype")
    argument.data_type = text(json);
  else if (key == "value")
    argument.value = value(json);
  else if (key == "is_contiguous")
    argument.is_contiguous = json.boolean();
  else if (key == "shape")
    argument.shape = sizes(json);
  else if (key == "strides")
    argument.strides = sizes(json);
  else if (key == "start_offset")
    argument.start_offset = json.unsigned_integer();
  else if (key == "numel")
    argument.elements = json.unsigned_integer();
  else if (key == "bin_offset")
    argument.bin_offset = json.unsigned_integer();
  else if (key == "bin_size")
    argument.bin_size = json.unsigned_integer();
  else if (key == "truncated")
    argument.truncated = json.boolean();
  else if (key == "overwritten")
    argument.overwritten = json.boolean();
  else
    json.skip_value();
}

Argument read_argument(JsonCursor& json) {
  Argument argument;
  argument.place = json.offset();
  bool has_task = false;
  bool has_index = false;
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "task_id") {
      argument.task = task_id(json);
      has_task = true;
    } else if (json.key() == "arg_index") {
      argument.index = number_up_to(json, std::numeric_limits<std::uint32_t>::max());
      has_index = true;
    } else {
      read_member(json, argument);
    }
  }
  if (!has_task || !has_index)
    json.fail_here(ErrorCode::kMalformed, "the argument that ends here has no task_id or no arg_index");
  return argument;
}

void read_format(JsonCursor& json, Manifest& manifest) {
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "type")
      manifest.order = text(json);
    else if (json.key() == "byte_order")
      manifest.byte_order = text(json);
    else
      json.skip_value();
  }
}

std::uint64_t* count_of(Manifest& manifest, std::string_view key) {
  for (const CountKey& entry : kCountKeys)
    if (key == entry.key) return &(manifest.counts.*entry.count);
  if (key == "dropped_records") return &manifest.dropped_records;
  if (key == "dropped_overwrite") return &manifest.dropped_overwrite;
  return nullptr;
}

}  // namespace

bool looks_like_manifest(std::string_view bytes) {
  const base::JsonOutline outline(bytes);
  return outline.has("bin_file") && (outline.has("bin_format") || outline.has("dump_args_level"));
}

base::Result<Manifest> read_manifest(const base::MappedFile& file) {
  JsonCursor json(file.text(), file.path());
  Manifest manifest;
  bool has_arguments = false;
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (key == "args") {
      has_arguments = true;
      json.begin_array();
      while (json.next_element()) manifest.arguments.push_back(read_argument(json));
    } else if (key == "run_dir") {
      manifest.run_dir = text(json);
    } else if (key == "bin_file") {
      manifest.binary = text(json);
    } else if (key == "bin_format") {
      read_format(json, manifest);
    } else if (key == "dump_args_level") {
      manifest.level = number_up_to(json, std::numeric_limits<int>::max());
    } else if (std::uint64_t* count = count_of(manifest, key)) {
      *count = json.unsigned_integer();
    } else {
      json.skip_value();
    }
  }
  if (!has_arguments) json.fail_here(ErrorCode::kMalformed, "the manifest of a tensor dump has no args");
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  return manifest;
}

}  // namespace accelscope::formats::tensor_dump
