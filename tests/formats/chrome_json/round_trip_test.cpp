// Random traces survive being written and read.
#include <fmt/core.h>

#include <random>

#include "support.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chrome_json {
namespace {

using base::Frequency;
using trace::Nesting;
using trace::TraceBuilder;
using trace::TrackKind;
using trace::TrackLevel;

class TraceMaker {
 public:
  explicit TraceMaker(std::uint64_t seed) : random_(seed) {}

  Trace make() {
    clock_ = builder_.add_clock({builder_.intern("host"), Frequency::nanoseconds()});
    for (std::uint64_t i = 0; i < 1 + below(3); ++i) add_process();
    for (std::uint64_t i = 0; i < below(40) && builder_.slice_count() > 0; ++i)
      builder_.add_flow(any_slice(), any_slice(), builder_.intern(fmt::format("type {}", below(3))),
                        below(2) == 0 ? trace::StringId::kEmpty : text());
    for (std::uint64_t i = 0; i < below(4); ++i) builder_.add_fact(fmt::format("fact {}", i), value());
    auto trace = std::move(builder_).finish();
    EXPECT_TRUE(trace) << trace.error().to_string();
    return *std::move(trace);
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  SliceId any_slice() { return SliceId{static_cast<std::uint32_t>(below(builder_.slice_count()))}; }
  trace::StringId text() {
    constexpr std::array<std::string_view, 6> kTexts = {"conv",
                                                        "quote\" \\ tab\t",
                                                        "\xC3\xA9\xF0\x9F\x98\x80",
                                                        "x",
                                                        "a name that is longer than sixteen bytes",
                                                        "{}[],:"};
    return builder_.intern(fmt::format("{}{}", kTexts[below(kTexts.size())], below(5)));
  }
  Value value() {
    switch (below(8)) {
      case 0:
        return Value::of_int(static_cast<std::int64_t>(random_()));
      case 1:
        return Value::of_uint(random_() | (std::uint64_t{1} << 63U));
      case 2:
        return Value::of_double(static_cast<double>(static_cast<std::int64_t>(random_())) / 1024.0);
      case 3:
        return Value::of_double(static_cast<double>(below(10)));
      case 4:
        return Value::of_bool(below(2) == 0);
      case 5:
        return Value::of_string(text());
      case 6:
        return Value::of_json(builder_.intern(fmt::format("[{},{{\"k\":\"a b\"}}]", below(100))));
      default:
        return Value::null();
    }
  }

  void add_process() {
    const TrackId process = builder_.add_track({.name = text(),
                                                .level = TrackLevel::kProcess,
                                                .kind = TrackKind::kGroup,
                                                .external_id = static_cast<std::int64_t>(below(3))});
    for (std::uint64_t i = 0; i < 1 + below(4); ++i) add_thread(process);
    for (std::uint64_t i = 0; i < below(3); ++i) add_counter(process);
  }

  void add_thread(TrackId process) {
    const TrackId track = builder_.add_track({.name = text(),
                                              .parent = process,
                                              .clock = clock_,
                                              .external_id = static_cast<std::int64_t>(below(4))},
                                             Nesting::kByStart);
    // Few distinct times, so that bounds coincide often.
    const std::uint64_t range = below(2) == 0 ? 12 : 1'000'000'000'000;
    for (std::uint64_t i = 0; i < below(60); ++i) {
      const SliceId slice = builder_.add_slice({.track = track,
                                                .start = Ticks{static_cast<std::int64_t>(below(range)) - 5},
                                                .duration = Ticks{static_cast<std::int64_t>(below(range))},
                                                .name = text(),
                                                .category = builder_.category(below(2) == 0 ? "" : "cat,x")});
      for (std::uint64_t a = 0; a < below(4); ++a) builder_.add_slice_arg(slice, text(), value());
    }
    for (std::uint64_t i = 0; i < below(5); ++i) {
      const std::uint32_t instant = builder_.add_instant(
          {.track = track, .time = Ticks{static_cast<std::int64_t>(below(range))}, .name = text()});
      if (below(2) == 0)
        builder_.add_instant_arg(instant, builder_.intern("scope"),
                                 Value::of_string(builder_.intern("global")));
      builder_.add_instant_arg(instant, text(), value());
    }
  }

  void add_counter(TrackId process) {
    const bool is_double = below(2) == 0;
    const TrackId track = builder_.add_track(
        {.name = builder_.intern(fmt::format("counter {}", below(2))),
         .parent = process,
         .level = TrackLevel::kLane,
         .kind = TrackKind::kCounter,
         .clock = clock_,
         .counter_type = is_double ? trace::CounterType::kDouble : trace::CounterType::kInt64,
         .counter_unit = below(2) == 0 ? trace::StringId::kEmpty : builder_.intern("bytes")});
    for (std::uint64_t i = 0; i < 1 + below(10); ++i) {
      const Ticks time{static_cast<std::int64_t>(below(1000))};
      if (is_double)
        builder_.add_counter(track, time, static_cast<double>(below(1000)) / 8);
      else
        builder_.add_counter(track, time, static_cast<std::int64_t>(random_()));
    }
  }

  std::mt19937_64 random_;
  TraceBuilder builder_;
  trace::ClockId clock_ = trace::ClockId::kNone;
};

std::string describe(const Trace& trace, const Value& value) {
  return value.holds_text() ? fmt::format("{}:{}", static_cast<int>(value.type), trace.text(value.as_text()))
                            : fmt::format("{}:{:x}", static_cast<int>(value.type), value.bits);
}

std::string describe_args(const Trace& trace, ArgId first) {
  std::string text;
  for (ArgId id = first; id != ArgId::kNone; id = trace.args().next[index(id)])
    text += fmt::format(" {}={}", trace.text(trace.args().name[index(id)]),
                        describe(trace, trace.args().value(id)));
  return text;
}

// A slice by what it is, not by where its row is: the writer orders slices that begin together.
std::string describe_slice(const Trace& trace, SliceId slice) {
  if (slice == SliceId::kNone) return "none";
  const auto row = index(slice);
  return fmt::format("{} {} {} {} {}{}", trace.text(trace.track(trace.slices().track[row]).name),
                     trace.slices().start[row].value, trace.slices().duration[row].value,
                     trace.text(trace.slices().name[row]), trace.category_name(trace.slices().category[row]),
                     describe_args(trace, trace.slices().first_arg[row]));
}

// Everything that a round trip must keep, as sorted lines.
std::vector<std::string> describe(const Trace& trace) {
  std::vector<std::string> lines;
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    lines.push_back(fmt::format("slice {} in {}", describe_slice(trace, SliceId{row}),
                                describe_slice(trace, trace.slices().parent[row])));
  for (std::uint32_t row = 0; row < trace.instants().size(); ++row)
    lines.push_back(fmt::format("instant {} {}{}", trace.instants().time[row].value,
                                trace.text(trace.instants().name[row]),
                                describe_args(trace, trace.instants().first_arg[row])));
  for (std::uint32_t row = 0; row < trace.counters().size(); ++row) {
    const trace::Track& track = trace.track(trace.counters().track[row]);
    lines.push_back(fmt::format("counter {} [{}] {} {} {:x}", trace.text(track.name),
                                trace.text(track.counter_unit), static_cast<int>(track.counter_type),
                                trace.counters().time[row].value, trace.counters().bits[row]));
  }
  for (std::uint32_t i = 0; i < trace.flows().size(); ++i)
    lines.push_back(fmt::format("flow {} -> {}: {} {}", describe_slice(trace, trace.flows().from[i]),
                                describe_slice(trace, trace.flows().to[i]), trace.text(trace.flows().type[i]),
                                trace.text(trace.flows().label[i])));
  for (const trace::Fact& fact : trace.facts())
    lines.push_back(fmt::format("fact {} {}", trace.text(fact.key), describe(trace, fact.value)));
  for (const trace::Track& track : trace.tracks())
    lines.push_back(
        fmt::format("track {} in {}", trace.text(track.name),
                    track.parent == TrackId::kNone ? "" : trace.text(trace.track(track.parent).name)));
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(RoundTrip, RandomTracesComeBack) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Trace before = TraceMaker(seed).make();
    const std::string text = written(before);
    const auto after = read_text(text);
    ASSERT_TRUE(after) << seed << ": " << after.error().to_string();
    ASSERT_EQ(describe(*after), describe(before)) << seed;
    EXPECT_TRUE(after->quality().rows().empty()) << seed << ": " << after->quality().rows()[0].sentence;
    // And from there on nothing changes any more.
    ASSERT_TRUE(written(*after) == text) << seed;
  }
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
