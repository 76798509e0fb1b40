#include "memory/dram.h"

#include "memory/dram_closed_form.h"
#include "memory/event_dram.h"
#include "memory/reference_dram.h"

namespace accelscope::memory {

base::Result<std::unique_ptr<Timing>> make_dram(const DramPreset& preset, const DramOptions& options,
                                                Fidelity fidelity) {
  if (preset.family == DramFamily::kReference)
    return make_reference_dram(preset,
                               options.channels == 0 ? preset.organisation.channels : options.channels);
  if (fidelity == Fidelity::kClosedForm) return make_closed_form_dram(preset, options);
  return make_event_dram(preset, options);
}

}  // namespace accelscope::memory
