#include "compat/kit_manifest.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <optional>

namespace accelscope::compat {
namespace {

using base::ErrorCode;
using base::Location;
using base::Result;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

auto wrong_type(const std::string& file, std::string_view member, std::string_view wanted) {
  return base::fail_at(Location::of_file(file), ErrorCode::kMalformed, "'{}' is not {}", member, wanted);
}

// The parser owns the document that the elements point into.
Result<object> parse(simdjson::dom::parser& parser, const base::MappedFile& file) {
  element document;
  const auto error = parser.parse(file.text().data(), file.size(), /*realloc_if_needed=*/false).get(document);
  if (error != simdjson::SUCCESS)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kMalformed, "not valid JSON: {}",
                         simdjson::error_message(error));
  object members;
  if (document.get(members) != simdjson::SUCCESS)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kMalformed,
                         "expected a JSON object with named members");
  return members;
}

std::optional<element> find(const object& members, std::string_view key) {
  std::optional<element> found;
  for (const auto& member : members)
    if (member.key == key) found = member.value;
  return found;
}

// Empty for a member that is absent or null.
Result<std::string> text_of(const object& members, std::string_view key, const std::string& file) {
  const std::optional<element> value = find(members, key);
  if (!value || value->is_null()) return std::string();
  std::string_view text;
  if (value->get(text) != simdjson::SUCCESS) return wrong_type(file, key, "a text");
  return std::string(text);
}

// Empty for a member that is absent or null.
Result<std::vector<object>> objects_of(const object& members, std::string_view key, const std::string& file) {
  std::vector<object> list;
  const std::optional<element> value = find(members, key);
  if (!value || value->is_null()) return list;
  simdjson::dom::array items;
  if (value->get(items) != simdjson::SUCCESS) return wrong_type(file, key, "a list");
  for (const element item : items) {
    object members_of_item;
    if (item.get(members_of_item) != simdjson::SUCCESS) return wrong_type(file, key, "a list of objects");
    list.push_back(members_of_item);
  }
  return list;
}

// What Python takes for false: null, 0, "", [] and absence.
bool is_nothing(const std::optional<element>& value) {
  if (!value || value->is_null()) return true;
  if (value->is_number()) return value->get_double().value_unsafe() == 0;
  return value->is_array() && value->get_array().value_unsafe().size() == 0;
}

base::Status read_latencies(const object& metrics, KitMetrics::Result& result, const std::string& file) {
  std::string_view key = "latency_ms";
  std::optional<element> value = find(metrics, key);
  if (is_nothing(value)) {
    key = "avg_latency_ms";
    value = find(metrics, key);
  }
  if (is_nothing(value)) return {};
  result.single_number = value->is_number();
  if (result.single_number) return {};
  simdjson::dom::array items;
  if (value->get(items) != simdjson::SUCCESS) return wrong_type(file, key, "a list of numbers");
  for (const element item : items) {
    double number = 0;
    if (item.get(number) != simdjson::SUCCESS) return wrong_type(file, key, "a list of numbers");
    result.latencies.push_back(number);
  }
  return {};
}

}  // namespace

Result<KitManifest> read_kit_manifest(const base::MappedFile& file) {
  simdjson::dom::parser parser;
  ACCELSCOPE_TRY(const object members, parse(parser, file));
  KitManifest manifest;
  ACCELSCOPE_TRY(manifest.model, text_of(members, "model", file.path()));
  ACCELSCOPE_TRY(manifest.config, text_of(members, "config", file.path()));
  manifest.has_model = find(members, "model").has_value();
  const std::optional<element> results = find(members, "results");
  manifest.has_results = results && results->is_array();
  const std::optional<element> executorch = find(members, "executorch");
  object facts;
  if (executorch && executorch->get(facts) == simdjson::SUCCESS) {
    ACCELSCOPE_TRY(manifest.executorch_sha, text_of(facts, "sha", file.path()));
    const std::optional<element> dirty = find(facts, "dirty");
    bool truth = false;
    manifest.executorch_dirty = dirty && dirty->get(truth) == simdjson::SUCCESS && truth;
  }
  return manifest;
}

Result<KitMetrics> read_kit_metrics(const base::MappedFile& file) {
  simdjson::dom::parser parser;
  ACCELSCOPE_TRY(const object members, parse(parser, file));
  ACCELSCOPE_TRY(const std::vector<object> results, objects_of(members, "results", file.path()));
  KitMetrics metrics;
  for (const object& item : results) {
    KitMetrics::Result result;
    ACCELSCOPE_TRY(result.experiment, text_of(item, "experiment", file.path()));
    object numbers;
    const std::optional<element> found = find(item, "metrics");
    if (found && found->get(numbers) == simdjson::SUCCESS)
      ACCELSCOPE_CHECK(read_latencies(numbers, result, file.path()));
    metrics.results.push_back(std::move(result));
  }
  return metrics;
}

Result<KitConfig> read_kit_config(const base::MappedFile& file) {
  simdjson::dom::parser parser;
  ACCELSCOPE_TRY(const object members, parse(parser, file));
  ACCELSCOPE_TRY(const std::vector<object> experiments, objects_of(members, "experiments", file.path()));
  KitConfig config;
  for (const object& item : experiments) {
    KitConfig::Experiment experiment;
    if (find(item, "name")) {
      ACCELSCOPE_TRY(experiment.name, text_of(item, "name", file.path()));
    }
    ACCELSCOPE_TRY(experiment.runner_path, text_of(item, "runner_path", file.path()));
    config.experiments.push_back(std::move(experiment));
  }
  return config;
}

}  // namespace accelscope::compat
