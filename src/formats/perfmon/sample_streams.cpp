#include "formats/perfmon/sample_streams.h"

#include <algorithm>
#include <cassert>

#include "base/splitmix.h"

namespace accelscope::formats::perfmon {
namespace {

using base::Cycles;

struct Change {
  std::int64_t time = 0;
  PipeMask pipe = 0;
  std::uint32_t mark = 0;  // of the scalar unit instead, where there is one
};

class Lengths {
 public:
  explicit Lengths(std::uint64_t seed) : state_(seed * base::kSplitmixStep) {}
  std::int64_t between(std::int64_t least, std::int64_t most) {
    state_ += base::kSplitmixStep;
    return least +
           static_cast<std::int64_t>(base::splitmix(state_) % static_cast<std::uint64_t>(most - least));
  }

 private:
  std::uint64_t state_;
};

// One tile after the other through the pipes; a tile is loaded while the one before it is worked on.
std::vector<Change> changes_of(std::uint64_t count, std::uint64_t seed) {
  constexpr std::array kWay{Pipe::kMte2, Pipe::kMte1, Pipe::kCube, Pipe::kFixp, Pipe::kVec, Pipe::kMte3};
  Lengths lengths(seed);
  std::vector<Change> changes;
  std::array<std::int64_t, kPipes> free_at = {};
  free_at.fill(40'000'000);
  std::array<std::int64_t, 2> done = {};  // of the two tiles before
  for (std::uint32_t tile = 0; changes.size() < count; ++tile) {
    const std::int64_t issued = std::max(free_at[static_cast<std::size_t>(Pipe::kMte2)], done[tile % 2]);
    changes.push_back({issued, bit_of(Pipe::kSu)});
    changes.push_back({issued + lengths.between(10, 60), bit_of(Pipe::kSu)});
    changes.push_back({changes.back().time, 0, tile % 4095 + 1});
    std::int64_t ready = changes.back().time;
    for (const Pipe pipe : kWay) {
      std::int64_t& free = free_at[static_cast<std::size_t>(pipe)];
      const std::int64_t begin = std::max(ready, free);
      ready = begin + lengths.between(100, 900);
      changes.push_back({begin, bit_of(pipe)});
      changes.push_back({ready, bit_of(pipe)});
      free = ready + lengths.between(1, 30);
    }
    done[tile % 2] = ready;
  }
  std::ranges::stable_sort(changes, {}, &Change::time);
  return changes;
}

// The last bytes of the stream at their places in the ring.
std::vector<std::byte> in_ring(const std::vector<std::byte>& all, std::size_t size) {
  std::vector<std::byte> ring(size);
  for (std::size_t at = all.size() > size ? all.size() - size : 0; at < all.size(); ++at)
    ring[at % size] = all[at];
  return ring;
}

}  // namespace

SampleStream sample_stream(const SampleOptions& options) {
  std::vector<std::byte> all;
  Encoder encoder(options.encoder);
  PipeMask busy = 0;
  const std::uint64_t word = options.encoder.layout->word_bytes;
  for (const Change& change : changes_of(options.words, options.seed)) {
    if (all.size() >= options.words * word) break;
    busy ^= change.pipe;
    const Cycles time{change.time};
    const base::Status put = change.mark > 0 ? encoder.mark(time, Pipe::kSu, change.mark, appends_to(all))
                                             : encoder.state(time, busy, appends_to(all));
    assert(put.has_value());
    if (!put) break;
  }
  const std::uint64_t size =
      options.ring_bytes > 0 ? options.ring_bytes : all.size() + options.unwritten_bytes;
  const std::uint64_t unit = options.registers_count_words ? word : 1;
  const Registers registers{.wptr = all.size() % (size + (options.ring_bytes > 0 ? 0 : 1)) / unit,
                            .samp_wrt = all.size() / unit,
                            .samp_crt = all.size() / word,
                            .buf_len = size,
                            .base = std::uint64_t{1} << 40U};
  return {in_ring(all, size), registers};
}

}  // namespace accelscope::formats::perfmon
