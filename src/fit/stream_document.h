// A study of streaming as findings; docs/streaming.md says how to read them.
//
// Pure functions, safe from any thread. Version, date and inputs of the provenance are the caller's to fill.
//
//   const findings::Findings findings = stream_document(model, board, machine, question, study);
#pragma once

#include "boards/board.h"
#include "boards/model.h"
#include "findings/findings.h"
#include "fit/stream_study.h"

namespace accelscope::fit {

findings::Findings stream_document(const boards::Model& model, const boards::Board& board,
                                   const Machine& machine, const StreamQuestion& question,
                                   const StreamStudy& study);

}  // namespace accelscope::fit
