// The reference's model of utilisation: how much of what the matrix unit is given it can use, of attention
// and the feed-forward part, for a prompt and for one decoded token. Counts are of one layer.
//
// Its oddities are kept: the prompt's feed-forward part is not multiplied by the batch, and parts of a tile
// are rounded as the reference rounds them. How its text is read where it leaves a choice: attention is the
// projection and the flash attention together; the head dimension is the model's own; decoding sees as many
// keys as the prompt has; experts are one feed-forward part of an expert's width, because the model knows no
// other; and what is repeated is multiplied, not added up again and again.
//
// Pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const ReferenceUtilisation use, reference_utilisation(model.text, analytic, {}));
//   use.overall().share()
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "boards/model.h"
#include "boards/settings.h"

namespace accelscope::fit {

// In counts that are like cycles.
struct Utilisation {
  double attainable = 0;
  double theoretical = 0;

  // Nothing where there is nothing to do: a prompt shorter than a block.
  std::optional<double> share() const {
    return theoretical > 0 ? std::optional(attainable / theoretical) : std::nullopt;
  }
  Utilisation& operator+=(const Utilisation& other) {
    attainable += other.attainable;
    theoretical += other.theoretical;
    return *this;
  }
};

struct UtilisationWorkload {
  std::uint64_t batch = 1;
  std::uint64_t input_tokens = 2048;
  bool partitioned = true;  // heads share a tile
};

struct ReferenceUtilisation {
  Utilisation prefill_attention;
  Utilisation prefill_feed_forward;
  Utilisation decode_attention;
  Utilisation decode_feed_forward;

  Utilisation overall() const;
};

base::Result<ReferenceUtilisation> reference_utilisation(const boards::TextModel& model,
                                                         const boards::SettingsTree& tree,
                                                         const UtilisationWorkload& workload);

}  // namespace accelscope::fit
