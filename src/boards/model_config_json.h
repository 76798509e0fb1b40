// Models from the `config.json` that Hugging Face keeps beside weights. It has many dialects: the same field
// under several names, defaults that depend on `model_type`, and parts of a model nested in it. Which of them
// are read is in docs/models.md; what is not modelled (latent attention, state-space layers, encoders) is
// refused by name.
//
// A plain function, safe from any thread.
//
//   ACCELSCOPE_TRY(const Model model, read_model_config(file));
#pragma once

#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/model.h"

namespace accelscope::boards {

base::Result<Model> read_model_config(const base::MappedFile& file);

}  // namespace accelscope::boards
