// The profiling kit's files, written into a folder: everything it makes from one timing recording, its
// comparisons, and its reports on a folder of CSV files.
//
// Nothing is printed; every function answers with the files it wrote. A file appears whole or not at all.
// Safe from any thread as long as no two write the same folder.
//
//   ACCELSCOPE_TRY(const KitFiles files, write_kit_files(trace, "toy_mac_sme2_on_t1", "out",
//   "mac_sme2_on_t1")); ACCELSCOPE_TRY(const KitFiles report,
//                  write_kit_report("out", {.generated = kit_local_time(now), .host = kit_host()}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compat/kit_folder.h"
#include "compat/kit_report.h"
#include "trace/trace.h"

namespace accelscope::compat {

struct KitFiles {
  std::vector<std::string> written;
  std::vector<std::string> left_out;  // what could not be made, and why, in words
};

// From a recording <prefix>.etdump: its timelines (all runs, the first), its operator statistics, its robust
// statistics under `name` (the kit's own: experiment and threads), and the operator tables. Without a
// "Method::execute" the last two are left out. A file that is `input` itself is left as it is.
base::Result<KitFiles> write_kit_files(const trace::Trace& trace, const std::string& prefix,
                                       const std::string& folder, const std::string& name,
                                       const std::string& input = {});

// What robust_latency_analysis --compare writes: the statistics of the first timeline under its file name,
// and the comparison.
base::Result<KitFiles> write_kit_robust_comparison(const std::string& first_csv,
                                                   const std::string& second_csv, const std::string& folder,
                                                   const std::string& first_name,
                                                   const std::string& second_name);
// What analyze_etdump_csv --compare writes: the tables of both timelines, and the comparison.
base::Result<KitFiles> write_kit_operator_comparison(const std::string& first_csv,
                                                     const std::string& second_csv, const std::string& folder,
                                                     const std::string& first_name,
                                                     const std::string& second_name);

struct KitReportOptions {
  std::string title = {};            // empty: from the model's name
  std::string generated = {};        // the time to be named, kit_local_time()
  KitHost host = {};                 // kit_host()
  std::string working_folder = ".";  // where the manifest's configuration path begins
  std::string out = {};              // empty: report.md in the folder
};
base::Result<KitFiles> write_kit_report(const std::string& folder, const KitReportOptions& options);

struct KitCombinedOptions {
  std::string model_name = "edgetam_image_encoder_xnnpack_fp32";
  std::string generated = {};
  std::string out = {};  // empty: combined_report.md beside the first folder that exists
};
// Either folder may be missing.
base::Result<KitFiles> write_kit_combined(const std::string& mac_folder, const std::string& android_folder,
                                          const KitCombinedOptions& options);

}  // namespace accelscope::compat
