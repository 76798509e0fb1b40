#include <fmt/format.h>

#include "base/json_writer.h"
#include "formats/tensor_dump/manifest_words.h"

namespace accelscope::formats::tensor_dump {
namespace {

using base::JsonWriter;

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
  json.member("arg_index", argument.index).member("role", word_of(kRoles, argument.role));
  json.member("stage", word_of(kStages, argument.stage));
  json.member("kind", word_of(kKinds, argument.is_scalar)).member("dtype", argument.data_type);
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

// An argument is a line, so that people can search the file and programs can cut it.
void write_manifest(const Manifest& manifest, base::Output& out) {
  const Counts counts = counts_of(manifest.arguments);
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("run_dir", manifest.run_dir);
  json.key("bin_format").begin_object();
  json.member("type", manifest.order).member("byte_order", manifest.byte_order);
  json.end_object();
  json.member("dump_args_level", manifest.level);
  for (const CountKey& entry : kCountKeys) json.member(entry.key, counts.*entry.count);
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
