#include "isa/program.h"

#include <fmt/core.h>

#include <utility>

#include "base/closest_name.h"
#include "isa/comment_labels.h"
#include "isa/listing_reader.h"
#include "isa/loop_stack.h"
#include "isa/words.h"

namespace accelscope::isa {
namespace {

class ProgramReader {
 public:
  ProgramReader(ReadProgram& made, Dialect dialect)
      : program_(made.program),
        diagnostics_(made.diagnostics),
        loops_(made.program.loops, made.diagnostics),
        dialect_(dialect) {}

  void take_listing(std::string_view text) {
    constexpr std::size_t kBytesPerLine = 32;
    program_.words.reserve(text.size() / kBytesPerLine);
    program_.lines.reserve(text.size() / kBytesPerLine);
    change(LabelKind::kStage, name_of(comments_.stage()));
    change(LabelKind::kKernel, comments_.kernel());
    ListingReader reader(text, diagnostics_);
    ListingLine line;
    while (reader.next(line)) {
      if (line.kind == ListingLine::Kind::kComment) {
        take_comment(line);
      } else if (line.kind == ListingLine::Kind::kWord) {
        add(line.word, line.place(line.column));
      } else if (const auto word = encode(line, dialect_, diagnostics_)) {
        add(*word, line.place(line.column));
      }
    }
    program_.source_lines = reader.lines();
    loops_.finish();
  }

  void take_words(const Words& read) {
    for (std::size_t i = 0; i < read.words.size(); ++i) add(read.words[i], {read.lines[i], 0, {}});
    program_.source_lines = read.lines.empty() ? 0 : read.lines.back();
    loops_.finish();
  }

 private:
  void add(std::uint32_t word, const Place& place) {
    loops_.take(static_cast<std::uint32_t>(program_.words.size()), word, place);
    program_.words.push_back(word);
    program_.lines.push_back(static_cast<std::uint32_t>(place.line));
  }

  void take_comment(const ListingLine& line) {
    ++program_.comment_lines;
    if (const auto annotation = annotation_in(line.comment)) {
      take_annotation(*annotation, line);
      return;
    }
    comments_.take(line.comment);
    change(LabelKind::kStage, name_of(comments_.stage()));
    change(LabelKind::kKernel, comments_.kernel());
    if (comments_.pair() != pair_) {
      pair_ = comments_.pair();
      change(LabelKind::kPair, pair_ ? fmt::format("{}", *pair_) : "");
    }
  }

  void take_annotation(const Annotation& annotation, const ListingLine& line) {
    constexpr std::array kKnown{LabelKind::kLayer, LabelKind::kSection, LabelKind::kTensor};
    std::array<std::string_view, kKnown.size()> names;
    for (std::size_t i = 0; i < kKnown.size(); ++i) {
      names[i] = name_of(kKnown[i]);
      if (annotation.word == names[i]) return change(kKnown[i], annotation.name);
    }
    constexpr std::size_t kMostShown = 40;
    diagnostics_.warning(Rule::kAnnotation, line.place(line.column),
                         "unknown annotation `;@ {}`: layer, section or tensor{}",
                         annotation.word.substr(0, kMostShown),
                         base::suggestion(annotation.word.substr(0, kMostShown), names));
  }

  void change(LabelKind kind, std::string_view name) {
    std::vector<LabelChange>& changes = program_.labels[static_cast<std::size_t>(kind)];
    const auto is_current = [&] {
      return changes.empty() ? name.empty() : program_.names.text(changes.back().name) == name;
    };
    if (is_current()) return;
    const auto first = static_cast<std::uint32_t>(program_.words.size());
    // What was named and has no instruction is forgotten.
    if (!changes.empty() && changes.back().first == first) changes.pop_back();
    if (is_current()) return;
    changes.push_back({first, program_.names.intern(name)});
  }

  Program& program_;
  Diagnostics& diagnostics_;
  LoopStack loops_;
  CommentLabels comments_;
  std::optional<std::uint64_t> pair_;
  Dialect dialect_;
};

// No instruction is nothing but hexadecimal digits.
bool looks_like_words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return false;
  const std::string_view word = text.substr(first, text.find_first_of(kBlanks, first) - first);
  return word.starts_with("0x") || word.starts_with("0X") ||
         word.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

}  // namespace

std::string_view name_of(LabelKind kind) {
  constexpr std::array<std::string_view, kLabelKinds> kNames{"section", "tensor", "stage",
                                                             "pair",    "kernel", "layer"};
  return kNames[static_cast<std::size_t>(kind)];
}

ReadProgram read_program(std::string file, std::string_view text, Dialect dialect) {
  if (looks_like_words(text)) {
    Words read = read_words(file, text);
    ReadProgram made{{}, std::move(read.diagnostics)};
    made.program.file = std::move(file);
    ProgramReader(made, dialect).take_words(read);
    return made;
  }
  ReadProgram made{{}, Diagnostics(file)};
  made.program.file = std::move(file);
  ProgramReader(made, dialect).take_listing(text);
  return made;
}

}  // namespace accelscope::isa
