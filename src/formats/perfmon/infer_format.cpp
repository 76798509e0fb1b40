#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "formats/perfmon/infer_parts.h"

namespace accelscope::formats::perfmon::details {
namespace {

using base::format_count;

// Pieces of this size, spread over the file, decide about the format: eight readings of a large file would
// take longer than all the rest.
constexpr std::size_t kPieceBytes = std::size_t{1} << 16U;
constexpr std::size_t kPieces = 64;

// A word that cannot be in such a stream counts as this many bits against it.
constexpr double kAgainst = 6;
// So much can hardly be chance, also when several layouts are tried: one in 2^40.
constexpr double kConvincing = 40;
// Two hypotheses that are nearer to each other than this, one in 2^8, cannot be told apart.
constexpr double kApart = 8;
// Buffers begin with a word, or so one should think.
constexpr double kMisaligned = 8;

struct Candidate {
  WordLayout layout;
  std::size_t offset = 0;
  std::uint64_t words = 0;
  std::uint64_t stamps = 0;
  std::uint64_t changes = 0;  // states that change something, with no bit of no pipe
  std::uint64_t marks = 0;
  std::uint64_t wrong = 0;  // unknown, stray states, fragments of stamps
  double bits = 0;
};

Word stray_bits(const WordLayout& layout) {
  return layout.events.greatest() & ~events_of(layout, kAllPipes);
}

void look_at_piece(std::span<const std::byte> piece, Candidate& candidate) {
  const WordLayout& layout = candidate.layout;
  const Word stray = stray_bits(layout);
  std::uint64_t stamp_words = 0;
  PipeMask last = kAllPipes;  // rarely true of a beginning
  Word before = 0;
  const Counters counters = walk_words(piece, {.layout = &layout}, [&](const WordRow& row) {
    stamp_words += row.kind == WordKind::kStamp ? 1 : 0;
    candidate.marks += row.kind == WordKind::kMark ? 1 : 0;
    const bool state = row.kind == WordKind::kState;
    const bool wrong = row.kind == WordKind::kUnknown || (state && (layout.events.of(row.word) & stray) != 0);
    // Memory that nobody wrote holds one word again and again.
    candidate.wrong += wrong && row.word != before ? 1 : 0;
    candidate.changes += state && !wrong && row.busy != last ? 1 : 0;
    if (state) last = row.busy;
    before = row.word;
    return true;
  });
  candidate.words += counters.words;
  candidate.stamps += counters.stamps;
  // Pieces cut stamps, which says nothing against them.
  const std::uint64_t fragments = stamp_words - counters.stamps * layout.stamp.words;
  candidate.wrong +=
      fragments - std::min<std::uint64_t>(fragments, std::uint64_t{2} * (layout.stamp.words - 1U));
}

// How many bits of random words would have to be right by chance. Marks, whose control codes are half of all,
// and filler, zeros and states that repeat themselves, which constant bytes make as well, count for nothing.
double evidence_bits(const Candidate& candidate) {
  const WordLayout& layout = candidate.layout;
  const double state = layout.ctrl.width + std::popcount(stray_bits(layout));
  const double stamp = layout.stamp.words * (layout.ctrl.width + layout.stamp.index.width);
  return state * static_cast<double>(candidate.changes) + stamp * static_cast<double>(candidate.stamps) -
         kAgainst * static_cast<double>(candidate.wrong) - (candidate.offset > 0 ? kMisaligned : 0);
}

Candidate look(std::span<const std::byte> bytes, const WordLayout& layout, std::endian order,
               std::size_t offset) {
  Candidate candidate{.layout = layout, .offset = offset};
  candidate.layout.byte_order = order;
  const std::size_t pieces = (bytes.size() + kPieceBytes - 1) / kPieceBytes;
  const std::size_t step = std::max<std::size_t>(1, pieces / kPieces);
  for (std::size_t piece = 0; piece < pieces; piece += step) {
    const std::size_t begin = piece * kPieceBytes + offset;
    if (begin >= bytes.size()) break;
    // Neighbouring pieces are one, so that a small file is looked at as a whole.
    const std::size_t length = step == 1 ? bytes.size() - begin : kPieceBytes;
    look_at_piece(bytes.subspan(begin, std::min(length, bytes.size() - begin)), candidate);
    if (step == 1) break;
  }
  candidate.bits = evidence_bits(candidate);
  return candidate;
}

std::string name_of(const Candidate& candidate) {
  return fmt::format("{}, {}, words from byte {}", candidate.layout.name,
                     candidate.layout.byte_order == std::endian::little ? "little-endian" : "big-endian",
                     candidate.offset);
}

std::string evidence_of(const Candidate& candidate) {
  return fmt::format(
      "of {} words {} are whole stamps, {} states that change something, {} marks, {} cannot be: {} bits {} "
      "than "
      "chance",
      format_count(candidate.words), format_count(candidate.stamps * candidate.layout.stamp.words),
      format_count(candidate.changes), format_count(candidate.marks), format_count(candidate.wrong),
      format_count(static_cast<std::uint64_t>(std::llround(std::abs(candidate.bits)))),
      candidate.bits < 0 ? "worse" : "better");
}

std::vector<Candidate> all_candidates(std::span<const std::byte> bytes,
                                      std::span<const WordLayout* const> layouts) {
  std::vector<Candidate> all;
  for (const WordLayout* layout : layouts)
    for (const std::endian order : {std::endian::little, std::endian::big})
      for (std::size_t offset = 0; offset < layout->word_bytes; ++offset)
        if (offset + layout->word_bytes <= bytes.size()) all.push_back(look(bytes, *layout, order, offset));
  std::ranges::stable_sort(all, std::ranges::greater{}, &Candidate::bits);
  return all;
}

}  // namespace

void ask_format(std::span<const std::byte> bytes, std::span<const WordLayout* const> candidates,
                Inference& found) {
  Question question{.id = "format", .title = "Which words are these?"};
  const std::vector<Candidate> all = all_candidates(bytes, candidates);
  constexpr std::size_t kShown = 3;
  const auto near_best = [&](const Candidate& one) { return one.bits > all.front().bits - kApart; };
  const bool two_fit = all.size() > 1 && all.front().bits >= kConvincing && near_best(all[1]);
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    const Fit fit = all[i].bits <= 0 || !near_best(all[i])   ? Fit::kDoesNotFit
                    : all[i].bits >= kConvincing && !two_fit ? Fit::kFits
                                                             : Fit::kCannotTell;
    question.hypotheses.push_back({name_of(all[i]), fit, evidence_of(all[i])});
  }
  if (all.empty()) {
    question.answer = fmt::format("Cannot tell: {} bytes are not a word.", bytes.size());
  } else if (two_fit) {
    question.answer = fmt::format("Cannot tell: {} and {} fit alike.", name_of(all[0]), name_of(all[1]));
  } else if (all.front().bits >= kConvincing) {
    question.answered = true;
    question.answer = fmt::format("They are {}.", name_of(all.front()));
    found.format = FormatFit{all.front().layout, all.front().offset, all.front().bits};
  } else if (all.front().bits > 0) {
    question.answer = fmt::format("Cannot tell: perhaps {}, but there is too little of it to exclude chance.",
                                  name_of(all.front()));
  } else {
    question.answer = "No hypothesis fits: no layout that is known explains these bytes better than chance.";
  }
  found.questions.push_back(std::move(question));
}

}  // namespace accelscope::formats::perfmon::details
