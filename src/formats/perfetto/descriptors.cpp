#include "formats/perfetto/descriptors.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "formats/perfetto/schema.h"
#include "formats/perfetto/sequence_writer.h"
#include "formats/perfetto/wire.h"

namespace accelscope::formats::perfetto {
namespace {

using trace::Trace;
using trace::Track;
using trace::TrackId;
using trace::TrackKind;
using trace::TrackLevel;
using wire::Message;

void find_roles(const Trace& trace, std::vector<TrackPlan>& plans) {
  struct Children {
    bool any = false;
    bool threads = false;
  };
  std::vector<Children> children(plans.size());
  for (const Track& track : trace.tracks()) {
    if (track.parent == TrackId::kNone) continue;
    children[index(track.parent)].any = true;
    if (track.level == TrackLevel::kThread) children[index(track.parent)].threads = true;
  }
  for (std::size_t id = 0; id < plans.size(); ++id) {
    const Track& track = trace.tracks()[id];
    if (track.kind == TrackKind::kCounter) continue;
    if (track.parent == TrackId::kNone) {
      // Perfetto orders what is below a process by name, unless it is a thread. A group of cores is better
      // off as a plain track, which keeps our order.
      const bool is_process =
          track.level == TrackLevel::kProcess && (children[id].threads || !children[id].any);
      if (is_process) plans[id].role = TrackRole::kProcess;
    } else if (track.level == TrackLevel::kThread) {
      if (plans[index(track.parent)].role == TrackRole::kProcess) plans[id].role = TrackRole::kThread;
    }
  }
}

void find_ranks(const Trace& trace, std::vector<TrackPlan>& plans) {
  std::vector<std::uint32_t> order(plans.size());
  for (std::uint32_t id = 0; id < order.size(); ++id) order[id] = id;
  const auto key = [&](std::uint32_t id) {
    const Track& track = trace.tracks()[id];
    return std::make_tuple(track.parent, track.order, id);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::int32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same_parent = i > 0 && trace.tracks()[order[i - 1]].parent == trace.tracks()[order[i]].parent;
    rank = same_parent ? rank + 1 : 0;
    plans[order[i]].rank = rank;
  }
}

// Hands out pids or tids: the source's own where Perfetto can take it and it is not taken yet.
class Numbers {
 public:
  std::int32_t claim(std::int64_t wanted) {
    const bool usable = wanted > 0 && wanted <= std::numeric_limits<std::int32_t>::max();
    if (!usable || !taken_.insert(static_cast<std::int32_t>(wanted)).second) return 0;
    return static_cast<std::int32_t>(wanted);
  }
  std::int32_t make_up() {
    while (!taken_.insert(next_free_).second) ++next_free_;
    return next_free_;
  }

 private:
  std::set<std::int32_t> taken_;
  std::int32_t next_free_ = 1;
};

// First everybody who can keep the source's number, then the rest, so that none is taken from its owner.
std::uint32_t number_processes(const Trace& trace, std::vector<TrackPlan>& plans) {
  Numbers pids;
  for (std::size_t id = 0; id < plans.size(); ++id)
    if (plans[id].role == TrackRole::kProcess) plans[id].pid = pids.claim(trace.tracks()[id].external_id);
  std::uint32_t made_up = 0;
  for (TrackPlan& plan : plans) {
    if (plan.role != TrackRole::kProcess || plan.pid != 0) continue;
    plan.pid = pids.make_up();
    ++made_up;
  }
  return made_up;
}

std::uint32_t number_threads(const Trace& trace, std::vector<TrackPlan>& plans) {
  Numbers made_up_tids;
  std::set<std::pair<std::int32_t, std::int64_t>> taken;
  for (const TrackPlan& plan : plans)
    if (plan.role == TrackRole::kProcess) made_up_tids.claim(plan.pid);
  for (std::size_t id = 0; id < plans.size(); ++id) {
    if (plans[id].role != TrackRole::kThread) continue;
    const Track& track = trace.tracks()[id];
    plans[id].pid = plans[index(track.parent)].pid;
    const bool usable =
        track.external_id > 0 && track.external_id <= std::numeric_limits<std::int32_t>::max();
    if (!usable || !taken.insert({plans[id].pid, track.external_id}).second) continue;
    plans[id].tid = static_cast<std::int32_t>(track.external_id);
    made_up_tids.claim(track.external_id);
  }
  std::uint32_t made_up = 0;
  for (TrackPlan& plan : plans) {
    if (plan.role != TrackRole::kThread || plan.tid != 0) continue;
    plan.tid = made_up_tids.make_up();
    ++made_up;
  }
  return made_up;
}

Message counter_descriptor_of(std::string_view unit) {
  Message counter;
  if (unit == "ns")
    counter.varint(counter_descriptor::kUnit, counter_descriptor::kNanoseconds);
  else if (unit == "count")
    counter.varint(counter_descriptor::kUnit, counter_descriptor::kCount);
  else if (unit == "bytes")
    counter.varint(counter_descriptor::kUnit, counter_descriptor::kBytes);
  else if (!unit.empty())
    counter.text(counter_descriptor::kUnitName, unit);
  return counter;
}

Message descriptor_of(const Trace& trace, TrackId id, const TrackPlan& plan) {
  const Track& track = trace.track(id);
  const std::string_view name = trace.text(track.name);
  Message descriptor;
  descriptor.varint(track_descriptor::kUuid, uuid_of(id));
  if (track.parent != TrackId::kNone) descriptor.varint(track_descriptor::kParentUuid, uuid_of(track.parent));
  if (plan.role == TrackRole::kProcess) {
    Message process;
    process.signed_varint(process_descriptor::kPid, plan.pid);
    process.text(process_descriptor::kName, name);
    descriptor.message(track_descriptor::kProcess, process);
  } else if (plan.role == TrackRole::kThread) {
    Message thread;
    thread.signed_varint(thread_descriptor::kPid, plan.pid);
    thread.signed_varint(thread_descriptor::kTid, plan.tid);
    thread.text(thread_descriptor::kName, name);
    descriptor.message(track_descriptor::kThread, thread);
  } else {
    descriptor.text(track_descriptor::kName, name);
  }
  if (track.kind == TrackKind::kCounter)
    descriptor.message(track_descriptor::kCounter, counter_descriptor_of(trace.text(track.counter_unit)));
  descriptor.varint(track_descriptor::kChildOrdering, track_descriptor::kExplicitChildren);
  descriptor.signed_varint(track_descriptor::kSiblingOrderRank, plan.rank);
  descriptor.varint(track_descriptor::kSiblingMergeBehavior, track_descriptor::kNeverMerge);
  return descriptor;
}

void put_descriptor(const Message& descriptor, bool first, base::Output& out) {
  Message packet;
  packet.varint(packet::kSequenceId, kDescriptorSequence);
  if (first) packet.varint(packet::kSequenceFlags, packet::kStateCleared);
  packet.message(packet::kTrackDescriptor, descriptor);
  put_packet(out, packet);
}

}  // namespace

DescriptorPlan plan_descriptors(const Trace& trace) {
  DescriptorPlan plan;
  plan.tracks.resize(trace.tracks().size());
  find_roles(trace, plan.tracks);
  find_ranks(trace, plan.tracks);
  plan.made_up_numbers = number_processes(trace, plan.tracks);
  plan.made_up_numbers += number_threads(trace, plan.tracks);
  return plan;
}

void write_descriptors(const Trace& trace, const DescriptorPlan& plan, std::uint64_t own_uuid,
                       std::string_view own_name, base::Output& out) {
  Message root;
  root.varint(track_descriptor::kUuid, 0);
  root.varint(track_descriptor::kChildOrdering, track_descriptor::kExplicitChildren);
  root.varint(track_descriptor::kProcessOrdering, track_descriptor::kExplicitProcesses);
  root.varint(track_descriptor::kThreadOrdering, track_descriptor::kExplicitThreads);
  put_descriptor(root, true, out);
  Message own;
  own.varint(track_descriptor::kUuid, own_uuid);
  own.text(track_descriptor::kName, own_name);
  own.signed_varint(track_descriptor::kSiblingOrderRank, -1);
  own.varint(track_descriptor::kSiblingMergeBehavior, track_descriptor::kNeverMerge);
  put_descriptor(own, false, out);
  for (std::uint32_t id = 0; id < plan.tracks.size(); ++id)
    put_descriptor(descriptor_of(trace, TrackId{id}, plan.tracks[id]), false, out);
}

}  // namespace accelscope::formats::perfetto
