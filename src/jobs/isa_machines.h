// The machines that a program is looked at for, from what a user names: settings, boards, and what overrides
// both.
//
// Reads files, prints nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const IsaMachines machines, load_machines({.boards = {"v80", "mine.yaml"}}));
//   machines.machines[1].name
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "isa/machine.h"

namespace accelscope::jobs {

struct IsaMachineOptions {
  std::vector<std::string> boards = {};  // names of presets or files
  std::string settings = {};             // a file; "" for the shipped ones
  isa::MachineOverrides overrides = {};
};

struct IsaMachines {
  std::vector<isa::Machine> machines = {};  // one for each board, at least one
  // Of the board behind each machine: the rows that its transfers were worked out for; 0 where it says none.
  std::vector<std::uint64_t> charged_rows = {};
  std::vector<std::string> remarks = {};         // of the settings file
  std::vector<findings::KeyValue> options = {};  // for provenance: what came from where
  std::vector<findings::Input> inputs = {};      // files that were read
};

base::Result<IsaMachines> load_machines(const IsaMachineOptions& options);

}  // namespace accelscope::jobs
