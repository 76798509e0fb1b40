#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>

namespace accelscope::base {
namespace {

// Tables keep the low bits of a hash: keys that differ only high up must differ there too.
template <class KeyOf>
double distinct_share(KeyOf&& key_of) {
  constexpr std::uint64_t kKeys = 4096;
  std::set<std::size_t> low_bits;
  for (std::uint64_t i = 0; i < kKeys; ++i) low_bits.insert(key_of(i) % 65'536);
  return static_cast<double>(low_bits.size()) / static_cast<double>(kKeys);
}

TEST(Hash, KeysThatDifferAnywhereDifferInTheLowBits) {
  // 4096 throws into 65536 bins hit about 97 % different ones.
  EXPECT_GT(distinct_share([](std::uint64_t i) { return hash_of(i); }), 0.95);
  EXPECT_GT(distinct_share([](std::uint64_t i) { return hash_of(i << 52U); }), 0.95);
  EXPECT_GT(distinct_share([](std::uint64_t i) { return hash_of(i << 32U | 7U); }), 0.95);
  EXPECT_GT(distinct_share([](std::uint64_t i) { return hash_of(i * 4096, 1); }), 0.95);
  EXPECT_GT(distinct_share([](std::uint64_t i) { return hash_of(1, i << 40U, 3); }), 0.95);
  EXPECT_GT(
      distinct_share([](std::uint64_t i) { return IntegerHash()(static_cast<std::int64_t>(i) * -65'536); }),
      0.95);
}

TEST(Hash, OrderMatters) {
  EXPECT_NE(hash_of(1, 2), hash_of(2, 1));
}

}  // namespace
}  // namespace accelscope::base
