// The reference's layout, compared event for event with what the reference's converter wrote. Every
// difference is deliberate, listed here with its reason, and counted.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>

#include "base/output.h"
#include "compat/reference_fixtures.h"
#include "compat/reference_layout.h"

namespace accelscope::compat {
namespace {

namespace dom = simdjson::dom;

struct DeliberateDifference {
  std::string_view capture;
  std::size_t names;  // bars with another name and function number
  std::size_t binds;  // ends of arrows that are bound to another bar
};

// names: the second vector core of a cluster runs a kernel of its own. The reference names it after the first
//        one's; we name it after what it ran.
// binds: the reference knows bars by task and core. When a core runs several blocks of one task, the last bar
//        takes all arrows; we bind each arrow to the bar it belongs to.
constexpr std::array<DeliberateDifference, 3> kDifferences = {{{"TestMixedExample_case1", 16, 0},
                                                               {"TestMixedExample_case2", 4, 0},
                                                               {"TestSpmdMultiblockMix", 188, 232}}};

// The reference's own counters of overhead are in the files of runs with dependencies, but for this one.
bool has_overhead_counters(const std::string& capture) {
  return capture.find("vector_all") == std::string::npos && capture.find("_L1") == std::string::npos;
}

// JSON with members in order of their names.
void append_canonical(std::string& text, dom::element value) {
  if (value.is_array()) {
    text += '[';
    for (const dom::element item : value.get_array()) {
      append_canonical(text, item);
      text += ',';
    }
    text += ']';
    return;
  }
  if (!value.is_object()) {
    text += simdjson::minify(value);
    return;
  }
  std::map<std::string_view, dom::element> members;
  for (const dom::key_value_pair member : value.get_object()) members.emplace(member.key, member.value);
  text += '{';
  for (const auto& [key, member] : members) {
    text += key;
    text += ':';
    append_canonical(text, member);
    text += ' ';
  }
  text += '}';
}

std::string canonical(dom::element event) {
  std::string text;
  append_canonical(text, event);
  return text;
}

// Cuts "<from>...<to>" out, `to` excluded.
bool cut(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t start = text.find(from);
  if (start == std::string::npos) return false;
  const std::size_t end = text.find(to, start + from.size());
  text.erase(start, end == std::string::npos ? end : end - start);
  return true;
}

struct Differences {
  std::vector<std::string> ours;
  std::vector<std::string> theirs;
};

Differences differences_of(dom::element ours, dom::element theirs) {
  dom::array our_events;
  dom::array their_events;
  EXPECT_FALSE(ours["traceEvents"].get(our_events));
  EXPECT_FALSE(theirs["traceEvents"].get(their_events));
  Differences differences;
  auto ours_at = our_events.begin();
  auto theirs_at = their_events.begin();
  while (ours_at != our_events.end() || theirs_at != their_events.end()) {
    std::string our_event;
    std::string their_event;
    if (ours_at != our_events.end()) {
      our_event = canonical(*ours_at);
      ++ours_at;
    }
    if (theirs_at != their_events.end()) {
      their_event = canonical(*theirs_at);
      ++theirs_at;
    }
    if (our_event == their_event) continue;
    if (!our_event.empty()) differences.ours.push_back(std::move(our_event));
    if (!their_event.empty()) differences.theirs.push_back(std::move(their_event));
  }
  std::sort(differences.ours.begin(), differences.ours.end());
  std::sort(differences.theirs.begin(), differences.theirs.end());
  std::vector<std::string> only_ours;
  std::vector<std::string> only_theirs;
  std::set_difference(differences.ours.begin(), differences.ours.end(), differences.theirs.begin(),
                      differences.theirs.end(), std::back_inserter(only_ours));
  std::set_difference(differences.theirs.begin(), differences.theirs.end(), differences.ours.begin(),
                      differences.ours.end(), std::back_inserter(only_theirs));
  return {std::move(only_ours), std::move(only_theirs)};
}

// Takes what is deliberately different out of the events, and counts it.
DeliberateDifference take_deliberate(std::vector<std::string>& events) {
  DeliberateDifference found{};
  for (std::string& event : events) {
    if (event.find("ph:\"X\"") != std::string::npos && cut(event, " name:", " ph:") &&
        cut(event, "FuncId:", ", CoreId"))
      ++found.names;
    if (event.find("cat:\"flow\"") != std::string::npos && cut(event, "bind_id:", " ")) ++found.binds;
  }
  std::sort(events.begin(), events.end());
  return found;
}

DeliberateDifference deliberate_in(const std::string& capture) {
  for (const DeliberateDifference& difference : kDifferences)
    if (capture.find(difference.capture) != std::string::npos) return difference;
  return {};
}

void expect_same_events(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  SCOPED_TRACE(name);
  const auto trace = open_capture(folder);
  ASSERT_TRUE(trace) << trace.error().to_string();
  base::MemoryOutput out;
  const auto written = write_reference_layout(*trace, out, {.overhead = has_overhead_counters(name)});
  ASSERT_TRUE(written) << written.error().to_string();
  const auto reference = read_unpacked(file_in(folder, "merged_swimlane.json"));
  ASSERT_TRUE(reference) << reference.error().to_string();
  dom::parser our_parser;
  dom::parser their_parser;
  Differences found = differences_of(our_parser.parse(simdjson::padded_string(out.bytes())),
                                     their_parser.parse(simdjson::padded_string(reference->text())));
  const DeliberateDifference expected = deliberate_in(name);
  const DeliberateDifference ours = take_deliberate(found.ours);
  const DeliberateDifference theirs = take_deliberate(found.theirs);
  EXPECT_EQ(ours.names, expected.names);
  EXPECT_EQ(ours.binds, expected.binds);
  EXPECT_EQ(theirs.names, expected.names);
  EXPECT_EQ(theirs.binds, expected.binds);
  ASSERT_EQ(found.ours.size(), found.theirs.size());
  const auto [our_first, their_first] =
      std::mismatch(found.ours.begin(), found.ours.end(), found.theirs.begin());
  if (our_first != found.ours.end()) {
    EXPECT_EQ(*our_first, *their_first);
  }
}

TEST(ReferenceLayoutFixtures, HaveTheReferencesEvents) {
  const std::vector<std::filesystem::path> folders = chip_captures();
  if (folders.empty()) GTEST_SKIP() << "the conformance data is not beside this checkout";
  std::size_t compared = 0;
  for (const std::filesystem::path& folder : folders) {
    if (file_in(folder, "merged_swimlane.json").empty()) continue;
    expect_same_events(folder);
    ++compared;
  }
  EXPECT_EQ(compared, 21U);
}

// Of the members of `metadata` only those are written that a trace can tell; what is written is the same.
TEST(ReferenceLayoutFixtures, HaveTheReferencesWordsOnTheClocks) {
  const std::filesystem::path folder = chip_capture("hbg_bgemm_L4/");
  if (folder.empty()) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto trace = open_capture(folder);
  ASSERT_TRUE(trace) << trace.error().to_string();
  base::MemoryOutput out;
  ASSERT_TRUE(write_reference_layout(*trace, out));
  const auto reference = read_unpacked(file_in(folder, "merged_swimlane.json"));
  ASSERT_TRUE(reference) << reference.error().to_string();
  dom::parser our_parser;
  dom::parser their_parser;
  const dom::element ours = our_parser.parse(simdjson::padded_string(out.bytes()));
  const dom::element theirs = their_parser.parse(simdjson::padded_string(reference->text()));
  for (const char* member : {"/metadata/layout", "/metadata/relation", "/metadata/clock_alignment/status",
                             "/metadata/clock_alignment/method", "/metadata/cross_domain_latency_available"})
    EXPECT_EQ(canonical(ours.at_pointer(member)), canonical(theirs.at_pointer(member))) << member;
}

}  // namespace
}  // namespace accelscope::compat
