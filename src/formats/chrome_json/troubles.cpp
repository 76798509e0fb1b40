#include "formats/chrome_json/troubles.h"

#include <fmt/core.h>

#include <string_view>

#include "formats/chrome_json/event.h"

namespace accelscope::formats::chrome_json {
namespace {

using trace::Severity;

struct Description {
  Trouble trouble;
  std::string_view id;
  Severity severity;
  std::string_view sentence;
};

constexpr std::array<Description, static_cast<std::size_t>(Trouble::kCount)> kDescriptions = {{
    {Trouble::kCutTail, "chrome.cut_tail", Severity::kWarning,
     "The list of events has no closing bracket: its producer may have stopped early."},
    {Trouble::kTrailingComma, "chrome.trailing_comma", Severity::kInfo,
     "A comma follows the last event of the list."},
    {Trouble::kNotAnEvent, "chrome.not_an_event", Severity::kWarning,
     "Items of the list of events are no objects and are left out."},
    {Trouble::kMissingPhase, "chrome.missing_phase", Severity::kWarning,
     "Events without a phase (ph) are left out."},
    {Trouble::kMissingTime, "chrome.missing_time", Severity::kWarning,
     "Events without a time (ts) are left out."},
    {Trouble::kTimeOutOfRange, "chrome.time_out_of_range", Severity::kError,
     "Times more than 146 years from zero: an event with such a start is left out, a slice with such a "
     "length has none."},
    {Trouble::kRoundedTime, "chrome.rounded_time", Severity::kInfo,
     "Times with fractions of a nanosecond: starts and ends are rounded to the nearest one."},
    {Trouble::kMissingDuration, "chrome.missing_duration", Severity::kWarning,
     "Complete events (X) without a duration: their end is unknown and they are shown without length."},
    {Trouble::kEndWithoutBegin, "chrome.end_without_begin", Severity::kWarning,
     "Ends without a begin: these slices are shown from the first time of their track on."},
    {Trouble::kBeginWithoutEnd, "chrome.begin_without_end", Severity::kWarning,
     "Begins without an end: these slices are shown up to the last time of their track."},
    {Trouble::kMissingId, "chrome.missing_id", Severity::kWarning,
     "Async and flow events without an id are left out."},
    {Trouble::kCounterNotANumber, "chrome.counter_not_a_number", Severity::kWarning,
     "Values of counters that are no numbers are left out."},
    {Trouble::kCounterRounded, "chrome.counter_rounded", Severity::kInfo,
     "Integers of counters that also have fractions, or are beyond 64 bits, are rounded to doubles."},
    {Trouble::kFlowOutsideSlices, "chrome.flow_outside_slices", Severity::kWarning,
     "Flow events at times when their thread has no slice are left out."},
    {Trouble::kFlowWithoutPartner, "chrome.flow_without_partner", Severity::kWarning,
     "Flow events whose other end is missing are left out."},
    {Trouble::kIgnoredFields, "chrome.ignored_fields", Severity::kInfo,
     "Events have fields that are not used (colours, stack frames, or unknown ones)."},
    {Trouble::kIgnoredMetadata, "chrome.ignored_metadata", Severity::kInfo,
     "Metadata events other than names and order of tracks are not used."},
    {Trouble::kIgnoredSection, "chrome.ignored_section", Severity::kInfo,
     "Large parts of the file beside the events (system trace, stack frames, samples) are not used."},
}};

constexpr bool in_the_order_of_the_enumeration() {
  for (std::size_t i = 0; i < kDescriptions.size(); ++i)
    if (kDescriptions[i].trouble != static_cast<Trouble>(i)) return false;
  return true;
}
static_assert(in_the_order_of_the_enumeration());

std::string phase_sentence(char phase) {
  if (phase == Event::kOddPhase) return "Events whose phase is not one character are left out.";
  if (phase < ' ' || phase > '~') return "Events with a phase that is no printable character are left out.";
  return fmt::format("Events of phase '{}' are left out.", phase);
}

}  // namespace

void Troubles::report(trace::QualityTable& quality, const std::string& path) const {
  const auto add = [&](const Row& row, std::string_view id, Severity severity, std::string_view sentence) {
    quality.add({.id = std::string(id),
                 .severity = severity,
                 .sentence = std::string(sentence),
                 .count = row.count,
                 .first_place = base::Location::byte(path, row.first_offset)});
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].count == 0) continue;
    const Description& description = kDescriptions[i];
    add(rows_[i], description.id, description.severity, description.sentence);
  }
  for (std::size_t i = 0; i < phases_.size(); ++i)
    if (phases_[i].count > 0)
      add(phases_[i], "chrome.ignored_phase", Severity::kInfo, phase_sentence(static_cast<char>(i)));
}

}  // namespace accelscope::formats::chrome_json
