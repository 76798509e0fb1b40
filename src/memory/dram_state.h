// What a channel of a DRAM allows, and when: for every bank, bank group, rank and pseudo channel the earliest
// tick of each command, kept up to date from the table of constraints as commands are issued.
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
  using Earliest = std::array<std::int64_t, kDramCommands>;

  DramState(const DramPreset& preset, std::span<const DramConstraint> constraints);

  DramNode node_of_bank(std::uint32_t bank) const { return nodes_[bank]; }
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

  // What everything of a group shares, without the command buses.
  std::int64_t shared(DramCommand command, const DramNode& node) const {
    const auto index = static_cast<std::size_t>(command);
    return std::max({of_pseudo_channel_[node.pseudo_channel][index], of_rank_[node.rank][index],
                     of_group_[node.group][index]});
  }
  std::int64_t of_bus(DramCommand command) const { return of_channel_[static_cast<std::size_t>(command)]; }
  std::int64_t of_pseudo_channel(DramCommand command, const DramNode& node) const {
    return of_pseudo_channel_[node.pseudo_channel][static_cast<std::size_t>(command)];
  }
  std::int64_t of_group(DramCommand command, const DramNode& node) const {
    return of_group_[node.group][static_cast<std::size_t>(command)];
  }
  std::int64_t of_bank(DramCommand command, std::uint32_t bank) const {
    return of_bank_[bank][static_cast<std::size_t>(command)];
  }
  std::int64_t earliest(DramCommand command, const DramNode& node) const {
    return std::max({of_bus(command), shared(command, node), of_bank(command, node.bank)});
  }

  void issue(DramCommand command, const DramNode& node, std::int64_t tick);

 private:
  struct Rule {
    DramCommand after;
    std::int64_t ticks;
  };
  // For every command, what follows from it, by scope.
  using Rules = std::array<std::vector<Rule>, kDramCommands>;
  struct Window {
    DramScope scope;
    DramCommand after;
    std::int64_t ticks;
    std::uint32_t size;
    std::vector<std::int64_t> times;  // a ring for every node of the scope
    std::vector<std::uint32_t> next;
  };

  static void apply(const std::vector<Rule>& rules, Earliest& earliest, std::int64_t tick);
  void apply_windows(DramCommand command, const DramNode& node, std::int64_t tick);

  std::uint32_t ranks_, groups_, banks_;  // of what is above each
  std::vector<DramNode> nodes_;           // of every bank
  Earliest of_channel_{};
  std::vector<Earliest> of_pseudo_channel_, of_rank_, of_group_, of_bank_;
  Rules channel_rules_, pseudo_channel_rules_, rank_rules_, other_rank_rules_, group_rules_, bank_rules_;
  std::array<std::vector<Window>, kDramCommands> windows_;
};

}  // namespace accelscope::memory
