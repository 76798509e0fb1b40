// Whatever the bytes, the readers of boards, settings and models answer with something that can be calculated
// with, the same every time, or with an error that says something.
#include <cstdint>
#include <string_view>

#include "boards/board_file.h"
#include "boards/model_file.h"
#include "boards/settings_file.h"
#include "require.h"
#include "target_name.h"

namespace {

namespace base = accelscope::base;
namespace boards = accelscope::boards;

std::string_view g_target;  // board, settings or model

void check(const boards::Board& board) {
  require(!board.name.empty() && board.clock.known(), "a board has a name and a clock");
  require(!board.memory.capacity() || board.memory.capacity()->value > 0, "capacities are above 0");
  require(!board.memory.bandwidth() || board.memory.bandwidth()->value > 0, "bandwidths are above 0");
  require(!board.host_link || board.host_link->bandwidth.value > 0, "links are above 0");
  const auto on_chip = board.resources.on_chip_memory();
  require(!on_chip || on_chip->value >= 0, "memory on the chip fits 63 bits");
  require(boards::unused_fields(board).size() < boards::board_fields().size(), "some fields are used");
}

void check(const boards::ReadSettings& read) {
  for (const auto* tree : {&read.settings.analytic, &read.settings.transactional}) {
    const boards::SettingsConfig& config = tree->config;
    require(config.mlen > 0 && config.vlen > 0 && config.blen > 0 && config.hlen > 0, "lengths are above 0");
    require(tree->precision.matrix_weights.element.bits() > 0, "elements have bits");
    require(boards::with_profile(tree->latency, config.latency_profile).has_value(), "profiles are known");
  }
}

void check(const boards::Model& model) {
  const boards::TextModel& text = model.text;
  require(!text.layers.empty() && text.hidden > 0 && text.intermediate > 0, "a model has layers and shapes");
  require(text.kv_heads > 0 && text.heads % text.kv_heads == 0 && text.head_dim > 0,
          "heads are shared evenly");
  for (const boards::ModelLayer& layer : text.layers) {
    require(layer.attention == boards::AttentionKind::kFull || text.sliding_window > 0,
            "windows have a size");
    require(layer.feed_forward == boards::FeedForwardKind::kDense || text.experts, "experts are described");
  }
  require(!text.experts || text.experts->per_token <= text.experts->count, "experts can be chosen");
  require(!model.vision || (model.vision->heads > 0 && model.vision->patch_size > 0), "towers have patches");
}

bool same(const boards::ReadSettings& a, const boards::ReadSettings& b) {
  return a.settings == b.settings && a.remarks == b.remarks;
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

template <class Read>
void fuzz(std::string_view text, Read&& read) {
  const base::MappedFile file = base::MappedFile::from_memory("fuzzed-input", text);
  const auto first = read(file);
  const auto second = read(file);
  require(first.has_value() == second.has_value(), "the same bytes read alike");
  if (!first) {
    require(!first.error().message.empty(), "an error has a message");
    require(first.error().to_string() == second.error().to_string(), "the same bytes give the same message");
    return;
  }
  require(same(*first, *second), "the same bytes give the same");
  check(*first);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  g_target = target_name(*argc, *argv);
  require(g_target == "board" || g_target == "settings" || g_target == "model",
          "the target is a kind of file");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (g_target == "board") fuzz(text, boards::read_board);
  if (g_target == "settings") fuzz(text, boards::read_settings);
  if (g_target == "model") fuzz(text, boards::read_model);
  return 0;
}
