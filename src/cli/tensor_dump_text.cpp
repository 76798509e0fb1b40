#include "cli/tensor_dump_text.h"

#include <fmt/core.h>
#include <unistd.h>

#include "base/human.h"
#include "base/json_writer.h"
#include "cli/terminal.h"
#include "cli/validate_json.h"
#include "report/trust_box.h"

namespace accelscope::cli {
namespace {

using base::format_count;
using formats::tensor_dump::Contents;
using jobs::TensorDumpOutcome;

std::string size_text(std::uint64_t bytes) {
  return base::format_size(base::Bytes{static_cast<std::int64_t>(bytes)});
}

}  // namespace

void print_tensor_dump(const TensorDumpOutcome& outcome) {
  const report::Style style = style_for(stdout);
  const Contents contents = contents_of(outcome.manifest.arguments);
  fmt::print("{}{}{}\n  tensor-dump, {}; {}{}\n", style.bold, outcome.path, style.plain,
             size_text(outcome.bytes), outcome.manifest.binary,
             outcome.binary_bytes ? ", " + size_text(*outcome.binary_bytes) : " is not there");
  fmt::print("\n{}", report::trust_box(outcome.quality, style));
  fmt::print("\n{}contents{}\n  arguments: {}, tasks: {}, tensors: {} with {}, scalars: {}\n", style.bold,
             style.plain, format_count(contents.counts.total), format_count(contents.tasks),
             format_count(contents.counts.total - contents.scalars), size_text(contents.bytes),
             format_count(contents.scalars));
  fmt::print("  before their task: {}, after it: {}; in: {}, out: {}, both: {}\n",
             format_count(contents.counts.before), format_count(contents.counts.after),
             format_count(contents.counts.input), format_count(contents.counts.output),
             format_count(contents.counts.inout));
}

base::Status print_tensor_dump_json(const TensorDumpOutcome& outcome) {
  const Contents contents = contents_of(outcome.manifest.arguments);
  base::DescriptorOutput out(STDOUT_FILENO, "standard output");
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("schema", "accelscope.tensor_dump/1")
      .member("manifest", outcome.path)
      .member("bytes", outcome.bytes);
  json.member("binary", outcome.manifest.binary).key("binary_bytes");
  outcome.binary_bytes ? json.value(*outcome.binary_bytes) : json.null();
  write_quality(json, outcome.quality);
  json.key("contents").begin_object();
  json.member("arguments", contents.counts.total).member("tasks", contents.tasks);
  json.member("scalars", contents.scalars).member("argument_bytes", contents.bytes);
  json.member("before", contents.counts.before).member("after", contents.counts.after);
  json.member("input", contents.counts.input).member("output", contents.counts.output);
  json.member("inout", contents.counts.inout).member("truncated", contents.counts.truncated);
  json.end_object();
  json.end_object();
  out.append('\n');
  return out.flush();
}

}  // namespace accelscope::cli
