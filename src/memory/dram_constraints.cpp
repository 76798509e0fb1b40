#include "memory/dram_constraints.h"

#include <algorithm>
#include <initializer_list>
#include <span>

namespace accelscope::memory {
namespace {

using enum DramCommand;
using Commands = std::initializer_list<DramCommand>;

class Table {
 public:
  explicit Table(const DramPreset& preset) : preset_(preset) {}

  // `clocks` in half clocks, as sums of times are.
  void add(std::string_view name, DramScope scope, Commands before, Commands after, std::int32_t half_clocks,
           std::uint32_t window = 1) {
    const std::int64_t ticks = preset_.ticks({half_clocks});
    for (const DramCommand first : before)
      for (const DramCommand second : after) {
        const std::int64_t adjusted = ticks + length(first) - length(second);
        if (adjusted > 0) rows_.push_back({name, scope, first, second, adjusted, window});
      }
  }
  // Commands occupy their bus for as long as they are.
  void add_bus(std::string_view name, std::span<const DramCommand> commands) {
    for (const DramCommand first : commands)
      for (const DramCommand second : commands)
        rows_.push_back({name, DramScope::kChannel, first, second, length(first), 1});
  }
  std::vector<DramConstraint> take() { return std::move(rows_); }

 private:
  std::int64_t length(DramCommand command) const {
    const DramTimes& t = preset_.times;
    switch (command) {
      case kActivate:
        return preset_.ticks(t.activate_command);
      case kPrecharge:
      case kPrechargeAll:
        return preset_.ticks(t.precharge_command);
      case kRefreshAll:
      case kRefreshBank:
        return preset_.ticks(t.refresh_command);
      default:
        return preset_.ticks(t.column_command);
    }
  }

  const DramPreset& preset_;
  std::vector<DramConstraint> rows_;
};

constexpr Commands kReads{kRead, kReadClose};
constexpr Commands kWrites{kWrite, kWriteClose};

void add_columns(Table& table, const DramPreset& preset) {
  const DramTimes& t = preset.times;
  const bool hbm = preset.family != DramFamily::kDdr;
  const std::int32_t written = t.cwl.value + t.bl.value;
  for (const Commands same : {kReads, kWrites}) {
    table.add("nBUS", DramScope::kPseudoChannel, same, same, t.bus.value);
    table.add("nCCDS", DramScope::kRank, same, same, t.ccd_s.value);
    table.add("nCCDL", DramScope::kBankGroup, same, same, t.ccd_l.value);
  }
  const DramScope turn = hbm ? DramScope::kPseudoChannel : DramScope::kRank;
  table.add("nRTW", turn, kReads, kWrites, t.rtw.value);
  table.add("nWTRS", turn, kWrites, kReads, written + t.wtr_s.value);
  table.add("nWTRL", DramScope::kBankGroup, kWrites, kReads, written + t.wtr_l.value);
  if (preset.organisation.ranks == 1) return;
  if (t.ccd_r.value > 0) table.add("nCCDR", DramScope::kOtherRank, kReads, kReads, t.ccd_r.value);
  if (hbm) return;
  // Another rank drives the bus: its data must not meet those before.
  table.add("nCS", DramScope::kOtherRank, kReads, kReads, t.bl.value + t.rank_switch.value);
  table.add("nCS", DramScope::kOtherRank, kWrites, kWrites, t.bl.value + t.rank_switch.value);
  table.add("nCS", DramScope::kOtherRank, kReads, kWrites,
            t.cl.value + t.bl.value + t.rank_switch.value - t.cwl.value);
  table.add("nCS", DramScope::kOtherRank, kWrites, kReads,
            std::max(0, written + t.rank_switch.value - t.cl.value));
}

void add_rows(Table& table, const DramPreset& preset) {
  const DramTimes& t = preset.times;
  const DramScope window = preset.family == DramFamily::kDdr ? DramScope::kRank : DramScope::kPseudoChannel;
  const std::int32_t recovered = t.cwl.value + t.bl.value + t.wr.value;
  table.add("nRRDS", window, {kActivate}, {kActivate}, t.rrd_s.value);
  table.add("nFAW", window, {kActivate}, {kActivate}, t.faw.value, 4);
  table.add("nRRDL", DramScope::kBankGroup, {kActivate}, {kActivate}, t.rrd_l.value);
  table.add("nRC", DramScope::kBank, {kActivate}, {kActivate}, t.rc.value);
  table.add("nRCDRD", DramScope::kBank, {kActivate}, kReads, t.rcd_read.value);
  table.add("nRCDWR", DramScope::kBank, {kActivate}, kWrites, t.rcd_write.value);
  table.add("nRAS", DramScope::kBank, {kActivate}, {kPrecharge}, t.ras.value);
  table.add("nRTP", DramScope::kBank, {kRead}, {kPrecharge}, t.rtp.value);
  table.add("nWR", DramScope::kBank, {kWrite}, {kPrecharge}, recovered);
  table.add("nRP", DramScope::kBank, {kPrecharge}, {kActivate}, t.rp.value);
  table.add("nRP", DramScope::kBank, {kReadClose}, {kActivate}, t.rtp.value + t.rp.value);
  table.add("nRP", DramScope::kBank, {kWriteClose}, {kActivate}, recovered + t.rp.value);
  table.add("nRAS", DramScope::kPseudoChannel, {kActivate}, {kPrechargeAll}, t.ras.value);
  table.add("nRTP", DramScope::kPseudoChannel, {kRead}, {kPrechargeAll}, t.rtp.value);
  table.add("nWR", DramScope::kPseudoChannel, {kWrite}, {kPrechargeAll}, recovered);
  table.add("nRP", DramScope::kPseudoChannel, {kPrechargeAll}, {kActivate}, t.rp.value);
  if (t.ppd.value > 0)
    table.add("nPPD", DramScope::kPseudoChannel, {kPrecharge, kPrechargeAll}, {kPrecharge, kPrechargeAll},
              t.ppd.value);
}

void add_refresh(Table& table, const DramPreset& preset) {
  const DramTimes& t = preset.times;
  const std::int32_t recovered = t.cwl.value + t.bl.value + t.wr.value;
  const DramScope all = DramScope::kPseudoChannel;
  table.add("nRC", all, {kActivate}, {kRefreshAll}, t.rc.value);
  table.add("nRP", all, {kPrecharge, kPrechargeAll}, {kRefreshAll}, t.rp.value);
  table.add("nRP", all, {kReadClose}, {kRefreshAll}, t.rtp.value + t.rp.value);
  table.add("nRP", all, {kWriteClose}, {kRefreshAll}, recovered + t.rp.value);
  table.add("nRFC", all, {kRefreshAll}, {kActivate, kPrechargeAll, kRefreshAll}, t.rfc.value);
  if (!preset.has_bank_refresh()) return;
  table.add("nRC", DramScope::kBank, {kActivate}, {kRefreshBank}, t.rc.value);
  table.add("nRP", DramScope::kBank, {kPrecharge}, {kRefreshBank}, t.rp.value);
  table.add("nRP", DramScope::kBank, {kReadClose}, {kRefreshBank}, t.rtp.value + t.rp.value);
  table.add("nRP", DramScope::kBank, {kWriteClose}, {kRefreshBank}, recovered + t.rp.value);
  table.add("nRFCpb", DramScope::kBank, {kRefreshBank}, {kActivate, kRefreshBank}, t.rfc_bank.value);
  table.add("nRREFD", all, {kRefreshBank}, {kActivate, kRefreshBank}, t.rrefd.value);
  table.add("nRRDS", all, {kActivate}, {kRefreshBank}, t.rrd_s.value);
}

}  // namespace

std::string_view name_of(DramScope scope) {
  constexpr std::array<std::string_view, 6> kNames{"channel",    "pseudo channel", "rank",
                                                   "other rank", "bank group",     "bank"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::vector<DramConstraint> constraints_of(const DramPreset& preset) {
  Table table(preset);
  constexpr std::array kRows{kActivate, kPrecharge, kPrechargeAll, kRefreshAll, kRefreshBank};
  constexpr std::array kColumns{kRead, kReadClose, kWrite, kWriteClose};
  constexpr std::array kAll{kActivate, kPrecharge, kPrechargeAll, kRefreshAll, kRefreshBank,
                            kRead,     kReadClose, kWrite,        kWriteClose};
  if (preset.organisation.command_buses == 2) {
    table.add_bus("row bus", kRows);
    table.add_bus("column bus", kColumns);
  } else {
    table.add_bus("command bus", kAll);
  }
  add_columns(table, preset);
  add_rows(table, preset);
  add_refresh(table, preset);
  return table.take();
}

}  // namespace accelscope::memory
