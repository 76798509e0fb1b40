// Takes what manifests and configs say about experiments, pairs and the machine out of their JSON, whatever
// else is in it. Wrong kinds are passed over: whoever wants them reported uses config.h.
//
// Pure functions of a tree; safe from any thread.
//
//   run.compare_pairs = recorded_pairs(manifest.find_items("compare_pairs"), experiments);
#pragma once

#include <optional>
#include <vector>

#include "experiments/json_tree.h"
#include "experiments/run_records.h"

namespace accelscope::experiments {

// The field "mode", when it is one of ours.
std::optional<Mode> recorded_mode(const JsonNode& node);
// Unknown for nullptr.
Fingerprint recorded_fingerprint(const JsonNode* node);
// Of a list as in a config. Items without both names are passed over. Where a side does not say on how many
// threads, its experiment's only number of them is meant, or 1.
std::vector<ComparePair> recorded_pairs(const std::vector<JsonNode>& items,
                                        const std::vector<RecordedExperiment>& experiments);
std::vector<RecordedExperiment> recorded_experiments(const std::vector<JsonNode>& items);

// Texts, numbers and truths of an object by their keys; those of objects in it as "outer.inner", lists as
// words.
NamedTexts flattened(const JsonNode& object);

// "platform", "device", then the facts by the names of device_facts.h as they were before the first step,
// then of cores and sensors: "governors", "max_khz" (the values that occur), "hottest_celsius"; and with
// "_after", of what changes, how it was after the last one.
NamedTexts recorded_device_facts(const JsonNode& manifest);

}  // namespace accelscope::experiments
