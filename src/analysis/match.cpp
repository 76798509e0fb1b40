#include "analysis/match.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>

namespace accelscope::analysis {
namespace {

using Positions = std::vector<std::uint32_t>;

// Above this many cells the exact alignment costs too much memory for what it adds: programs of thousands of
// operators that differ from end to end are not the same program.
constexpr std::size_t kMaxAlignmentCells = std::size_t{16} << 20U;

bool is_packing(const Entry& entry) {
  return is_operator(entry.part) && entry.family == "pack_lh";
}

bool is_compute(const Entry& entry) {
  return is_operator(entry.part) &&
         (entry.category == Category::kConvolution || entry.category == Category::kGemm);
}

// What two entries must share to be the same step of a program.
std::string token_of(const Entry& entry) {
  std::string token(1, static_cast<char>('a' + static_cast<int>(entry.part)));
  if (!is_operator(entry.part)) return token + (entry.part == Part::kOther ? entry.name : "");
  return token + (entry.family.empty() ? entry.type : entry.family);
}

// The entries of one method that take part in the matching, and whom each packing operator packs for.
struct Program {
  std::map<std::int64_t, Positions> calls;
  std::map<std::uint32_t, Positions> packing_of;
};

Program program_of(const MethodProfile& method) {
  Program program;
  for (std::uint32_t i = 0; i < method.entries.size(); ++i) {
    const Entry& entry = method.entries[i];
    if (is_packing(entry)) {
      std::uint32_t packed_for = i + 1;
      while (packed_for < method.entries.size() && method.entries[packed_for].call == entry.call &&
             !is_compute(method.entries[packed_for]))
        ++packed_for;
      if (packed_for < method.entries.size() && method.entries[packed_for].call == entry.call) {
        program.packing_of[packed_for].push_back(i);
        continue;
      }
    }
    program.calls[entry.call].push_back(i);
  }
  return program;
}

class Aligner {
 public:
  Aligner(const MethodProfile& baseline, const MethodProfile& candidate, MethodMatch& match,
          const Program& baseline_program, const Program& candidate_program)
      : baseline_(baseline), candidate_(candidate), match_(match) {
    baseline_packing_ = &baseline_program.packing_of;
    candidate_packing_ = &candidate_program.packing_of;
  }

  void align(const Positions& left, const Positions& right) {
    std::vector<std::uint32_t> a = numbers(left, baseline_);
    std::vector<std::uint32_t> b = numbers(right, candidate_);
    std::size_t head = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
    std::size_t tail = 0;
    while (tail < a.size() - head && tail < b.size() - head &&
           a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
      ++tail;
    std::vector<std::optional<std::size_t>> partner(b.size());
    for (std::size_t i = 0; i < head; ++i) partner[i] = i;
    for (std::size_t i = 0; i < tail; ++i) partner[b.size() - 1 - i] = a.size() - 1 - i;
    const std::size_t rows = a.size() - head - tail;
    const std::size_t columns = b.size() - head - tail;
    if ((rows + 1) * (columns + 1) <= kMaxAlignmentCells)
      align_middle(a, b, head, rows, columns, partner);
    else
      align_greedily(a, b, head, rows, columns, partner);
    add_pairs(left, right, partner);
  }

 private:
  std::vector<std::uint32_t> numbers(const Positions& positions, const MethodProfile& method) {
    std::vector<std::uint32_t> result;
    result.reserve(positions.size());
    for (const std::uint32_t position : positions) {
      const auto number = static_cast<std::uint32_t>(tokens_.size());
      result.push_back(tokens_.try_emplace(token_of(method.entries[position]), number).first->second);
    }
    return result;
  }

  // Longest common subsequence; of equally long ones the one that pairs earlier entries.
  static void align_middle(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                           std::size_t head, std::size_t rows, std::size_t columns,
                           std::vector<std::optional<std::size_t>>& partner) {
    const std::size_t width = columns + 1;
    std::vector<std::uint32_t> length((rows + 1) * width, 0);
    for (std::size_t i = rows; i-- > 0;)
      for (std::size_t j = columns; j-- > 0;)
        length[i * width + j] = a[head + i] == b[head + j]
                                    ? length[(i + 1) * width + j + 1] + 1
                                    : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
      if (a[head + i] == b[head + j]) {
        partner[head + j] = head + i;
        ++i;
        ++j;
      } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  static void align_greedily(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                             std::size_t head, std::size_t rows, std::size_t columns,
                             std::vector<std::optional<std::size_t>>& partner) {
    std::map<std::uint32_t, std::deque<std::size_t>> places;
    for (std::size_t i = head; i < head + rows; ++i) places[a[i]].push_back(i);
    std::size_t next = head;
    for (std::size_t j = head; j < head + columns; ++j) {
      std::deque<std::size_t>& queue = places[b[j]];
      while (!queue.empty() && queue.front() < next) queue.pop_front();
      if (queue.empty()) continue;
      partner[j] = queue.front();
      next = queue.front() + 1;
    }
  }

  void add_pairs(const Positions& left, const Positions& right,
                 const std::vector<std::optional<std::size_t>>& partner) {
    std::vector<bool> used(left.size(), false);
    for (std::size_t j = 0; j < right.size(); ++j) {
      EntryPair pair{.candidate = right[j]};
      if (partner[j]) {
        pair.baseline = left[*partner[j]];
        used[*partner[j]] = true;
      }
      add(std::move(pair));
    }
    for (std::size_t i = 0; i < left.size(); ++i)
      if (!used[i]) baseline_only_.push_back({.baseline = left[i]});
  }

  void add(EntryPair pair) {
    const auto packing = [](const std::map<std::uint32_t, Positions>& of,
                            std::optional<std::uint32_t> entry) {
      const auto found = entry ? of.find(*entry) : of.end();
      return found == of.end() ? Positions() : found->second;
    };
    pair.baseline_packing = packing(*baseline_packing_, pair.baseline);
    pair.candidate_packing = packing(*candidate_packing_, pair.candidate);
    match_.candidate_only += pair.baseline ? 0 : 1;
    match_.baseline_only += pair.candidate ? 0 : 1;
    match_.pairs.push_back(std::move(pair));
  }

 public:
  void finish() {
    for (EntryPair& pair : baseline_only_) add(std::move(pair));
  }

 private:
  const MethodProfile& baseline_;
  const MethodProfile& candidate_;
  MethodMatch& match_;
  const std::map<std::uint32_t, Positions>* baseline_packing_;
  const std::map<std::uint32_t, Positions>* candidate_packing_;
  std::vector<EntryPair> baseline_only_;
  std::map<std::string, std::uint32_t> tokens_;
};

bool same_calls(const Program& a, const Program& b) {
  return std::equal(a.calls.begin(), a.calls.end(), b.calls.begin(), b.calls.end(),
                    [](const auto& left, const auto& right) { return left.first == right.first; });
}

Positions whole_sequence(const Program& program) {
  Positions all;
  for (const auto& [call, positions] : program.calls)
    all.insert(all.end(), positions.begin(), positions.end());
  return all;
}

}  // namespace

MethodMatch match_entries(const MethodProfile& baseline, const MethodProfile& candidate) {
  const Program left = program_of(baseline);
  const Program right = program_of(candidate);
  MethodMatch match;
  match.same_calls = same_calls(left, right);
  Aligner aligner(baseline, candidate, match, left, right);
  if (match.same_calls) {
    for (const auto& [call, positions] : right.calls) aligner.align(left.calls.at(call), positions);
  } else {
    aligner.align(whole_sequence(left), whole_sequence(right));
  }
  aligner.finish();
  return match;
}

}  // namespace accelscope::analysis
