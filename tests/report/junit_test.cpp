#include "report/junit.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelscope::report {
namespace {

std::string junit(std::string_view suite, const std::vector<GateCase>& cases) {
  base::MemoryOutput out;
  write_junit(suite, cases, out);
  return std::string(out.bytes());
}

TEST(Junit, WritesEveryOutcome) {
  EXPECT_EQ(junit("accelscope compare",
                  {{.name = "latency.median", .seconds = 0.5},
                   {.name = "latency.p90", .passed = false, .message = "0.88 ms > 0.71 ms (+24 %)"},
                   {.name = "latency.p99", .passed = false, .skipped = true, .message = "needs \"100\" runs"},
                   {.name = "size", .message = "4096 bytes", .seconds = 0.25}}),
            R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" errors="0" skipped="1" time="0.750">
  <testsuite name="accelscope compare" tests="4" failures="1" errors="0" skipped="1" time="0.750">
    <testcase classname="accelscope compare" name="latency.median" time="0.500"/>
    <testcase classname="accelscope compare" name="latency.p90">
      <failure message="0.88 ms &gt; 0.71 ms (+24 %)" type="gate">0.88 ms &gt; 0.71 ms (+24 %)</failure>
    </testcase>
    <testcase classname="accelscope compare" name="latency.p99">
      <skipped message="needs &quot;100&quot; runs"/>
    </testcase>
    <testcase classname="accelscope compare" name="size" time="0.250">
      <system-out>4096 bytes</system-out>
    </testcase>
  </testsuite>
</testsuites>
)xml");
}

TEST(Junit, WritesNoCases) {
  EXPECT_EQ(junit("s", {}), R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="0" failures="0" errors="0" skipped="0">
  <testsuite name="s" tests="0" failures="0" errors="0" skipped="0">
  </testsuite>
</testsuites>
)xml");
}

TEST(Junit, EscapesAndLeavesOutWhatXmlCannotHold) {
  const std::string odd = std::string("<a & \"b\"> ]]>\n\x1b[31m\x01\x7f\uFFFE\uFFFF\xff é") + '\0';
  const std::string text = junit(odd, {{.name = odd, .passed = false, .message = odd}});
  const std::string escaped = "&lt;a &amp; &quot;b&quot;&gt; ]]&gt;&#10;[31m\uFFFD é";
  EXPECT_NE(text.find("name=\"" + escaped + "\" tests="), std::string::npos) << text;
  EXPECT_NE(text.find("classname=\"" + escaped + "\" name=\"" + escaped + "\">"), std::string::npos) << text;
  EXPECT_NE(text.find(">" + escaped + "</failure>"), std::string::npos) << text;
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
}

TEST(Junit, TimesThatAreNoneAreLeftOut) {
  for (const double odd :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(junit("s", {{.name = "a", .seconds = odd}}).find("time="), std::string::npos);
}

}  // namespace
}  // namespace accelscope::report
