#include "experiments/run_files.h"

#include <algorithm>
#include <filesystem>

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;
constexpr std::size_t kMostFiles = 100'000;

// "on/csv" for "on/csv/x.csv"; "" for a file that lies in the run directory itself.
std::string folder_of(const std::string& name) {
  return fs::path(name).parent_path().string();
}

// The folders around a file, the innermost first.
std::vector<std::string> folders_of(const std::string& name) {
  std::vector<std::string> folders;
  for (fs::path path = fs::path(name).parent_path(); !path.empty(); path = path.parent_path())
    folders.push_back(path.filename().string());
  return folders;
}

bool is_about(std::string_view subject, std::string_view experiment) {
  if (experiment.empty() || !subject.ends_with(experiment)) return false;
  return subject.size() == experiment.size() || subject[subject.size() - experiment.size() - 1] == '_';
}

bool begins_with_model(std::string_view subject, std::string_view model) {
  return !model.empty() && subject.size() > model.size() + 1 && subject.starts_with(model) &&
         subject[model.size()] == '_';
}

void take_file(const fs::path& root, const fs::directory_entry& entry, FoundFiles& found) {
  const std::string file_name = entry.path().filename().string();
  const auto artifact = parse_artifact_name(file_name);
  std::error_code error;
  if (!artifact || !entry.is_regular_file(error) || error) return;
  const std::uintmax_t size = entry.file_size(error);
  found.files.push_back({.name = entry.path().lexically_relative(root).string(),
                         .empty = !error && size == 0,
                         .kind = artifact->kind,
                         .subject = std::string(artifact->subject),
                         .threads = artifact->threads,
                         .round = artifact->round,
                         .legacy = artifact->legacy,
                         .xtrace = artifact->xtrace});
}

void look_into(const fs::path& root, const fs::path& folder, int depth, FoundFiles& found) {
  std::error_code error;
  std::vector<fs::path> below;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored))
      below.push_back(at->path());
    else
      take_file(root, *at, found);
    if (found.files.size() >= kMostFiles) break;
  }
  if (error || found.files.size() >= kMostFiles) {
    found.unlisted.push_back(folder.string());
    return;
  }
  std::sort(below.begin(), below.end());
  if (depth < kDeepest)
    for (const fs::path& next : below) look_into(root, next, depth + 1, found);
}

}  // namespace

FoundFiles find_run_files(const std::string& directory) {
  FoundFiles found;
  look_into(directory, directory, 0, found);
  std::sort(found.files.begin(), found.files.end(),
            [](const FoundFile& a, const FoundFile& b) { return a.name < b.name; });
  return found;
}

Subjects::Subjects(const std::vector<FoundFile>& files, std::vector<std::string> models,
                   std::set<std::string> experiments)
    : models_(std::move(models)), experiments_(std::move(experiments)) {
  for (const FoundFile& file : files)
    if (!file.subject.empty()) subjects_of_folder_[folder_of(file.name)].insert(file.subject);
}

std::string Subjects::known_name_at_end(std::string_view subject) const {
  std::string longest;
  for (const std::string& name : experiments_)
    if (is_about(subject, name) && name.size() > longest.size()) longest = name;
  return longest;
}

std::string Subjects::experiment_of(const FoundFile& file) const {
  const std::vector<std::string> folders = folders_of(file.name);
  for (const std::string& folder : folders)
    if (is_about(file.subject, folder)) return folder;
  if (!models_.empty() && begins_with_model(file.subject, models_.front()))
    return file.subject.substr(models_.front().size() + 1);
  if (std::string known = known_name_at_end(file.subject); !known.empty()) return known;
  for (const std::string& folder : folders)
    if (experiments_.contains(folder)) return folder;
  // As the kit does it, a folder is an experiment; but not when it holds the files of several.
  if (!folders.empty()) {
    const auto subjects = subjects_of_folder_.find(folder_of(file.name));
    if (subjects == subjects_of_folder_.end() || subjects->second.size() == 1) return folders.front();
  }
  return file.subject;
}

// The longest stem that fits is the file's: "toy" and "toy_cnn" may lie side by side.
bool Subjects::of_another_model(const FoundFile& file) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < models_.size(); ++i)
    if (begins_with_model(file.subject, models_[i])) best = std::max(best, models_[i].size());
  return best > 0 && (!begins_with_model(file.subject, models_.front()) || models_.front().size() < best);
}

bool Subjects::name_holds_model(const FoundFile& file) const {
  const bool model_known = !models_.empty() && !models_.front().empty();
  return !model_known && !file.subject.empty() && experiment_of(file) == file.subject &&
         !experiments_.contains(file.subject) && folder_of(file.name).empty();
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace accelscope::experiments
