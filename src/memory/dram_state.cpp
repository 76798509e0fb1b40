#include "memory/dram_state.h"

#include <algorithm>

namespace accelscope::memory {
namespace {

constexpr std::int64_t kLongAgo = -(std::int64_t{1} << 40);

}  // namespace

DramState::DramState(const DramPreset& preset, std::span<const DramConstraint> constraints)
    : ranks_(preset.organisation.ranks),
      groups_(preset.organisation.bank_groups),
      banks_(preset.organisation.banks_per_group) {
  const std::uint32_t pseudo_channels = preset.organisation.pseudo_channels;
  of_pseudo_channel_.resize(pseudo_channels);
  of_rank_.resize(std::size_t{pseudo_channels} * ranks_);
  of_group_.resize(of_rank_.size() * groups_);
  of_bank_.resize(of_group_.size() * banks_);
  for (std::uint32_t bank = 0; bank < of_bank_.size(); ++bank) {
    const std::uint32_t group = bank / banks_;
    nodes_.push_back({group / groups_ / ranks_, group / groups_, group, bank});
  }
  const auto rules_of = [&](DramScope scope) -> Rules& {
    switch (scope) {
      case DramScope::kChannel:
        return channel_rules_;
      case DramScope::kPseudoChannel:
        return pseudo_channel_rules_;
      case DramScope::kRank:
        return rank_rules_;
      case DramScope::kOtherRank:
        return other_rank_rules_;
      case DramScope::kBankGroup:
        return group_rules_;
      case DramScope::kBank:
        break;
    }
    return bank_rules_;
  };
  for (const DramConstraint& constraint : constraints) {
    const auto before = static_cast<std::size_t>(constraint.before);
    if (constraint.window > 1) {
      const std::size_t nodes =
          constraint.scope == DramScope::kRank ? of_rank_.size() : of_pseudo_channel_.size();
      windows_[before].push_back({constraint.scope, constraint.after, constraint.ticks, constraint.window,
                                  std::vector<std::int64_t>(nodes * constraint.window, kLongAgo),
                                  std::vector<std::uint32_t>(nodes, 0)});
      continue;
    }
    // One rule for each pair: the longest.
    std::vector<Rule>& rules = rules_of(constraint.scope)[before];
    const auto same = std::find_if(rules.begin(), rules.end(),
                                   [&](const Rule& rule) { return rule.after == constraint.after; });
    if (same == rules.end())
      rules.push_back({constraint.after, constraint.ticks});
    else
      same->ticks = std::max(same->ticks, constraint.ticks);
  }
}

void DramState::apply(const std::vector<Rule>& rules, Earliest& earliest, std::int64_t tick) {
  for (const Rule& rule : rules) {
    std::int64_t& time = earliest[static_cast<std::size_t>(rule.after)];
    time = std::max(time, tick + rule.ticks);
  }
}

void DramState::issue(DramCommand command, const DramNode& node, std::int64_t tick) {
  const auto index = static_cast<std::size_t>(command);
  apply(channel_rules_[index], of_channel_, tick);
  apply(pseudo_channel_rules_[index], of_pseudo_channel_[node.pseudo_channel], tick);
  apply(rank_rules_[index], of_rank_[node.rank], tick);
  apply(group_rules_[index], of_group_[node.group], tick);
  apply(bank_rules_[index], of_bank_[node.bank], tick);
  if (ranks_ > 1 && !other_rank_rules_[index].empty()) {
    const std::uint32_t first = node.pseudo_channel * ranks_;
    for (std::uint32_t rank = first; rank < first + ranks_; ++rank)
      if (rank != node.rank) apply(other_rank_rules_[index], of_rank_[rank], tick);
  }
  if (!windows_[index].empty()) apply_windows(command, node, tick);
}

void DramState::apply_windows(DramCommand command, const DramNode& node, std::int64_t tick) {
  for (Window& window : windows_[static_cast<std::size_t>(command)]) {
    const bool rank = window.scope == DramScope::kRank;
    const std::uint32_t which = rank ? node.rank : node.pseudo_channel;
    std::int64_t* times = &window.times[std::size_t{which} * window.size];
    std::uint32_t& next = window.next[which];
    times[next] = tick;
    next = next + 1 == window.size ? 0 : next + 1;
    Earliest& earliest = rank ? of_rank_[which] : of_pseudo_channel_[which];
    std::int64_t& time = earliest[static_cast<std::size_t>(window.after)];
    time = std::max(time, times[next] + window.ticks);
  }
}

}  // namespace accelscope::memory
