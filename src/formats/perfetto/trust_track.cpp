#include "formats/perfetto/trust_track.h"

#include <fmt/core.h>

#include "base/human.h"
#include "formats/perfetto/schema.h"

namespace accelscope::formats::perfetto {
namespace {

using trace::Trace;
using wire::Message;

// Perfetto stacks marks of one moment upon each other, and drops those above 512.
constexpr std::uint64_t kMarksPerMoment = 256;

class Marks {
 public:
  Marks(SequenceWriter& events, std::uint64_t time) : events_(events), time_(time) {}

  template <class Fill>
  void add(std::string_view name, Fill&& fill) {
    Message& event = events_.open(EventType::kInstant, name);
    fill([&](const Message& annotation) { event.message(track_event::kAnnotations, annotation); });
    events_.close(time_ + count_++ / kMarksPerMoment);
  }

 private:
  SequenceWriter& events_;
  std::uint64_t time_;
  std::uint64_t count_ = 0;
};

void add_facts(const Trace& trace, Annotations& annotations, Marks& marks) {
  if (trace.facts().empty()) return;
  marks.add("facts", [&](auto&& put) {
    for (const trace::Fact& fact : trace.facts()) put(annotations.literal(trace.text(fact.key), fact.value));
  });
}

void add_sources(const Trace& trace, Marks& marks) {
  for (const trace::SourceFile& source : trace.sources())
    marks.add(fmt::format("source: {}", source.path), [&](auto&& put) {
      put(text_annotation("path", source.path));
      put(text_annotation("format", source.format));
      if (!source.detail.empty()) put(text_annotation("detail", source.detail));
      put(uint_annotation("bytes", source.bytes));
    });
}

void add_clocks(const Trace& trace, Marks& marks) {
  for (std::uint32_t id = 0; id < trace.clocks().size(); ++id) {
    const trace::ClockDomain& clock = trace.clocks()[id];
    marks.add(fmt::format("clock: {}", trace.text(clock.name)), [&](auto&& put) {
      put(text_annotation("frequency", clock.frequency.known() ? base::format_frequency(clock.frequency)
                                                               : "unknown; drawn as 1 ns per tick"));
      for (const trace::ClockRelation& relation : trace.clock_relations()) {
        if (index(relation.from) != id) continue;
        Message details;
        details.text(annotation::kName, "related to");
        details.message(annotation::kDictEntries,
                        text_annotation("clock", trace.text(trace.clock(relation.to).name)));
        details.message(annotation::kDictEntries, uint_annotation("samples", relation.samples.size()));
        details.message(annotation::kDictEntries,
                        int_annotation("uncertainty in its ticks", relation.uncertainty.value));
        put(details);
      }
    });
  }
}

void add_accounting(const Trace& trace, Marks& marks) {
  for (const trace::Accounting& row : trace.accounting())
    marks.add(fmt::format("records of {}", trace.text(row.producer)), [&](auto&& put) {
      put(uint_annotation("produced", row.produced));
      put(uint_annotation("collected", row.collected));
      put(uint_annotation("dropped", row.dropped));
      if (row.dropped > 0) put(text_annotation("why dropped", trace.text(row.drop_reason)));
    });
}

void add_quality(const trace::QualityTable& quality, Marks& marks) {
  for (const trace::QualityRow& row : quality.by_severity())
    marks.add(fmt::format("{}: {}", severity_name(row.severity), row.id), [&](auto&& put) {
      put(text_annotation("what", row.sentence));
      put(uint_annotation("count", row.count));
      if (const std::string place = row.first_place.to_string(); !place.empty())
        put(text_annotation("first at", place));
    });
}

}  // namespace

void write_trust_track(const Trace& trace, const trace::QualityTable& notes, std::uint32_t sequence,
                       std::uint64_t uuid, std::uint64_t time, SequenceWriter& events,
                       Annotations& annotations) {
  events.start(sequence, uuid, time);
  Marks marks(events, time);
  trace::QualityTable quality;
  quality.append(trace.quality());
  quality.append(notes);
  add_quality(quality, marks);
  add_facts(trace, annotations, marks);
  add_sources(trace, marks);
  add_clocks(trace, marks);
  add_accounting(trace, marks);
}

}  // namespace accelscope::formats::perfetto
