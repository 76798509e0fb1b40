// The chunks of a recording, unpacked and decoded by a thread of their own while the caller uses the one
// before.
//
// The thread owns the container's reader and every slot that it has not handed over; the caller owns the one
// chunk that next() gave, until the next call. Made, asked and destroyed by one thread; the reader must
// outlive it, and may be asked again once next() has given nothing.
//
//   DecodedChunks chunks(reader);
//   while (DecodedChunk* chunk = chunks.next()) use(chunk->records.decode_as<CoreTaskRecord>());
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/beside.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/record_codec.h"

namespace accelscope::formats::capture {

struct DecodedChunk {
  ChunkHeader header = {};
  std::uint64_t offset = 0;
  std::uint64_t end = 0;        // where the next one begins
  std::string payload = {};     // of a chunk that holds no records
  RecordsDecoder records = {};  // of one that does, decoded; but not the bytes of tensors
  bool well_formed = true;      // false: it should hold records, and does not
};

class DecodedChunks {
 public:
  // Without a thread, next() does the work.
  explicit DecodedChunks(ContainerReader& reader, bool with_thread = true);
  ~DecodedChunks();
  DecodedChunks(const DecodedChunks&) = delete;
  DecodedChunks& operator=(const DecodedChunks&) = delete;

  // Nothing at the end of what is readable. Throws what the thread threw.
  DecodedChunk* next();

 private:
  bool fill(DecodedChunk& chunk);
  void fill_slots();
  // False when nobody wants more.
  bool wait_for_room();
  void tell(bool ended);

  static constexpr std::size_t kSlots = 3;

  ContainerReader& reader_;
  std::array<DecodedChunk, kSlots> slots_ = {};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t filled_ = 0;  // chunks, since the beginning; guarded by the mutex like all that follows
  std::uint64_t given_ = 0;
  bool ended_ = false;
  bool unwanted_ = false;
  base::Beside<void> thread_;  // last: it uses all of them
};

}  // namespace accelscope::formats::capture
