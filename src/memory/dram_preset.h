// A DRAM as data: how it is organised and which times it keeps, with where that is from. Files of it are in
// data/dram/ (dram_preset_file.h reads them).
//
// Times are in clocks; half clocks are allowed where a clock has two ticks. Plain data, safe to share between
// threads.
//
//   const DramPreset hbm2 = *load_dram_preset("hbm2");
//   hbm2.burst_bytes()                 // 32 B
//   hbm2.peak_bandwidth(8)             // 256 GB/s of eight channels
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace accelscope::memory {

// Which scope a constraint has differs: a DDR rank keeps what an HBM pseudo channel keeps. The reference
// family is run by a controller of its own (reference_dram.h).
enum class DramFamily : std::uint8_t { kDdr, kHbm, kReference };
std::string_view name_of(DramFamily family);

struct DramOrganisation {
  std::uint32_t channels = 1;
  std::uint32_t pseudo_channels = 1;  // each with a data bus of its own
  std::uint32_t ranks = 1;            // of an HBM: stack ids
  std::uint32_t bank_groups = 1;
  std::uint32_t banks_per_group = 8;
  std::uint32_t rows = 1;
  std::uint32_t columns = 8;  // of the data bus's width
  std::uint32_t bus_bits = 64;
  std::uint32_t device_bits = 64;   // of one of the devices that make up the bus
  std::uint32_t density_mbit = 0;   // of one device, in one pseudo channel and rank
  std::uint32_t burst_length = 8;   // transfers of the bus's width for one column command
  std::uint32_t command_buses = 1;  // 2: rows and columns have one each

  bool operator==(const DramOrganisation&) const = default;
};

// In half clocks, so that everything is an integer: HBM3's activate takes one and a half.
struct HalfClocks {
  std::int32_t value = 0;

  bool operator==(const HalfClocks&) const = default;
};

struct DramTimes {
  HalfClocks bl, cl, cwl;          // data on the bus; read and write latency
  HalfClocks bus;                  // column to column of the same kind, for the data bus: bl
  HalfClocks rcd_read, rcd_write;  // activate to column
  HalfClocks rp, ras, rc;          // precharge, activate to precharge, activate to activate of a bank
  HalfClocks wr, rtp;              // write recovery, read to precharge
  HalfClocks ccd_s, ccd_l, ccd_r;  // column to column: other bank group, same one, other rank or stack
  HalfClocks rrd_s, rrd_l, faw;    // activate to activate; window of four
  HalfClocks wtr_s, wtr_l, rtw;    // end of written data to read; read to write
  HalfClocks rank_switch;          // between ranks of a DDR, on the data bus
  HalfClocks ppd;                  // precharge to precharge
  HalfClocks rfc, refi;            // all-bank refresh: how long, how often
  HalfClocks rfc_bank, rrefd;  // per-bank refresh: how long, to activates of other banks; 0: there is none
  HalfClocks activate_command, precharge_command, refresh_command, column_command;  // time on the command bus

  bool operator==(const DramTimes&) const = default;
};

struct DramPreset {
  std::string name = {};
  std::string description = {};
  std::string source = {};
  std::string revision = {};
  DramFamily family = DramFamily::kDdr;
  DramOrganisation organisation = {};
  std::int64_t clock_femtoseconds = 0;
  std::uint32_t ticks_per_clock = 1;  // 1 or 2
  DramTimes times = {};
  double picojoules_per_bit = 0;  // 0: no documented figure
  std::string energy_source = {};

  std::int64_t tick_femtoseconds() const { return clock_femtoseconds / ticks_per_clock; }
  // Whole ticks: the file was refused where a time has none.
  std::int64_t ticks(HalfClocks time) const { return std::int64_t{time.value} * ticks_per_clock / 2; }
  base::Bytes burst_bytes() const {
    return {std::int64_t{organisation.bus_bits} / 8 * organisation.burst_length};
  }
  std::uint32_t bursts_per_row() const { return organisation.columns / organisation.burst_length; }
  std::uint32_t banks_per_pseudo_channel() const {
    return organisation.ranks * organisation.bank_groups * organisation.banks_per_group;
  }
  bool has_bank_refresh() const { return times.rfc_bank.value > 0; }
  base::Bytes channel_capacity() const;
  base::BytesPerSecond peak_bandwidth(std::uint32_t channels) const;

  bool operator==(const DramPreset&) const = default;
};

}  // namespace accelscope::memory
