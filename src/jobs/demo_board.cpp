#include "jobs/demo_board.h"

#include "base/output_file.h"
#include "jobs/emulate.h"
#include "jobs/fit.h"
#include "jobs/isa_files.h"
#include "jobs/isa_profile.h"
#include "jobs/program_files.h"
#include "jobs/report.h"

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

// One layer whose output is checked: with all weights in the memory, and coming over the link in two ways.
base::Result<findings::Findings> emulate_layer(const std::string& folder, const std::string& version) {
  EmulateOptions options{.files = {.program = folder}, .version = version};
  options.machine.boards = {"nexys_video", "custom_a7"};
  for (const std::string_view model : {"hbm", "weight-stream", "layer-swap"})
    options.memory.models.push_back(*emulator::memory_model_named(model));
  ACCELSCOPE_TRY(EmulateOutcome done, emulate(options));
  if (done.rejected) return tl::unexpected(done.rejected->first_error());
  return std::move(done.findings);
}

base::Status draw_layer(const std::string& folder, const std::string& trace) {
  EmulateOptions options{.files = {.program = folder}, .output = trace};
  options.machine.boards = {"nexys_video"};
  options.memory.models = {*emulator::memory_model_named("layer-swap")};
  options.timings = {emulator::TimingMode::kOverlap};
  options.trace = emulator::LogDetail::kUnits;
  ACCELSCOPE_CHECK(emulate(options));
  return {};
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
  made.layer = options.folder + "/layer";
  ACCELSCOPE_CHECK(write_program_files(
      {.program = "decoder-layer:rows=16,hidden=64,inter=128,heads=4,kv_heads=2,dim=16,mlen=16",
       .folder = made.layer}));
  ACCELSCOPE_TRY(made.emulation, emulate_layer(made.layer, options.version));
  const std::string emulation_file = options.folder + "/emulation.md";
  ACCELSCOPE_CHECK(write_markdown_file(made.emulation, emulation_file));
  const std::string trace_file = options.folder + "/layer.pftrace";
  ACCELSCOPE_CHECK(draw_layer(made.layer, trace_file));
  made.files = {
      {fit_file, "what the model needs on the board, and how fast it is"},
      {profile_file, "where the cycles of the program go"},
      {made.program, "the program, as a listing"},
      {emulation_file, "a layer run on two boards under three memory models"},
      {trace_file, "the layer's run on nexys_video, layers coming over the link; open with Perfetto"},
      {made.layer + "/program.asm", "the layer, beside its images, for `accelscope emulate`"}};
  return made;
}

}  // namespace accelscope::jobs
