// Random programs of tasks: views of a few small buffers that overlap in every way, updates in place, scopes
// of both kinds. And what must be found in them, by sets of elements alone.
#pragma once

#include <bitset>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "runtime/element_sets.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

// Of one buffer; no view of these programs reaches further.
using Elements = std::bitset<1024>;

inline Elements bits_of(const TensorView& view) {
  Elements elements;
  for_each_element(
      view, [&](std::uint64_t element) { elements.set(element); }, 0, view.start);
  return elements;
}

struct ProgramTask {
  std::vector<Argument> arguments;
  std::vector<Elements> elements;  // of each argument
  bool manual = false;             // of a manual scope: nothing is looked up for it
  std::uint64_t retired = 0;       // tasks below this one are retired when it is submitted
};

inline std::vector<ProgramTask> random_program(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  const std::uint32_t buffers = 1 + below(3);
  const std::array<std::uint32_t, 2> grid = {2 + below(5), 2 + below(8)};
  const bool in_grid = below(2) == 0;
  std::vector<ProgramTask> tasks(5 + below(40));
  std::vector<bool> scopes;  // those that are open: manual or not
  std::uint64_t retired = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (below(5) == 0) scopes.push_back(below(3) == 0);
    if (below(5) == 0 && !scopes.empty()) scopes.pop_back();
    if (below(8) == 0) retired += below(static_cast<std::uint32_t>(i - retired) + 1);
    ProgramTask& task = tasks[i];
    task.manual = !scopes.empty() && scopes.back();
    task.retired = retired;
    task.arguments.resize(1 + below(3));
    for (Argument& argument : task.arguments) {
      argument.view = in_grid ? random_box(grid, below) : random_view(below);
      argument.view.buffer = below(buffers);
      argument.access = std::array{Access::kInput, Access::kInOut, Access::kOutput}[below(3)];
      task.elements.push_back(bits_of(argument.view));
    }
  }
  return tasks;
}

// The tensor map's promise, with sets: an entry is found by whoever conflicts with one of its elements, until
// one later write that looked has all of them, or its task is retired.
class OracleMap {
 public:
  using Findings = std::multiset<std::uint64_t>;

  Findings find(const Argument& argument, const Elements& elements) const {
    Findings findings;
    for (const Entry& entry : entries_) {
      if (entry.buffer != argument.view.buffer || (!entry.written && !writes(argument.access))) continue;
      if ((entry.elements & elements).any()) findings.insert(entry.task);
    }
    return findings;
  }

  void insert(const Argument& argument, const Elements& elements, std::uint64_t task, bool drops) {
    if (elements.none()) return;
    const Entry added{task, argument.view.buffer, writes(argument.access), elements};
    if (drops && added.written) {
      std::erase_if(entries_, [&](const Entry& entry) {
        return entry.buffer == added.buffer && (entry.elements & ~elements).none();
      });
    }
    entries_.push_back(added);
  }

  void forget_below(std::uint64_t task) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.task < task; });
  }

  std::size_t live() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t task;
    std::uint32_t buffer;
    bool written;
    Elements elements;
  };

  std::vector<Entry> entries_;
};

// Whether one of two tasks writes an element that the other touches.
inline bool conflict(const ProgramTask& a, const ProgramTask& b) {
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    for (std::size_t j = 0; j < b.arguments.size(); ++j) {
      const Argument& one = a.arguments[i];
      const Argument& other = b.arguments[j];
      if (one.view.buffer != other.view.buffer || (!writes(one.access) && !writes(other.access))) continue;
      if ((a.elements[i] & b.elements[j]).any()) return true;
    }
  }
  return false;
}

}  // namespace accelscope::runtime
