// Reads an ETRecord, the symbol file that ExecuTorch's exporter writes beside a program: which graph nodes an
// instruction came from, which backend runs a delegate, and what its events stand for.
//
// A ZIP of JSON files; nothing of Python or torch is needed. Old files with one unnamed method and new ones
// with many are both accepted, and every part may be missing. Entries above 1 GiB, and those that would grow
// absurdly when unpacked, are refused.
//
// Nothing is kept between calls: several threads may read several files. The EtRecord owns all of its texts;
// the file may be closed afterwards.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open("model.etrecord"));
//   ACCELSCOPE_TRY(const EtRecord record, etrecord::read(file));
//   ACCELSCOPE_TRY(const Trace named, etrecord::join(trace, record));     // join.h
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::etrecord {

using DebugHandle = std::int64_t;
using Instruction = std::int32_t;

// A node of the exported graph.
struct GraphNode {
  std::string name;          // of its first output
  std::string op;            // "aten.mul.Tensor"
  std::string stack_trace;   // where in the user's Python it was called
  std::string module_stack;  // as stored: "key,path,type" per module, outermost first, separated by ";"
};

struct DelegateEvent {
  std::vector<DebugHandle> handles;
  std::size_t position = 0;  // in the file, among the delegate's events
};
// By what the backend calls an event: a number or a name.
using DelegateEvents = std::map<std::string, DelegateEvent, std::less<>>;

struct Delegate {
  std::string backend;
  DelegateEvents events;
};

struct Method {
  std::string name;
  std::map<Instruction, std::vector<DebugHandle>> handles;
  std::map<Instruction, Delegate> delegates;
  std::map<Instruction, std::int32_t> output_counts;
  std::map<DebugHandle, std::vector<GraphNode>> nodes;
};

struct Entry {
  std::string name;
  std::uint64_t bytes = 0;
};

struct EtRecord {
  static constexpr std::size_t kMaxMethods = 64;

  std::string path;
  std::uint64_t bytes = 0;
  std::vector<Entry> entries;
  std::deque<Method> methods;   // references stay good when methods are added
  trace::QualityTable remarks;  // parts that could not be used

  // The method of this name, made when there is none.
  Method& method(std::string_view name);
};

inline constexpr std::string_view kMarker = "ETRECORD_V0";

// A ZIP with the marker, as far as these bytes (the first of a file, or all of it) tell.
bool looks_like_etrecord(std::string_view bytes);

base::Result<EtRecord> read(const base::MappedFile& file);

}  // namespace accelscope::formats::etrecord
