// The memory that a program runs on, from what a user says: which model, which DRAM, which board, which
// manifest, and by which rule of precedence where they disagree.
//
//   capacity         what the user says, else the manifest's, else the board's, else 512 MiB; under reference
//                    semantics the manifest's comes first, as in the reference, and layer-swap never asks it
//   host bandwidth   what the user says, else the board's link, else 60 MB/s
//   DRAM             what the user says, else the board's, else `reference-hbm2-patched`; under reference
//                    semantics with a link the reference's own `simple-window` instead of the last two
//
// Every choice comes back as a sentence, also those where nothing disagreed. Reads no file but a DRAM preset
// that is given as one. Safe from any thread; whoever asks owns the memory.
//
//   ACCELSCOPE_TRY(const MemorySetup setup,
//                  set_up_memory({.model = *memory_model_named("layer-swap"), .manifest = &manifest}));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/board.h"
#include "boards/weight_manifest.h"
#include "memory/dram_preset.h"
#include "memory/memory_mode.h"
#include "memory/residency.h"
#include "memory/timing.h"

namespace accelscope::emulator {

// "hbm" is the memory by itself: everything fits, nothing comes over a link. All others are
// memory::MemoryMode.
struct MemoryModel {
  std::optional<memory::MemoryMode> streaming = std::nullopt;  // nothing: hbm

  bool operator==(const MemoryModel&) const = default;
};
std::string_view name_of(const MemoryModel& model);
std::optional<MemoryModel> memory_model_named(std::string_view name);
std::span<const std::string_view> memory_model_names();

enum class Semantics : std::uint8_t { kRight, kReference };

struct MemoryWishes {
  MemoryModel model = {};
  Semantics semantics = Semantics::kRight;
  const boards::Board* board = nullptr;
  const boards::WeightManifest* manifest = nullptr;
  std::string dram = {};       // of the user: a preset, or `naive`, `simple`, `simple-window`; "" for none
  std::uint32_t channels = 0;  // 0: as many as the preset has
  std::optional<base::Bytes> capacity = std::nullopt;
  std::optional<base::BytesPerSecond> host_bandwidth = std::nullopt;
  std::optional<std::uint32_t> prefetch_depth = std::nullopt;
  std::optional<memory::EvictionPolicy> policy = std::nullopt;
};

struct MemorySetup {
  std::unique_ptr<memory::Timing> timing;
  std::string description;                             // "layer-swap over ddr3-1600-x16"
  MemoryModel model = {};                              // never auto
  std::optional<base::Bytes> capacity = std::nullopt;  // of models with a link
  std::optional<base::BytesPerSecond> host_bandwidth = std::nullopt;
  std::optional<base::BytesPerSecond> peak_bandwidth = std::nullopt;  // of the DRAM, where it is known
  std::vector<std::string> choices = {};                              // what was taken from where
  std::vector<std::string> warnings = {};
};

// Fails for a streaming model without a manifest, and says how to make one.
base::Result<MemorySetup> set_up_memory(const MemoryWishes& wishes);

}  // namespace accelscope::emulator
