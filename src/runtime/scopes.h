// The scopes that are open, and the tasks that each holds.
//
// Tasks of a scope stay in their ring until it ends, because others of the scope may still want what they
// made. Outside of all scopes only tasks that make buffers are held: of the others nobody can want anything
// later. Belongs to the orchestrator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/run_plan.h"

namespace accelscope::runtime {

template <class Slot>
class OpenScopes {
 public:
  struct Scope {
    std::uint32_t site = 0;
    bool manual = false;
    std::size_t first = 0;  // of its tasks
  };
  // `site` names what is outside of all scopes.
  explicit OpenScopes(std::uint32_t site) { scopes_.push_back({site, false, 0}); }

  void begin(std::uint32_t site, bool manual) { scopes_.push_back({site, manual, held_.size()}); }
  // Calls release(slot) for each task that the innermost scope holds, and ends it.
  template <class Release>
  void end(Release&& release) {
    for (std::size_t i = scopes_.back().first; i < held_.size(); ++i) release(*held_[i]);
    held_.resize(scopes_.back().first);
    scopes_.pop_back();
  }

  bool holds(bool makes_buffers) const { return scopes_.size() > 1 || makes_buffers; }
  void hold(Slot& slot) { held_.push_back(&slot); }

  const Scope& innermost() const { return scopes_.back(); }
  std::uint32_t depth() const { return static_cast<std::uint32_t>(scopes_.size() - 1); }
  std::uint32_t ring() const { return std::min<std::uint32_t>(depth(), kRings - 1); }

 private:
  std::vector<Scope> scopes_;
  std::vector<Slot*> held_;
};

}  // namespace accelscope::runtime
