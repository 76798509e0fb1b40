#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/record_json.h"
#include "formats/etrecord/zip_archive.h"

namespace accelscope::formats::etrecord {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::string_view kZipStart = "PK\x03\x04";
constexpr std::string_view kEdgeProgram = "edge_dialect_exported_program";
constexpr std::string_view kExportedProgram = "exported_program";
constexpr std::string_view kForward = "forward";

class RecordReader {
 public:
  RecordReader(const base::MappedFile& file, ZipArchive archive) : file_(file), archive_(std::move(archive)) {
    record_.path = file.path();
    record_.bytes = file.size();
    for (const ZipEntry& entry : archive_.entries()) {
      record_.entries.push_back({entry.name, entry.bytes});
      names_.insert(entry.name);
    }
  }

  base::Result<EtRecord> read() && {
    if (names_.count(kMarker) == 0)
      return base::fail_at(Location::of_file(file_.path()), ErrorCode::kUnknownFormat,
                           "a ZIP archive without an entry '{}': not an ETRecord", kMarker);
    // Graphs first: they name the method that maps without methods are about.
    const bool has_edge_program = std::any_of(names_.begin(), names_.end(), [](std::string_view name) {
      return method_of_program(name, kEdgeProgram).has_value();
    });
    ACCELSCOPE_CHECK(read_programs(has_edge_program ? kEdgeProgram : kExportedProgram));
    const std::string only_method =
        record_.methods.size() == 1 ? record_.methods[0].name : std::string(kForward);
    ACCELSCOPE_CHECK(read_map("debug_handle_map", only_method, add_debug_handle_map));
    ACCELSCOPE_CHECK(read_map("delegate_map", only_method, add_delegate_map));
    ACCELSCOPE_CHECK(read_map("instruction_id_to_num_outs_map", only_method, add_output_counts));
    return std::move(record_);
  }

 private:
  // "<program>" is that of the one method, "<program>/<method>" one of several.
  static std::optional<std::string_view> method_of_program(std::string_view entry, std::string_view program) {
    if (entry == program) return kForward;
    if (!entry.starts_with(program) || entry.size() < program.size() + 2 || entry[program.size()] != '/')
      return std::nullopt;
    return entry.substr(program.size() + 1);
  }

  // Weights and inputs lie beside a program under its name with an ending.
  bool is_companion(std::string_view name) const {
    for (const std::string_view ending : {"_state_dict", "_constants", "_example_inputs"})
      if (name.ends_with(ending) && names_.count(name.substr(0, name.size() - ending.size())) > 0)
        return true;
    return false;
  }

  base::Status read_programs(std::string_view program) {
    for (std::uint64_t i = 0; i < archive_.entries().size(); ++i) {
      const std::string& entry = archive_.entries()[i].name;
      const std::optional<std::string_view> method = method_of_program(entry, program);
      if (!method || is_companion(entry)) continue;
      if (record_.methods.size() >= EtRecord::kMaxMethods)
        return base::fail_at(Location::of_file(file_.path()), ErrorCode::kTooLarge, "more than {} methods",
                             EtRecord::kMaxMethods);
      ACCELSCOPE_TRY(const std::string json, archive_.read(i));
      // The maps are of use without the graph, so a graph in another form is a remark and no error.
      const base::Status added = add_graph(json, record_.method(*method));
      if (!added)
        record_.remarks.add({.id = "etrecord.graph_not_understood",
                             .severity = trace::Severity::kWarning,
                             .sentence = fmt::format("Entry '{}' of the ETRecord is not used: {}.", entry,
                                                     added.error().message),
                             .first_place = Location::of_file(file_.path())});
    }
    return {};
  }

  template <class Add>
  base::Status read_map(std::string_view name, std::string_view only_method, Add&& add) {
    for (std::uint64_t i = 0; i < archive_.entries().size(); ++i) {
      if (archive_.entries()[i].name != name) continue;
      ACCELSCOPE_TRY(const std::string json, archive_.read(i));
      const base::Status added = add(json, only_method, record_);
      if (!added)
        return base::fail_at(Location::of_file(file_.path()), ErrorCode::kMalformed, "entry '{}': {}", name,
                             added.error().message);
      return {};
    }
    return {};
  }

  const base::MappedFile& file_;
  ZipArchive archive_;
  EtRecord record_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

Method& EtRecord::method(std::string_view name) {
  const auto known =
      std::find_if(methods.begin(), methods.end(), [&](const Method& method) { return method.name == name; });
  if (known != methods.end()) return *known;
  methods.emplace_back();
  methods.back().name = name;
  return methods.back();
}

bool looks_like_etrecord(std::string_view bytes) {
  // The marker is the first entry in every file the exporter wrote; other tools may put it anywhere, and then
  // the directory at the end has it.
  constexpr std::size_t kHead = 4096;
  constexpr std::size_t kTail = std::size_t{1} << 20;
  if (!bytes.starts_with(kZipStart)) return false;
  if (bytes.substr(0, kHead).find(kMarker) != std::string_view::npos) return true;
  return bytes.substr(bytes.size() - std::min(bytes.size(), kTail)).find(kMarker) != std::string_view::npos;
}

base::Result<EtRecord> read(const base::MappedFile& file) {
  ACCELSCOPE_TRY(ZipArchive archive, ZipArchive::open(file));
  return RecordReader(file, std::move(archive)).read();
}

}  // namespace accelscope::formats::etrecord
