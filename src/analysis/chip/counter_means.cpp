#include "analysis/chip/counter_means.h"

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

double number_of(const trace::Value& value) {
  switch (value.type) {
    case trace::ValueType::kDouble:
      return value.as_double();
    case trace::ValueType::kInt:
      return static_cast<double>(value.as_int());
    default:
      return static_cast<double>(value.as_uint());
  }
}

}  // namespace

CounterMeans counter_means(const trace::Trace& trace, const trace::ChipRun& chip) {
  CounterMeans result;
  const trace::ArgTable& args = trace.args();
  if (args.size() == 0) return result;
  for (const trace::ChipCore& core : chip.cores) {
    const trace::RowRange rows = trace.slices_of(core.track);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      for (trace::ArgId arg = trace.slices().first_arg[row]; arg != trace::ArgId::kNone;
           arg = args.next[index(arg)]) {
        if (!trace.text(args.name[index(arg)]).starts_with(trace::arg::kUtilisationPrefix)) continue;
        CounterMean& mean = result[trace.slices().name[row]][args.name[index(arg)]];
        mean.total += number_of(args.value(arg));
        ++mean.n;
      }
  }
  return result;
}

}  // namespace accelscope::analysis::chip
