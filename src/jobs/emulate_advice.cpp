#include <fmt/core.h>

#include <algorithm>

#include "emulator/run_parts.h"
#include "isa/instruction_set.h"
#include "jobs/emulate_document.h"
#include "jobs/emulate_numbers.h"

namespace accelscope::jobs {
namespace {

using base::Picoseconds;
using emulator::Emulation;
using emulator::index;
using emulator::TimingMode;
using findings::Section;
using isa::Unit;

// Less than this is not worth a sentence.
constexpr double kLeastPercent = 2;

findings::Priority priority_of(double share) {
  if (share >= 30) return findings::Priority::kHighest;
  return share >= 10 ? findings::Priority::kHigh : findings::Priority::kInvestigate;
}

class Advice {
 public:
  Advice(Section& section, const isa::Program& program, const EmulatedRun& run)
      : section_(section), program_(program), run_(run), done_(run.done) {}

  void add_overlap();
  void add_memory();
  void add_link();
  void add_scalar();
  void add_matrix();
  void add_slowest_part();

 private:
  // `left`: the latency if what is advised worked perfectly.
  void add(std::string id, Picoseconds left, std::string text, std::string basis) {
    const double share = percent(done_.latency - left, done_.latency);
    if (share < kLeastPercent) return;
    section_.statements.push_back(
        {.id = std::move(id),
         .kind = findings::StatementKind::kAdvice,
         .priority = priority_of(share),
         .subject = fmt::format("{} on {}", shown_name(program_), run_.machine->name),
         .text = std::move(text),
         .group = "What to optimise",
         .gain = findings::Gain{.before = microseconds(done_.latency),
                                .after = microseconds(left),
                                .unit = "us",
                                .basis = std::move(basis)}});
  }
  Picoseconds bound(std::string_view id) const {
    for (const emulator::Bound& one : emulator::bounds_of(done_, run_.memory.host_bandwidth.has_value()))
      if (one.id == id) return one.latency;
    return done_.latency;
  }
  double share_of(std::string_view id) const {
    for (const emulator::TimeShare& one : emulator::latency_shares(done_))
      if (one.id == id) return percent(one.time, done_.latency);
    return 0;
  }

  Section& section_;
  const isa::Program& program_;
  const EmulatedRun& run_;
  const Emulation& done_;
};

void Advice::add_overlap() {
  const Picoseconds left = bound("overlap");
  if (run_.timing == TimingMode::kSerial)
    add("emulation.overlap", left,
        "Units wait for each other, one instruction after the other. Hardware that transfers and calculates "
        "at "
        "the same time hides all but its busiest unit; `--timing overlap` says how much of that this program "
        "allows as it is.",
        "if all units always worked at the same time");
  else
    add("emulation.overlap", left,
        "Units work at the same time and still wait for each other. Prefetch a tile earlier, into another "
        "place than the one in use, and put independent work between an operation and the use of its result.",
        "if all units always worked at the same time");
}

void Advice::add_memory() {
  const double peak = run_.memory.peak_bandwidth ? static_cast<double>(run_.memory.peak_bandwidth->value) : 0;
  const double got = rate(done_.bytes_read + done_.bytes_written, done_.transfers);
  std::string text =
      fmt::format("{:.1f} % of the time is transfers, which get {}", share_of("memory"), rate_text(got));
  if (peak > 0) text += fmt::format(", {:.1f} % of the memory's {}", 100 * got / peak, rate_text(peak));
  text +=
      peak > 0 && got > 0.7 * peak
          ? ". The memory is used well: keep what is used again on the chip, or move fewer bytes."
          : ". Fetch more rows with one instruction, and lay tiles out so that they begin with a block of "
            "64 bytes: short transfers pay the memory's latency each.";
  add("emulation.memory", bound("memory"), std::move(text), "if transfers took no time");
}

void Advice::add_link() {
  if (!run_.memory.host_bandwidth) return;
  add("emulation.link", bound("link"),
      fmt::format("{:.1f} % of the time is waiting for the host link of {}: {} came over it. Let more of it "
                  "stay in the memory, bring it earlier, or use a faster link.",
                  share_of("link"), base::format_rate(*run_.memory.host_bandwidth),
                  base::format_size({static_cast<std::int64_t>(emulator::link_bytes_of(done_))})),
      "if the host link took no time");
}

void Advice::add_scalar() {
  add("emulation.scalar", bound("scalar"),
      fmt::format(
          "{:.1f} % of the time is scalar and control instructions, most of them addresses and loops: "
          "unroll inner loops, keep cursors in registers, use the immediates of instructions.",
          share_of("scalar")),
      "if scalar and control instructions took no time");
}

void Advice::add_matrix() {
  const emulator::Roofline roofs = emulator::roofline(program_, done_, run_.circumstances());
  if (roofs.multiplications == 0) return;
  // At the rate of M_MM without a pause, nothing else at all.
  for (const emulator::Roof& roof : roofs.roofs) {
    if (roof.id != "costs" || roof.attainable <= 0) continue;
    const Picoseconds ideal{
        static_cast<std::int64_t>(static_cast<double>(roofs.multiplications) / roof.attainable * 1e12)};
    const Picoseconds matrix = done_.accounts.units[index(Unit::kMatrix)].busy();
    if (matrix > ideal)
      add("emulation.matrix", done_.latency - (matrix - ideal),
          fmt::format(
              "The matrix unit was busy for {}, and M_MM at its full rate would have needed {}: "
              "products of a matrix and a vector, and write-outs, use a part of the array. Work on BLEN "
              "rows at a time.",
              duration_text(matrix), duration_text(ideal)),
          "if all products ran at the rate of M_MM");
  }
}

void Advice::add_slowest_part() {
  std::vector<emulator::RunPart> parts = parts_by_label(program_, done_, isa::LabelKind::kSection);
  if (parts.size() < 2) return;
  const bool path = done_.critical_path && done_.critical_path->complete;
  const auto time = [&](const emulator::RunPart& part) { return path ? part.on_path : part.account.busy; };
  const auto most = std::max_element(parts.begin(), parts.end(),
                                     [&](const auto& a, const auto& b) { return time(a) < time(b); });
  if (time(*most) > done_.latency) return;
  add("emulation.section", done_.latency - time(*most),
      fmt::format("The section {} takes {:.1f} % of the time: look there first.",
                  most->name.empty() ? "without a name" : most->name, percent(time(*most), done_.latency)),
      "if it took no time at all");
}

}  // namespace

void add_run_advice(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run) {
  if (run.done.latency.value <= 0 || run.done.partial) return;
  Section& section = findings::add_section(findings, "advice", "What to optimise");
  Advice advice(section, program, run);
  advice.add_overlap();
  advice.add_memory();
  advice.add_link();
  advice.add_scalar();
  advice.add_matrix();
  advice.add_slowest_part();
  const auto left = [](const findings::Statement& one) { return one.gain ? one.gain->after : 0; };
  std::stable_sort(
      section.statements.begin(), section.statements.end(),
      [&](const findings::Statement& a, const findings::Statement& b) { return left(a) < left(b); });
  if (section.statements.empty()) section.empty_hint = "Nothing stands out.";
}

}  // namespace accelscope::jobs
