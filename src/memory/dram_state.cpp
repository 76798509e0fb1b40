#include "memory/dram_state.h"

#include <algorithm>

namespace accelscope::memory {
namespace {

constexpr std::int64_t kLongAgo = -(std::int64_t{1} << 40);

}  // namespace

DramState::DramState(const DramPreset& preset, std::span<const DramConstraint> constraints)
    : pseudo_channels_(preset.organisation.pseudo_channels),
      ranks_(preset.organisation.ranks),
      groups_(preset.organisation.bank_groups),
      banks_(preset.organisation.banks_per_group) {
  const std::uint32_t groups = pseudo_channels_ * ranks_ * groups_;
  first_ = {0, 1, 1 + pseudo_channels_, 1 + pseudo_channels_ + groups};
  times_.resize(first_[kBanks] + std::size_t{groups} * banks_);
  constexpr auto kTimes = static_cast<std::uint32_t>(kKinds);
  for (std::uint32_t bank = 0; bank < groups * banks_; ++bank) {
    const std::uint32_t group = bank / banks_;
    const std::uint32_t pseudo_channel = group / groups_ / ranks_;
    nodes_.push_back({pseudo_channel, group / groups_, group, bank});
    parts_.push_back({0, (first_[kPseudoChannels] + pseudo_channel) * kTimes,
                      (first_[kGroups] + group) * kTimes, (first_[kBanks] + bank) * kTimes});
  }
  for (const DramConstraint& constraint : constraints) add(constraint);
}

DramState::Level DramState::level_of(DramScope scope) const {
  switch (scope) {
    case DramScope::kChannel:
      return kBuses;
    case DramScope::kPseudoChannel:
      return kPseudoChannels;
    case DramScope::kRank:
    case DramScope::kOtherRank:
      // A single rank is its pseudo channel.
      return ranks_ == 1 ? kPseudoChannels : kGroups;
    case DramScope::kBankGroup:
      return kGroups;
    case DramScope::kBank:
      break;
  }
  return kBanks;
}

DramState::Rules& DramState::rules_of(DramScope scope) {
  if (scope == DramScope::kOtherRank) return other_rank_rules_;
  return scope == DramScope::kRank && ranks_ > 1 ? rank_rules_ : rules_;
}

void DramState::add(const DramConstraint& constraint) {
  const auto before = static_cast<std::size_t>(constraint.before);
  const std::size_t after = kind_of(constraint.after);
  if (constraint.window > 1) {
    const std::size_t nodes = std::size_t{pseudo_channels_} * ranks_;
    windows_[before].push_back({constraint.scope, after, constraint.ticks, constraint.window,
                                std::vector<std::int64_t>(nodes * constraint.window, kLongAgo),
                                std::vector<std::uint32_t>(nodes, 0)});
    return;
  }
  // One rule for each pair: the longest.
  const Level level = level_of(constraint.scope);
  std::vector<Rule>& rules = rules_of(constraint.scope)[before];
  for (Rule& rule : rules) {
    if (rule.level != level || rule.after != after) continue;
    rule.ticks = std::max(rule.ticks, constraint.ticks);
    return;
  }
  rules.push_back({level, static_cast<std::uint32_t>(after), constraint.ticks});
}

void DramState::apply_to_rank(const std::vector<Rule>& rules, std::uint32_t rank, std::int64_t tick) {
  const std::span<Earliest> groups = times_of(kGroups).subspan(std::size_t{rank} * groups_, groups_);
  for (const Rule& rule : rules)
    for (Earliest& group : groups) group[rule.after] = std::max(group[rule.after], tick + rule.ticks);
}

void DramState::apply_to_ranks(DramCommand command, const DramNode& node, std::int64_t tick) {
  const auto index = static_cast<std::size_t>(command);
  apply_to_rank(rank_rules_[index], node.rank, tick);
  if (other_rank_rules_[index].empty()) return;
  const std::uint32_t first = node.pseudo_channel * ranks_;
  for (std::uint32_t rank = first; rank < first + ranks_; ++rank)
    if (rank != node.rank) apply_to_rank(other_rank_rules_[index], rank, tick);
}

void DramState::apply_windows(DramCommand command, const DramNode& node, std::int64_t tick) {
  for (Window& window : windows_[static_cast<std::size_t>(command)]) {
    const bool rank = window.scope == DramScope::kRank;
    const std::uint32_t which = rank ? node.rank : node.pseudo_channel;
    std::int64_t* times = &window.times[std::size_t{which} * window.size];
    std::uint32_t& next = window.next[which];
    times[next] = tick;
    next = next + 1 == window.size ? 0 : next + 1;
    const std::int64_t from = times[next] + window.ticks;
    const auto hold = [&](Earliest& earliest) {
      earliest[window.after] = std::max(earliest[window.after], from);
    };
    if (!rank || ranks_ == 1) {
      hold(times_of(kPseudoChannels)[node.pseudo_channel]);
      continue;
    }
    for (Earliest& group : times_of(kGroups).subspan(std::size_t{which} * groups_, groups_)) hold(group);
  }
}

void DramState::settle() {
  const std::span<Earliest> pseudo_channels = times_of(kPseudoChannels);
  const std::span<Earliest> groups = times_of(kGroups);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const Earliest& shared = pseudo_channels[group / groups_ / ranks_];
    for (std::size_t kind = 0; kind < kKinds; ++kind)
      groups[group][kind] = std::max(groups[group][kind], shared[kind]);
  }
  for (Earliest& shared : pseudo_channels) shared.fill(kLongAgo);
}

// Every time of the settled state with what it must be added to, to be a tick from which something is
// allowed.
template <class Visit>
void DramState::visit_times(Visit&& visit) {
  for (const Level level : {kBuses, kGroups, kBanks})
    for (Earliest& part : times_of(level))
      for (std::int64_t& time : part) visit(time, 0);
  for (auto& windows : windows_)
    for (Window& window : windows)
      for (std::size_t node = 0; node < window.next.size(); ++node)
        // The oldest first, wherever the ring begins.
        for (std::uint32_t i = 0; i < window.size; ++i)
          visit(window.times[node * window.size + (window.next[node] + i) % window.size], window.ticks);
}

void DramState::append_words(std::int64_t now, std::vector<std::int32_t>& words) {
  settle();
  visit_times([&](const std::int64_t& time, std::int64_t ticks) {
    words.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(0, time + ticks - now)));
  });
}

std::span<const std::int32_t> DramState::set_words(std::int64_t now, std::span<const std::int32_t> words) {
  settle();
  visit_times([&](std::int64_t& time, std::int64_t ticks) {
    time = words.front() == 0 ? std::min(time, now - ticks) : now + words.front() - ticks;
    words = words.subspan(1);
  });
  return words;
}

}  // namespace accelscope::memory
