#include "formats/perfmon/encoder.h"

namespace accelscope::formats::perfmon {

using base::Cycles;
using base::ErrorCode;
using base::Status;

namespace {

// All bits that the pieces of a stamp hold together.
Word greatest_in(unsigned words, BitRange piece) {
  const unsigned bits = words * piece.width;
  return bits >= 64 ? ~Word{0} : (Word{1} << bits) - 1;
}

}  // namespace

Status Encoder::check_stamp(Cycles now) const {
  const StampLayout& stamp = options_.layout->stamp;
  if (!options_.ratio.valid())
    return base::fail(ErrorCode::kUsage, "the clock ratio {}/{} is not above 0 and below 1000",
                      options_.ratio.ticks, options_.ratio.cycles);
  if (now < last_) return backwards(now);
  const base::Ticks time = options_.ratio.ticks_in(now);
  if (static_cast<Word>(time.value) > greatest_in(stamp.words, stamp.time_piece))
    return base::fail(ErrorCode::kUsage, "the time {} does not fit a stamp of {}", time.value,
                      options_.layout->name);
  if (options_.block > greatest_in(stamp.block_words, stamp.block_piece))
    return base::fail(ErrorCode::kUsage, "block {} does not fit a stamp of {}", options_.block,
                      options_.layout->name);
  return {};
}

Status Encoder::backwards(Cycles now) const {
  return base::fail(ErrorCode::kUsage, "an event at cycle {} comes after one at cycle {}", now.value,
                    last_.value);
}

Status Encoder::wrong_mask(PipeMask busy) const {
  return base::fail(ErrorCode::kUsage, "the mask {:#04x} has more than the {} pipes", busy, kPipes);
}

Status Encoder::wrong_id(std::uint32_t id) const {
  return base::fail(ErrorCode::kUsage, "the id {} of a mark is above {}, the most that {} can hold", id,
                    options_.layout->events.greatest(), options_.layout->name);
}

Status Encoder::without(std::string_view what) const {
  return base::fail(ErrorCode::kUsage, "the words of {} have no word for {}", options_.layout->name, what);
}

}  // namespace accelscope::formats::perfmon
