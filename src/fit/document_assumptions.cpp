#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/human.h"
#include "boards/board_file.h"
#include "fit/document_parts.h"

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::format_count;
using base::format_size;
using trace::Severity;

class Box {
 public:
  explicit Box(trace::QualityTable& table) : table_(table) {}
  void info(std::string id, std::string sentence) {
    add(std::move(id), Severity::kInfo, std::move(sentence));
  }
  void warning(std::string id, std::string sentence) {
    add(std::move(id), Severity::kWarning, std::move(sentence));
  }

 private:
  void add(std::string id, Severity severity, std::string sentence) {
    trace::QualityRow row;
    row.id = std::move(id);
    row.severity = severity;
    row.sentence = std::move(sentence);
    table_.add(std::move(row));
  }
  trace::QualityTable& table_;
};

void about_compute(Box& box, const Machine& machine) {
  if (machine.costs == Costs::kReference)
    box.info(
        "fit.costs",
        fmt::format(
            "Cycles are counted, not measured: {} for {} x {} x {} multiply-accumulates, latencies of the "
            "board for vectors and scalars, 6 scalar instructions beside every product, one behind the "
            "other as in the emulator. Attention uses products, not the broadcasting instructions.",
            machine.latency.systolic_processing_overhead + machine.mlen, machine.blen, machine.mlen,
            machine.blen));
  else
    box.info("fit.costs",
             fmt::format(
                 "Cycles are counted, not measured: {} for {} x {} x {} multiply-accumulates and the vector "
                 "unit's latencies as the hardware description has them, not the board's. Attention uses "
                 "products, not the broadcasting instructions.",
                 machine.blen + 4, machine.blen, machine.mlen, machine.blen));
}

void about_memory(Box& box, const FitCase& one) {
  const boards::BoardMemory& memory = one.board.memory;
  box.info("fit.flat_bandwidth",
           "External memory and link give their bandwidth at all times and for all sizes; rows, banks, "
           "refresh and what else uses them are not modelled.");
  if (!memory.effective_bandwidth && memory.bandwidth() == one.machine.bandwidth)
    box.warning(
        "fit.nominal_bandwidth",
        fmt::format(
            "{} gives no effective bandwidth; the nominal one is used, of which streams reach 80 to 95 %.",
            one.board.name));
}

void about_chip(Box& box, const FitCase& one) {
  const Machine& machine = one.machine;
  if (machine.on_chip && machine.on_chip_asked > *machine.on_chip)
    box.info(
        "fit.on_chip_limited",
        fmt::format("Board and settings ask for {} on the chip, which has {}: calculated with {} for tiles "
                    "and {} for rows.",
                    format_size(machine.on_chip_asked), format_size(*machine.on_chip),
                    format_size(machine.matrix_sram), format_size(machine.vector_sram)));
  const Bytes least = machine.least_on_chip(one.model);
  if (machine.on_chip && least > *machine.on_chip)
    box.warning("fit.on_chip_too_small",
                fmt::format("Two tiles and {} rows of this model need {} on the chip, which has {}.",
                            machine.blen, format_size(least), format_size(*machine.on_chip)));
  for (const boards::TileHint& hint : one.board.tile_hints)
    if (hint.mlen == machine.mlen && hint.blen == machine.blen && hint.vlen == machine.vlen &&
        hint.status == "exceeds_resources") {
      box.warning(
          "fit.too_large_array",
          fmt::format(
              "The board's file says that an array of MLEN {}, BLEN {}, VLEN {} exceeds its resources.",
              machine.mlen, machine.blen, machine.vlen));
      break;
    }
}

void about_model(Box& box, const FitCase& one) {
  const boards::TextModel& text = one.model.text;
  if (text.vocabulary == 0)
    box.warning("fit.no_vocabulary",
                fmt::format("{} says nothing about its vocabulary: embedding and output count nothing.",
                            one.model.nickname));
  if (text.max_context > 0 && one.workload.context > text.max_context)
    box.warning(
        "fit.beyond_context",
        fmt::format("{} was made for contexts of up to {} tokens; {} were asked for.", one.model.nickname,
                    format_count(text.max_context), format_count(one.workload.context)));
  if (text.experts)
    box.info("fit.experts",
             fmt::format("As many different experts are read as there can be: up to {} of {} for every "
                         "token. Tokens that share experts read fewer.",
                         text.experts->per_token, text.experts->count));
  if (text.diffusion)
    box.info("fit.diffusion",
             fmt::format("A step goes through the whole sequence and there is no cache; {} steps make all "
                         "its tokens, and the first comes with the last.",
                         one.fit.passes_of_decode));
  if (one.fit.prefill_work.count(StageKind::kLayer) > 0 &&
      one.workload.prompt > one.fit.prefill_work.tokens_held)
    box.info("fit.blocks_of_tokens",
             fmt::format(
                 "The chip holds {} tokens at once: prefill reads the weights {} times.",
                 format_count(one.fit.prefill_work.tokens_held),
                 format_count(one.fit.prefill_work.stages.back().kind == StageKind::kOutput
                                  ? one.fit.prefill_work.stages[one.fit.prefill_work.stages.size() - 2].rounds
                                  : 1)));
}

Bytes largest_stage(const Fit& fit) {
  Bytes largest{};
  for (const StageWork& stage : fit.decode_work.stages)
    if (stage.kind == StageKind::kLayer || stage.kind == StageKind::kOutput)
      largest = std::max(largest, stage.stored);
  return largest;
}

void about_streaming(Box& box, const FitCase& one) {
  const Fit& fit = one.fit;
  const Machine& machine = one.machine;
  if (fit.regime == memory::Regime::kResident) return;
  if (!machine.link) {
    box.warning("fit.no_link",
                fmt::format("{} has no link to a host, so that what does not fit cannot come: there is no "
                            "speed. --host-bandwidth gives it one.",
                            machine.name));
    return;
  }
  if (fit.regime == memory::Regime::kKvSwap)
    box.info("fit.kv_stays",
             "What fits of the keys and values stays; only the rest comes over the link, once a pass and "
             "straight to the chip.");
  if (fit.regime != memory::Regime::kWeightStream) return;
  const Bytes largest = largest_stage(fit);
  if (largest > machine.capacity)
    box.warning(
        "fit.layer_too_large",
        fmt::format("A stage of {} is larger than the memory of {}: it is never there whole. It can only be "
                    "streamed to the chip tile by tile, in every pass; buffers in the memory cannot hold it.",
                    format_size(largest), format_size(machine.capacity)));
  if (fit.placement.streaming == Streaming::kStream && machine.on_chip &&
      largest.value > machine.on_chip->value / static_cast<std::int64_t>(machine.buffers))
    box.info(
        "fit.tile_by_tile",
        fmt::format(
            "{} buffers of {} do not fit the chip: stages come tile by tile, with the overlap of whole ones.",
            machine.buffers, format_size(largest)));
  if (fit.placement.kv_swapped.value > 0)
    box.warning("fit.kv_swapped_too",
                fmt::format("Besides the weights, {} of keys and values come over the link.",
                            format_size(fit.placement.kv_swapped)));
}

}  // namespace

void add_assumptions(findings::Findings& findings, const FitCase& one) {
  Box box(findings.quality);
  about_streaming(box, one);
  about_model(box, one);
  about_chip(box, one);
  about_memory(box, one);
  about_compute(box, one.machine);
  if (const auto unused = boards::unused_fields(one.board); !unused.empty())
    box.info("fit.unused_fields",
             fmt::format("Nothing uses these fields of the board's file: {}.", fmt::join(unused, ", ")));
  if (one.machine.watts)
    box.info("fit.energy",
             "Energy is thermal design power times time: an upper estimate, not a measurement.");
}

}  // namespace accelscope::fit
