// Which runs executed the same method. The file does not say; two runs whose ordinary events are the same set
// of (chain, instruction, name) are taken to be of one method. How often an instruction ran does not matter,
// so loops with varying counts stay together.
//
// Used by one thread; owns its copies of the sets, which are no larger than the events they come from.
//
//   groups.add(run, keys)...;  groups.assign(builder);   // sets Run::method and Run::index
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <vector>

#include "trace/trace_builder.h"

namespace accelscope::formats::etdump {

class MethodGroups {
 public:
  using Key = std::uint32_t;
  // The number of a distinct (chain, instruction, name).
  Key key(std::int32_t chain, std::int32_t instruction, trace::StringId name);

  // A run and the keys of its ordinary events, in any order and with repetitions.
  void add(trace::RunId run, trace::RunStatus status, std::vector<Key> keys);
  void add_load(trace::RunId run) { loads_.push_back(run); }

  // Names the methods "method 1", ... in the order of their first runs, and loading phases "load". An aborted
  // run is given the one method it could have been; runs without any clue keep an empty method.
  void assign(trace::TraceBuilder& builder) const;
  std::size_t group_count() const { return groups_.size(); }

 private:
  struct Triple {
    std::int32_t chain;
    std::int32_t instruction;
    trace::StringId name;
    bool operator==(const Triple&) const = default;
  };
  struct TripleHash {
    std::size_t operator()(const Triple& triple) const noexcept;
  };
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  struct Member {
    trace::RunId run;
    std::uint32_t group;
    std::vector<Key> keys;  // of an aborted run
  };

  std::uint32_t only_group_with(const std::vector<Key>& keys) const;

  tsl::robin_map<Triple, Key, TripleHash> keys_;
  std::map<std::vector<Key>, std::uint32_t> groups_;
  std::vector<Member> members_;
  std::vector<trace::RunId> loads_;
};

}  // namespace accelscope::formats::etdump
