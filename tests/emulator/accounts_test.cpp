#include "emulator/accounts.h"

#include <gtest/gtest.h>

namespace accelscope::emulator {
namespace {

Accounts of_transfers(std::int64_t waited) {
  Accounts accounts;
  accounts.total = {waited};
  for (UnitAccount& unit : accounts.units) unit.time[index(Cause::kTransfer)] = {waited};
  return accounts;
}

TEST(Accounts, CloseWhenEveryUnitSumsToTheTotal) {
  Accounts accounts = of_transfers(10);
  EXPECT_TRUE(accounts_close(accounts));
  accounts.units[2].time[index(Cause::kBusy)] = {1};
  EXPECT_FALSE(accounts_close(accounts));
  accounts.units[2].time[index(Cause::kIssue)] = {-1};
  EXPECT_FALSE(accounts_close(accounts)) << "nobody waits for less than no time";
}

TEST(Accounts, WaitingForTransfersIsSplitInProportion) {
  Accounts accounts = of_transfers(1000);
  split_transfers(accounts, {100}, {50}, {300});
  const UnitAccount& unit = accounts.units[0];
  EXPECT_EQ(unit.time[index(Cause::kLink)].value, 333);
  EXPECT_EQ(unit.time[index(Cause::kRefresh)].value, 166);
  EXPECT_EQ(unit.time[index(Cause::kTransfer)].value, 501);
  EXPECT_TRUE(accounts_close(accounts));
  split_transfers(accounts, {}, {}, {});
  EXPECT_TRUE(accounts_close(accounts));
}

TEST(Accounts, CausesHaveNames) {
  EXPECT_EQ(name_of(Cause::kBusy), "busy");
  EXPECT_EQ(name_of(Cause::kDrain), "drain");
}

}  // namespace
}  // namespace accelscope::emulator
