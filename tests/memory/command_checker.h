// Replays the commands that a DRAM controller issued and says what of them a DRAM would not have allowed. An
// implementation of its own: it keeps a history and looks back, where the controller looks ahead.
//
//   CommandChecker checker(preset, constraints_of(preset));
//   for (const IssuedCommand& command : log) checker.add(command);
//   checker.faults();    // "channel 0 tick 17: RD 3 ticks after ACT: nRCDRD (bank) needs 14"
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "memory/dram_command.h"
#include "memory/dram_constraints.h"
#include "memory/dram_preset.h"

namespace accelscope::memory {

class CommandChecker {
 public:
  CommandChecker(const DramPreset& preset, std::span<const DramConstraint> constraints);

  void add(const IssuedCommand& issued);
  // The first few.
  const std::vector<std::string>& faults() const { return faults_; }
  // How often each constraint, by name and scope, was broken.
  const std::map<std::string, std::uint64_t>& broken() const { return broken_; }
  std::uint64_t commands() const { return commands_; }
  // Of one pseudo channel, in ticks.
  std::int64_t longest_without_refresh() const { return longest_without_refresh_; }

 private:
  static constexpr std::size_t kRemembered = 4;
  struct History {
    std::array<std::array<std::int64_t, kRemembered>, kDramCommands> last;  // newest first
    History();
    void add(DramCommand command, std::int64_t tick);
  };
  struct OfPseudoChannel {
    History history;
    std::vector<History> ranks, groups, banks;
    std::vector<std::int64_t> open_rows;  // -1: closed
    std::int64_t data_until = 0;
    std::int64_t last_refresh = 0;
  };
  struct OfChannel {
    History history;
    std::vector<OfPseudoChannel> pseudo_channels;
  };

  OfChannel& channel(std::uint32_t number);
  void check_times(const IssuedCommand& issued, const OfChannel& channel);
  void check_rows(const IssuedCommand& issued, OfPseudoChannel& pseudo_channel);
  void check_data(const IssuedCommand& issued, OfPseudoChannel& pseudo_channel);
  void fault(const IssuedCommand& issued, const std::string& what);

  DramPreset preset_;
  std::array<std::vector<DramConstraint>, kDramCommands> by_following_;
  std::vector<OfChannel> channels_;
  std::vector<std::string> faults_;
  std::map<std::string, std::uint64_t> broken_;
  std::uint64_t commands_ = 0;
  std::int64_t longest_without_refresh_ = 0;
};

}  // namespace accelscope::memory
