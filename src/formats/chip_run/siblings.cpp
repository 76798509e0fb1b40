#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "formats/chip_run/chip_run_files.h"
#include "formats/gzip/gzip.h"

namespace accelscope::formats::chip_run {
namespace {

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;
using base::Status;
namespace fs = std::filesystem;

// What is looked at of a file to know what it is.
constexpr std::size_t kHeadBytes = std::size_t{64} << 10U;
// A folder of results has a dozen files; one with thousands must not make opening slow.
constexpr std::size_t kMaxFilesOpened = 64;
constexpr std::size_t kMaxFilesListed = 20'000;

constexpr std::array<SiblingInfo, kSiblingKinds> kInfos = {{
    {"deps", "dependencies", "--deps", false},
    {"name-map", "names of functions", "--names", false},
    {"pmu-csv", "counters", "--pmu", false},
    {"scope-stats", "how full rings were", "--scope-stats", false},
    {"host-phases", "what the host did", "--host-phases", true},
    {"strace-log", "spans of the host", "--log", true},
}};

bool has_plausible_ending(const std::string& name) {
  std::string_view plain = name;
  if (plain.ends_with(".gz")) plain.remove_suffix(3);
  for (const std::string_view ending : {".json", ".csv", ".jsonl", ".log"})
    if (plain.ends_with(ending)) return true;
  return false;
}

// Those whose names say what they are come first, in case there are too many.
bool has_telling_name(const std::string& name) {
  for (const std::string_view word : {"deps", "name_map", "pmu", "scope_stats", "host_phase", "log"})
    if (name.find(word) != std::string::npos) return true;
  return false;
}

struct Listing {
  std::vector<fs::path> files = {};
  bool complete = true;
};

void list(const fs::path& folder, const fs::path& swimlane, Listing& listing) {
  std::error_code error;
  std::vector<fs::path> files;
  std::size_t seen = 0;
  for (auto entry = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (++seen > kMaxFilesListed) {
      listing.complete = false;
      break;
    }
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (has_plausible_ending(name) && name != swimlane.filename().string() && entry->is_regular_file(ignored))
      files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const auto key = [](const fs::path& path) {
      const std::string name = path.filename().string();
      return std::pair(!has_telling_name(name), name);
    };
    return key(a) < key(b);
  });
  listing.files.insert(listing.files.end(), files.begin(), files.end());
}

Listing files_beside(const std::string& swimlane_path) {
  const fs::path swimlane(swimlane_path);
  const fs::path folder = swimlane.has_parent_path() ? swimlane.parent_path() : fs::path(".");
  Listing listing;
  list(folder / "scope_stats", swimlane, listing);
  list(folder, swimlane, listing);
  if (listing.files.size() > kMaxFilesOpened) {
    listing.files.resize(kMaxFilesOpened);
    listing.complete = false;
  }
  return listing;
}

Result<MappedFile> open_unpacked(const std::string& path) {
  ACCELSCOPE_TRY(MappedFile file, MappedFile::open(path));
  if (!gzip::looks_like_gzip(file.text())) return file;
  return gzip::gunzip(file);
}

// Reads one sibling into its place.
class Reader {
 public:
  explicit Reader(Siblings& siblings) : siblings_(siblings) {}

  Status read(SiblingKind kind, const std::string& path, std::string_view detail) {
    ACCELSCOPE_TRY(const MappedFile file, open_unpacked(path));
    const SiblingInfo& info = sibling_info(kind);
    if (sibling_kind(file.text()) != kind)
      return base::fail_at(Location::of_file(path), ErrorCode::kUnknownFormat,
                           "is not what {} takes: it does not look like a file of {}", info.option,
                           info.holds);
    ACCELSCOPE_CHECK(read_as(kind, file));
    siblings_.sources.push_back({path, std::string(info.format), std::string(detail), file.size()});
    return {};
  }

 private:
  template <class Content>
  static Status keep(Result<Content> content, std::optional<Content>& place) {
    if (!content) return tl::unexpected(content.error());
    place.emplace(*std::move(content));
    return {};
  }

  Status read_as(SiblingKind kind, const MappedFile& file) {
    switch (kind) {
      case SiblingKind::kDeps:
        return keep(deps::read_dependencies(file), siblings_.deps);
      case SiblingKind::kNames:
        return keep(name_map::read_name_map(file), siblings_.names);
      case SiblingKind::kPmu:
        return keep(pmu_csv::read_pmu(file), siblings_.pmu);
      case SiblingKind::kScopeStats:
        return keep(scope_stats::read_scope_stats(file), siblings_.scope_stats);
      case SiblingKind::kHostPhases:
        return keep(host_phases::read_host_phases(file), siblings_.host_phases);
      case SiblingKind::kLog:
        return keep(strace_log::read_strace_log(file), siblings_.log);
    }
    return {};
  }

  Siblings& siblings_;
};

void note_found(const std::vector<std::string>& used, trace::QualityTable& quality) {
  if (used.empty()) return;
  std::vector<std::string> names;
  names.reserve(used.size());
  for (const std::string& path : used) names.push_back(fs::path(path).filename().string());
  quality.add({.id = "chip_run.siblings_found",
               .severity = trace::Severity::kInfo,
               .sentence = fmt::format("Files that lie beside the swimlane were read with it: {}.",
                                       fmt::join(names, ", ")),
               .count = used.size(),
               .first_place = Location::of_file(used.front())});
}

}  // namespace

const SiblingInfo& sibling_info(SiblingKind kind) {
  return kInfos[static_cast<std::size_t>(kind)];
}

std::optional<SiblingKind> sibling_kind(std::string_view head) {
  if (deps::looks_like_dependencies(head)) return SiblingKind::kDeps;
  if (name_map::looks_like_name_map(head)) return SiblingKind::kNames;
  if (pmu_csv::looks_like_pmu_csv(head)) return SiblingKind::kPmu;
  if (scope_stats::looks_like_scope_stats(head)) return SiblingKind::kScopeStats;
  if (host_phases::looks_like_host_phases(head)) return SiblingKind::kHostPhases;
  if (strace_log::looks_like_strace_log(head)) return SiblingKind::kLog;
  return std::nullopt;
}

std::optional<SiblingKind> sibling_kind_of_file(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return std::nullopt;
  if (gzip::looks_like_gzip(file->text())) return sibling_kind(gzip::unpacked_head(*file, kHeadBytes));
  return sibling_kind(file->text().substr(0, kHeadBytes));
}

SiblingSearch search_siblings(const std::string& swimlane_path, const SiblingPaths& given) {
  SiblingSearch search;
  search.given = given;
  std::error_code ignored;
  if (!fs::is_regular_file(swimlane_path, ignored)) return search;  // a pipe has no neighbours
  const Listing listing = files_beside(swimlane_path);
  std::array<std::vector<std::string>, kSiblingKinds> claims;
  for (const fs::path& path : listing.files)
    if (const auto kind = sibling_kind_of_file(path.string()))
      claims[static_cast<std::size_t>(*kind)].push_back(path.string());
  for (std::size_t kind = 0; kind < kSiblingKinds; ++kind) {
    if (!given[kind].empty() || claims[kind].empty()) continue;
    if (claims[kind].size() == 1) {
      search.found[kind] = claims[kind].front();
      continue;
    }
    std::vector<std::string> names;
    for (const std::string& path : claims[kind]) names.push_back(fs::path(path).filename().string());
    search.quality.add({.id = "chip_run.ambiguous_sibling",
                        .severity = trace::Severity::kWarning,
                        .sentence = fmt::format(
                            "Several files beside the swimlane hold {}: {}. None is used; choose with {}.",
                            kInfos[kind].holds, fmt::join(names, ", "), kInfos[kind].option),
                        .count = names.size(),
                        .first_place = Location::of_file(claims[kind].front())});
  }
  if (!listing.complete)
    search.quality.add({.id = "chip_run.siblings_not_searched",
                        .severity = trace::Severity::kInfo,
                        .sentence = "The swimlane's folder has so many files that not all were looked at: "
                                    "files that belong to the run may have to be named.",
                        .first_place = Location::of_file(swimlane_path)});
  return search;
}

Result<Siblings> read_siblings(const SiblingSearch& search) {
  Siblings siblings;
  siblings.quality = search.quality;
  Reader reader(siblings);
  std::vector<std::string> used;
  for (std::size_t i = 0; i < kSiblingKinds; ++i) {
    const auto kind = static_cast<SiblingKind>(i);
    if (!search.given[i].empty()) {
      ACCELSCOPE_CHECK(reader.read(kind, search.given[i], ""));
    } else if (!search.found[i].empty()) {
      if (const Status status = reader.read(kind, search.found[i], "found beside the swimlane"); status)
        used.push_back(search.found[i]);
      else
        siblings.quality.add({.id = "chip_run.bad_sibling",
                              .severity = trace::Severity::kWarning,
                              .sentence = fmt::format("A file of {} lies beside the swimlane but cannot be "
                                                      "used: {}",
                                                      kInfos[i].holds, status.error().message),
                              .first_place = status.error().where});
    }
  }
  note_found(used, siblings.quality);
  return siblings;
}

}  // namespace accelscope::formats::chip_run
