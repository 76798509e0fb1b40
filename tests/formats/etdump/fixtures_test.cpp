// Conformance with dumps written by ExecuTorch itself, decoded and nested by an independent program.
#include <simdjson.h>

#include <filesystem>
#include <map>

#include "base/mapped_file.h"
#include "formats/etdump/helpers.h"
#include "trace/self_time.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etdump {
namespace {

using simdjson::dom::element;
using trace::SliceId;
using trace::Trace;

const std::string kFolder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/etdump/";

class Fixture : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder + GetParam()))
      GTEST_SKIP() << "no conformance data in " << kFolder << ": set ACCELSCOPE_FIXTURES to run this test";
    auto file = base::MappedFile::open(kFolder + GetParam());
    ASSERT_TRUE(file) << file.error().to_string();
    auto result = read(*file, {.time_unit = TimeUnit::nanoseconds()});
    ASSERT_TRUE(result) << result.error().to_string();
    trace_.emplace(std::move(*result));
    index();
  }

  element json(const char* suffix) { return parser_.load(kFolder + GetParam() + suffix).value(); }

  // Slices and instants by run and record.
  void index() {
    for (std::uint32_t slice = 0; slice < trace_->slices().size(); ++slice) {
      const auto record = arg_of(*trace_, slice, trace::arg::kRecord).as_uint();
      slices_[{trace::index(trace_->slices().run[slice]), record}] = slice;
    }
    const trace::InstantTable& instants = trace_->instants();
    for (std::uint32_t row = 0; row < instants.size(); ++row) {
      const auto record = trace_->find_arg(instants.first_arg[row], trace::arg::kRecord).as_uint();
      instants_[{trace::index(instants.run[row]), record}] = row;
    }
  }

  using Place = std::pair<std::uint32_t, std::uint64_t>;
  simdjson::dom::parser parser_;
  std::optional<Trace> trace_;
  std::map<Place, std::uint32_t> slices_;
  std::map<Place, std::uint32_t> instants_;
};

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::optional<std::string> text_or_null(element value) {
  if (value.is_null()) return std::nullopt;
  return std::string(value.get_string().value());
}

void expect_profile(const Trace& trace, std::uint32_t slice, element expected) {
  const trace::SliceTable& slices = trace.slices();
  const std::int64_t delegate_number = expected["did"].get_int64().value();
  const auto delegate_name = text_or_null(expected["dstr"]);
  const bool delegated = delegate_number != -1 || delegate_name.has_value();
  EXPECT_EQ(trace.category_name(slices.category[slice]) == trace::category::kDelegateOperator, delegated);
  EXPECT_EQ(name_of(trace, slice), delegate_name ? *delegate_name
                                   : delegated   ? std::to_string(delegate_number)
                                                 : text_or_null(expected["name"]).value_or(""));
  const trace::Value number = arg_of(trace, slice, trace::arg::kDelegateId);
  EXPECT_EQ(number.type == trace::ValueType::kNull ? -1 : number.as_int(), delegate_number);
  EXPECT_EQ(arg_of(trace, slice, trace::arg::kChain).as_int(), expected["chain"].get_int64().value());
  EXPECT_EQ(arg_of(trace, slice, trace::arg::kInstruction).as_int(), expected["instr"].get_int64().value());
  const trace::Value metadata = arg_of(trace, slice, trace::arg::kDelegateMetadata);
  EXPECT_EQ(metadata.type == trace::ValueType::kNull ? "" : hex(trace.text(metadata.as_text())),
            text_or_null(expected["meta"]).value_or(""));
  EXPECT_EQ(slices.start[slice].value, expected["start"].get_int64().value());
  EXPECT_EQ(trace.end_of(SliceId{slice}).value, expected["end"].get_int64().value());
}

void expect_debug_value(const Trace& trace, std::uint32_t instant, element expected) {
  const auto argument = [&](std::string_view name) {
    return trace.find_arg(trace.instants().first_arg[instant], name);
  };
  EXPECT_EQ(static_cast<std::uint64_t>(argument(trace::arg::kChain).as_int()),
            expected["chain"].get_uint64().value());
  EXPECT_EQ(argument(trace::arg::kInstruction).as_int(), expected["instr"].get_int64().value());
  const auto delegate_name = text_or_null(expected["dstr"]);
  EXPECT_EQ(argument(trace::arg::kDelegateId).type == trace::ValueType::kString, delegate_name.has_value());
  EXPECT_EQ(trace.text(trace.instants().name[instant]),
            delegate_name.value_or(text_or_null(expected["name"]).value_or("")));
  const trace::Value value = argument(trace::arg::kValue);
  const std::string_view kind = expected["val"]["val"].get_string().value();
  const element content = expected["val"];
  EXPECT_EQ(value, kind == "Int"      ? trace::Value::of_int(content["int"].get_int64().value())
                   : kind == "Double" ? trace::Value::of_double(content["double"].get_double().value())
                   : kind == "Bool"   ? trace::Value::of_bool(content["bool"].get_bool().value())
                                      : trace::Value::null());
}

TEST_P(Fixture, DecodesToTheReference) {
  std::uint32_t run = 0;
  for (const element block : json(".decoded.json")["runs"]) {
    ASSERT_LT(run, trace_->runs().size());
    EXPECT_EQ(trace_->text(trace_->runs()[run].name), block["name"].get_string().value());
    std::uint64_t record = 0;
    for (const element entry : block["events"]) {
      SCOPED_TRACE(fmt::format("run {} record {}", run, record));
      const std::string_view kind = entry.at(0).get_string().value();
      const element content = entry.at(1).value();
      const Place place{run, record++};
      if (kind == "P") {
        ASSERT_TRUE(slices_.contains(place));
        expect_profile(*trace_, slices_[place], content);
        continue;
      }
      ASSERT_TRUE(instants_.contains(place));
      const std::uint32_t instant = instants_[place];
      if (kind == "D") {
        expect_debug_value(*trace_, instant, content);
        continue;
      }
      const std::int64_t id = content["id"].get_int64().value();
      EXPECT_EQ(trace_->find_arg(trace_->instants().first_arg[instant], trace::arg::kBytes).as_uint(),
                content["size"].get_uint64().value());
      EXPECT_EQ(trace_->text(trace_->instants().name[instant]),
                block["allocators"].at(static_cast<std::size_t>(id - 1)).get_string().value());
    }
    ++run;
  }
  EXPECT_EQ(run, trace_->runs().size());
}

TEST_P(Fixture, NestsLikeTheReference) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> slices_of_run;  // in the order of the log
  for (const auto& [place, slice] : slices_) slices_of_run[place.first].push_back(slice);
  std::uint32_t run = 0;
  for (const element block : json(".tree.json")) {
    const std::vector<std::uint32_t>& slices = slices_of_run[run++];
    std::size_t position = 0;
    for (const element node : block["nodes"]) {
      ASSERT_LT(position, slices.size());
      const std::uint32_t slice = slices[position++];
      SCOPED_TRACE(fmt::format("run {} node {} {}", run - 1, position - 1, name_of(*trace_, slice)));
      EXPECT_EQ(name_of(*trace_, slice), node["label"].get_string().value());
      EXPECT_EQ(trace_->slices().duration[slice].value, node["dur"].get_int64().value());
      const bool foreign = node["domain"].get_string().value() == "foreign";
      const SliceId parent = foreign ? trace_->slices().owner[slice] : trace_->slices().parent[slice];
      EXPECT_EQ(foreign, trace_->slices().track[slice] != trace::TrackId{1});
      EXPECT_EQ(parent, node["parent"].is_null() ? SliceId::kNone
                                                 : SliceId{slices[node["parent"].get_uint64().value()]});
      const trace::RowRange rows = trace_->slices_of(trace_->slices().track[slice]);
      EXPECT_EQ(trace::self_times(*trace_, rows)[slice - rows.first].value, node["self"].get_int64().value());
    }
    EXPECT_EQ(position, slices.size());
  }
}

TEST_P(Fixture, SelfTimesSumToTheRoot) {
  for (const trace::Run& run : trace_->runs()) {
    ASSERT_EQ(run.status, trace::RunStatus::kComplete);
    EXPECT_EQ(sum_of_self_times(*trace_, run.root), trace_->slices().duration[trace::index(run.root)].value);
  }
}

INSTANTIATE_TEST_SUITE_P(EtDump, Fixture,
                         testing::Values("executorch_docs_tutorial.etdp", "gen_toy_sme2_on_t1.etdump",
                                         "gen_toy_sme2_off_t1.etdump", "gen_quirks.etdump"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           return name.substr(0, name.find('.'));
                         });

std::optional<std::vector<std::int64_t>> end_to_end_times(const std::string& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  auto file = base::MappedFile::open(path);
  if (!file) return std::nullopt;
  auto trace = read(*file);
  if (!trace) return std::nullopt;
  std::vector<std::int64_t> times;
  for (const trace::Run& run : trace->runs())
    if (run.kind == trace::RunKind::kExecution)
      times.push_back(trace->slices().duration[trace::index(run.root)].value);
  return times;
}

TEST(EndToEnd, OfTheRealFile) {
  const auto times = end_to_end_times(kFolder + "executorch_docs_tutorial.etdp");
  if (!times) GTEST_SKIP() << "no conformance data in " << kFolder;
  EXPECT_EQ(*times, std::vector<std::int64_t>{1'898'821});
}

TEST(EndToEnd, OfTheToyModel) {
  const auto times = end_to_end_times(kFolder + "gen_toy_sme2_on_t1.etdump");
  if (!times) GTEST_SKIP() << "no conformance data in " << kFolder;
  EXPECT_EQ(*times, (std::vector<std::int64_t>{350'905, 261'270, 263'956, 259'317, 260'876, 260'633, 317'890,
                                               258'993, 262'568, 263'942}));
}

}  // namespace
}  // namespace accelscope::formats::etdump
