// The vision tower of a `config.json`: siglip and clip towers, and those of idefics3, smolvlm, llava, gemma3,
// qwen2-vl and qwen2.5-vl.
//
// A plain function, safe from any thread; what is wrong goes into the map's problems.
//
//   model.vision = read_vision_config(map, "smolvlm");
#pragma once

#include <optional>
#include <string_view>

#include "boards/config_reader.h"
#include "boards/model.h"

namespace accelscope::boards {

// `map` is the outermost one, `model_type` what it says it is; nothing where it has no tower.
std::optional<VisionTower> read_vision_config(ConfigMap& map, std::string_view model_type);

}  // namespace accelscope::boards
