#include "formats/capture/decoded_chunks.h"

namespace accelscope::formats::capture {

DecodedChunks::DecodedChunks(ContainerReader& reader, bool with_thread)
    : reader_(reader), thread_([this] { fill_slots(); }, with_thread) {}

DecodedChunks::~DecodedChunks() {
  {
    const std::lock_guard lock(mutex_);
    unwanted_ = true;
  }
  changed_.notify_all();
}

bool DecodedChunks::fill(DecodedChunk& chunk) {
  const std::optional<Chunk> read = reader_.next();
  if (!read) return false;
  chunk.header = read->header;
  chunk.offset = read->offset;
  chunk.end = reader_.offset();
  if (read->header.kind == ChunkKind::kRecords) {
    chunk.well_formed = chunk.records.parse(read->payload);
    if (chunk.well_formed && chunk.records.kind() != recorder::RecordKind::kTensorBlock)
      chunk.records.decode();
  } else {
    chunk.well_formed = true;
    chunk.payload.assign(read->payload);
  }
  return true;
}

bool DecodedChunks::wait_for_room() {
  std::unique_lock lock(mutex_);
  // The chunk that was given last is still the caller's.
  changed_.wait(lock, [&] { return unwanted_ || filled_ + 1 < given_ + kSlots; });
  return !unwanted_;
}

void DecodedChunks::tell(bool ended) {
  {
    const std::lock_guard lock(mutex_);
    if (ended)
      ended_ = true;
    else
      ++filled_;
  }
  changed_.notify_all();
}

void DecodedChunks::fill_slots() {
  try {
    while (wait_for_room()) {
      // Only this thread changes the number of slots that are filled.
      if (!fill(slots_[filled_ % kSlots])) break;
      tell(false);
    }
  } catch (...) {
    tell(true);
    throw;
  }
  tell(true);
}

DecodedChunk* DecodedChunks::next() {
  if (!thread_.has_thread()) return fill(slots_[0]) ? slots_.data() : nullptr;
  {
    std::unique_lock lock(mutex_);
    ++given_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return ended_ || filled_ >= given_; });
    if (filled_ >= given_) return &slots_[(given_ - 1) % kSlots];
  }
  if (thread_.valid()) thread_.get();
  return nullptr;
}

}  // namespace accelscope::formats::capture
