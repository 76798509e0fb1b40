#include "fit/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/human.h"
#include "fit/crossings.h"
#include "fit/link_study.h"

namespace accelscope::fit {
namespace {

constexpr double kLeastGain = 1.02;
constexpr std::uint64_t kLargestBatch = 64;

class Trials {
 public:
  explicit Trials(const FitCase& one) : one_(one), before_(one.fit.tokens_per_second()) {}

  void attempt(std::string id, std::string text, std::string basis, const Machine& machine,
               const Workload& workload) {
    const auto fit = fit_model(one_.model, machine, workload);
    if (!fit || !fit->decode) return;
    const double after = fit->tokens_per_second();
    if (after < before_ * kLeastGain) return;
    found_.push_back({std::move(id), std::move(text), std::move(basis), before_, after});
  }
  std::vector<Suggestion> ranked() && {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Suggestion& a, const Suggestion& b) { return a.after > b.after; });
    return std::move(found_);
  }

 private:
  const FitCase& one_;
  double before_;
  std::vector<Suggestion> found_;
};

void try_formats(const FitCase& one, Trials& trials) {
  const auto mxfp4 = boards::parse_number_format("mxfp4");
  Machine machine = one.machine;
  if (boards::bits_per_element(machine.formats.weights) > boards::bits_per_element(*mxfp4)) {
    machine.formats.weights = *mxfp4;
    trials.attempt("fit.format", "Keep the weights in mxfp4, if the model bears it (--weights mxfp4).",
                   "fewer bytes to keep, read and send; no word on accuracy", machine, one.workload);
  }
  machine = one.machine;
  if (one.fit.footprint.kv.value > 0 &&
      boards::bits_per_element(machine.formats.kv) > boards::bits_per_element(*mxfp4)) {
    machine.formats.kv = *mxfp4;
    trials.attempt("fit.format", "Keep keys and values in mxfp4, if the model bears it (--kv mxfp4).",
                   "fewer bytes to keep, read and send; no word on accuracy", machine, one.workload);
  }
}

void try_link(const FitCase& one, Trials& trials) {
  if (!one.machine.link || !one.fit.decode || one.fit.decode->link_bytes.value == 0) return;
  Machine machine = one.machine;
  const LinkStudy study = study_link(one.machine, one.fit);
  if (study.bandwidth_to_hide && *study.bandwidth_to_hide > machine.link->bandwidth) {
    machine.link->bandwidth = *study.bandwidth_to_hide;
    trials.attempt(
        "fit.link",
        fmt::format("Take a faster link: {} bytes a second hide all transfers, and more would not help.",
                    base::format_count(static_cast<std::uint64_t>(study.bandwidth_to_hide->value))),
        "the same machine with that link", machine, one.workload);
  } else {
    machine.link->bandwidth.value = std::min(machine.link->bandwidth.value, std::int64_t{1} << 50) * 2;
    trials.attempt("fit.link", "Take a link that is twice as fast.", "the same machine with that link",
                   machine, one.workload);
  }
  machine = one.machine;
  machine.buffers = study.buffers_for_bound;
  if (machine.buffers > one.machine.buffers)
    trials.attempt("fit.buffers", fmt::format("Use {} buffers between link and array.", machine.buffers),
                   "the same machine with them", machine, one.workload);
}

// As far as it stays resident, and up to a batch that people have.
void try_batch(const FitCase& one, Trials& trials) {
  if (one.model.text.diffusion) return;
  Workload workload = one.workload;
  const Crossings crossings =
      crossings_of(one.model, one.machine.formats, one.workload, one.fit.footprint, one.machine.capacity);
  const std::uint64_t most =
      crossings.batch.last ? std::min(kLargestBatch, *crossings.batch.last) : kLargestBatch;
  if (most <= workload.batch) return;
  workload.batch = most;
  trials.attempt(
      "fit.batch",
      fmt::format("Work on {} sequences at once{}.", most,
                  crossings.batch.last == most ? ", which is the last batch that is resident" : ""),
      "all sequences together; each one gets slower", one.machine, workload);
}

void try_machine(const FitCase& one, Trials& trials) {
  Machine machine = one.machine;
  machine.bandwidth.value = std::min(machine.bandwidth.value, std::int64_t{1} << 50) * 2;
  trials.attempt("fit.memory", "Take an external memory that is twice as fast.",
                 "the same machine with that memory", machine, one.workload);
  for (const boards::TileHint& hint : one.board.tile_hints) {
    if (hint.status != "proven" || !wrong_dimensions(hint.mlen, hint.blen, hint.vlen).empty()) continue;
    machine = one.machine;
    if (hint.mlen == machine.mlen && hint.blen == machine.blen && hint.vlen == machine.vlen) continue;
    machine.mlen = hint.mlen;
    machine.blen = hint.blen;
    machine.vlen = hint.vlen;
    trials.attempt(
        "fit.array",
        fmt::format("Build the array as --mlen {} --blen {} --vlen {}, which the board's file calls proven.",
                    hint.mlen, hint.blen, hint.vlen),
        "the same board with that array", machine, one.workload);
  }
  if (one.fit.regime == memory::Regime::kResident) return;
  machine = one.machine;
  machine.capacity = one.fit.footprint.total();
  trials.attempt("fit.capacity",
                 fmt::format("Take a board with {} of memory: all of it is then resident.",
                             base::format_size(machine.capacity)),
                 "the same machine with that capacity", machine, one.workload);
}

}  // namespace

std::vector<Suggestion> suggestions_for(const FitCase& one, std::span<const Machine> alternatives) {
  Trials trials(one);
  try_formats(one, trials);
  try_link(one, trials);
  try_batch(one, trials);
  try_machine(one, trials);
  for (const Machine& other : alternatives)
    if (other.name != one.machine.name)
      trials.attempt("fit.board", fmt::format("Take the board {}.", other.name), "the same accelerator there",
                     other, one.workload);
  std::vector<Suggestion> found = std::move(trials).ranked();
  // Of several arrays the best one is enough.
  const auto is_array = [](const Suggestion& suggestion) { return suggestion.id == "fit.array"; };
  if (const auto first = std::find_if(found.begin(), found.end(), is_array); first != found.end())
    found.erase(std::remove_if(first + 1, found.end(), is_array), found.end());
  return found;
}

}  // namespace accelscope::fit
