#include "formats/chip_swimlane/row_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/hash.h"

namespace accelscope::formats::chip_swimlane {
namespace {

template <class T>
void take(std::vector<T>& column, const std::vector<std::size_t>& order) {
  if (column.empty()) return;
  std::vector<T> taken;
  taken.reserve(order.size());
  for (const std::size_t row : order) taken.push_back(column[row]);
  column = std::move(taken);
}

// What a good recording is: numbers from 1 without a gap, one row after the other.
bool is_plain(const CoreRows& rows) {
  bool plain = true;
  std::int64_t previous_end = std::numeric_limits<std::int64_t>::min();
  for (std::size_t row = 0; row < rows.sequence.size(); ++row) {
    plain &= rows.sequence[row] == row + 1 && rows.start[row] >= previous_end;
    previous_end = rows.end[row];
  }
  return plain;
}

// Collectors that share the work put rows out of order. Rows with one number stay as they came.
void sort_by_sequence(CoreRows& rows) {
  if (std::is_sorted(rows.sequence.begin(), rows.sequence.end())) return;
  std::vector<std::size_t> order(rows.sequence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.sequence[a] < rows.sequence[b]; });
  take_rows(rows, order);
}

struct RowPlace {
  std::size_t core = 0;
  std::size_t row = 0;
};

auto content_of(const std::vector<CoreRows>& cores, RowPlace place) {
  const CoreRows& rows = cores[place.core];
  return std::tuple(rows.task[place.row], rows.sequence[place.row], rows.start[place.row],
                    rows.end[place.row]);
}

std::uint64_t hash_of(const std::vector<CoreRows>& cores, RowPlace place) {
  const CoreRows& rows = cores[place.core];
  return base::hash_of(rows.task[place.row], rows.sequence[place.row], rows.start[place.row],
                       rows.end[place.row]);
}

// How little a row belongs where it stands, from nothing to worst.
enum class Doubt : std::uint8_t {
  kNone,
  kBehindGap,  // numbers are missing before it
  kShared,     // another row has its number
  kEarly,      // begins before rows with lower numbers ended
};

bool follows_a_gap(const CoreRows& rows, std::size_t row) {
  const std::uint64_t previous = row == 0 ? 0 : rows.sequence[row - 1];
  return rows.sequence[row] > previous + 1;
}

std::size_t end_of_number(const CoreRows& rows, std::size_t first) {
  std::size_t last = first + 1;
  while (last < rows.sequence.size() && rows.sequence[last] == rows.sequence[first]) ++last;
  return last;
}

std::vector<Doubt> doubts_of(const CoreRows& rows) {
  std::vector<Doubt> doubts(rows.sequence.size(), Doubt::kNone);
  std::int64_t ended = std::numeric_limits<std::int64_t>::min();
  Doubt behind_gap = Doubt::kNone;
  for (std::size_t first = 0; first < doubts.size();) {
    const std::size_t last = end_of_number(rows, first);
    if (follows_a_gap(rows, first)) behind_gap = Doubt::kBehindGap;
    std::int64_t first_end = rows.end[first];
    for (std::size_t row = first; row < last; ++row) {
      doubts[row] = rows.start[row] < ended ? Doubt::kEarly : last - first > 1 ? Doubt::kShared : behind_gap;
      first_end = std::min(first_end, rows.end[row]);
    }
    ended = std::max(ended, first_end);
    first = last;
  }
  return doubts;
}

// Finds rows that stand on several cores, of which one core is their own: the one where they are least in
// doubt, and of equals the lowest.
class Copies {
 public:
  Copies(const std::vector<CoreRows>& cores, const std::vector<std::size_t>& odd_cores)
      : cores_(cores), doubts_(cores.size()), is_copy_(cores.size()) {
    for (const std::size_t core : odd_cores) {
      doubts_[core] = doubts_of(cores[core]);
      is_copy_[core].resize(doubts_[core].size());
    }
    for (const std::size_t core : odd_cores) suspect_odd_rows(core);
    search();
    for (const std::size_t core : odd_cores) suspect_rows_behind_copies(core);
    search();
  }

  // Whether the row is another core's.
  bool contains(RowPlace place) const { return is_copy_[place.core][place.row]; }

 private:
  struct Claim {
    RowPlace place;
    std::pair<Doubt, std::size_t> rank;
  };

  std::pair<Doubt, std::size_t> rank_of(RowPlace place) const {
    const std::vector<Doubt>& doubts = doubts_[place.core];
    return {doubts.empty() ? Doubt::kNone : doubts[place.row], place.core};
  }

  // Of what stands behind a gap only the first row: after a loss that is everything, and nearly always real.
  void suspect_odd_rows(std::size_t core) {
    for (std::size_t row = 0; row < doubts_[core].size(); ++row)
      if (doubts_[core][row] >= Doubt::kShared || follows_a_gap(cores_[core], row))
        suspects_.push_back({core, row});
  }
  // What is left in a buffer is many rows: those behind a copy may be copies, too.
  void suspect_rows_behind_copies(std::size_t core) {
    bool behind_copy = false;
    for (std::size_t row = 0; row < doubts_[core].size(); ++row) {
      if (is_copy_[core][row])
        behind_copy = true;
      else if (follows_a_gap(cores_[core], row))
        behind_copy = false;
      else if (behind_copy)
        suspects_.push_back({core, row});
    }
  }

  // One walk over all rows for all suspects.
  void search() {
    if (suspects_.empty()) return;
    std::unordered_map<std::uint64_t, Claim> best;
    for (const RowPlace place : suspects_)
      best.insert({hash_of(cores_, place), Claim{place, rank_of(place)}});
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      for (std::size_t row = 0; row < cores_[core].sequence.size(); ++row) {
        const RowPlace place{core, row};
        const auto found = best.find(hash_of(cores_, place));
        if (found == best.end()) continue;
        Claim& claim = found->second;
        if (rank_of(place) < claim.rank && content_of(cores_, place) == content_of(cores_, claim.place))
          claim = {place, rank_of(place)};
      }
    }
    for (const RowPlace place : suspects_) {
      const Claim& claim = best.at(hash_of(cores_, place));
      if (claim.place.core != place.core && content_of(cores_, place) == content_of(cores_, claim.place))
        is_copy_[place.core][place.row] = true;
    }
    suspects_.clear();
  }

  const std::vector<CoreRows>& cores_;
  std::vector<std::vector<Doubt>> doubts_;  // by core, only of odd ones
  std::vector<std::vector<bool>> is_copy_;
  std::vector<RowPlace> suspects_;
};

// Walks one core's rows in the order of their numbers and keeps one of each number at most.
class Keeper {
 public:
  Keeper(const CoreRows& rows, std::size_t core, const Copies& copies, bool kept_the_last_only,
         RowTrouble& trouble)
      : rows_(rows), core_(core), copies_(copies), trouble_(trouble) {
    if (kept_the_last_only && !rows.sequence.empty() && rows.sequence[0] > 0)
      previous_number_ = rows.sequence[0] - 1;
  }

  std::vector<std::size_t> kept_rows() {
    for (std::size_t first = 0; first < rows_.sequence.size();) {
      const std::size_t last = end_of_number(rows_, first);
      consider(first, last);
      first = last;
    }
    return std::move(kept_);
  }

 private:
  bool is_copy(std::size_t row) const { return copies_.contains({core_, row}); }
  bool is_early(std::size_t row) const { return rows_.start[row] < previous_end_; }

  // Rows with one number: the one that fits, then one that no other core has, then the first in the file.
  void consider(std::size_t first, std::size_t last) {
    std::size_t best = first;
    for (std::size_t row = first + 1; row < last; ++row)
      if (std::pair(is_early(row), is_copy(row)) < std::pair(is_early(best), is_copy(best))) best = row;
    for (std::size_t row = first; row < last; ++row)
      if (row != best) ++(is_copy(row) ? trouble_.phantoms : trouble_.duplicates);
    const std::uint64_t number = rows_.sequence[best];
    const bool gap = number > previous_number_ + 1;
    if ((gap || is_early(best)) && is_copy(best)) {
      ++trouble_.phantoms;
      return;
    }
    if (gap) trouble_.lost += number - previous_number_ - 1;
    if (is_early(best)) ++trouble_.overlaps;
    previous_number_ = number;
    previous_end_ = rows_.end[best];
    kept_.push_back(best);
  }

  const CoreRows& rows_;
  std::size_t core_;
  const Copies& copies_;
  RowTrouble& trouble_;
  std::vector<std::size_t> kept_;
  std::uint64_t previous_number_ = 0;
  std::int64_t previous_end_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

void take_rows(CoreRows& rows, const std::vector<std::size_t>& order) {
  take(rows.task, order);
  take(rows.sequence, order);
  take(rows.start, order);
  take(rows.end, order);
  take(rows.receive, order);
  take(rows.dispatch, order);
  take(rows.finish, order);
  take(rows.function, order);
  take(rows.end_unknown, order);
}

RowTrouble settle_rows(std::vector<CoreRows>& cores, bool kept_the_last_only) {
  std::vector<std::size_t> odd_cores;
  for (std::size_t core = 0; core < cores.size(); ++core) {
    if (is_plain(cores[core])) continue;
    sort_by_sequence(cores[core]);
    if (!is_plain(cores[core])) odd_cores.push_back(core);
  }
  const Copies copies(cores, odd_cores);
  RowTrouble trouble;
  // All verdicts before the first row goes, because copies are known by their place.
  std::vector<std::vector<std::size_t>> kept;
  kept.reserve(odd_cores.size());
  for (const std::size_t core : odd_cores)
    kept.push_back(Keeper(cores[core], core, copies, kept_the_last_only, trouble).kept_rows());
  for (std::size_t i = 0; i < odd_cores.size(); ++i) take_rows(cores[odd_cores[i]], kept[i]);
  return trouble;
}

}  // namespace accelscope::formats::chip_swimlane
