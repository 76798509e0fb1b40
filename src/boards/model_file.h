// Models as files: our YAML (docs/models.md), the reference's YAML of the same fields, and `config.json` of
// Hugging Face (dense, grouped heads, mixtures of experts, sliding windows, vision towers). The common open
// ones are part of the program.
//
// A missing field, a wrong type, heads that do not divide, a list of layers of the wrong length are errors
// with the field's name, all of a file at once. Plain functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const Model model, load_model("smolvlm2"));          // part of the program
//   ACCELSCOPE_TRY(const Model mine, load_model("./config.json"));
#pragma once

#include <span>
#include <string>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/model.h"

namespace accelscope::boards {

// Models that are part of the program, by nickname.
std::span<const base::EmbeddedFile> model_presets();

// By content: a file that begins with '{' is a config.json.
base::Result<Model> read_model(const base::MappedFile& file);
// The nickname of a preset, else the path of a file.
base::Result<Model> load_model(const std::string& name_or_path);

}  // namespace accelscope::boards
