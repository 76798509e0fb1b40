// Writes the seed corpora of the fuzz targets: small, valid inputs of every kind, made by the project's own
// writers.
//
//   make_corpus FOLDER      makes FOLDER/<reader>/<seed> for every fuzz target
#include <fmt/core.h>

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "boards/board_file.h"
#include "boards/clm60m_build.h"
#include "boards/manifest_from_model.h"
#include "boards/model_file.h"
#include "boards/settings_file.h"
#include "compat/inspector_csv.h"
#include "device/chip_file.h"
#include "device/cost_file.h"
#include "device/pipe_patterns.h"
#include "emulator/program_images.h"
#include "findings/findings_json.h"
#include "findings/sample_findings.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/trace_chunks.h"
#include "formats/capture/wire.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_run/recorded_tensors.h"
#include "formats/chip_run/sample_recordings.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "formats/chrome_json/writer.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/etdump/sample_dumps.h"
#include "formats/etrecord/etrecord_writer.h"
#include "formats/gzip/gzip_output.h"
#include "formats/perfmon/sample_streams.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/generators.h"
#include "isa/instruction_set.h"
#include "isa/words.h"
#include "jobs/overhead.h"
#include "jobs/sample_overhead.h"
#include "memory/dram_preset_file.h"
#include "runtime/generators.h"
#include "runtime/graph_file.h"
#include "trace/trace.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
namespace etdump = formats::etdump;
namespace etrecord = formats::etrecord;

struct Seed {
  std::string reader;
  std::string name;
  std::string bytes;
};

std::vector<std::pair<std::string, etdump::Dump>> dumps() {
  return {{"toy", etdump::toy_dump(etdump::ToySpeed::kFast)},
          {"quirks", etdump::quirks_dump()},
          {"wrap", etdump::wrap_dump()},
          {"large", etdump::large_dump(60)}};
}

template <class Write>
std::string in_memory(Write&& write) {
  base::MemoryOutput out;
  write(out);
  return std::string(out.bytes());
}

void add_seeds_of_dump(const std::string& name, const etdump::Dump& dump, std::vector<Seed>& seeds) {
  const std::string bytes = etdump::write_etdump(dump);
  seeds.push_back({"etdump", name, bytes});
  seeds.push_back({"etdump", name + "-bare", etdump::write_etdump(dump, etdump::Prefix::kNone)});
  seeds.push_back({"etdump-uart", name, etdump::write_uart_log(dump)});
  seeds.push_back({"etdump-uart", name + "-wrapped", etdump::write_uart_log(dump, 76)});
  const auto trace = etdump::read(base::MappedFile::from_memory(name, bytes));
  if (!trace) return;
  const compat::InspectorTable table = compat::inspector_table(*trace);
  seeds.push_back({"timeline-csv", name, in_memory([&](base::Output& out) {
                     compat::write_timeline_csv(out, compat::timeline_rows(table, name));
                   })});
  seeds.push_back({"ops-csv", name, in_memory([&](base::Output& out) {
                     compat::write_ops_stats_csv(out, compat::ops_stats_rows(table, name));
                   })});
  const std::string json =
      in_memory([&](base::Output& out) { (void)formats::chrome_json::write(*trace, out); });
  seeds.push_back({"chrome-json", name, json});
  seeds.push_back({"gzip", name, in_memory([&](base::Output& out) {
                     formats::gzip::GzipOutput packed(out);
                     packed.append(json);
                     (void)packed.finish();
                   })});
}

// Phases and forms that our writer does not use.
void add_hand_made_seeds(std::vector<Seed>& seeds) {
  seeds.push_back(
      {"chrome-json", "phases",
       R"([{"ph":"B","pid":1,"tid":"a","ts":1.5,"name":"b","args":{"x":[1,{"y":null}]}},)"
       R"({"ph":"E","pid":1,"tid":"a","ts":9},{"ph":"i","pid":1,"tid":2,"ts":3,"s":"t","name":"i"},)"
       R"({"ph":"C","pid":1,"ts":4,"name":"c","args":{"v":1,"w":2.5}},{"ph":"b","cat":"k","id":"0x1","pid":1,"ts":1,"name":"n"},)"
       R"({"ph":"e","cat":"k","id":"0x1","pid":1,"ts":8,"name":"n"},{"ph":"s","id":7,"pid":1,"tid":"a","ts":2,"name":"f"},)"
       R"({"ph":"f","bp":"e","id":7,"pid":1,"tid":"a","ts":5,"name":"f"},{"ph":"M","pid":1,"name":"process_name","args":{"name":"p"}},)"
       R"({"ph":"X","pid":18446744073709551615,"tid":-1,"ts":9007199254740993,"dur":1e2,"name":"\u00e9\ud83d\ude00"}])"});
  seeds.push_back({"timeline-csv", "aliases",
                   "name,op_type,backend,timestamp_ms,duration_ms,node_id,parent_id,run_index\n"
                   "Method::execute,,,0,1.5,0,,0\n\"aten::add, \"\"x\"\"\",add,xnnpack,0.25,0.5,1,0,0\n"});
}

void add_kernel_log_seeds(std::vector<Seed>& seeds) {
  seeds.push_back(
      {"kernel-log", "stdio",
       "Note (XNNPACK): Using gemm microkernel 'xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2'. "
       "(init_pf16_gemm_config, src/configs/gemm-config.c:406)\n"
       "Debug (XNNPACK): running operator 2:0 (Convolution (NHWC, PF16) IGEMM) (xnn_run_operator, a.c:3)\n"
       "Debug (XNNPACK): skip running operator 3:0 (Copy (NC, X32) Default)\n"});
  seeds.push_back({"kernel-log", "logcat",
                   "=== XNNPACK Logcat Output ===\r\n11-15 10:00:00.123  4242  4242 I XNNPACK : Using igemm "
                   "microkernel 'xnn_f16_igemm'\r\n=== Runner stdout ===\r\n"});
  seeds.push_back(
      {"kernels-csv", "kit",
       "model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,arch_chain,has_sme,"
       "has_sme2\r\ntoy,xnn_xx_copy_ukernel__scalar_memcpy,copy,1,xx,copy,,,scalar_memcpy,0,0\r\n"});
}

void add_etrecord_seeds(std::vector<Seed>& seeds) {
  etrecord::EtRecord record;
  etrecord::Method& method = record.method("forward");
  method.handles[0] = {7};
  method.delegates[1].backend = "XnnpackBackend";
  method.delegates[1].events["0"] = {{7}, 0};
  method.output_counts[0] = 1;
  method.nodes[7].push_back({"add", "aten.add.Tensor", "File \"m.py\", line 3", "L['self'],,Net"});
  if (auto bytes = etrecord::write(record)) seeds.push_back({"etrecord", "forward", *bytes});
  if (auto bytes =
          etrecord::make_zip({{"ETRECORD_V0", ""}, {"debug_handle_map", "{}"}, {"delegate_map", "{}"}},
                             etrecord::Packing::kDeflated))
    seeds.push_back({"etrecord", "empty-maps", *bytes});
}

void add_config_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](std::string name, std::string text) {
    seeds.push_back({"bench-config", std::move(name), std::move(text)});
  };
  add("small", R"({"model": "toy.pte", "experiments": [{"name": "on", "runner_path": "runner"}]})");
  add("full",
      R"({"model": "artifacts/toy.pte", "output_root": "out", "etrecord": "toy.etrecord", "device": "serial",
    "timeout_seconds": 5, "environment": {"A": "1"},
    "experiments": [
      {"name": "on", "quiet_runner": "r", "mode": "timing", "runs": 3, "warmup": 1, "threads": [1, 4],
       "extra_args": ["-x"], "cpu_affinity": "0x80", "environment": {"B": "2"}, "build": {"flags": ["a", 1, null]}},
      {"name": "trace", "runner_path": "r", "mode": "xnntrace"}],
    "analysis": {"compare_pairs": [{"baseline": {"experiment": "on", "threads": 1},
      "candidate": {"experiment": "on", "threads": 4}, "label": "threads"}]}})");
  add("unknown-key", R"({"model": "toy.pte", "num_runs": 3})");
}

void add_settings_seeds(std::vector<Seed>& seeds) {
  for (const base::EmbeddedFile& preset : device::chip_presets())
    seeds.push_back({"chip-settings", std::string(preset.name), std::string(preset.text)});
  for (const base::EmbeddedFile& preset : device::cost_presets())
    seeds.push_back({"chip-settings", "costs-" + std::string(preset.name), std::string(preset.text)});
  seeds.push_back({"chip-settings", "few-costs", R"({"scope_ns": 0.125, "jitter": 0.5, "seed": 7})"});
  seeds.push_back({"chip-settings", "unknown-key", R"({"clusterz": 2})"});
}

void add_pipe_schedule_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](const char* name, const device::PipeSchedule& schedule) {
    base::MemoryOutput out;
    device::write_pipe_schedule(schedule, out);
    seeds.push_back({"pipe-schedule", name, std::string(out.bytes())});
  };
  add("gemm", device::gemm_schedule({.tiles = 3, .buffers = 1}));
  add("vector", device::vector_schedule({.tiles = 3}));
  seeds.push_back({"pipe-schedule", "marks", "# a kernel\nlength 9\nphase VEC 1 5 # adds\nmark SU 7 3\n"});
  seeds.push_back({"pipe-schedule", "unknown-pipe", "length 9\nphase VECTOR 1 5\n"});
}

void add_board_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](const char* reader, std::span<const base::EmbeddedFile> files) {
    for (const base::EmbeddedFile& file : files)
      seeds.push_back({reader, std::string(file.name), std::string(file.text)});
  };
  add("board", boards::board_presets());
  add("settings", boards::settings_presets());
  add("model", boards::model_presets());
  seeds.push_back({"model", "config-json",
                   R"({"model_type": "smolvlm", "scale_factor": 4, "text_config": {"model_type": "qwen2_moe",
  "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": 2, "num_experts": 8,
  "num_experts_per_tok": 2, "moe_intermediate_size": 16, "decoder_sparse_step": 2, "mlp_only_layers": [1],
  "sliding_window": 8, "layer_types": ["full_attention", "sliding_attention"]},
  "vision_config": {"model_type": "siglip_vision_model", "image_size": 64, "patch_size": 16}})"});
}

void add_memory_seeds(std::vector<Seed>& seeds) {
  for (const base::EmbeddedFile& preset : memory::dram_presets())
    seeds.push_back({"dram-preset", std::string(preset.name), std::string(preset.text)});
}

// Every instruction with small operands, and words that are none.
void add_program_seeds(std::vector<Seed>& seeds) {
  std::vector<std::uint32_t> words{0, 0x33, 0x00004493, 0xFFFFFFFF};
  for (const isa::Instruction& instruction : isa::instructions())
    words.push_back(isa::encode(instruction, {1, 1, 1, 1, 1}, isa::Dialect::kStrict));
  seeds.push_back({"isa-words", "all", in_memory([&](base::Output& out) { isa::write_words(out, words); })});
  for (const isa::Dialect dialect : {isa::Dialect::kStrict, isa::Dialect::kReference})
    seeds.push_back({"isa-listing", std::string(isa::name_of(dialect)),
                     in_memory([&](base::Output& out) { isa::disassemble(out, words, dialect); })});
  seeds.push_back({"isa-listing", "comments",
                   "; Allocate VRAM Matrix step6_pair3_gather\n;@ section one\nC_LOOP_START gp1, 4 ; x\n"
                   "\tM_MM 0,gp2,gp4 // y\n;@ tensor W\nC_LOOP_END gp1\n.word 0x33\n"});
  seeds.push_back({"stage-labels", "comments",
                   "; GPT-OSS router token 3\nV_TOPK gp1, gp2, gp3\n; gather pair=4\n\n  M_MM 0, gp2, gp4\n"
                   "// x\n; step6_device_routing_acc\nS_ADDI_INT gp1, gp0, 1\n"});
  for (const char* program :
       {"linear:mlen=8,blen=4,rows=8,in=16,out=8", "attention:mlen=8,blen=8,seq=8,dim=8",
        "rms_norm:mlen=8,blen=2,rows=2,hidden=16"})
    if (auto listing = isa::generate_program(program))
      seeds.push_back(
          {"isa-listing", std::string(program, std::string_view(program).find(':')), *std::move(listing)});
}

// What programs are expected to leave in both memories.
void add_expectation_seeds(std::vector<Seed>& seeds) {
  for (const char* text :
       {"linear:mlen=8,blen=4,rows=8,in=8,out=8", "ffn:mlen=8,blen=4,rows=8,hidden=8,inter=8"})
    if (const auto program = isa::generate(text))
      if (const auto ready = emulator::prepare(*program, {}))
        seeds.push_back({"expectation", program->name, in_memory([&](base::Output& out) {
                           emulator::write_expectation(ready->expectation.tensors, "expected.bin", out);
                         })});
}

// Words as they lie in memory: every instruction, and programs for the small machine of the fuzz target.
void add_emulator_seeds(std::vector<Seed>& seeds) {
  const auto bytes_of = [](const std::vector<std::uint32_t>& words) {
    return std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t));
  };
  std::vector<std::uint32_t> all;
  for (const isa::Instruction& instruction : isa::instructions())
    all.push_back(isa::encode(instruction, {}, isa::Dialect::kStrict));
  seeds.push_back({"emulator", "all", bytes_of(all)});
  for (const char* program :
       {"linear:mlen=16,blen=4,rows=16,in=16,out=16", "attention:mlen=16,blen=4,seq=16,dim=16",
        "rms_norm:mlen=16,blen=4,rows=4,hidden=32"})
    if (const auto listing = isa::generate_program(program))
      seeds.push_back({"emulator", std::string(program, std::string_view(program).find(':')),
                       bytes_of(isa::assemble(program, *listing, isa::Dialect::kStrict).words)});
}

// Manifests, good and bad, and files of a build.
void add_manifest_seeds(std::vector<Seed>& seeds) {
  if (const auto model = boards::load_model("clm60m"))
    if (const auto made = boards::manifest_from_model(*model, {.context = 16}))
      seeds.push_back({"manifest", "clm60m",
                       in_memory([&](base::Output& out) { boards::write_manifest(made->manifest, out); })});
  seeds.push_back({"manifest", "overlap",
                   R"({"activation_ceiling": 0, "regions": [{"layer_id": 0, "offset": 0, "size": 100},
  {"layer_id": 1, "offset": 99, "size": 1, "kind": "kv"}], "ddr_capacity_bytes": null})"});
  seeds.push_back({"manifest", "addresses", boards::kClm60mAddresses});
  seeds.push_back({"manifest", "layouts", R"({"W_a": {"storage_shape": [3, 5]}, "V_stored_1_h2": 7})"});
}

void add_graph_seeds(std::vector<Seed>& seeds) {
  for (const char* text :
       {"attention:heads=1,queries=4,keys=4,dim=2,tile=2,key_tile=2", "chain:tasks=3,work=spin",
        "fan:width=3", "moe:tokens=2,dim=2,hidden=2,experts=2,layers=1", "random:tasks=12,elements=8"})
    if (const auto graph = runtime::generate(text))
      seeds.push_back(
          {"graph", std::string(text, std::string_view(text).find(':')), in_memory([&](base::Output& out) {
             (void)runtime::write_graph(out, {*graph, {.chip = "a5", .chip_swimlane = 2}});
           })});
  seeds.push_back({"graph", "by-hand",
                   R"({"name": "g", "run": {"platform": "virtual", "chip_swimlane": true, "rounds": 2},
  "functions": {"f": {"kernel": "add", "args": [0, 3], "scalars": [0, 0], "pipes": {"tiles": 4, "buffers": 1}}, "g": "empty"},
  "buffers": {"x": {"type": "bf16", "shape": [2, 3], "init": {"counting": {"from": 1}}},
    "y": {"type": "i32", "shape": 6, "init": [1, 2, 3, 4, 5, 6]}, "z": {"type": "bool", "shape": []}},
  "steps": [{"scope": "s", "manual": true, "steps": [{"kind": "alloc", "args": [{"make": "z"}]},
    {"name": "a", "cube": "gemm", "vector": [null, "f"], "blocks": 2, "sync_start": true, "early_dispatch": true,
     "args": ["x", {"in": "x", "offset": [1, 0], "shape": [1, 3]}, {"out": "y", "offset": 1, "shape": [2], "strides": [3]}]}]},
   {"kind": "dummy", "after": ["a", 0], "args": [{"inout": "y"}]},
   {"vector": "g", "scalars": [0.5, -1e-3], "when": {"zero": "y", "offset": 3}}],
  "expect": [{"buffer": "y", "shape": [2], "values": [1, 2], "absolute": 1, "relative": 0.1}]})"});
  seeds.push_back(
      {"graph", "long-rows",
       R"({"buffers": {"x": {"type": "i8", "shape": 4294967296}, "y": {"type": "i8", "shape": [1000000, 70000]}},
  "steps": [{"vector": "empty", "args": [{"in": "x", "shape": [1, 65536, 65536], "strides": [0, 65536, 1]},
    {"in": "x", "offset": 5, "shape": [1, 1, 1]}, {"in": "y", "shape": [2, 70000, 70000], "strides": [0, 0, 1]}]}]})"});
  seeds.push_back({"graph", "circle", R"({"buffers": {"x": {"type": "f33", "shape": [0]}},
  "steps": [{"name": "a", "vector": "add", "after": ["b"]}, {"name": "b", "vector": "add", "after": ["a", "c"]}]})"});
}

void add_run_directory_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](std::string name, std::string text) {
    seeds.push_back({"run-directory", std::move(name), std::move(text)});
  };
  const std::string result =
      R"({"experiment": "on", "metrics": {"runs": 3, "threads": 1, "latency_ms": [1.5, 2, 2.5],
    "median_ms": 2, "min_ms": 1.5, "max_ms": 2.5, "etdump": "/x/on.etdump", "log": "on.log", "etdump_rel": "on/on.etdump"}})";
  add("manifest", std::string(1, '\0') +
                      R"({"generated_at": "2025-12-20T00:00:00Z", "config": "toy.json", "model": "toy.pte",
    "executorch": {"present": true, "sha": "abc", "dirty": false}, "results": [)" +
                      result + "]}");
  add("metrics", std::string(1, '\1') + R"({"results": [)" + result + "]}");
  add("average",
      std::string(1, '\1') + R"({"results": [{"experiment": "on", "metrics": {"avg_latency_ms": 2}}]})");
  add("summary",
      std::string(1, '\2') + R"({"model": "toy.pte", "generated_at": "now", "output_root": "out", "runs": [
    {"experiment": "on", "threads": 1, "mode": "timing", "status": "ok", "paths": {"etdump": "out/toy_on_t1.etdump"},
     "metrics": {"median_ms": NaN, "mean_ms": 2}, "runs": 3, "warmup": 1}]})");
}

// The first byte picks the reader.
void add_chip_sibling_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](std::string name, std::string text) {
    seeds.push_back({"chip-siblings", std::move(name), std::move(text)});
  };
  add("deps",
      R"(d{"tasks":[{"task_id":"0","scope":"auto","early_dispatch":false,"kernel_ids":[-1,0,-1],"block_num":1,"args":[)"
      R"({"idx":0,"type":"INPUT","tensor_id":"16876443331970173406","dtype":"FLOAT32","shape":[16384],"start_offset":"0"}]},)"
      R"({"task_id":"4294967296","scope":"manual","kernel_ids":[2,3,4],"block_num":8}],)"
      R"("tensors":[{"tensor_id":"16876443331970173406","buffer_addr":"1066029216","version":0}],)"
      R"("edges":[{"pred":"0","succ":"4294967296","arg":0,"source":"creator","flags":["wait","retain"]},)"
      R"({"pred":"0","succ":"4294967296","source":"tensormap","overlap":"covered"},{"pred":0,"succ":7,"source":"explicit"}]})");
  add("names", R"(n{"level":2,"orchestrator_name":"o","callable_id_to_name":{"0":"MATMUL","1":"ADD"}})");
  add("pmu",
      "pthread_id,core_id,task_id,func_id,core_type,pmu_total_cycles,vec_busy_cycles,icache_miss,event_type\n"
      "0,8,0x0000000100000001,3,1,900,40,7,2\n1,9,17,-1,0,9,8,7,2\n");
  add("scopes",
      R"(s{"version": 6, "fatal": false, "dropped": 0, "total": 2, "task_window_max": [1, 2, 3, 4], "tensormap_max": 9})"
      "\n"
      R"({"site": "a.cpp:77", "phase": "begin", "depth": 0, "ring": 0, "task_window_start": 0, "heap_end": 5})"
      "\n"
      R"({"site": "a.cpp:77", "phase": "end", "depth": 0, "ring": 3, "dep_pool_start": 2, "dep_pool_end": 1})");
  add("host-phases",
      R"(h{"pid": 7, "inv": 1, "clock": "host_monotonic_ns", "dropped": 0, "records": [)"
      R"({"phase": "submit_task", "start_ns": 100, "end_ns": 130, "detail": 4294967296, "tid": 8}]})"
      "\n");
  add("log",
      "l[mono_ns=5][T0x7f][TIMING] f: [CLOCK_ANCHOR] v=1 pid=7 mono_ns=5 wall_ns=1794771849977818929\n"
      "[mono_ns=6][T0x7f][TIMING] g: [STRACE] v=1 pid=7 tid=8 inv=1 hid=0 depth=2 name=chip.run ts=1 dur=4 \n"
      "noise [STRACE] v=1 pid=7 tid=8 inv=1 hid=0 depth=3 name=chip.run.sched ts=0 dur=3 clk=dev rank=2\n");
}

void add_chip_run_seeds(std::vector<Seed>& seeds) {
  for (const formats::chip_swimlane::SampleCapture& sample : formats::chip_swimlane::sample_captures())
    for (const char* target : {"chip-swimlane", "chip-swimlane-write"})
      seeds.push_back({target, sample.name, sample.json});
  seeds.push_back({"chip-swimlane", "phantoms", formats::chip_swimlane::phantom_capture()});
  // The log and the host's phases are traces by themselves, too, without the byte that picks the reader.
  for (const Seed& seed : std::vector<Seed>(seeds)) {
    if (seed.reader != "chip-siblings") continue;
    if (seed.name == "log") seeds.push_back({"strace-log", seed.name, seed.bytes.substr(1)});
    if (seed.name == "host-phases") seeds.push_back({"host-phases", seed.name, seed.bytes.substr(1)});
  }
}

// A capture file, and its chunks without the checksums that a fuzzer cannot guess, in the form that
// fuzz_astrace-chunks.cpp takes.
void add_capture_seeds(const std::string& name, const std::string& saved, std::vector<Seed>& seeds) {
  namespace capture = formats::capture;
  seeds.push_back({"astrace", name, saved});
  const base::MappedFile file = base::MappedFile::from_memory(name, saved);
  auto reader = capture::ContainerReader::open(file);
  if (!reader) return;
  std::string chunks;
  while (const auto chunk = reader->next()) {
    capture::append_u8(chunks, static_cast<std::uint8_t>(chunk->header.kind));
    capture::append_u16(chunks, static_cast<std::uint16_t>(chunk->payload.size()));
    chunks += chunk->payload;
  }
  seeds.push_back({"astrace-chunks", name, std::move(chunks)});
}

void add_saved_trace(const std::string& name, const trace::Trace& trace, std::vector<Seed>& seeds) {
  add_capture_seeds(name, in_memory([&](base::Output& out) { (void)formats::capture::write(trace, out); }),
                    seeds);
}

void add_all_capture_seeds(std::vector<Seed>& seeds) {
  namespace chip_run = formats::chip_run;
  for (const auto& [name, dump] : dumps())
    if (const auto trace = etdump::read(base::MappedFile::from_memory(name, etdump::write_etdump(dump))))
      add_saved_trace(name, *trace, seeds);
  for (const formats::chip_swimlane::SampleCapture& sample : formats::chip_swimlane::sample_captures()) {
    const base::MappedFile file = base::MappedFile::from_memory(sample.name, sample.json);
    if (const auto trace = chip_run::read_run(file, {})) add_saved_trace(sample.name, *trace, seeds);
    if (sample.era != formats::chip_swimlane::Era::kRawCycles) continue;
    if (const auto rows = formats::chip_swimlane::read_capture(file))
      add_capture_seeds(sample.name + "-recorded",
                        in_memory([&](base::Output& out) { (void)chip_run::record(*rows, out); }), seeds);
  }
  add_capture_seeds("every-record",
                    in_memory([](base::Output& out) { (void)chip_run::record_everything(out); }), seeds);
}

// Behind the size of the binary, in two bytes.
void add_tensor_dump_seeds(std::vector<Seed>& seeds) {
  namespace tensor_dump = formats::tensor_dump;
  const auto add = [&](std::string name, const tensor_dump::Manifest& manifest, std::uint64_t bytes) {
    std::string text;
    formats::capture::append_u16(text, static_cast<std::uint16_t>(bytes));
    text += in_memory([&](base::Output& out) { tensor_dump::write_manifest(manifest, out); });
    seeds.push_back({"tensor-dump", std::move(name), std::move(text)});
  };
  add("empty", {}, 0);
  const std::string recording =
      in_memory([](base::Output& out) { (void)formats::chip_run::record_everything(out); });
  const auto nowhere = [](std::uint64_t, std::string_view) { return base::Status(); };
  const auto dump =
      formats::chip_run::read_recorded_tensors(base::MappedFile::from_memory("run", recording), nowhere);
  if (!dump) return;
  add("every-kind", dump->manifest, dump->binary_bytes);
  for (std::size_t i = 0; i < dump->manifest.arguments.size(); ++i) {
    tensor_dump::Manifest one = dump->manifest;
    one.arguments = {one.arguments[i]};
    add(fmt::format("argument-{}", i), one, dump->binary_bytes);
  }
}

// Behind where to cut and the ratio of clocks, a byte each; and registers, as they are.
void add_perfmon_seeds(std::vector<Seed>& seeds) {
  namespace perfmon = formats::perfmon;
  const auto add = [&](const char* name, const perfmon::SampleOptions& options) {
    const perfmon::SampleStream sample = perfmon::sample_stream(options);
    std::string text(2, options.encoder.ratio.is_one() ? '\0' : '\3');
    text.append(reinterpret_cast<const char*>(sample.bytes.data()), sample.bytes.size());
    seeds.push_back({"perfmon", name, std::move(text)});
    seeds.push_back({"perfmon", std::string(name) + "-registers",
                     in_memory([&](base::Output& out) { perfmon::write_registers(sample.registers, out); })});
  };
  add("linear", {.words = 60, .encoder = {.stamp_after = 20, .block = 5}});
  add("ring", {.words = 150, .encoder = {.ratio = {3, 100}, .stamp_after = 12}, .ring_bytes = 256});
  add("half-written", {.words = 20, .unwritten_bytes = 64});
  std::vector<std::byte> bytes;
  perfmon::Encoder encoder;
  (void)encoder.state({70'000}, 0x7F, perfmon::appends_to(bytes));
  (void)encoder.end_block(perfmon::appends_to(bytes));
  (void)encoder.filler(perfmon::appends_to(bytes));
  (void)encoder.mark({70'000'000}, perfmon::Pipe::kFixp, 4095, perfmon::appends_to(bytes));
  seeds.push_back(
      {"perfmon", "ends",
       std::string(2, '\1') + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
}

void add_overhead_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](std::string name, const findings::Findings& document) {
    seeds.push_back({"overhead", std::move(name),
                     in_memory([&](base::Output& out) { findings::write_json(document, out); })});
  };
  findings::Findings document = jobs::overhead_document(tests::sample_overhead(), {10'000}, "a machine");
  add("full", document);
  add("noisy", jobs::overhead_document(tests::sample_overhead(0.5), {10'000}, ""));
  // The table alone, so that the fuzzer has a short input, too.
  document.sections = {document.sections[1]};
  document.sections[0].tables[0].rows.resize(2);
  add("short", document);
}

void add_findings_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](std::string name, const findings::Findings& document) {
    seeds.push_back({"findings", std::move(name),
                     in_memory([&](base::Output& out) { findings::write_json(document, out); })});
  };
  add("empty", {});
  add("full", tests::sample_findings());
  // One section each, so that the fuzzer has short inputs, too.
  add("latency", {.kind = "latency", .sections = {tests::sample_latency()}});
  add("categories", {.kind = "operators", .sections = {tests::sample_categories()}});
  add("advice", {.kind = "report", .sections = {tests::sample_advice()}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: make_corpus FOLDER\n");
    return 1;
  }
  std::vector<Seed> seeds;
  for (const auto& [name, dump] : dumps()) add_seeds_of_dump(name, dump, seeds);
  add_hand_made_seeds(seeds);
  add_kernel_log_seeds(seeds);
  add_etrecord_seeds(seeds);
  add_config_seeds(seeds);
  add_chip_sibling_seeds(seeds);
  add_chip_run_seeds(seeds);
  add_all_capture_seeds(seeds);
  add_tensor_dump_seeds(seeds);
  add_findings_seeds(seeds);
  add_overhead_seeds(seeds);
  add_perfmon_seeds(seeds);
  add_run_directory_seeds(seeds);
  add_settings_seeds(seeds);
  add_pipe_schedule_seeds(seeds);
  add_board_seeds(seeds);
  add_memory_seeds(seeds);
  add_graph_seeds(seeds);
  add_manifest_seeds(seeds);
  add_program_seeds(seeds);
  add_expectation_seeds(seeds);
  add_emulator_seeds(seeds);
  for (const Seed& seed : seeds) {
    const std::string folder = fmt::format("{}/{}", argv[1], seed.reader);
    std::filesystem::create_directories(folder);
    auto file = base::OutputFile::create(fmt::format("{}/{}", folder, seed.name));
    if (file) file->output().append(seed.bytes);
    if (const base::Status done = file ? file->commit() : base::Status(tl::unexpect, file.error()); !done) {
      fmt::print(stderr, "{}\n", done.error().to_string());
      return 1;
    }
  }
}
