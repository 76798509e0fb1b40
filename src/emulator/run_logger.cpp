#include "emulator/run_logger.h"

#include <algorithm>
#include <utility>

namespace accelscope::emulator {

using base::Picoseconds;

RunLogger::RunLogger(const isa::Program& program, LogDetail detail, const memory::Timing& memory)
    : memory_(memory),
      changes_(program.labels_of(isa::LabelKind::kSection)),
      section_of_(program.words.size(), kNoSection) {
  log_.detail = detail;
  for (std::uint32_t i = 0; i < changes_.size(); ++i) {
    if (changes_[i].name == base::StringId::kEmpty) continue;
    const std::size_t end = i + 1 < changes_.size() ? changes_[i + 1].first : section_of_.size();
    for (std::size_t pc = changes_[i].first; pc < std::min(end, section_of_.size()); ++pc)
      section_of_[pc] = i;
  }
}

void RunLogger::change_section(std::uint32_t section, Picoseconds time) {
  if (section_ != kNoSection) log_.sections.back().duration = time - log_.sections.back().start;
  section_ = section;
  if (section != kNoSection) log_.sections.push_back({time, {}, changes_[section].first});
}

void RunLogger::add_activity(std::int32_t channel, Picoseconds before, Picoseconds after) {
  if (after <= before) return;
  const auto slice = static_cast<std::uint32_t>(log_.slices.size() - 1);
  // Writes that were posted before are moved while others are: no bus is busy for longer than its transfer.
  log_.activities.push_back({slice, channel, std::min(after - before, log_.slices.back().duration)});
}

void RunLogger::transfer(std::uint32_t pc, Picoseconds start, Picoseconds end) {
  operation(pc, isa::Unit::kMemory, start, start, end);
  if (log_.detail == LogDetail::kSections) return;
  after_.channels.clear();
  after_.link.reset();
  memory_.add_activity(after_);
  before_.channels.resize(after_.channels.size());
  for (std::size_t i = 0; i < after_.channels.size(); ++i)
    add_activity(static_cast<std::int32_t>(i), before_.channels[i], after_.channels[i]);
  if (after_.link) add_activity(-1, before_.link.value_or(Picoseconds{}), *after_.link);
  std::swap(before_, after_);
}

RunLog RunLogger::take(Picoseconds end) {
  if (section_ != kNoSection) change_section(kNoSection, end);
  return std::move(log_);
}

}  // namespace accelscope::emulator
