#include "formats/chip_run/recorder_account.h"

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using trace::TrackId;

TrackId track_of(const PausedProducer& producer, const ProducerTracks& tracks) {
  const std::vector<TrackId>& all = producer.kind == PausedProducer::Kind::kCore ? tracks.cores
                                    : producer.kind == PausedProducer::Kind::kScheduler
                                        ? tracks.schedulers
                                        : tracks.orchestrators;
  return producer.number < all.size() ? all[producer.number] : TrackId::kNone;
}

}  // namespace

void add_recorder_account(const RecorderAccount& account, const ProducerTracks& tracks, trace::ClockId clock,
                          trace::TraceBuilder& builder) {
  for (const RecorderAccount::Row& row : account.rows)
    builder.add_accounting({.producer = builder.intern(row.records),
                            .drop_reason = builder.intern(row.drop_reason),
                            .produced = row.produced,
                            .collected = row.collected,
                            .dropped = row.dropped});
  for (const auto& [key, value] : account.facts)
    builder.add_fact(key, trace::Value::of_string(builder.intern(value)));
  for (const PausedProducer& producer : account.paused) {
    const TrackId parent = track_of(producer, tracks);
    if (parent == TrackId::kNone) continue;
    const TrackId track = builder.add_track({.name = builder.intern("recorder"),
                                             .parent = parent,
                                             .level = trace::TrackLevel::kLane,
                                             .kind = trace::TrackKind::kStates,
                                             .clock = clock});
    for (const auto& [from, to] : producer.pauses)
      builder.add_state(track, trace::Ticks{from}, trace::Ticks{to - from},
                        builder.intern(trace::state::kFrozen), builder.intern("no empty buffer"));
  }
}

}  // namespace accelscope::formats::chip_run
