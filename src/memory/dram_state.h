// What a channel of a DRAM allows, and when: the earliest tick of each command, kept up to date from the
// table of constraints as commands are issued. Every time is kept once, for the part of the channel that it
// holds for: the buses, a pseudo channel, a group, a bank. Only what holds for a rank among several is kept
// for each of its groups.
//
// One thread uses one state; it owns its tables.
//
//   DramState state(preset, constraints_of(preset));
//   if (state.earliest(DramCommand::kActivate, node) <= now) state.issue(DramCommand::kActivate, node, now);
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/dram_command.h"
#include "memory/dram_constraints.h"
#include "memory/dram_preset.h"

namespace accelscope::memory {

// Indices of a place within its channel.
struct DramNode {
  std::uint32_t pseudo_channel = 0;
  std::uint32_t rank = 0;   // of all ranks of the channel
  std::uint32_t group = 0;  // of all groups
  std::uint32_t bank = 0;   // of all banks
};

class DramState {
 public:
  DramState(const DramPreset& preset, std::span<const DramConstraint> constraints);

  const DramNode& node_of_bank(std::uint32_t bank) const { return nodes_[bank]; }
  std::uint32_t bank_of(const DramPlace& place) const {
    return ((place.pseudo_channel * ranks_ + place.rank) * groups_ + place.group) * banks_ + place.bank;
  }
  DramPlace place_of_bank(std::uint32_t bank) const {
    const DramNode& node = nodes_[bank];
    return {.pseudo_channel = node.pseudo_channel,
            .rank = node.rank % ranks_,
            .group = node.group % groups_,
            .bank = bank % banks_};
  }

  // Commands that may be issued at the same times: reads with and without a precharge behind them are one
  // kind, and so are writes.
  static constexpr std::size_t kKinds = 8;
  using Earliest = std::array<std::int64_t, kKinds>;
  static constexpr std::size_t kind_of(DramCommand command) {
    return kKindOfCommand[static_cast<std::size_t>(command)];
  }

  const Earliest& of_buses() const { return times_.front(); }
  const Earliest& of_pseudo_channel(std::uint32_t pseudo_channel) const {
    return times_[first_[kPseudoChannels] + pseudo_channel];
  }
  // Those of all groups, one behind the other: a search asks for one of many.
  const std::int64_t* of_groups() const { return times_[first_[kGroups]].data(); }
  static constexpr std::uint32_t place_in_groups(std::uint32_t group, std::uint32_t kind) {
    return group * std::uint32_t{kKinds} + kind;
  }
  // What everything of a group shares, without the command buses.
  std::int64_t shared(DramCommand command, const DramNode& node) const {
    const std::size_t kind = kind_of(command);
    return std::max(of_pseudo_channel(node.pseudo_channel)[kind], times_[first_[kGroups] + node.group][kind]);
  }
  std::int64_t of_bus(DramCommand command) const { return of_buses()[kind_of(command)]; }
  std::int64_t of_bank(DramCommand command, std::uint32_t bank) const {
    return times_[first_[kBanks] + bank][kind_of(command)];
  }
  std::int64_t earliest(DramCommand command, std::uint32_t bank) const {
    return std::max({of_bus(command), shared(command, nodes_[bank]), of_bank(command, bank)});
  }

  void issue(DramCommand command, std::uint32_t bank, std::int64_t tick) {
    const auto index = static_cast<std::size_t>(command);
    std::int64_t* times = times_.front().data();
    const Parts& parts = parts_[bank];
    for (const Rule& rule : rules_[index]) {
      std::int64_t& earliest = times[parts[rule.level] + rule.after];
      const std::int64_t from = tick + rule.ticks;
      earliest = earliest > from ? earliest : from;
    }
    if (ranks_ > 1) apply_to_ranks(command, nodes_[bank], tick);
    if (!windows_[index].empty()) apply_windows(command, nodes_[bank], tick);
  }

  // All of it relative to a tick, as far as it still matters; and back.
  void append_words(std::int64_t now, std::vector<std::int32_t>& words);
  // Returns what is left of the words.
  std::span<const std::int32_t> set_words(std::int64_t now, std::span<const std::int32_t> words);

 private:
  template <class Visit>
  void visit_times(Visit&& visit);

  static constexpr std::array<std::uint8_t, kDramCommands> kKindOfCommand{0, 1, 4, 2, 2, 3, 3, 5, 6};

  // Parts of a channel that times are kept for.
  enum Level : std::uint8_t { kBuses, kPseudoChannels, kGroups, kBanks };
  static constexpr std::size_t kLevels = 4;
  // Where the times of each part that a bank belongs to begin, counted in single times.
  using Parts = std::array<std::uint32_t, kLevels>;
  struct Rule {
    std::uint32_t level = 0;
    std::uint32_t after = 0;  // a kind
    std::int64_t ticks = 0;
  };
  // For every command what follows from it, at most once for each part and kind.
  using Rules = std::array<std::vector<Rule>, kDramCommands>;
  struct Window {
    DramScope scope;
    std::size_t after;
    std::int64_t ticks;
    std::uint32_t size;
    std::vector<std::int64_t> times;  // a ring for every node of the scope
    std::vector<std::uint32_t> next;
  };

  std::span<Earliest> times_of(Level level) {
    const std::size_t end = level == kBanks ? times_.size() : first_[level + 1U];
    return std::span(times_).subspan(first_[level], end - first_[level]);
  }
  Rules& rules_of(DramScope scope);
  Level level_of(DramScope scope) const;
  void add(const DramConstraint& constraint);
  void apply_to_rank(const std::vector<Rule>& rules, std::uint32_t rank, std::int64_t tick);
  void apply_to_ranks(DramCommand command, const DramNode& node, std::int64_t tick);
  // The same times as those of groups alone.
  void settle();
  void apply_windows(DramCommand command, const DramNode& node, std::int64_t tick);

  std::uint32_t pseudo_channels_, ranks_, groups_, banks_;  // of what is above each
  std::vector<DramNode> nodes_;                             // of every bank
  std::vector<Parts> parts_;                                // of every bank
  std::vector<Earliest> times_;  // of the buses, then of all pseudo channels, all groups, all banks
  std::array<std::uint32_t, kLevels> first_{};  // of each level, in `times_`
  Rules rules_;                                 // for the part of the channel that the command goes to
  Rules rank_rules_, other_rank_rules_;         // when there are several; their level is not asked for
  std::array<std::vector<Window>, kDramCommands> windows_;
};

}  // namespace accelscope::memory
