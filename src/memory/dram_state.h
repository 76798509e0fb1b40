// What a channel of a DRAM allows, and when: the earliest tick of each command, kept up to date from the
// table of constraints as commands are issued. What banks of a group share is kept for the group, whether it
// comes from the group, its rank or its pseudo channel, because it is asked for with every command.
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

  const Earliest& of_buses() const { return of_channel_; }
  const Earliest& of_group(std::uint32_t group) const { return of_group_[group]; }
  // What everything of a group shares, without the command buses.
  std::int64_t shared(DramCommand command, std::uint32_t group) const {
    return of_group_[group][kind_of(command)];
  }
  std::int64_t of_bus(DramCommand command) const { return of_channel_[kind_of(command)]; }
  std::int64_t of_bank(DramCommand command, std::uint32_t bank) const {
    return of_bank_[bank][kind_of(command)];
  }
  std::int64_t earliest(DramCommand command, std::uint32_t bank) const {
    return std::max({of_bus(command), shared(command, nodes_[bank].group), of_bank(command, bank)});
  }

  void issue(DramCommand command, std::uint32_t bank, std::int64_t tick);

  // All of it relative to a tick, as far as it still matters; and back.
  void append_words(std::int64_t now, std::vector<std::int32_t>& words) const;
  // Returns what is left of the words.
  std::span<const std::int32_t> set_words(std::int64_t now, std::span<const std::int32_t> words);

 private:
  template <class Visit>
  void visit_times(Visit&& visit);

  static constexpr std::array<std::uint8_t, kDramCommands> kKindOfCommand{0, 1, 4, 2, 2, 3, 3, 5, 6};

  struct Rule {
    std::size_t after = 0;
    std::int64_t ticks = 0;
  };
  // At most one for every kind of command that may follow.
  struct RuleList {
    std::array<Rule, kKinds> rules;
    std::size_t count = 0;
  };
  // For every command, what follows from it.
  using Rules = std::array<RuleList, kDramCommands>;
  struct Window {
    DramScope scope;
    std::size_t after;
    std::int64_t ticks;
    std::uint32_t size;
    std::vector<std::int64_t> times;  // a ring for every node of the scope
    std::vector<std::uint32_t> next;
  };

  Rules& rules_of(DramScope scope);
  void add(const DramConstraint& constraint);
  static void apply(const RuleList& list, Earliest& earliest, std::int64_t tick);
  void apply_to_groups(const RuleList& list, std::uint32_t first, std::uint32_t count, std::int64_t tick);
  void apply_windows(DramCommand command, const DramNode& node, std::int64_t tick);

  std::uint32_t pseudo_channels_, ranks_, groups_, banks_;  // of what is above each
  std::vector<DramNode> nodes_;                             // of every bank
  Earliest of_channel_{};
  std::vector<Earliest> of_group_, of_bank_;
  Rules channel_rules_, pseudo_channel_rules_, rank_rules_, other_rank_rules_, group_rules_, bank_rules_;
  std::array<std::vector<Window>, kDramCommands> windows_;
};

}  // namespace accelscope::memory
