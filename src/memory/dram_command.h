// Commands that a controller sends to a DRAM, and to which part of a channel.
//
// Plain data, safe from any thread.
//
//   IssuedCommand{.tick = 14, .command = DramCommand::kRead, .place = {.bank = 3, .row = 7, .column = 1}}
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accelscope::memory {

enum class DramCommand : std::uint8_t {
  kActivate,
  kPrecharge,
  kPrechargeAll,  // of a pseudo channel
  kRead,
  kReadClose,  // with a precharge behind it
  kWrite,
  kWriteClose,
  kRefreshAll,  // of a pseudo channel
  kRefreshBank,
};
inline constexpr std::size_t kDramCommands = 9;

constexpr std::string_view name_of(DramCommand command) {
  constexpr std::array<std::string_view, kDramCommands> kNames{"ACT", "PRE", "PREA", "RD",  "RDA",
                                                               "WR",  "WRA", "REFA", "REFB"};
  return kNames[static_cast<std::size_t>(command)];
}
constexpr bool is_column(DramCommand command) {
  return command >= DramCommand::kRead && command <= DramCommand::kWriteClose;
}
constexpr bool is_read(DramCommand command) {
  return command == DramCommand::kRead || command == DramCommand::kReadClose;
}
constexpr bool is_write(DramCommand command) {
  return command == DramCommand::kWrite || command == DramCommand::kWriteClose;
}

// Every index counts within what is above it.
struct DramPlace {
  std::uint32_t pseudo_channel = 0;
  std::uint32_t rank = 0;
  std::uint32_t group = 0;
  std::uint32_t bank = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;  // in bursts

  bool operator==(const DramPlace&) const = default;
};

struct IssuedCommand {
  std::int64_t tick = 0;
  std::uint32_t channel = 0;
  DramCommand command = DramCommand::kActivate;
  DramPlace place = {};

  bool operator==(const IssuedCommand&) const = default;
};

}  // namespace accelscope::memory
