// A program as everything but the assembler wants it: instruction words with the lines they come from, the
// hardware loops as a tree, and labels for ranges of instructions.
//
// Eight bytes an instruction; a word is decoded where it is used, by the table (instruction_set.h). A Program
// that was read without errors has loops that are closed in order and counts from 1 to 2^22 - 1. Owns all of
// it; immutable once read, so any number of threads may look at it.
//
//   const ReadProgram read = read_program("a.asm", file.text(), Dialect::kStrict);
//   if (!read.diagnostics.ok()) ...
//   for (const Loop& loop : read.program.loops) ...
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_interner.h"
#include "isa/diagnostics.h"
#include "isa/encoder.h"

namespace accelscope::isa {

inline constexpr std::uint32_t kNoLoop = std::numeric_limits<std::uint32_t>::max();

// Instructions start + 1 to end are carried out `count` times; the one at start once.
struct Loop {
  std::uint32_t start = 0;         // position of C_LOOP_START
  std::uint32_t end = 0;           // position of C_LOOP_END
  std::uint32_t parent = kNoLoop;  // the loop around it
  std::uint32_t count = 0;
  std::uint32_t depth = 0;    // 0: in no other loop
  std::uint32_t counter = 0;  // the integer register

  bool operator==(const Loop&) const = default;
};

// Who gave a name to instructions.
enum class LabelKind : std::uint8_t {
  kSection,  // ;@ section NAME
  kTensor,   // ;@ tensor NAME
  kStage,    // the compiler's comments on a mixture of experts
  kPair,     // its pairs of token and expert
  kKernel,   // its comments on kernels
  kLayer     // ;@ layer NAME
};
inline constexpr std::size_t kLabelKinds = 6;
std::string_view name_of(LabelKind kind);

// From this instruction on, until the next change.
struct LabelChange {
  std::uint32_t first = 0;
  base::StringId name = base::StringId::kEmpty;  // kEmpty: no label

  bool operator==(const LabelChange&) const = default;
};

struct Program {
  std::string file;
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> lines;  // from 1
  std::vector<Loop> loops;           // by start
  base::StringInterner names;
  std::array<std::vector<LabelChange>, kLabelKinds> labels;  // by first
  std::uint64_t source_lines = 0;
  std::uint64_t comment_lines = 0;  // lines that are nothing but a comment of ';'

  const std::vector<LabelChange>& labels_of(LabelKind kind) const {
    return labels[static_cast<std::size_t>(kind)];
  }
};

struct ReadProgram {
  Program program;
  Diagnostics diagnostics;
};

// From a listing, or from a file of words, which has no comments and no dialect: the first word tells.
ReadProgram read_program(std::string file, std::string_view text, Dialect dialect);

}  // namespace accelscope::isa
