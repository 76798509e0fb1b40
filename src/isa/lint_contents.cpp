#include <fmt/core.h>

#include <algorithm>

#include "isa/lint_checks.h"

namespace accelscope::isa {

void PossibleSet::add(std::uint64_t first, std::uint64_t last) {
  if (everything_) return;
  auto at = pieces_.upper_bound(first);
  if (at != pieces_.begin() && std::prev(at)->second + 1 >= first) --at;
  while (at != pieces_.end() && at->first <= last + 1) {
    first = std::min(first, at->first);
    last = std::max(last, at->second);
    at = pieces_.erase(at);
  }
  pieces_.emplace(first, last);
  if (pieces_.size() > kMostPieces) everything_ = true;
}

bool PossibleSet::may_have(std::uint64_t first, std::uint64_t last) const {
  if (everything_) return true;
  const auto behind = pieces_.upper_bound(last);
  return behind != pieces_.begin() && std::prev(behind)->second >= first;
}

ContentCheck::Pieces ContentCheck::first_round(const MemoryAccess& access) const {
  const std::uint64_t piece = matrix_ ? machine_.mlen * machine_.mlen : machine_.vlen;
  const std::uint64_t first = access.address.base / piece;
  return {first, first + (access.pieces - 1) * access.step};
}

void ContentCheck::take(const LintStep& step, std::uint64_t clock) {
  // What an instruction reads, it reads first.
  for (const MemoryAccess& access : step.accesses->all())
    if (access.matrix == matrix_ && !access.writes) take_read(step, access, clock);
  for (const MemoryAccess& access : step.accesses->all())
    if (access.matrix == matrix_ && access.writes) take_write(step, access, clock);
}

void ContentCheck::take_read(const LintStep& step, const MemoryAccess& access, std::uint64_t clock) {
  const auto range = range_of(access.address, *step.state);
  if (access.address.known()) {
    const Pieces here = first_round(access);
    if (!written_.may_have(here.first, here.last))
      report_.add(
          matrix_ ? Rule::kUnwrittenMatrix : Rule::kUnwrittenVector, step.position, access.operand,
          [&] { return fmt::format("nothing wrote {} {} before", matrix_ ? "tile" : "row", here.first); });
  }
  if (!range) {
    read_.add_everything();
    waiting_.clear();
    return;
  }
  const std::uint64_t piece = matrix_ ? machine_.mlen * machine_.mlen : machine_.vlen;
  const std::uint64_t first = range->least / piece;
  const std::uint64_t last = range->most / piece + (access.pieces - 1) * access.step;
  read_.add(first, last);
  const Pieces here = first_round(access);
  // All that waits has the same length, so that what reaches into the range begins not far before it.
  const std::uint64_t length =
      matrix_ ? machine_.matrix_prefetch_rows / machine_.mlen : machine_.vector_prefetch_rows;
  auto at = waiting_.lower_bound(first < length ? 0 : first - length + 1);
  while (at != waiting_.end() && at->first <= last) {
    const Prefetch& prefetch = at->second;
    if (prefetch.pieces.first <= here.last && prefetch.pieces.last >= here.first) use(step, prefetch, clock);
    at = waiting_.erase(at);
  }
}

bool ContentCheck::is_around(const Prefetch& prefetch, const RegisterState& state) const {
  if (prefetch.nesting == 0) return true;
  return state.loops.size() >= prefetch.nesting && state.loops[prefetch.nesting - 1] == prefetch.loop;
}

// In the first round; the first use tells how long a transfer could take without being waited for.
void ContentCheck::use(const LintStep& step, const Prefetch& prefetch, std::uint64_t clock) {
  const std::uint64_t cost =
      matrix_ ? machine_.latencies.prefetch_matrix : machine_.latencies.prefetch_vector;
  const std::uint64_t distance = clock - prefetch.clock;
  if (distance >= cost || !is_around(prefetch, *step.state)) return;
  report_.add(Rule::kPrefetchDistance, prefetch.position, 0, [&] {
    return fmt::format("line {} uses this {} cycles later; the transfer takes {} on {}",
                       program_.lines[step.position], distance, cost, machine_.name);
  });
}

void ContentCheck::take_write(const LintStep& step, const MemoryAccess& access, std::uint64_t clock) {
  const std::uint64_t piece = matrix_ ? machine_.mlen * machine_.mlen : machine_.vlen;
  if (const auto range = range_of(access.address, *step.state))
    written_.add(range->least / piece, range->most / piece + (access.pieces - 1) * access.step);
  else
    written_.add_everything();
  if (!access.prefetch || !access.address.known()) return;
  const RegisterState& state = *step.state;
  Prefetch made{.position = step.position,
                .loop = state.loops.empty() ? kNoLoop : state.loops.back(),
                .nesting = state.loops.size(),
                .clock = clock,
                .pieces = first_round(access),
                .address = access.address};
  const auto before = waiting_.find(made.pieces.first);
  if (before != waiting_.end() && before->second.loop == made.loop && made.address.every_round() &&
      before->second.address == made.address)
    report_.add(Rule::kDeadPrefetch, before->second.position, 0, [&] {
      return fmt::format("line {} fetches something else to the same place before anything reads this",
                         program_.lines[step.position]);
    });
  prefetches_.push_back(made);
  waiting_.insert_or_assign(made.pieces.first, made);
}

void ContentCheck::finish() {
  for (const Prefetch& prefetch : prefetches_)
    if (!read_.may_have(prefetch.pieces.first, prefetch.pieces.last))
      report_.add(Rule::kDeadPrefetch, prefetch.position, 0, [&] {
        return fmt::format("nothing in the program reads what this fetches to {} {}",
                           matrix_ ? "tile" : "row", prefetch.pieces.first);
      });
}

}  // namespace accelscope::isa
