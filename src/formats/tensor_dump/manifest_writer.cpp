#include <fmt/format.h>

#include <tuple>

#include "base/json_writer.h"
#include "formats/tensor_dump/manifest.h"

namespace accelscope::formats::tensor_dump {
namespace {

using base::JsonWriter;
using recorder::TensorRole;
using recorder::TensorStage;

std::string_view name_of(TensorRole role) {
  return role == TensorRole::kIn ? "input" : role == TensorRole::kOut ? "output" : "inout";
}

template <class Numbers>
void write_list(JsonWriter& json, std::string_view name, const Numbers& numbers) {
  json.key(name).begin_array();
  for (const auto number : numbers) json.value(number);
  json.end_array();
}

void write_argument(const Argument& argument, base::Output& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("task_id", fmt::format("0x{:016x}", argument.task));
  write_list(json, "func_id", argument.functions);
  json.member("arg_index", argument.index).member("role", name_of(argument.role));
  json.member("stage", argument.stage == TensorStage::kBefore ? "before_dispatch" : "after_completion");
  json.member("kind", argument.is_scalar ? "scalar" : "tensor").member("dtype", argument.data_type);
  if (!argument.value.empty()) json.key("value").raw(argument.value);
  json.member("is_contiguous", argument.is_contiguous);
  write_list(json, "shape", argument.shape);
  write_list(json, "strides", argument.strides);
  json.member("start_offset", argument.start_offset).member("numel", argument.elements);
  json.member("bin_offset", argument.bin_offset).member("bin_size", argument.bin_size);
  json.member("truncated", argument.truncated).member("overwritten", argument.overwritten);
  json.end_object();
}

}  // namespace

Counts counts_of(const std::vector<Argument>& arguments) {
  Counts counts;
  counts.total = arguments.size();
  for (const Argument& argument : arguments) {
    ++(argument.stage == TensorStage::kBefore ? counts.before : counts.after);
    ++(argument.role == TensorRole::kIn    ? counts.input
       : argument.role == TensorRole::kOut ? counts.output
                                           : counts.inout);
    counts.truncated += argument.truncated ? 1U : 0U;
  }
  return counts;
}

bool comes_before(const Argument& a, const Argument& b) {
  return std::tie(a.task, a.stage, a.index) < std::tie(b.task, b.stage, b.index);
}

// An argument is a line, so that people can search the file and programs can cut it.
void write_manifest(const Manifest& manifest, base::Output& out) {
  const Counts counts = counts_of(manifest.arguments);
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("run_dir", manifest.run_dir);
  json.key("bin_format").begin_object();
  json.member("type", manifest.order).member("byte_order", manifest.byte_order);
  json.end_object();
  json.member("dump_args_level", manifest.level).member("total_args", counts.total);
  json.member("before_dispatch", counts.before).member("after_completion", counts.after);
  json.member("input_args", counts.input).member("output_args", counts.output);
  json.member("inout_args", counts.inout).member("truncated_args", counts.truncated);
  json.member("dropped_records", manifest.dropped_records);
  json.member("dropped_overwrite", manifest.dropped_overwrite).member("bin_file", manifest.binary);
  json.key("args").begin_array();
  base::MemoryOutput line;
  for (const Argument& argument : manifest.arguments) {
    line.clear();
    write_argument(argument, line);
    json.raw(line.bytes());
  }
  json.end_array();
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::formats::tensor_dump
