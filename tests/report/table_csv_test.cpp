#include "report/table_csv.h"

#include <gtest/gtest.h>

namespace accelscope::report {
namespace {

TEST(TableCsv, HasIdsThenRowsWithAllDigits) {
  const findings::Table table{
      .id = "t",
      .columns = {{.id = "name"}, {.id = "count"}, {.id = "time"}},
      .rows = {{std::string("a, \"b\""), std::int64_t{-3}, 0.1}, {std::string(), findings::Cell(), 1e300}}};
  base::MemoryOutput out;
  write_csv(table, out);
  EXPECT_EQ(out.bytes(), "name,count,time\n\"a, \"\"b\"\"\",-3,0.1\n,,1e+300\n");
}

}  // namespace
}  // namespace accelscope::report
