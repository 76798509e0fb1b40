#include "fit/document.h"

#include <fmt/core.h>

#include "base/human.h"
#include "findings/columns.h"
#include "fit/advice.h"
#include "fit/document_parts.h"
#include "fit/link_study.h"

namespace accelscope::fit {
namespace {

using base::format_count;
using base::format_size;
using findings::Cell;
using findings::count_column;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Priority;
using findings::Section;
using findings::Statement;
using findings::StatementKind;
using findings::Table;
using findings::text_column;
using memory::Regime;

std::string bottleneck_of(const FitCase& one) {
  const PassSpeed& decode = *one.fit.decode;
  const Resource bound = decode.bound();
  const base::Picoseconds time = bound == Resource::kCompute  ? decode.in_compute
                                 : bound == Resource::kMemory ? decode.in_memory
                                                              : decode.in_link;
  return fmt::format(
      "Decoding is bound by {}: {:.0f} % of {} a token. {:.4g} tokens a second at a context of {}{}, first "
      "token after {}.",
      name_of(bound), percent(time, decode.overlapped),
      base::format_duration({one.fit.token_time().value / 1000}), one.fit.tokens_per_second(),
      format_count(one.workload.context),
      one.workload.batch > 1 ? fmt::format(" and a batch of {}", format_count(one.workload.batch)) : "",
      base::format_duration({one.fit.first_token().value / 1000}));
}

void add_advice(Findings& findings, const FitCase& one, std::span<const Machine> alternatives) {
  Section& section = findings::add_section(findings, "advice", "What would make it faster");
  for (const Suggestion& suggestion : suggestions_for(one, alternatives)) {
    Statement statement{.id = suggestion.id, .kind = StatementKind::kAdvice, .text = suggestion.text};
    statement.priority = suggestion.after > 2 * suggestion.before     ? Priority::kHighest
                         : suggestion.after > 1.2 * suggestion.before ? Priority::kHigh
                                                                      : Priority::kInvestigate;
    statement.gain = findings::Gain{suggestion.before, suggestion.after, "tokens/s", suggestion.basis};
    section.statements.push_back(std::move(statement));
  }
  if (section.statements.empty()) section.empty_hint = "Nothing that was tried gains 2 %.";
}

// Everything that changes a number and stands in no table.
void add_options(Findings& findings, const FitCase& one) {
  const Machine& machine = one.machine;
  auto& options = findings.provenance.options;
  const auto add = [&](std::string key, std::string value) {
    options.push_back({std::move(key), std::move(value)});
  };
  add("model", one.model.nickname);
  add("board", machine.name);
  add("context", std::to_string(one.workload.context));
  add("batch", std::to_string(one.workload.batch));
  add("prompt", std::to_string(one.workload.prompt));
  if (one.workload.images > 0) add("images", std::to_string(one.workload.images));
  add("weights", boards::name_of(machine.formats.weights));
  add("kv", boards::name_of(machine.formats.kv));
  add("activations", boards::name_of(machine.formats.activations));
  add("array", fmt::format("MLEN {}, BLEN {}, VLEN {}", machine.mlen, machine.blen, machine.vlen));
  add("clock", base::format_frequency(machine.clock));
  add("costs", machine.costs == Costs::kReference ? "reference" : "rtl");
  add("capacity", std::to_string(machine.capacity.value));
  add("bandwidth", std::to_string(machine.bandwidth.value));
  if (one.board.host_link) {
    const boards::HostLink& link = *one.board.host_link;
    add("host_link",
        link.type + (link.theoretical_bandwidth
                         ? fmt::format(", {} in theory", base::format_rate(*link.theoretical_bandwidth))
                         : ""));
  }
  if (machine.link) {
    add("host_bandwidth", std::to_string(machine.link->bandwidth.value));
    add("link_latency", base::format_duration({machine.link->latency.value / 1000}));
  }
  add("buffers", std::to_string(machine.buffers));
  add("streaming", std::string(name_of(machine.streaming)));
}

std::vector<Cell> row_of(const FitCase& one) {
  if (!one.failure.empty())
    return {one.model.nickname, one.board.name, Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(),
            one.failure};
  const Fit& fit = one.fit;
  const Crossings crossings =
      crossings_of(one.model, one.machine.formats, one.workload, fit.footprint, one.machine.capacity);
  const double share = 100 * static_cast<double>(fit.footprint.total().value) /
                       static_cast<double>(one.machine.capacity.value);
  return {one.model.nickname,
          one.machine.name,
          in_mb(fit.footprint.total()),
          share,
          std::string(memory::name_of(fit.regime)),
          crossings.context.last && !crossings.context.always
              ? Cell(static_cast<std::int64_t>(*crossings.context.last))
              : Cell(),
          fit.decode ? Cell(fit.tokens_per_second()) : Cell(),
          fit.decode ? Cell(in_ms(fit.first_token())) : Cell(),
          fit.decode ? Cell(std::string(name_of(fit.decode->bound()))) : Cell(),
          fit.decode ? std::string() : std::string("no link")};
}

void add_table_of_all(Findings& findings, std::span<const FitCase> cases) {
  Section& section = findings::add_section(findings, "fits", "Models and boards");
  Table table{
      .id = "fits",
      .columns = {text_column("model", "Model"), text_column("board", "Board"),
                  number_column("total", "Needs", "MB", 1), percent_column("of_capacity", "Of capacity"),
                  text_column("regime", "Regime"), count_column("last_context", "Resident up to"),
                  number_column("tokens_per_second", "Tokens/s", "", 3),
                  number_column("ttft", "First token", "ms", 1), text_column("bound", "Bound by"),
                  text_column("note", "Note")}};
  for (const FitCase& one : cases) table.rows.push_back(row_of(one));
  section.tables.push_back(std::move(table));
}

}  // namespace

std::string verdict_of(const FitCase& one, const Crossings& crossings) {
  const Fit& fit = one.fit;
  const std::string pair = fmt::format("{} on {}", one.model.nickname, one.machine.name);
  if (fit.regime == Regime::kWeightStream && !one.machine.link)
    return fmt::format(
        "{} does not fit: its weights need {}, the memory has {}, and there is no link to stream them over.",
        pair, format_size(fit.footprint.weights), format_size(one.machine.capacity));
  if (fit.regime == Regime::kWeightStream)
    return fmt::format(
        "{} does not fit: its weights need {}, the memory has {}; they are streamed at every context.", pair,
        format_size(fit.footprint.weights), format_size(one.machine.capacity));
  if (crossings.context.always)
    return fmt::format("{} fits at every context: no layer keeps more than its window.", pair);
  if (fit.regime == Regime::kResident) {
    const std::uint64_t last = *crossings.context.last;
    const std::uint64_t known = one.model.text.max_context;
    const std::string own =
        known > 0 && last >= known
            ? fmt::format(", more than the {} that the model was made for", format_count(known))
            : "";
    return fmt::format("{} fits up to {} tokens{}; beyond that keys and values are swapped.", pair,
                       format_count(last), own);
  }
  const std::string fits = crossings.context.last
                               ? fmt::format(", only up to {}", format_count(*crossings.context.last))
                               : std::string("; only its weights do");
  const std::string rest = one.machine.link
                               ? fmt::format("{} of keys and values come over the link in every pass",
                                             format_size(fit.placement.kv_swapped))
                               : std::string("there is no link for the rest of keys and values");
  return fmt::format("{} does not fit at {} tokens{}: {}.", pair, format_count(one.workload.context), fits,
                     rest);
}

void add_verdict(Findings& findings, const FitCase& one, const Crossings& crossings) {
  Section& section = findings::add_section(findings, "verdict", "Does it fit");
  section.statements.push_back(
      {.id = "fit.verdict", .kind = StatementKind::kVerdict, .text = verdict_of(one, crossings)});
  if (one.fit.decode)
    section.statements.push_back(
        {.id = "fit.bottleneck", .kind = StatementKind::kFinding, .text = bottleneck_of(one)});
}

Findings fit_document(std::span<const FitCase> cases, std::span<const Machine> alternatives) {
  Findings findings{.kind = "fit"};
  if (cases.size() != 1) {
    findings.title = fmt::format("Fit of {} combinations", format_count(cases.size()));
    add_table_of_all(findings, cases);
    trace::QualityRow row;
    row.id = "fit.several";
    row.sentence = "Every row rests on assumptions of its own; the fit of one model on one board lists them.";
    findings.quality.add(std::move(row));
    return findings;
  }
  const FitCase& one = cases.front();
  findings.title = fmt::format("{} on {}", one.model.nickname, one.machine.name);
  const Crossings crossings =
      crossings_of(one.model, one.machine.formats, one.workload, one.fit.footprint, one.machine.capacity);
  add_verdict(findings, one, crossings);
  add_footprint(findings, one);
  add_regime(findings, one, crossings);
  add_speed(findings, one);
  add_streaming(findings, one);
  add_context_series(findings, one, crossings);
  add_advice(findings, one, alternatives);
  add_table_of_all(findings, cases);
  findings.sections.back().data_only = true;
  add_assumptions(findings, one);
  add_options(findings, one);
  return findings;
}

}  // namespace accelscope::fit
