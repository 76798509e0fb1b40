#include "analysis/profile_data.h"

#include <functional>
#include <limits>

#include "analysis/compare.h"
#include "analysis/profile_samples.h"
#include "findings/findings_json.h"

namespace accelscope::analysis {
namespace {

using findings::Findings;
using findings::Section;
using formats::etdump::ToySpeed;

void expect_equal(const Entry& a, const Entry& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.part, b.part);
  EXPECT_EQ(a.call, b.call);
  EXPECT_EQ(a.ordinal, b.ordinal);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.category, b.category);
  EXPECT_EQ(a.known, b.known);
  EXPECT_EQ(a.backend, b.backend);
  EXPECT_EQ(a.backend_source, b.backend_source);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.estimated, b.estimated);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.first_recording, b.first_recording);
  EXPECT_EQ(a.self, b.self);
}

void expect_equal(const MethodProfile& a, const MethodProfile& b) {
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.frequency, b.frequency);
  EXPECT_EQ(a.frequency.known(), b.frequency.known());
  EXPECT_EQ(a.all_rows, b.all_rows);
  ASSERT_EQ(a.executions.size(), b.executions.size());
  for (std::size_t i = 0; i < a.executions.size(); ++i) {
    EXPECT_EQ(a.executions[i].recording, b.executions[i].recording);
    EXPECT_EQ(a.executions[i].run_index, b.executions[i].run_index);
    EXPECT_EQ(a.executions[i].root, b.executions[i].root);
    EXPECT_EQ(a.executions[i].start, b.executions[i].start);
    EXPECT_EQ(a.executions[i].duration, b.executions[i].duration);
    EXPECT_EQ(a.executions[i].warm_up, b.executions[i].warm_up);
  }
  ASSERT_EQ(a.entries.size(), b.entries.size());
  for (std::size_t i = 0; i < a.entries.size(); ++i) expect_equal(a.entries[i], b.entries[i]);
  ASSERT_EQ(a.foreign.size(), b.foreign.size());
  for (std::size_t i = 0; i < a.foreign.size(); ++i) {
    EXPECT_EQ(a.foreign[i].name, b.foreign[i].name);
    EXPECT_EQ(a.foreign[i].clock, b.foreign[i].clock);
    EXPECT_EQ(a.foreign[i].unit, b.foreign[i].unit);
    EXPECT_EQ(a.foreign[i].count, b.foreign[i].count);
    EXPECT_EQ(a.foreign[i].total, b.foreign[i].total);
  }
}

void expect_equal(const Profile& a, const Profile& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.use, b.use);
  EXPECT_EQ(a.sources, b.sources);
  EXPECT_EQ(a.aborted_runs, b.aborted_runs);
  EXPECT_EQ(a.empty_runs, b.empty_runs);
  EXPECT_EQ(a.estimated_entries, b.estimated_entries);
  ASSERT_EQ(a.loads.size(), b.loads.size());
  for (std::size_t i = 0; i < a.loads.size(); ++i) {
    EXPECT_EQ(a.loads[i].name, b.loads[i].name);
    EXPECT_EQ(a.loads[i].recording, b.loads[i].recording);
    EXPECT_EQ(a.loads[i].duration, b.loads[i].duration);
    EXPECT_EQ(a.loads[i].frequency, b.loads[i].frequency);
  }
  ASSERT_EQ(a.methods.size(), b.methods.size());
  for (std::size_t i = 0; i < a.methods.size(); ++i) expect_equal(a.methods[i], b.methods[i]);
}

Findings saved(const std::vector<Profile>& profiles) {
  Findings findings{.kind = "report", .title = "test"};
  findings::add_section(findings, "latency", "Latency");
  for (const Profile& profile : profiles) add_profile_data(findings, profile);
  base::MemoryOutput json;
  write_json(findings, json);
  auto read = findings::read_json(base::MappedFile::from_memory("report.json", json.bytes()));
  EXPECT_TRUE(read) << read.error().to_string();
  return std::move(*read);
}

TEST(ProfileData, SurvivesTheRoundTrip) {
  Profile warm = profile_of_dump("warm", formats::etdump::toy_dump(ToySpeed::kFast), 2);
  warm.use = TimingUse::kKernelTrace;
  const trace::Trace ticks =
      trace_of(formats::etdump::wrap_dump(), {.time_unit = formats::etdump::TimeUnit::cycles()});
  const std::vector<Profile> profiles = {
      toy(ToySpeed::kSlow),
      warm,
      profile_of_dump("quirks", formats::etdump::quirks_dump()),
      profile_of_dump("wrap", formats::etdump::wrap_dump()),
      profile_of_trace("ticks", ticks),
      profile_with({100}, {{"negative", Part::kLibraryOperator, Category::kGemm, {130}}}),
      Profile{.name = "empty"}};
  const auto read = profiles_in(saved(profiles));
  ASSERT_TRUE(read) << read.error().to_string();
  ASSERT_EQ(read->size(), profiles.size());
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    SCOPED_TRACE(profiles[i].name);
    expect_equal((*read)[i], profiles[i]);
  }
}

TEST(ProfileData, GivesTheSameComparison) {
  const Profile off = toy(ToySpeed::kSlow);
  const Profile on = toy(ToySpeed::kFast);
  const auto read = profiles_in(saved({off, on}));
  ASSERT_TRUE(read) << read.error().to_string();
  const Comparison before = compare(off, on);
  const Comparison after = compare(read->at(0), read->at(1));
  const MethodComparison& a = before.methods.front();
  const MethodComparison& b = after.methods.front();
  EXPECT_EQ(verdict_sentence(before, a), verdict_sentence(after, b));
  EXPECT_EQ(a.end_to_end.interval->low, b.end_to_end.interval->low);
  ASSERT_EQ(a.operators.size(), b.operators.size());
  for (std::size_t i = 0; i < a.operators.size(); ++i) {
    EXPECT_EQ(a.operators[i].name, b.operators[i].name);
    EXPECT_EQ(a.operators[i].saving, b.operators[i].saving);
  }
}

TEST(ProfileData, IsForMachinesOnly) {
  Findings findings;
  add_profile_data(findings, toy(ToySpeed::kFast));
  add_profile_data(findings, toy(ToySpeed::kSlow));
  ASSERT_EQ(findings.sections.size(), 4U);
  for (const Section& section : findings.sections) EXPECT_TRUE(section.data_only);
  EXPECT_EQ(findings.sections[0].id, "profile.0");
  EXPECT_EQ(findings.sections[2].id, "profile.1");
}

TEST(ProfileData, ADocumentWithoutProfilesHasNone) {
  const auto none = profiles_in(saved({}));
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
}

// Damage of one kind, and a word of the message that it must give.
struct Damage {
  std::string what;
  std::function<void(Section& profile, Section& method)> make;
};

findings::Table& table(Section& section, std::string_view id) {
  for (findings::Table& one : section.tables)
    if (one.id == id) return one;
  ADD_FAILURE() << "no table " << id;
  return section.tables.front();
}

void erase_table(Section& section, std::string_view id) {
  std::erase_if(section.tables, [&](const findings::Table& one) { return one.id == id; });
}

TEST(ProfileData, DamageIsAnError) {
  std::vector<Damage> damages;
  for (const char* id : {"profile", "sources", "loads"})
    damages.push_back(
        {std::string("no table ") + id, [id](Section& profile, Section&) { erase_table(profile, id); }});
  for (const char* id : {"clock", "executions", "entries", "foreign"}) {
    damages.push_back(
        {std::string("no table ") + id, [id](Section&, Section& method) { erase_table(method, id); }});
    damages.push_back({std::string("narrow table ") + id, [id](Section&, Section& method) {
                         findings::Table& one = table(method, id);
                         if (one.rows.empty())
                           one.rows.push_back({});
                         else
                           one.rows.front().pop_back();
                       }});
    damages.push_back({std::string("wide table ") + id, [id](Section&, Section& method) {
                         findings::Table& one = table(method, id);
                         if (one.rows.empty())
                           one.rows.push_back(std::vector<findings::Cell>(40));
                         else
                           one.rows.front().push_back(std::int64_t{0});
                       }});
  }
  const auto cell = [&](std::string what, std::string id, std::size_t column, findings::Cell value,
                        bool of_method = true) {
    damages.push_back({std::move(what), [id, column, value, of_method](Section& profile, Section& method) {
                         table(of_method ? method : profile, id).rows.front().at(column) = value;
                       }});
  };
  cell("a text for a duration", "executions", 4, std::string("long"));
  cell("a real number for a duration", "executions", 4, 1.5);
  cell("nothing for a duration", "executions", 4, std::monostate{});
  cell("a negative duration", "executions", 4, std::int64_t{-1});
  cell("a negative run", "executions", 1, std::int64_t{-1});
  cell("a slice beyond 32 bits", "executions", 2, std::int64_t{1} << 32U);
  cell("warm-up of 2", "executions", 5, std::int64_t{2});
  cell("a number for a name", "entries", 0, std::int64_t{1});
  cell("no such part", "entries", 1, std::int64_t{kPartCount});
  cell("a negative part", "entries", 1, std::int64_t{-1});
  cell("no such category", "entries", 6, std::int64_t{kCategoryCount});
  cell("a negative count", "entries", 10, std::int64_t{-5});
  cell("a negative frequency", "clock", 0, std::int64_t{-1});
  cell("no seconds", "clock", 1, std::int64_t{0});
  cell("no such use", "profile", 1, std::int64_t{9}, false);
  cell("a number for a source", "sources", 0, std::int64_t{9}, false);
  cell("a negative load", "loads", 2, std::int64_t{-9}, false);
  damages.push_back({"two clocks", [](Section&, Section& method) {
                       findings::Table& clock = table(method, "clock");
                       clock.rows.push_back(clock.rows.front());
                     }});
  damages.push_back({"no clock", [](Section&, Section& method) { table(method, "clock").rows.clear(); }});
  damages.push_back(
      {"no profile", [](Section& profile, Section&) { table(profile, "profile").rows.clear(); }});
  damages.push_back({"too few series", [](Section&, Section& method) { method.series.pop_back(); }});
  damages.push_back(
      {"a short series", [](Section&, Section& method) { method.series.front().values.pop_back(); }});
  damages.push_back(
      {"a long series", [](Section&, Section& method) { method.series.front().values.push_back(1); }});
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300, -1e19, 0.5})
    damages.push_back({"a time of " + std::to_string(value),
                       [value](Section&, Section& method) { method.series.front().values.front() = value; }});
  for (const Damage& damage : damages) {
    Findings findings;
    add_profile_data(findings, toy(ToySpeed::kFast));
    damage.make(findings.sections.at(0), findings.sections.at(1));
    const auto read = profiles_in(findings);
    EXPECT_FALSE(read) << damage.what;
    if (!read) {
      EXPECT_NE(read.error().to_string().find("profile.0"), std::string::npos) << damage.what;
    }
  }
}

// A method whose profile is not there belongs to nobody.
TEST(ProfileData, AMethodWithoutItsProfileIsAnError) {
  Findings findings;
  add_profile_data(findings, toy(ToySpeed::kFast));
  findings.sections.erase(findings.sections.begin());
  EXPECT_FALSE(profiles_in(findings));
}

}  // namespace
}  // namespace accelscope::analysis
