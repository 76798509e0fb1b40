#include "memory/dram_preset_file.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <filesystem>
#include <variant>

#include "base/closest_name.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "device/settings_file.h"

namespace accelscope::memory {
namespace {

using base::ErrorCode;
using base::JsonCursor;

struct Text {
  std::string DramPreset::*field;
};
struct Count {
  std::uint32_t DramOrganisation::*field;
  std::uint64_t most;
  bool power_of_two;
};
struct Time {
  HalfClocks DramTimes::*field;
  bool may_be_zero;
};
struct Family {};
struct Clock {};
struct TicksPerClock {};
struct Energy {};

struct Field {
  std::string_view key;
  std::string_view meaning;
  std::variant<Text, Family, Count, Clock, TicksPerClock, Time, Energy> what;
};

using O = DramOrganisation;
using T = DramTimes;

// In the order of the file.
constexpr std::array kFields = {
    Field{"description", "", Text{&DramPreset::description}},
    Field{"source", "where the values are from", Text{&DramPreset::source}},
    Field{"revision", "of that source", Text{&DramPreset::revision}},
    Field{"family", "ddr, hbm or reference", Family{}},
    Field{"channels", "independent channels", Count{&O::channels, 1024, false}},
    Field{"pseudo_channels", "data buses of a channel", Count{&O::pseudo_channels, 8, true}},
    Field{"ranks", "ranks, or stack ids of an HBM", Count{&O::ranks, 16, true}},
    Field{"bank_groups", "of a rank", Count{&O::bank_groups, 16, true}},
    Field{"banks_per_group", "", Count{&O::banks_per_group, 64, true}},
    Field{"rows", "of a bank", Count{&O::rows, 1U << 24U, true}},
    Field{"columns", "of a row, each as wide as the data bus", Count{&O::columns, 1U << 16U, true}},
    Field{"bus_bits", "width of a data bus", Count{&O::bus_bits, 1024, true}},
    Field{"device_bits", "width of a device on it", Count{&O::device_bits, 1024, true}},
    Field{"density_mbit", "of a device, in one pseudo channel and rank",
          Count{&O::density_mbit, 1U << 24U, true}},
    Field{"burst_length", "transfers for one column command", Count{&O::burst_length, 64, true}},
    Field{"command_buses", "1: shared; 2: one for rows, one for columns", Count{&O::command_buses, 2, true}},
    Field{"tCK_ns", "clock period", Clock{}},
    Field{"ticks_per_clock", "2: commands may begin at half clocks", TicksPerClock{}},
    Field{"nBL", "a burst on the data bus", Time{&T::bl, false}},
    Field{"nBUS", "column to column of the same kind, for the data bus", Time{&T::bus, false}},
    Field{"nCL", "read command to data", Time{&T::cl, false}},
    Field{"nCWL", "write command to data", Time{&T::cwl, false}},
    Field{"nRCDRD", "activate to read", Time{&T::rcd_read, false}},
    Field{"nRCDWR", "activate to write", Time{&T::rcd_write, false}},
    Field{"nRP", "precharge to activate", Time{&T::rp, false}},
    Field{"nRAS", "activate to precharge", Time{&T::ras, false}},
    Field{"nRC", "activate to activate of a bank", Time{&T::rc, false}},
    Field{"nWR", "end of written data to precharge", Time{&T::wr, false}},
    Field{"nRTP", "read to precharge", Time{&T::rtp, false}},
    Field{"nCCDS", "column to column, other bank group", Time{&T::ccd_s, false}},
    Field{"nCCDL", "column to column, same bank group", Time{&T::ccd_l, false}},
    Field{"nCCDR", "read to read, other stack id; 0: does not apply", Time{&T::ccd_r, true}},
    Field{"nRRDS", "activate to activate, other bank group", Time{&T::rrd_s, false}},
    Field{"nRRDL", "activate to activate, same bank group", Time{&T::rrd_l, false}},
    Field{"nFAW", "window of four activates", Time{&T::faw, false}},
    Field{"nWTRS", "end of written data to read, other bank group", Time{&T::wtr_s, false}},
    Field{"nWTRL", "end of written data to read, same bank group", Time{&T::wtr_l, false}},
    Field{"nRTW", "read to write", Time{&T::rtw, false}},
    Field{"nCS", "between ranks on the data bus; 0: does not apply", Time{&T::rank_switch, true}},
    Field{"nPPD", "precharge to precharge; 0: does not apply", Time{&T::ppd, true}},
    Field{"nRFC", "all-bank refresh", Time{&T::rfc, false}},
    Field{"nREFI", "between refreshes", Time{&T::refi, false}},
    Field{"nRFCpb", "per-bank refresh; 0: there is none", Time{&T::rfc_bank, true}},
    Field{"nRREFD", "per-bank refresh to activate of another bank", Time{&T::rrefd, true}},
    Field{"activate_clocks", "an activate on its command bus", Time{&T::activate_command, false}},
    Field{"precharge_clocks", "a precharge on its command bus", Time{&T::precharge_command, false}},
    Field{"refresh_clocks", "a refresh on its command bus", Time{&T::refresh_command, false}},
    Field{"column_clocks", "a read or write on its command bus", Time{&T::column_command, false}},
    Field{"energy_pj_per_bit", "estimate, for every bit moved; 0: no documented figure", Energy{}},
    Field{"energy_source", "where the estimate is from", Text{&DramPreset::energy_source}},
};

constexpr std::array<std::string_view, kFields.size()> key_names() {
  std::array<std::string_view, kFields.size()> names = {};
  for (std::size_t i = 0; i < kFields.size(); ++i) names[i] = kFields[i].key;
  return names;
}
constexpr auto kKeys = key_names();

constexpr std::array kFamilies{DramFamily::kDdr, DramFamily::kHbm, DramFamily::kReference};

// A microsecond: what ticks more slowly is no DRAM.
constexpr std::int64_t kMostClock = 1'000'000'000;
// A thousandth of a second of the slowest clock; far below what 32 bits hold.
constexpr std::int64_t kMostHalfClocks = 2'000'000;

void read_family(DramPreset& preset, JsonCursor& json) {
  const std::string text(json.string());
  if (!json.ok()) return;
  for (const DramFamily family : kFamilies) {
    if (name_of(family) != text) continue;
    preset.family = family;
    return;
  }
  json.fail_here(ErrorCode::kMalformed, fmt::format("`{}` is none of ddr, hbm, reference", text));
}

void read_count(DramPreset& preset, JsonCursor& json, const Count& count) {
  const std::uint64_t value = device::integer_setting(json, 1, count.most);
  if (json.ok() && count.power_of_two && !std::has_single_bit(value))
    json.fail_here(ErrorCode::kMalformed, fmt::format("{} is no power of two", value));
  preset.organisation.*count.field = static_cast<std::uint32_t>(value);
}

void read_clock(DramPreset& preset, JsonCursor& json) {
  preset.clock_femtoseconds = json.scaled_decimal(6);
  if (json.ok() && (preset.clock_femtoseconds < 1'000 || preset.clock_femtoseconds > kMostClock))
    json.fail_here(ErrorCode::kMalformed, "is not from 0.001 to 1000 nanoseconds");
}

void read_time(DramPreset& preset, JsonCursor& json, const Time& time) {
  const std::int64_t tenths = json.scaled_decimal(1);
  if (!json.ok()) return;
  if (tenths % 5 != 0)
    json.fail_here(ErrorCode::kMalformed, "is no whole number of half clocks");
  else if (tenths < (time.may_be_zero ? 0 : 5) || tenths / 5 > kMostHalfClocks)
    json.fail_here(ErrorCode::kMalformed, fmt::format("is not from {} to {} clocks",
                                                      time.may_be_zero ? "0" : "0.5", kMostHalfClocks / 2));
  else
    preset.times.*time.field = {static_cast<std::int32_t>(tenths / 5)};
}

void read_field(DramPreset& preset, std::size_t which, JsonCursor& json) {
  const auto& what = kFields[which].what;
  if (const auto* text = std::get_if<Text>(&what)) {
    preset.*text->field = std::string(json.string());
    if (json.ok() && !base::is_valid_utf8(preset.*text->field))
      json.fail_here(ErrorCode::kMalformed, "is no UTF-8");
  } else if (std::holds_alternative<Family>(what)) {
    read_family(preset, json);
  } else if (const auto* count = std::get_if<Count>(&what)) {
    read_count(preset, json, *count);
  } else if (std::holds_alternative<Clock>(what)) {
    read_clock(preset, json);
  } else if (std::holds_alternative<TicksPerClock>(what)) {
    preset.ticks_per_clock = static_cast<std::uint32_t>(device::integer_setting(json, 1, 2));
  } else if (const auto* time = std::get_if<Time>(&what)) {
    read_time(preset, json, *time);
  } else {
    preset.picojoules_per_bit = device::number_setting(json, 0, 1e6);
  }
}

std::string clocks_text(HalfClocks time) {
  return fmt::format("{}{}", time.value / 2, time.value % 2 != 0 ? ".5" : "");
}
std::string clock_text(std::int64_t femtoseconds) {
  std::string text = fmt::format("{}.{:06}", femtoseconds / 1'000'000, femtoseconds % 1'000'000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string value_text(const DramPreset& preset, const Field& field) {
  if (const auto* text = std::get_if<Text>(&field.what)) return preset.*text->field;
  if (std::holds_alternative<Family>(field.what)) return std::string(name_of(preset.family));
  if (const auto* count = std::get_if<Count>(&field.what))
    return fmt::format("{}", preset.organisation.*count->field);
  if (std::holds_alternative<Clock>(field.what)) return clock_text(preset.clock_femtoseconds);
  if (std::holds_alternative<TicksPerClock>(field.what)) return fmt::format("{}", preset.ticks_per_clock);
  if (const auto* time = std::get_if<Time>(&field.what)) return clocks_text(preset.times.*time->field);
  return fmt::format("{}", preset.picojoules_per_bit);
}

// What no single field can say: whether they agree with each other.
base::Status check(const DramPreset& preset, const std::string& path) {
  const auto bad = [&](std::string text) {
    return base::fail_at(base::Location::of_file(path), ErrorCode::kMalformed, "{}", text);
  };
  const DramOrganisation& o = preset.organisation;
  if (o.bus_bits % 8 != 0 || o.device_bits > o.bus_bits)
    return bad(fmt::format("`bus_bits` {} are no whole bytes, or fewer than `device_bits` {}", o.bus_bits,
                           o.device_bits));
  if (o.columns < o.burst_length * 4)
    return bad(fmt::format("`columns` {} hold fewer than four bursts of `burst_length` {}", o.columns,
                           o.burst_length));
  if (preset.banks_per_pseudo_channel() > 64)
    return bad(fmt::format("{} banks in a pseudo channel: at most 64 are modelled",
                           preset.banks_per_pseudo_channel()));
  const std::uint64_t device_bits_held =
      std::uint64_t{o.bank_groups} * o.banks_per_group * o.rows * o.columns * o.device_bits;
  if (device_bits_held != (std::uint64_t{o.density_mbit} << 20U))
    return bad(fmt::format(
        "a device of {} banks x {} rows x {} columns x {} bits holds {} bits, not `density_mbit` {}",
        o.bank_groups * o.banks_per_group, o.rows, o.columns, o.device_bits, device_bits_held,
        o.density_mbit));
  if (preset.clock_femtoseconds % preset.ticks_per_clock != 0)
    return bad("`tCK_ns` cannot be halved exactly");
  for (const Field& field : kFields) {
    const auto* time = std::get_if<Time>(&field.what);
    if (time != nullptr && preset.ticks_per_clock == 1 && (preset.times.*time->field).value % 2 != 0)
      return bad(fmt::format("`{}` has half clocks, but `ticks_per_clock` is 1", field.key));
  }
  const DramTimes& t = preset.times;
  // Between two refreshes every bank can be opened, used and closed: else no request would ever be served.
  const std::int64_t use = std::int64_t{t.rcd_read.value} + t.rcd_write.value + t.cl.value + t.cwl.value +
                           std::int64_t{2} * t.bl.value + t.wr.value + t.rtp.value + t.rp.value + t.rc.value +
                           t.ras.value + t.faw.value + t.rtw.value + t.wtr_l.value + t.wtr_s.value;
  if (t.refi.value <= t.rfc.value + 2 * use)
    return bad(fmt::format("`nREFI` leaves no time for requests: expected more than {} clocks",
                           (t.rfc.value + 2 * use + 1) / 2));
  if (preset.has_bank_refresh() && t.rrefd.value == 0) return bad("`nRFCpb` needs an `nRREFD` above 0");
  return {};
}

}  // namespace

std::vector<std::string_view> dram_preset_names() {
  std::vector<std::string_view> names;
  for (const base::EmbeddedFile& file : dram_presets()) names.push_back(file.name);
  return names;
}

base::Result<DramPreset> read_dram_preset(const base::MappedFile& file) {
  DramPreset preset;
  preset.name = std::filesystem::path(file.path()).stem().string();
  std::array<bool, kFields.size()> given = {};
  ACCELSCOPE_CHECK(
      device::read_settings(file, "DRAM preset", kKeys, [&](std::size_t which, JsonCursor& json) {
        given[which] = true;
        read_field(preset, which, json);
      }));
  for (std::size_t i = 0; i < kFields.size(); ++i)
    if (!given[i])
      return base::fail_at(base::Location::of_file(file.path()), ErrorCode::kMalformed,
                           "`{}` is missing: a DRAM preset has all of its {} keys", kFields[i].key,
                           kFields.size());
  ACCELSCOPE_CHECK(check(preset, file.path()));
  return preset;
}

base::Result<DramPreset> load_dram_preset(const std::string& name_or_path) {
  ACCELSCOPE_TRY(const base::MappedFile file,
                 device::open_settings(name_or_path, "DRAM preset", dram_presets()));
  return read_dram_preset(file);
}

void write_dram_preset(const DramPreset& preset, base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  for (const Field& field : kFields) {
    json.key(field.key);
    if (std::holds_alternative<Text>(field.what) || std::holds_alternative<Family>(field.what))
      json.value(value_text(preset, field));
    else if (std::holds_alternative<Energy>(field.what))
      json.value(preset.picojoules_per_bit);
    else
      json.raw(value_text(preset, field));
  }
  json.end_object();
  out.append('\n');
}

std::vector<DramParameter> parameters_of(const DramPreset& preset) {
  std::vector<DramParameter> parameters;
  parameters.reserve(kFields.size());
  for (const Field& field : kFields)
    parameters.push_back({field.key, value_text(preset, field), field.meaning});
  return parameters;
}

}  // namespace accelscope::memory
