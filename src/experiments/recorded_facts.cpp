#include "experiments/recorded_facts.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::experiments {
namespace {

// "" for null, lists and objects.
std::string scalar_in_words(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::kBool:
      return node.truth ? "true" : "false";
    case JsonNode::Kind::kInteger:
      return fmt::format("{}", node.integer);
    case JsonNode::Kind::kReal:
      return fmt::format("{}", node.real);
    case JsonNode::Kind::kText:
      return node.text;
    case JsonNode::Kind::kNull:
    case JsonNode::Kind::kArray:
    case JsonNode::Kind::kObject:
      return {};
  }
  return {};
}

void add_word(std::string& words, std::string_view separator, const std::string& word) {
  if (word.empty()) return;
  if (!words.empty()) words += separator;
  words += word;
}

void flatten(const JsonNode& object, const std::string& prefix, NamedTexts& out) {
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const JsonNode& value = object.items[i];
    const std::string key = prefix + object.keys[i];
    std::string text = scalar_in_words(value);
    if (value.is_object()) flatten(value, key + ".", out);
    if (value.is_array())
      for (const JsonNode& item : value.items) add_word(text, " ", scalar_in_words(item));
    if (!text.empty()) out.emplace_back(key, std::move(text));
  }
}

// The values of a field that occur in a list of objects, each once, in their order.
std::string distinct(const std::vector<JsonNode>& items, std::string_view key) {
  std::vector<std::string> seen;
  std::string words;
  for (const JsonNode& item : items) {
    const JsonNode* value = item.find(key);
    const std::string text = value != nullptr ? scalar_in_words(*value) : "";
    if (text.empty() || std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
    seen.push_back(text);
    add_word(words, ", ", text);
  }
  return words;
}

std::string hottest(const std::vector<JsonNode>& sensors) {
  std::optional<double> most;
  for (const JsonNode& sensor : sensors)
    if (const auto celsius = sensor.find_number("celsius"))
      most = std::max(most.value_or(*celsius), *celsius);
  return most ? fmt::format("{}", *most) : "";
}

std::optional<ExperimentRef> side_in(const JsonNode* node,
                                     const std::vector<RecordedExperiment>& experiments) {
  if (node == nullptr) return std::nullopt;
  const auto name = node->find_text("experiment");
  if (!name || name->empty()) return std::nullopt;
  if (const auto threads = node->find_integer("threads")) return ExperimentRef{*name, *threads};
  const auto known = std::find_if(experiments.begin(), experiments.end(),
                                  [&](const RecordedExperiment& one) { return one.name == *name; });
  const bool clear = known != experiments.end() && known->threads.size() == 1;
  return ExperimentRef{*name, clear ? known->threads.front() : 1};
}

}  // namespace

std::optional<Mode> recorded_mode(const JsonNode& node) {
  const auto mode = node.find_text("mode");
  if (mode == mode_name(Mode::kTiming)) return Mode::kTiming;
  if (mode == mode_name(Mode::kXnntrace)) return Mode::kXnntrace;
  return std::nullopt;
}

Fingerprint recorded_fingerprint(const JsonNode* node) {
  if (node == nullptr) return {};
  return {base::Bytes{node->find_integer("size_bytes").value_or(0)}, node->find_text("xxh3").value_or("")};
}

std::vector<ComparePair> recorded_pairs(const std::vector<JsonNode>& items,
                                        const std::vector<RecordedExperiment>& experiments) {
  std::vector<ComparePair> pairs;
  for (const JsonNode& item : items) {
    auto baseline = side_in(item.find("baseline"), experiments);
    auto candidate = side_in(item.find("candidate"), experiments);
    if (baseline && candidate)
      pairs.push_back({*std::move(baseline), *std::move(candidate), item.find_text("label").value_or("")});
  }
  return pairs;
}

std::vector<RecordedExperiment> recorded_experiments(const std::vector<JsonNode>& items) {
  std::vector<RecordedExperiment> experiments;
  for (const JsonNode& item : items) {
    RecordedExperiment experiment{.name = item.find_text("name").value_or(""),
                                  .mode = recorded_mode(item),
                                  .runs = item.find_integer("runs")};
    if (experiment.name.empty()) continue;
    for (const JsonNode& threads : item.find_items("threads"))
      if (threads.is_integer()) experiment.threads.push_back(threads.integer);
    const auto runner = item.find_text("runner_path");
    experiment.runner_path = runner ? *runner : item.find_text("quiet_runner").value_or("");
    experiment.runner = recorded_fingerprint(item.find("runner_fingerprint"));
    if (const JsonNode* build = item.find("build")) experiment.build = flattened(*build);
    experiments.push_back(std::move(experiment));
  }
  return experiments;
}

NamedTexts flattened(const JsonNode& object) {
  NamedTexts out;
  flatten(object, "", out);
  return out;
}

NamedTexts recorded_device_facts(const JsonNode& manifest) {
  NamedTexts out;
  const auto add = [&](std::string name, std::string value) {
    if (!value.empty()) out.emplace_back(std::move(name), std::move(value));
  };
  const JsonNode* facts = manifest.find("device_facts");
  if (facts == nullptr) return out;
  add("platform", manifest.find_text("platform").value_or(""));
  add("device", manifest.find_text("device").value_or(""));
  if (const JsonNode* before = facts->find("before")) {
    for (std::size_t i = 0; i < before->keys.size(); ++i)
      add(before->keys[i], scalar_in_words(before->items[i]));
    add("governors", distinct(before->find_items("cores"), "governor"));
    add("max_khz", distinct(before->find_items("cores"), "max_khz"));
    add("hottest_celsius", hottest(before->find_items("temperatures")));
  }
  if (const JsonNode* after = facts->find("after")) {
    add("load_average_after", after->find_text("load_average").value_or(""));
    add("hottest_celsius_after", hottest(after->find_items("temperatures")));
  }
  return out;
}

}  // namespace accelscope::experiments
