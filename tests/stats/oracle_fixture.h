// The latency vectors of the conformance data and what scipy says of them.
#pragma once

#include <simdjson.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accelscope::stats {

inline const std::string kOracleFolder =
    std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/case5_latency_stats/";

inline const std::vector<std::string> kOracleVectors = {"n100_lognormal_outliers",
                                                        "n100_throttle",
                                                        "n10_cold",
                                                        "n1",
                                                        "n20_lognormal",
                                                        "n2",
                                                        "n30_bimodal",
                                                        "n3_fixture",
                                                        "n5_equal"};

inline bool oracle_is_here() {
  return std::filesystem::exists(kOracleFolder);
}

// The column duration_ms of a timeline, which is the seventh.
inline std::vector<double> oracle_vector(const std::string& name) {
  std::ifstream file(kOracleFolder + name + "_exec_all_runs_timeline.csv");
  std::vector<double> values;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::size_t begin = 0;
    for (int column = 0; column < 6; ++column) begin = line.find(',', begin) + 1;
    values.push_back(std::stod(line.substr(begin)));
  }
  return values;
}

inline std::vector<double> numbers_of(simdjson::dom::element array) {
  std::vector<double> values;
  for (const simdjson::dom::element value : array.get_array()) values.push_back(value.get_double());
  return values;
}

// Empty where the oracle says null or nothing.
inline std::optional<double> number_of(simdjson::dom::element object, std::string_view key) {
  double value = 0;
  if (object[key].get_double().get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

}  // namespace accelscope::stats
