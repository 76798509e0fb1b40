// Where the end-to-end time of one method went: exclusive time by part, by category, by operator type and by
// operator, over its steady executions.
//
// The sums are made in integer ticks, so the rows of each list sum to the end-to-end time of the same
// executions exactly; percentages are shares of it and sum to 100. A row is the mean over executions. Pure
// functions; plain data that points to nothing.
//
//   const Breakdown breakdown = breakdown_of(method, steady.positions);
//   for (const Share& row : breakdown.by_category) use(row.name, row.mean, row.percent);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile.h"

namespace accelscope::analysis {

struct Share {
  std::string name = {};
  Category category = Category::kOther;
  Part part = Part::kOther;
  Ticks total = {};             // over all counted executions
  double mean = 0;              // per execution, in the unit of the method
  double percent = 0;           // of the end-to-end time
  std::uint64_t operators = 0;  // how many entries it adds up
  double calls = 0;             // per execution
  std::uint32_t entry = 0;      // the entry with most of it
};

struct Breakdown {
  std::uint64_t executions = 0;
  std::vector<std::uint32_t> positions = {};  // the counted executions
  Ticks total = {};                           // end-to-end time of all counted executions
  double mean = 0;
  std::vector<Share> by_part = {};      // in the order of Part; only those that took time
  std::vector<Share> by_category = {};  // largest first, as all below
  std::vector<Share> by_type = {};      // operators of the same type and place (delegate or not), added up
  std::vector<Share> by_operator = {};  // every entry that is an operator; `entry` is its position
  std::vector<Share> foreign = {};      // shares of what ran on another clock; each clock's sum to 100
  bool exact = false;                   // whether the parts sum to the total, tick by tick
  std::uint64_t negative_entries = 0;   // whose children outlast them
};

// `executions` are positions in method.executions.
Breakdown breakdown_of(const MethodProfile& method, std::span<const std::uint32_t> executions);

// How many times the end-to-end time a table shows that adds calls and what they called.
double inflation_of(const MethodProfile& method);

}  // namespace accelscope::analysis
