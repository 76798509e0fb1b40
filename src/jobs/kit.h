// The jobs behind --compat: the profiling kit's own files, wrong rules included, so that scripts made for it
// keep working. Everything the kit computes is in compat/; this opens the inputs and chooses the places.
//
// Print nothing. Files go beside their input unless a folder is given.
//
//   ACCELSCOPE_TRY(const compat::KitFiles files, kit_recording_files({"toy_on.etdump"}, {}, "out"));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compat/kit_files.h"
#include "findings/findings.h"
#include "formats/open/open.h"

namespace accelscope::jobs {

// Timelines, operator statistics, robust statistics and category tables of each recording.
base::Result<compat::KitFiles> kit_recording_files(const std::vector<std::string>& inputs,
                                                   const formats::open::OpenOptions& open,
                                                   const std::string& folder);

struct KitSide {
  std::string path = {};
  std::string name = {};  // in the files; "" takes what the file's name says
};
// The robust and the operator comparison of two timeline CSV files.
base::Result<compat::KitFiles> kit_comparison_files(const KitSide& first, const KitSide& second,
                                                    const std::string& folder);

struct KitKernelOptions {
  std::string filter = {};
  std::string title = {};  // "": the kit's
};
// kernels.csv of each log, and the kernel view when a log's name says on and another's off.
base::Result<compat::KitFiles> kit_kernel_files(const std::vector<std::string>& inputs,
                                                const formats::open::OpenOptions& open,
                                                const std::string& folder, const KitKernelOptions& options);

base::Result<compat::KitFiles> kit_report_file(const std::string& folder, const std::string& title,
                                               const std::string& out);
base::Result<compat::KitFiles> kit_combined_file(const std::string& mac, const std::string& android,
                                                 const std::string& model, const std::string& out);

// The kit's two category schemes for every operator of a findings document of kind "operators", as one more
// section.
void add_kit_categories(findings::Findings& findings);

}  // namespace accelscope::jobs
