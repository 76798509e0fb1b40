#include "jobs/demo_board.h"

#include "base/output_file.h"
#include "jobs/fit.h"
#include "jobs/isa_files.h"
#include "jobs/isa_profile.h"

namespace accelscope::jobs {
namespace {

base::Result<findings::Findings> profile(const std::string& program, const std::string& version) {
  ACCELSCOPE_TRY(
      IsaProfileOutcome made,
      profile_programs({.files = {program},
                        .machine = {.boards = {"nexys_video", "v80"}, .settings = {}, .overrides = {}},
                        .version = version}));
  if (!made.rejected.empty()) return tl::unexpected(made.rejected.front().first_error());
  return std::move(made.findings);
}

base::Result<findings::Findings> fit_model(const std::string& version) {
  FitJobOptions options{.models = {"smolvlm2"}, .boards = {"nexys_video"}};
  options.wish.context = 4096;
  options.version = version;
  return fit(options);
}

}  // namespace

base::Result<DemoBoard> demo_board(const DemoBoardOptions& options) {
  ACCELSCOPE_CHECK(base::make_folder(options.folder));
  DemoBoard made;
  made.program = options.folder + "/attention.asm";
  ACCELSCOPE_CHECK(generate_file("attention:seq=128,dim=64", made.program));
  ACCELSCOPE_TRY(made.profile, profile(made.program, options.version));
  ACCELSCOPE_TRY(made.fit, fit_model(options.version));
  const std::string profile_file = options.folder + "/profile.md";
  ACCELSCOPE_CHECK(write_markdown_file(made.profile, profile_file));
  const std::string fit_file = options.folder + "/fit.md";
  ACCELSCOPE_CHECK(write_markdown_file(made.fit, fit_file));
  made.files = {{fit_file, "what the model needs on the board, and how fast it is"},
                {profile_file, "where the cycles of the program go"},
                {made.program, "the program, as a listing"}};
  return made;
}

}  // namespace accelscope::jobs
