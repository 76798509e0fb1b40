#include "memory/command_checker.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::memory {
namespace {

constexpr std::int64_t kNever = -1'000'000'000;
constexpr std::size_t kMostFaults = 10;

}  // namespace

CommandChecker::History::History() {
  for (auto& times : last) times.fill(kNever);
}

void CommandChecker::History::add(DramCommand command, std::int64_t tick) {
  auto& times = last[static_cast<std::size_t>(command)];
  std::rotate(times.begin(), times.end() - 1, times.end());
  times.front() = tick;
}

CommandChecker::CommandChecker(const DramPreset& preset, std::span<const DramConstraint> constraints)
    : preset_(preset) {
  for (const DramConstraint& constraint : constraints)
    by_following_[static_cast<std::size_t>(constraint.after)].push_back(constraint);
}

CommandChecker::OfChannel& CommandChecker::channel(std::uint32_t number) {
  const DramOrganisation& o = preset_.organisation;
  while (channels_.size() <= number) {
    OfChannel& added = channels_.emplace_back();
    added.pseudo_channels.resize(o.pseudo_channels);
    for (OfPseudoChannel& pseudo_channel : added.pseudo_channels) {
      pseudo_channel.ranks.resize(o.ranks);
      pseudo_channel.groups.resize(std::size_t{o.ranks} * o.bank_groups);
      pseudo_channel.banks.resize(std::size_t{o.ranks} * o.bank_groups * o.banks_per_group);
      pseudo_channel.open_rows.assign(pseudo_channel.banks.size(), -1);
    }
  }
  return channels_[number];
}

void CommandChecker::fault(const IssuedCommand& issued, const std::string& what) {
  if (faults_.size() < kMostFaults)
    faults_.push_back(fmt::format("channel {} tick {}: {}: {}", issued.channel, issued.tick,
                                  name_of(issued.command), what));
}

void CommandChecker::check_times(const IssuedCommand& issued, const OfChannel& of_channel) {
  const DramPlace& place = issued.place;
  const OfPseudoChannel& pseudo_channel = of_channel.pseudo_channels[place.pseudo_channel];
  const std::size_t group = place.rank * preset_.organisation.bank_groups + place.group;
  const std::size_t bank = group * preset_.organisation.banks_per_group + place.bank;
  for (const DramConstraint& constraint : by_following_[static_cast<std::size_t>(issued.command)]) {
    const auto check = [&](const History& history) {
      const std::int64_t before =
          history.last[static_cast<std::size_t>(constraint.before)][constraint.window - 1];
      if (issued.tick - before >= constraint.ticks) return;
      ++broken_[fmt::format("{} ({})", constraint.name, name_of(constraint.scope))];
      fault(issued, fmt::format("{} ticks after {}: {} ({}) needs {}", issued.tick - before,
                                name_of(constraint.before), constraint.name, name_of(constraint.scope),
                                constraint.ticks));
    };
    switch (constraint.scope) {
      case DramScope::kChannel:
        check(of_channel.history);
        break;
      case DramScope::kPseudoChannel:
        check(pseudo_channel.history);
        break;
      case DramScope::kRank:
        check(pseudo_channel.ranks[place.rank]);
        break;
      case DramScope::kOtherRank:
        for (std::uint32_t rank = 0; rank < preset_.organisation.ranks; ++rank)
          if (rank != place.rank) check(pseudo_channel.ranks[rank]);
        break;
      case DramScope::kBankGroup:
        check(pseudo_channel.groups[group]);
        break;
      case DramScope::kBank:
        check(pseudo_channel.banks[bank]);
        break;
    }
  }
}

void CommandChecker::check_rows(const IssuedCommand& issued, OfPseudoChannel& pseudo_channel) {
  const DramPlace& place = issued.place;
  const std::size_t group = place.rank * preset_.organisation.bank_groups + place.group;
  std::int64_t& open = pseudo_channel.open_rows[group * preset_.organisation.banks_per_group + place.bank];
  switch (issued.command) {
    case DramCommand::kActivate:
      if (open >= 0) fault(issued, "the bank has an open row");
      open = place.row;
      break;
    case DramCommand::kPrecharge:
      open = -1;
      break;
    case DramCommand::kPrechargeAll:
      std::fill(pseudo_channel.open_rows.begin(), pseudo_channel.open_rows.end(), -1);
      break;
    case DramCommand::kRefreshAll:
      if (std::any_of(pseudo_channel.open_rows.begin(), pseudo_channel.open_rows.end(),
                      [](std::int64_t row) { return row >= 0; }))
        fault(issued, "rows are open");
      break;
    case DramCommand::kRefreshBank:
      if (open >= 0) fault(issued, "the bank has an open row");
      break;
    default:
      if (open != place.row) fault(issued, fmt::format("row {} is open, not {}", open, place.row));
      if (issued.command == DramCommand::kReadClose || issued.command == DramCommand::kWriteClose) open = -1;
  }
  if (issued.command != DramCommand::kRefreshAll) return;
  longest_without_refresh_ = std::max(longest_without_refresh_, issued.tick - pseudo_channel.last_refresh);
  pseudo_channel.last_refresh = issued.tick;
}

void CommandChecker::check_data(const IssuedCommand& issued, OfPseudoChannel& pseudo_channel) {
  if (!is_column(issued.command)) return;
  const DramTimes& times = preset_.times;
  const std::int64_t from = issued.tick + preset_.ticks(is_read(issued.command) ? times.cl : times.cwl);
  if (from < pseudo_channel.data_until) fault(issued, "its data meet others on the bus");
  pseudo_channel.data_until = from + preset_.ticks(times.bl);
}

void CommandChecker::add(const IssuedCommand& issued) {
  ++commands_;
  OfChannel& of_channel = channel(issued.channel);
  OfPseudoChannel& pseudo_channel = of_channel.pseudo_channels[issued.place.pseudo_channel];
  check_times(issued, of_channel);
  check_rows(issued, pseudo_channel);
  check_data(issued, pseudo_channel);
  const std::size_t group = issued.place.rank * preset_.organisation.bank_groups + issued.place.group;
  of_channel.history.add(issued.command, issued.tick);
  pseudo_channel.history.add(issued.command, issued.tick);
  pseudo_channel.ranks[issued.place.rank].add(issued.command, issued.tick);
  pseudo_channel.groups[group].add(issued.command, issued.tick);
  pseudo_channel.banks[group * preset_.organisation.banks_per_group + issued.place.bank].add(issued.command,
                                                                                             issued.tick);
}

}  // namespace accelscope::memory
