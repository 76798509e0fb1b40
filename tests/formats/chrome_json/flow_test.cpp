// Which slices flow events bind to.
#include "support.h"

namespace accelscope::formats::chrome_json {
namespace {

constexpr std::string_view kSlices =
    R"({"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"outer"},
       {"ph":"X","pid":1,"tid":1,"ts":10,"dur":20,"name":"inner"},
       {"ph":"X","pid":1,"tid":2,"ts":50,"dur":10,"name":"first"},
       {"ph":"X","pid":1,"tid":2,"ts":70,"dur":10,"name":"second"},)";

struct NamedFlow {
  std::string from, to;
  bool operator==(const NamedFlow&) const = default;
};

std::vector<NamedFlow> flows_of(const Trace& trace) {
  std::vector<NamedFlow> flows;
  for (std::uint32_t i = 0; i < trace.flows().size(); ++i) {
    const auto name = [&](SliceId slice) {
      return std::string(trace.text(trace.slices().name[index(slice)]));
    };
    flows.push_back({name(trace.flows().from[i]), name(trace.flows().to[i])});
  }
  return flows;
}

Trace with_flows(std::string_view events) {
  return must_read_events(std::string(kSlices) + std::string(events));
}

TEST(Flow, BindsToTheInnermostSliceThatRuns) {
  const Trace trace = with_flows(
      R"({"ph":"s","pid":1,"tid":1,"ts":15,"id":1,"cat":"c","name":"n"},
         {"ph":"f","bp":"e","pid":1,"tid":2,"ts":55,"id":1,"cat":"c","name":"n"})");
  ASSERT_EQ(flows_of(trace), (std::vector<NamedFlow>{{"inner", "first"}}));
  EXPECT_EQ(trace.text(trace.flows().type[0]), "c");
  EXPECT_EQ(trace.text(trace.flows().label[0]), "n");
}

TEST(Flow, AnEndWithoutBindingPointTakesTheNextSlice) {
  EXPECT_EQ(flows_of(with_flows(
                R"({"ph":"s","pid":1,"tid":1,"ts":40,"id":1},{"ph":"f","pid":1,"tid":2,"ts":55,"id":1})")),
            (std::vector<NamedFlow>{{"outer", "second"}}));
}

TEST(Flow, BordersBelongToWhatBegins) {
  EXPECT_EQ(
      flows_of(with_flows(
          R"({"ph":"s","pid":1,"tid":1,"ts":10,"id":1},{"ph":"f","bp":"e","pid":1,"tid":2,"ts":60,"id":1})")),
      (std::vector<NamedFlow>{{"inner", "first"}}));
  EXPECT_EQ(
      flows_of(with_flows(
          R"({"ph":"s","pid":1,"tid":1,"ts":30,"id":1},{"ph":"f","bp":"e","pid":1,"tid":2,"ts":50,"id":1})")),
      (std::vector<NamedFlow>{{"outer", "first"}}));
}

TEST(Flow, StepsMakeAChainWhateverTheOrderInTheFile) {
  const Trace trace = with_flows(
      R"({"ph":"f","bp":"e","pid":1,"tid":2,"ts":75,"id":"0xabc"},
         {"ph":"t","pid":1,"tid":2,"ts":52,"id":"0xabc"},
         {"ph":"s","pid":1,"tid":1,"ts":12,"id":"0xabc"})");
  EXPECT_EQ(flows_of(trace), (std::vector<NamedFlow>{{"first", "second"}, {"inner", "first"}}));
}

TEST(Flow, CategoryNameAndIdTellFlowsApart) {
  const Trace trace = with_flows(
      R"({"ph":"s","pid":1,"tid":1,"ts":12,"id":18446744073709551615,"cat":"a","name":"n"},
         {"ph":"s","pid":1,"tid":1,"ts":50,"id":18446744073709551615,"cat":"b","name":"n"},
         {"ph":"s","pid":1,"tid":1,"ts":51,"id":18446744073709551614,"cat":"a","name":"n"},
         {"ph":"f","bp":"e","pid":1,"tid":2,"ts":55,"id":18446744073709551615,"cat":"b","name":"n"},
         {"ph":"f","bp":"e","pid":1,"tid":2,"ts":75,"id":18446744073709551615,"cat":"a","name":"n"})");
  EXPECT_EQ(flows_of(trace), (std::vector<NamedFlow>{{"outer", "first"}, {"inner", "second"}}));
  EXPECT_EQ(trace.quality().count("chrome.flow_without_partner"), 1U);
}

TEST(Flow, OneStartMayHaveSeveralEndsAndALaterTime) {
  EXPECT_EQ(flows_of(with_flows(R"({"ph":"s","pid":1,"tid":1,"ts":65,"id":1},
                                   {"ph":"f","bp":"e","pid":1,"tid":2,"ts":55,"id":1},
                                   {"ph":"f","bp":"e","pid":1,"tid":2,"ts":75,"id":1})")),
            (std::vector<NamedFlow>{{"outer", "first"}, {"outer", "second"}}));
}

TEST(Flow, AReusedIdIsAnotherFlow) {
  EXPECT_EQ(
      flows_of(with_flows(
          R"({"ph":"s","pid":1,"tid":1,"ts":12,"id":1},{"ph":"f","bp":"e","pid":1,"tid":2,"ts":55,"id":1},
                                   {"ph":"s","pid":1,"tid":1,"ts":60,"id":1},{"ph":"f","bp":"e","pid":1,"tid":2,"ts":75,"id":1})")),
      (std::vector<NamedFlow>{{"inner", "first"}, {"outer", "second"}}));
}

TEST(Flow, WhatFindsNoSliceIsCounted) {
  const Trace trace = with_flows(
      R"({"ph":"s","pid":1,"tid":1,"ts":500,"id":1},{"ph":"f","bp":"e","pid":1,"tid":2,"ts":55,"id":1},
         {"ph":"s","pid":1,"tid":1,"ts":12})");
  EXPECT_EQ(trace.flows().size(), 0U);
  EXPECT_EQ(trace.quality().count("chrome.flow_outside_slices"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.flow_without_partner"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.missing_id"), 1U);
}

TEST(Flow, SlicesMayCarryTheirFlowsThemselves) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"a","bind_id":"0x7","flow_out":true},
         {"ph":"X","pid":1,"tid":2,"ts":10,"dur":9,"name":"b","bind_id":"0x7","flow_in":true,"flow_out":true},
         {"ph":"X","pid":1,"tid":3,"ts":20,"dur":9,"name":"c","bind_id":"0x7","flow_in":true},
         {"ph":"X","pid":1,"tid":3,"ts":30,"dur":9,"name":"d","bind_id":"0x7"})");
  EXPECT_EQ(flows_of(trace), (std::vector<NamedFlow>{{"a", "b"}, {"b", "c"}}));
  EXPECT_EQ(trace.text(trace.flows().type[0]), "flow");
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
