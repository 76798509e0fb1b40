#include <gtest/gtest.h>

#include <filesystem>

#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/etrecord_writer.h"

namespace accelscope::formats::etrecord {
namespace {

base::Result<EtRecord> read_bytes(std::string_view bytes) {
  return read(base::MappedFile::from_memory("test.etrecord", bytes));
}

std::string zip(std::vector<ZipContent> entries, Packing packing = Packing::kStored) {
  entries.insert(entries.begin(), {std::string(kMarker), ""});
  const auto bytes = make_zip(entries, packing);
  EXPECT_TRUE(bytes) << bytes.error().to_string();
  return *bytes;
}

TEST(EtRecordReader, ReadsWhatTheWriterWrites) {
  EtRecord written;
  Method& forward = written.method("forward");
  forward.handles[0] = {7};
  forward.handles[3] = {8, 9};
  forward.delegates[3].backend = "XnnpackBackend";
  forward.delegates[3].events = {{"12", {{8}, 0}}, {"conv", {{9}, 1}}};
  forward.output_counts[3] = 2;
  forward.nodes[7].push_back({"aten_mul", "aten.mul.Tensor", "File \"a.py\", line 3\n", "k,,Net"});
  written.method("encode").handles[1] = {70};
  const auto bytes = write(written);
  ASSERT_TRUE(bytes) << bytes.error().to_string();
  EXPECT_TRUE(looks_like_etrecord(*bytes));
  EXPECT_EQ(*write(written), *bytes);

  const auto record = read_bytes(*bytes);
  ASSERT_TRUE(record) << record.error().to_string();
  ASSERT_EQ(record->methods.size(), 2U);
  const Method& method = record->methods[0];
  EXPECT_EQ(method.name, "forward");
  EXPECT_EQ(method.handles, forward.handles);
  EXPECT_EQ(method.output_counts, forward.output_counts);
  EXPECT_EQ(method.delegates.at(3).backend, "XnnpackBackend");
  EXPECT_EQ(method.delegates.at(3).events.at("conv").handles, (std::vector<DebugHandle>{9}));
  EXPECT_EQ(method.delegates.at(3).events.at("conv").position, 1U);
  ASSERT_EQ(method.nodes.at(7).size(), 1U);
  EXPECT_EQ(method.nodes.at(7)[0].op, "aten.mul.Tensor");
  EXPECT_EQ(method.nodes.at(7)[0].stack_trace, "File \"a.py\", line 3\n");
  EXPECT_EQ(method.nodes.at(7)[0].module_stack, "k,,Net");
  EXPECT_EQ(record->methods[1].name, "encode");
  EXPECT_TRUE(record->remarks.rows().empty());
}

TEST(EtRecordReader, AcceptsOldMapsWithoutMethods) {
  const auto record =
      read_bytes(zip({{"debug_handle_map", R"({"0": 5, "1": [6, 7], "x": 1})"},
                      {"delegate_map", R"({"1": {"name": "B", "delegate_map": {"0": 6, "a": [7]}}})"},
                      {"instruction_id_to_num_outs_map", R"({"1": 2})"}}));
  ASSERT_TRUE(record) << record.error().to_string();
  ASSERT_EQ(record->methods.size(), 1U);
  const Method& method = record->methods[0];
  EXPECT_EQ(method.name, "forward");
  EXPECT_EQ(method.handles.at(0), (std::vector<DebugHandle>{5}));
  EXPECT_EQ(method.handles.at(1), (std::vector<DebugHandle>{6, 7}));
  EXPECT_EQ(method.delegates.at(1).backend, "B");
  EXPECT_EQ(method.delegates.at(1).events.at("0").handles, (std::vector<DebugHandle>{6}));
  EXPECT_EQ(method.output_counts.at(1), 2);
}

TEST(EtRecordReader, FindsNodesOfInnerGraphs) {
  const std::string graph = R"({"graph_module": {"graph": {"nodes": [
    {"target": "torch.ops.higher_order.cond", "outputs": [], "metadata": {"debug_handle": "1"}, "inputs": [
      {"name": "true_graph", "arg": {"as_graph": {"name": "t", "graph": {"nodes": [
        {"target": "torch.ops.aten.add.Tensor", "inputs": [], "metadata": {"debug_handle": 2},
         "outputs": [{"as_tensors": [{"name": "sum"}]}]}]}}}}]},
    {"target": "_operator.getitem", "inputs": [], "outputs": [], "metadata": {"debug_handle": "1"}},
    {"target": "no metadata"}, 17]}}})";
  const auto record = read_bytes(zip({{"edge_dialect_exported_program/decode", graph},
                                      {"edge_dialect_exported_program/decode_state_dict", "not JSON"}},
                                     Packing::kDeflated));
  ASSERT_TRUE(record) << record.error().to_string();
  ASSERT_EQ(record->methods.size(), 1U);
  EXPECT_EQ(record->methods[0].name, "decode");
  ASSERT_EQ(record->methods[0].nodes.at(1).size(), 1U);
  EXPECT_EQ(record->methods[0].nodes.at(1)[0].op, "cond");
  EXPECT_EQ(record->methods[0].nodes.at(2)[0].op, "aten.add.Tensor");
  EXPECT_EQ(record->methods[0].nodes.at(2)[0].name, "sum");
}

TEST(EtRecordReader, DoesWithoutAGraphItCannotRead) {
  const auto record = read_bytes(
      zip({{"edge_dialect_exported_program", "pickled"}, {"debug_handle_map", R"({"forward": {"0": 1}})"}}));
  ASSERT_TRUE(record) << record.error().to_string();
  EXPECT_EQ(record->methods[0].handles.size(), 1U);
  EXPECT_EQ(record->remarks.count("etrecord.graph_not_understood"), 1U);
}

TEST(EtRecordReader, NamesTheEntryThatIsWrong) {
  const auto record = read_bytes(zip({{"delegate_map", "{"}}));
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().where.file, "test.etrecord");
  EXPECT_NE(record.error().message.find("entry 'delegate_map'"), std::string::npos) << record.error().message;
  EXPECT_FALSE(read_bytes(zip({{"debug_handle_map", "[1]"}})));
}

TEST(EtRecordReader, RefusesWhatIsNoEtRecord) {
  EXPECT_FALSE(read_bytes(""));
  EXPECT_FALSE(read_bytes("PK\x03\x04 and then nothing"));
  const auto other = make_zip({{"readme.txt", "hello"}});
  ASSERT_TRUE(other);
  EXPECT_FALSE(looks_like_etrecord(*other));
  EXPECT_FALSE(read_bytes(*other));
  EXPECT_FALSE(looks_like_etrecord(kMarker));
}

TEST(EtRecordReader, RefusesBombs) {
  const std::string bomb =
      zip({{"debug_handle_map", std::string(std::size_t{8} << 20, ' ')}}, Packing::kDeflated);
  const auto record = read_bytes(bomb);
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().code, base::ErrorCode::kTooLarge);
}

TEST(EtRecordReader, SurvivesDamage) {
  EtRecord written;
  written.method("forward").handles[0] = {7};
  written.method("forward").nodes[7].push_back({"n", "aten.mul.Tensor", "trace", "k,,Net"});
  const std::string bytes = *write(written);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    static_cast<void>(read_bytes(damaged));
    static_cast<void>(read_bytes(std::string_view(bytes).substr(0, i)));
  }
}

TEST(EtRecordReader, RefusesTooManyMethods) {
  std::string map = "{";
  for (int i = 0; i < 200; ++i) map += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":{\"0\":1}";
  EXPECT_FALSE(read_bytes(zip({{"debug_handle_map", map + "}"}})));
}

TEST(EtRecordReader, AsManyMethodsAsAllowedMayBeInEveryMap) {
  std::string map = "{";
  for (std::size_t i = 0; i < EtRecord::kMaxMethods; ++i)
    map += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":{\"0\":1}";
  map += "}";
  const auto record = read_bytes(zip({{"debug_handle_map", map}, {"instruction_id_to_num_outs_map", map}}));
  ASSERT_TRUE(record) << record.error().to_string();
  EXPECT_EQ(record->methods.size(), EtRecord::kMaxMethods);
  EXPECT_EQ(record->methods.back().output_counts.at(0), 1);
}

// Kept once per handle, the trace of this node would take 20 GB.
TEST(EtRecordReader, ANodeOfAbsurdlyManyHandlesDoesNotFillTheMemory) {
  std::string handles = "0";
  for (int i = 1; i < 100'000; ++i) handles += "," + std::to_string(i);
  const std::string graph = R"({"graph": {"nodes": [{"target": "a", "metadata": {"debug_handle": [)" +
                            handles + R"(], "stack_trace": ")" + std::string(200'000, 't') + R"("}}]}})";
  const auto record =
      read_bytes(zip({{"exported_program", graph}, {"debug_handle_map", R"({"forward": {"0": 1}})"}}));
  ASSERT_TRUE(record) << record.error().to_string();
  EXPECT_EQ(record->remarks.count("etrecord.graph_not_understood"), 1U);
  EXPECT_TRUE(record->methods[0].nodes.empty());
  EXPECT_EQ(record->methods[0].handles.size(), 1U);
}

TEST(EtRecordFixtures, ARealFileIsRead) {
  const std::string path = std::string(ACCELSCOPE_FIXTURES_DIR) + "/etdump/executorch_examples_etrecord.bin";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_TRUE(looks_like_etrecord(file->text()));
  const auto record = read(*file);
  ASSERT_TRUE(record) << record.error().to_string();
  EXPECT_EQ(record->entries.size(), 7U);
  ASSERT_EQ(record->methods.size(), 1U);
  EXPECT_EQ(record->methods[0].name, "forward");
  EXPECT_TRUE(record->methods[0].handles.empty());
  ASSERT_EQ(record->methods[0].nodes.at(2).size(), 1U);
  const GraphNode& node = record->methods[0].nodes.at(2)[0];
  EXPECT_EQ(node.name, "aten_mul_tensor");
  EXPECT_EQ(node.op, "aten.mul.Tensor");
  EXPECT_NE(node.stack_trace.find("toy_model/model.py"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::formats::etrecord
