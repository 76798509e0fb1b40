// Finds the files of a run directory and says which experiment each belongs to, from its name, the folder it
// lies in and the names that are known.
//
// Lists folders and keeps nothing; safe from several threads.
//
//   const FoundFiles found = find_run_files(run.path);
//   const Subjects subjects(found.files, {"toy"}, {"on", "off"});
//   subjects.experiment_of(found.files[0])   -> "on"
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/artifact_names.h"

namespace accelscope::experiments {

struct FoundFile {
  std::string name;  // relative to the run directory: "on/toy_on_t1.etdump"
  bool empty = false;
  ArtifactKind kind = ArtifactKind::kEtdump;
  std::string subject = {};  // as in Artifact
  std::optional<std::int64_t> threads = {};
  std::optional<std::int64_t> round = {};
  bool legacy = false;
  bool xtrace = false;
};

struct FoundFiles {
  std::vector<FoundFile> files = {};       // by name
  std::vector<std::string> unlisted = {};  // folders that could not be looked into, or were too many
};

// Looks into folders below it, too, a few levels down and not through links.
FoundFiles find_run_files(const std::string& directory);

class Subjects {
 public:
  // `models` are stems: the one that counts, then those whose files are left out. All may be empty.
  Subjects(const std::vector<FoundFile>& files, std::vector<std::string> models,
           std::set<std::string> experiments);

  // "" when nothing tells.
  std::string experiment_of(const FoundFile& file) const;
  bool of_another_model(const FoundFile& file) const;
  // The name of the experiment could not be told from that of the model, which is unknown.
  bool name_holds_model(const FoundFile& file) const;

 private:
  std::string known_name_at_end(std::string_view subject) const;

  std::vector<std::string> models_;
  std::set<std::string> experiments_;
  std::map<std::string, std::set<std::string>> subjects_of_folder_;
};

// Whether a regular file is there.
bool is_file(const std::string& path);

}  // namespace accelscope::experiments
