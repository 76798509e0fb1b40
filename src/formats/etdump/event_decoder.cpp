#include "formats/etdump/event_decoder.h"

#include <fmt/format.h>

#include "formats/etdump/etdump_generated.h"

namespace accelscope::formats::etdump {
namespace {

// Position of a field in Layout::offsets: its id.
enum Field : std::size_t { kName, kChain, kInstruction, kIdNumber, kIdText, kMetadata, kStart, kEnd };

constexpr std::uint16_t slot_of(std::size_t field) {
  return static_cast<std::uint16_t>(4 + 2 * field);
}
static_assert(slot_of(kName) == wire::ProfileEvent::VT_NAME);
static_assert(slot_of(kIdText) == wire::ProfileEvent::VT_DELEGATE_DEBUG_ID_STR);
static_assert(slot_of(kEnd) == wire::ProfileEvent::VT_END_TIME);

}  // namespace

EventDecoder::EventDecoder(std::string_view bytes, Prefix prefix, std::uint64_t dump_offset, NameTable& names,
                           Remarks& remarks)
    : data_(bytes.data()), dump_offset_(dump_offset), names_(names), remarks_(remarks) {
  const FlatTable dump(follow(bytes.data() + (prefix == Prefix::kSize ? 4 : 0)));
  blocks_ = dump.vector(wire::ETDump::VT_RUN_DATA);
}

void EventDecoder::decode(std::uint32_t index, StagedBlock& block) {
  const FlatTable run = blocks_.table(index);
  block.events.clear();
  block.side_events.clear();
  block.name = names_.intern(run.text(wire::RunData::VT_NAME));
  block.file_offset = dump_offset_ + static_cast<std::uint64_t>(run.place() - data_);
  block.allocators = run.vector(wire::RunData::VT_ALLOCATORS);
  if (run.scalar<std::int32_t>(wire::RunData::VT_BUNDLED_INPUT_INDEX, -1) != -1)
    remarks_.note(Remark::kBundledIndex, block.file_offset);

  const FlatVector events = run.vector(wire::RunData::VT_EVENTS);
  for (std::uint32_t record = 0; record < events.size(); ++record) {
    const FlatTable event = events.table(record);
    const FlatTable profile = event.table(wire::Event::VT_PROFILE_EVENT);
    if (profile.present()) {
      decode_profile(profile, record, block.events.emplace_back());
      continue;
    }
    const FlatTable allocation = event.table(wire::Event::VT_ALLOCATION_EVENT);
    const FlatTable debug = event.table(wire::Event::VT_DEBUG_EVENT);
    const auto events_before = static_cast<std::uint32_t>(block.events.size());
    if (allocation.present())
      block.side_events.push_back({allocation, true, record, events_before});
    else if (debug.present())
      block.side_events.push_back({debug, false, record, events_before});
    else
      remarks_.note(Remark::kEventWithoutContent,
                    dump_offset_ + static_cast<std::uint64_t>(event.place() - data_));
  }
}

void EventDecoder::decode_profile(const FlatTable& table, std::uint32_t record, StagedEvent& event) {
  if (table.vtable() != layout_.vtable) {
    layout_.vtable = table.vtable();
    for (std::size_t field = 0; field < layout_.offsets.size(); ++field)
      layout_.offsets[field] = table.field_offset(slot_of(field));
  }
  const char* place = table.place();
  const auto scalar = [&]<class T>(Field field, T absent) {
    return layout_.offsets[field] == 0 ? absent : load<T>(place + layout_.offsets[field]);
  };
  const auto bytes = [&](Field field) {
    return layout_.offsets[field] == 0 ? std::string_view()
                                       : FlatVector(follow(place + layout_.offsets[field])).bytes();
  };
  event.record = record;
  event.file_offset = static_cast<std::uint32_t>(place - data_);
  event.chain = scalar(kChain, std::int32_t{0});
  event.instruction = scalar(kInstruction, std::int32_t{-1});
  event.delegate_id = scalar(kIdNumber, std::int32_t{-1});
  event.raw_start = scalar(kStart, std::uint64_t{0});
  event.raw_end = scalar(kEnd, std::uint64_t{0});
  const bool has_id_text = layout_.offsets[kIdText] != 0;
  if (!has_id_text && event.delegate_id == -1) {
    event.name = names_.intern(bytes(kName));
    const NameTraits& traits = names_.traits(event.name);
    event.role = traits.role;
    // The one backend that logs ordinary events.
    if (traits.backend == Backend::kEthosU) event.backend = traits.backend;
    return;
  }
  name_delegate(bytes(kIdText), has_id_text, event);
  const std::string_view metadata = bytes(kMetadata);
  if (!metadata.empty()) event.metadata = names_.intern_bytes(metadata);
}

void EventDecoder::name_delegate(std::string_view text, bool has_text, StagedEvent& event) {
  event.delegated = true;
  event.name = names_.intern(has_text ? text : std::string_view(fmt::format_int(event.delegate_id).c_str()));
  const NameTraits& traits = names_.traits(event.name);
  event.backend = traits.backend;
  event.unit = traits.unit;
  if (!traits.numbered) return;
  event.flags = trace::SliceFlag::kEstimated;
  remarks_.note(Remark::kEstimated, dump_offset_ + event.file_offset);
}

bool EventDecoder::all_times_fit_32_bits() const {
  for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
    const FlatVector events = blocks_.table(i).vector(wire::RunData::VT_EVENTS);
    for (std::uint32_t record = 0; record < events.size(); ++record) {
      const FlatTable profile = events.table(record).table(wire::Event::VT_PROFILE_EVENT);
      if (!profile.present() || profile.has(wire::ProfileEvent::VT_DELEGATE_DEBUG_ID_STR)) continue;
      if (profile.scalar<std::int32_t>(wire::ProfileEvent::VT_DELEGATE_DEBUG_ID_INT, -1) != -1) continue;
      const std::uint64_t times = profile.scalar<std::uint64_t>(wire::ProfileEvent::VT_START_TIME, 0) |
                                  profile.scalar<std::uint64_t>(wire::ProfileEvent::VT_END_TIME, 0);
      if (times >> 32U != 0) return false;
    }
  }
  return true;
}

}  // namespace accelscope::formats::etdump
