// What reading a large program costs: a listing of 1.4 million lines, about the size that a compiler makes of
// a vision model, parsed, assembled and disassembled.
//
// Floors in the same run: copying the listing, and counting its lines. Times are those of the processor: one
// thread does all of it.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "base/output.h"
#include "base/output_file.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/lint.h"
#include "isa/listing_reader.h"
#include "isa/program.h"
#include "isa/static_profile.h"
#include "isa/words.h"
#include "jobs/isa_profile.h"
#include "processor_time.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program

constexpr int kRepetitions = 7;
constexpr std::size_t kLines = 1'400'000;

// Blocks of a matrix product as a compiler writes them: comments, constants, a prefetch, three loops.
std::string listing() {
  std::string text;
  std::size_t lines = 0;
  for (std::uint32_t block = 0; lines < kLines; ++block) {
    text += fmt::format(
        "; Allocate VRAM Matrix Y[{0}], SubBlock [{0}][{1}]\n"
        "; sub projection of column block {1}\n"
        "S_ADDI_INT gp1, gp0, {2}\nC_SET_ADDR_REG a0, gp0, gp1\n"
        "S_ADDI_INT gp1, gp0, 16384\nC_SET_SCALE_REG gp1\n"
        "S_ADDI_INT gp2, gp0, {3}\nS_LUI_INT gp3, {4}\nS_ADDI_INT gp3, gp3, {5}\n"
        "H_PREFETCH_M gp2, gp3, a0, 1, 0\n"
        "C_LOOP_START gp9, 4\n  S_ADDI_INT gp4, gp2, 0\n  C_LOOP_START gp10, 16\n"
        "    M_MM 0, gp4, gp5\n    S_ADDI_INT gp4, gp4, 256\n    S_ADDI_INT gp5, gp5, 64\n"
        "    M_MM_WO gp6, gp0, 0\n  C_LOOP_END gp10\nC_LOOP_END gp9\n"
        "V_MUL_VF gp6, gp6, f1, 0\nV_RED_SUM f3, gp6\nV_ADD_VV gp7, gp6, gp7\nV_EXP_V gp7, gp7, 0\n",
        block, block % 64, block % 262144, block % 64 * 4096, block % 4096, block % 4096);
    lines += 23;
  }
  return text;
}

double seconds_of(const std::function<void()>& work) {
  return benchmarks::best_processor_seconds(kRepetitions, work);
}

std::uint64_t sum_of_results = 0;  // printed, so that nothing is optimised away

void print(std::string_view what, double seconds, std::size_t bytes, std::size_t instructions) {
  fmt::print("{:<38} {:8.1f} ms {:9.0f} MB/s {:8.1f} M instructions/s\n", what, seconds * 1e3,
             static_cast<double>(bytes) / seconds * 1e-6, static_cast<double>(instructions) / seconds * 1e-6);
}

void parse(std::string_view text) {
  isa::Diagnostics diagnostics("listing");
  isa::ListingReader reader(text, diagnostics);
  isa::ListingLine line;
  while (reader.next(line)) sum_of_results += line.operand_count;
}

void profile(const isa::Program& program) {
  const auto counts = isa::count(program, {isa::LabelKind::kSection, isa::LabelKind::kTensor,
                                           isa::LabelKind::kStage, isa::LabelKind::kKernel});
  for (std::uint64_t board = 0; counts && board < 4; ++board) {
    isa::Latencies latencies;
    latencies.systolic_overhead = board;
    const auto priced = isa::price(*counts, latencies, isa::CycleModel::kEmulator);
    if (priced) sum_of_results += priced->total.cycles;
  }
}

// The whole job behind `accelscope isa profile`, from the file to the document, on the four boards.
void profile_job(const std::string& text, std::size_t count) {
  const std::string path = fmt::format("/tmp/accelscope_bench_isa_{}.asm", getpid());
  const base::Status written = base::write_file(path, [&](base::Output& out) { out.append(text); });
  const jobs::IsaProfileOptions options{
      .files = {path}, .machine = {.boards = {"nexys_a7", "nexys_video", "custom_a7", "v80"}}};
  if (written)
    print("isa profile on four boards, whole job", seconds_of([&] {
            const auto outcome = jobs::profile_programs(options);
            if (outcome) sum_of_results += outcome->findings.sections.size();
          }),
          text.size(), count);
  std::remove(path.c_str());
}

void lint_program(const isa::Program& program, std::string_view text, std::size_t count) {
  const auto machine = isa::make_machine({});
  print("linted, without reading", seconds_of([&] {
          isa::Diagnostics found("listing");
          isa::lint_program(program, text, *machine, found);
          sum_of_results += found.warnings();
        }),
        text.size(), count);
}

}  // namespace

int main() {
  const std::string text = listing();
  const isa::Assembly made = isa::assemble("listing", text, isa::Dialect::kStrict);
  if (!made.diagnostics.ok()) {
    fmt::print(stderr, "{}", made.diagnostics.to_string());
    return 1;
  }
  const std::size_t count = made.words.size();
  fmt::print("{} lines, {:.1f} MB, {} instructions\n",
             static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
             static_cast<double>(text.size()) * 1e-6, count);
  base::MemoryOutput out;
  print("floor: memcpy of the listing", seconds_of([&] {
          out.clear();
          out.append(text);
          sum_of_results += static_cast<unsigned char>(out.bytes().back());
        }),
        text.size(), count);
  print("floor: counting its lines", seconds_of([&] {
          sum_of_results += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
        }),
        text.size(), count);
  print("parsed", seconds_of([&] { parse(text); }), text.size(), count);
  print("assembled", seconds_of([&] {
          sum_of_results += isa::assemble("listing", text, isa::Dialect::kStrict).words.size();
        }),
        text.size(), count);
  print("read as a program, with its labels", seconds_of([&] {
          sum_of_results += isa::read_program("listing", text, isa::Dialect::kStrict).program.loops.size();
        }),
        text.size(), count);
  const isa::Program program = isa::read_program("listing", text, isa::Dialect::kStrict).program;
  print("its profile on four boards", seconds_of([&] { profile(program); }), text.size(), count);
  profile_job(text, count);
  lint_program(program, text, count);
  print("words written", seconds_of([&] {
          out.clear();
          isa::write_words(out, made.words);
        }),
        count * 11, count);
  const std::string words(out.bytes());
  print("words read", seconds_of([&] { sum_of_results += isa::read_words("words", words).words.size(); }),
        words.size(), count);
  print("disassembled", seconds_of([&] {
          out.clear();
          isa::disassemble(out, made.words, isa::Dialect::kStrict);
        }),
        text.size(), count);
  fmt::print("(checksum {})\n", sum_of_results);
  return 0;
}
