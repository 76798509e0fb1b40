#include "formats/kernel_log/log_trace.h"

#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::kernel_log {
namespace {

using base::Location;
using trace::Severity;
using trace::Value;

std::int64_t saturated(std::uint64_t value) {
  return static_cast<std::int64_t>(
      std::min(value, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
}

}  // namespace

LogTrace::Names::Names(trace::TraceBuilder& builder)
    : symbol(builder.intern(trace::arg::kSymbol)),
      family(builder.intern(trace::arg::kKernelFamily)),
      function(builder.intern(trace::arg::kInitFunction)),
      place(builder.intern(trace::arg::kSourcePlace)),
      count(builder.intern(trace::arg::kCount)),
      index(builder.intern(trace::arg::kOperatorIndex)),
      sub_index(builder.intern(trace::arg::kOperatorSubIndex)),
      name(builder.intern(trace::arg::kOperatorName)),
      ukernel(builder.intern(trace::arg::kUkernel)) {}

LogTrace::LogTrace(const base::MappedFile& file, std::string_view format)
    : file_(file),
      format_(format),
      registered_(builder_.category(trace::category::kKernelRegistered)),
      invoked_(builder_.category(trace::category::kOperatorInvoked)),
      skipped_(builder_.category(trace::category::kOperatorSkipped)) {
  const trace::ClockId clock = builder_.add_clock({builder_.intern("lines of the log")});
  track_ = builder_.add_track({.name = builder_.intern("kernel log"), .clock = clock});
}

trace::StringId LogTrace::intern(std::string_view text) {
  return base::is_valid_utf8(text) ? builder_.intern(text)
                                   : builder_.intern(base::replace_invalid_utf8(text));
}

void LogTrace::add_text(std::uint32_t instant, trace::StringId name, std::string_view text) {
  if (!text.empty()) builder_.add_instant_arg(instant, name, Value::of_string(intern(text)));
}

void LogTrace::add_registration(const Registration& registration) {
  const trace::StringId symbol = intern(registration.symbol);
  const std::uint32_t instant = builder_.add_instant({.track = track_,
                                                      .time = trace::Ticks{saturated(registration.line)},
                                                      .name = symbol,
                                                      .category = registered_});
  builder_.add_instant_arg(instant, names_.symbol, Value::of_string(symbol));
  add_text(instant, names_.family, registration.family);
  add_text(instant, names_.function, registration.function);
  add_text(instant, names_.place, registration.place);
  builder_.add_instant_arg(instant, names_.count, Value::of_int(registration.count));
}

void LogTrace::add_operator(const OperatorLine& line) {
  const std::uint32_t instant = builder_.add_instant({.track = track_,
                                                      .time = trace::Ticks{saturated(line.line)},
                                                      .name = intern(line.text),
                                                      .category = line.skipped ? skipped_ : invoked_});
  builder_.add_instant_arg(instant, names_.index, Value::of_int(saturated(line.index)));
  builder_.add_instant_arg(instant, names_.sub_index, Value::of_int(saturated(line.sub_index)));
  add_text(instant, names_.name, line.name);
  add_text(instant, names_.ukernel, line.ukernel);
  ++operators_;
}

void LogTrace::note(std::string_view id, Severity severity, std::string_view sentence, std::uint64_t line) {
  builder_.quality().add({.id = std::string(id),
                          .severity = severity,
                          .sentence = std::string(sentence),
                          .first_place = Location::line(file_.path(), line)});
}

base::Result<trace::Trace> LogTrace::finish() && {
  builder_.quality().add({.id = "kernel_log.no_times",
                          .severity = Severity::kInfo,
                          .sentence =
                              "A kernel log has no usable times: what it says is placed by the number "
                              "of its line.",
                          .first_place = Location::of_file(file_.path())});
  if (operators_ == 0)
    builder_.quality().add({.id = "kernel_log.registered_only",
                            .severity = Severity::kInfo,
                            .sentence =
                                "The log tells which kernels were registered as candidates, not which "
                                "ran: XNNPACK says that at its debug level.",
                            .first_place = Location::of_file(file_.path())});
  builder_.add_source({.path = file_.path(), .format = format_, .detail = {}, .bytes = file_.size()});
  return std::move(builder_).finish();
}

}  // namespace accelscope::formats::kernel_log
