#include "accelscope/call_config.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace accelscope {
namespace {

CallConfig recording() {
  CallConfig config;
  config.dfx_flags = dfx_flags_of_level(3);
  EXPECT_TRUE(set_output_prefix(config, "out/run"));
  return config;
}

TEST(CallConfig, MayBeCopiedByteByByte) {
  static_assert(std::is_trivially_copyable_v<CallConfig> && std::is_standard_layout_v<CallConfig>);
  static_assert(alignof(CallConfig) == 1);
  EXPECT_EQ(sizeof(CallConfig), 1136U);
  EXPECT_EQ(offsetof(CallConfig, dfx_flags), 0U);
  EXPECT_EQ(offsetof(CallConfig, ring_task_window), 8U);
  EXPECT_EQ(offsetof(CallConfig, ring_heap), 40U);
  EXPECT_EQ(offsetof(CallConfig, ring_dep_pool), 72U);
  EXPECT_EQ(offsetof(CallConfig, threads), 104U);
  EXPECT_EQ(offsetof(CallConfig, output_prefix), 112U);
  const CallConfig config = recording();
  char mailbox[sizeof config];
  std::memcpy(mailbox, &config, sizeof config);
  CallConfig arrived;
  std::memcpy(&arrived, mailbox, sizeof arrived);
  EXPECT_EQ(validate(arrived), CallConfigError::kNone);
  EXPECT_STREQ(arrived.output_prefix, "out/run");
}

TEST(CallConfig, NothingOnNeedsNoPrefix) {
  EXPECT_EQ(validate(CallConfig{}), CallConfigError::kNone);
}

TEST(CallConfig, EachFaultIsNamed) {
  CallConfig config = recording();
  config.dfx_flags |= std::uint64_t{1} << 40U;
  EXPECT_EQ(validate(config), CallConfigError::kUnknownFlags);

  config = recording();
  config.output_prefix[0] = '\0';
  EXPECT_EQ(validate(config), CallConfigError::kNoOutputPrefix);

  config = recording();
  std::memset(config.output_prefix, 'x', sizeof config.output_prefix);
  EXPECT_EQ(validate(config), CallConfigError::kPrefixNotTerminated);

  for (const std::int32_t threads : {-1, 65}) {
    config = recording();
    config.threads = threads;
    EXPECT_EQ(validate(config), CallConfigError::kThreads) << threads;
  }
  for (const std::uint64_t window : {2U, 3U, 1000U}) {
    config = recording();
    config.ring_task_window[3] = window;
    EXPECT_EQ(validate(config), CallConfigError::kTaskWindow) << window;
  }
  config = recording();
  config.ring_task_window[0] = std::uint64_t{1} << 31U;
  EXPECT_EQ(validate(config), CallConfigError::kTaskWindow);
  config = recording();
  config.ring_heap[1] = 1023;
  EXPECT_EQ(validate(config), CallConfigError::kHeap);
  for (const std::uint64_t pool : {std::uint64_t{3}, std::uint64_t{1} << 31U}) {
    config = recording();
    config.ring_dep_pool[2] = pool;
    EXPECT_EQ(validate(config), CallConfigError::kDepPool) << pool;
  }
}

TEST(CallConfig, LimitsAreValid) {
  CallConfig config = recording();
  config.threads = 64;
  config.ring_task_window[0] = 4;
  config.ring_task_window[1] = std::uint64_t{1} << 30U;
  config.ring_heap[0] = 1024;
  config.ring_dep_pool[0] = 4;
  config.ring_dep_pool[1] = 0x7FFFFFFF;
  EXPECT_EQ(validate(config), CallConfigError::kNone);
}

TEST(CallConfig, EveryErrorHasAText) {
  for (int error = 0; error <= static_cast<int>(CallConfigError::kDepPool); ++error)
    EXPECT_STRNE(text_of(static_cast<CallConfigError>(error)), "no such error") << error;
}

TEST(CallConfig, ALongPrefixIsRefusedWhole) {
  CallConfig config = recording();
  EXPECT_FALSE(set_output_prefix(config, std::string(kCallConfigPrefixBytes, 'x').c_str()));
  EXPECT_STREQ(config.output_prefix, "out/run");
  const std::string longest(kCallConfigPrefixBytes - 1, 'x');
  EXPECT_TRUE(set_output_prefix(config, longest.c_str()));
  EXPECT_EQ(config.output_prefix, longest);
}

}  // namespace
}  // namespace accelscope
