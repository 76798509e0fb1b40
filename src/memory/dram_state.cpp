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
  of_group_.resize(std::size_t{pseudo_channels_} * ranks_ * groups_);
  of_bank_.resize(of_group_.size() * banks_);
  for (std::uint32_t bank = 0; bank < of_bank_.size(); ++bank) {
    const std::uint32_t group = bank / banks_;
    nodes_.push_back({group / groups_ / ranks_, group / groups_, group, bank});
  }
  for (const DramConstraint& constraint : constraints) add(constraint);
}

DramState::Rules& DramState::rules_of(DramScope scope) {
  // A single rank is its pseudo channel.
  if (scope == DramScope::kRank && ranks_ == 1) return pseudo_channel_rules_;
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
  RuleList& list = rules_of(constraint.scope)[before];
  for (std::size_t i = 0; i < list.count; ++i) {
    if (list.rules[i].after != after) continue;
    list.rules[i].ticks = std::max(list.rules[i].ticks, constraint.ticks);
    return;
  }
  list.rules[list.count++] = {after, constraint.ticks};
}

void DramState::apply(const RuleList& list, Earliest& earliest, std::int64_t tick) {
  for (std::size_t i = 0; i < list.count; ++i) {
    const Rule& rule = list.rules[i];
    earliest[rule.after] = std::max(earliest[rule.after], tick + rule.ticks);
  }
}

void DramState::apply_to_groups(const RuleList& list, std::uint32_t first, std::uint32_t count,
                                std::int64_t tick) {
  for (std::size_t i = 0; i < list.count; ++i) {
    const Rule& rule = list.rules[i];
    for (std::uint32_t group = first; group < first + count; ++group)
      of_group_[group][rule.after] = std::max(of_group_[group][rule.after], tick + rule.ticks);
  }
}

void DramState::issue(DramCommand command, std::uint32_t bank, std::int64_t tick) {
  const auto index = static_cast<std::size_t>(command);
  const DramNode& node = nodes_[bank];
  apply(channel_rules_[index], of_channel_, tick);
  apply_to_groups(pseudo_channel_rules_[index], node.pseudo_channel * ranks_ * groups_, ranks_ * groups_,
                  tick);
  apply_to_groups(rank_rules_[index], node.rank * groups_, groups_, tick);
  apply(group_rules_[index], of_group_[node.group], tick);
  apply(bank_rules_[index], of_bank_[bank], tick);
  if (ranks_ > 1 && other_rank_rules_[index].count > 0) {
    const std::uint32_t first = node.pseudo_channel * ranks_;
    for (std::uint32_t rank = first; rank < first + ranks_; ++rank)
      if (rank != node.rank) apply_to_groups(other_rank_rules_[index], rank * groups_, groups_, tick);
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
    const std::uint32_t groups = rank ? groups_ : ranks_ * groups_;
    for (std::uint32_t group = which * groups; group < (which + 1) * groups; ++group)
      of_group_[group][window.after] = std::max(of_group_[group][window.after], times[next] + window.ticks);
  }
}

// Every time of the state with what it must be added to, to be a tick from which something is allowed.
template <class Visit>
void DramState::visit_times(Visit&& visit) {
  for (std::int64_t& time : of_channel_) visit(time, 0);
  for (Earliest& group : of_group_)
    for (std::int64_t& time : group) visit(time, 0);
  for (Earliest& bank : of_bank_)
    for (std::int64_t& time : bank) visit(time, 0);
  for (auto& windows : windows_)
    for (Window& window : windows)
      for (std::size_t node = 0; node < window.next.size(); ++node)
        // The oldest first, wherever the ring begins.
        for (std::uint32_t i = 0; i < window.size; ++i)
          visit(window.times[node * window.size + (window.next[node] + i) % window.size], window.ticks);
}

void DramState::append_words(std::int64_t now, std::vector<std::int32_t>& words) const {
  const_cast<DramState*>(this)->visit_times([&](const std::int64_t& time, std::int64_t ticks) {
    words.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(0, time + ticks - now)));
  });
}

std::span<const std::int32_t> DramState::set_words(std::int64_t now, std::span<const std::int32_t> words) {
  visit_times([&](std::int64_t& time, std::int64_t ticks) {
    time = words.front() == 0 ? std::min(time, now - ticks) : now + words.front() - ticks;
    words = words.subspan(1);
  });
  return words;
}

}  // namespace accelscope::memory
