#include "formats/etdump/method_groups.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"

namespace accelscope::formats::etdump {
namespace {

// Beyond this, a file has no methods worth guessing among, and trying would take quadratic time.
constexpr std::size_t kMostGroupsToTry = 64;

}  // namespace

std::size_t MethodGroups::TripleHash::operator()(const Triple& triple) const noexcept {
  return base::hash_of(triple.chain, triple.instruction, triple.name);
}

MethodGroups::Key MethodGroups::key(std::int32_t chain, std::int32_t instruction, trace::StringId name) {
  const auto next = static_cast<Key>(keys_.size());
  return keys_.try_emplace(Triple{chain, instruction, name}, next).first->second;
}

void MethodGroups::add(trace::RunId run, trace::RunStatus status, std::vector<Key> keys) {
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (status != trace::RunStatus::kComplete) {
    members_.push_back({run, kUnknown, std::move(keys)});
    return;
  }
  const auto next = static_cast<std::uint32_t>(groups_.size());
  members_.push_back({run, groups_.try_emplace(std::move(keys), next).first->second, {}});
}

std::uint32_t MethodGroups::only_group_with(const std::vector<Key>& keys) const {
  if (keys.empty() || groups_.size() > kMostGroupsToTry) return kUnknown;
  std::uint32_t found = kUnknown;
  for (const auto& [members, group] : groups_) {
    if (!std::includes(members.begin(), members.end(), keys.begin(), keys.end())) continue;
    if (found != kUnknown) return kUnknown;
    found = group;
  }
  return found;
}

void MethodGroups::assign(trace::TraceBuilder& builder) const {
  std::vector<std::uint32_t> runs_of_group(groups_.size(), 0);
  std::uint32_t runs_of_none = 0;
  std::vector<trace::StringId> names;
  names.reserve(groups_.size());
  for (std::size_t group = 0; group < groups_.size(); ++group)
    names.push_back(builder.intern(fmt::format("method {}", group + 1)));
  for (const Member& member : members_) {
    const std::uint32_t group = member.group != kUnknown ? member.group : only_group_with(member.keys);
    trace::Run& run = builder.run(member.run);
    run.method = group == kUnknown ? trace::StringId::kEmpty : names[group];
    run.index = group == kUnknown ? runs_of_none++ : runs_of_group[group]++;
  }
  std::uint32_t loads = 0;
  for (const trace::RunId run : loads_) {
    builder.run(run).method = builder.intern("load");
    builder.run(run).index = loads++;
  }
}

}  // namespace accelscope::formats::etdump
