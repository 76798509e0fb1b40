#include "boards/settings_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/preset_file.h"
#include "base/utf8.h"
#include "boards/config_formats.h"
#include "boards/config_reader.h"
#include "boards/config_toml.h"

namespace accelscope::boards {
namespace {

// Bounds that no accelerator reaches, and that keep what is multiplied later within 64 bits.
constexpr ConfigRange kLoopRange{1, std::uint64_t{1} << 40U};
constexpr ConfigRange kSwitchRange{0, 1U << 20U};

enum class Need : std::uint8_t { kRequired, kOptional };

struct ConfigField {
  std::string_view key;
  std::uint64_t SettingsConfig::*place;
  ConfigRange range;
  Need need = Need::kRequired;
};
constexpr std::array kConfigFields{
    ConfigField{"MAX_LOOP_INSTRUCTIONS", &SettingsConfig::max_loop_instructions, kLoopRange},
    ConfigField{"BLEN", &SettingsConfig::blen, kTileRange},
    ConfigField{"HLEN", &SettingsConfig::hlen, kTileRange},
    ConfigField{"MLEN", &SettingsConfig::mlen, kTileRange},
    ConfigField{"VLEN", &SettingsConfig::vlen, kTileRange},
    ConfigField{"BROADCAST_AMOUNT", &SettingsConfig::broadcast_amount, kTileRange},
    ConfigField{"HBM_WIDTH", &SettingsConfig::hbm_width_bits, kWidthRange, Need::kOptional},
    ConfigField{"MATRIX_SRAM_SIZE", &SettingsConfig::matrix_sram_rows, kRowRange},
    ConfigField{"VECTOR_SRAM_SIZE", &SettingsConfig::vector_sram_rows, kRowRange},
    ConfigField{"HBM_M_Prefetch_Amount", &SettingsConfig::matrix_prefetch_rows, kRowRange},
    ConfigField{"HBM_V_Prefetch_Amount", &SettingsConfig::vector_prefetch_rows, kRowRange},
    ConfigField{"HBM_V_Writeback_Amount", &SettingsConfig::vector_writeback_rows, kRowRange},
};

struct PrecisionField {
  std::string_view key;
  NumberFormat SettingsPrecision::*place;
  Need need = Need::kRequired;
};
constexpr std::array kPrecisionFields{
    PrecisionField{"MATRIX_SRAM_TYPE", &SettingsPrecision::matrix_sram},
    PrecisionField{"VECTOR_SRAM_TYPE", &SettingsPrecision::vector_sram},
    PrecisionField{"HBM_M_WEIGHT_TYPE", &SettingsPrecision::matrix_weights},
    PrecisionField{"HBM_M_KV_TYPE", &SettingsPrecision::matrix_kv},
    PrecisionField{"HBM_V_ACT_TYPE", &SettingsPrecision::vector_activations},
    PrecisionField{"HBM_V_KV_TYPE", &SettingsPrecision::vector_kv},
    PrecisionField{"HBM_V_INT_TYPE", &SettingsPrecision::vector_integers, Need::kOptional},
    PrecisionField{"SCALAR_FP", &SettingsPrecision::scalar_fp, Need::kOptional},
};

struct SettingsLatencyField {
  std::string_view key;
  SettingsLatency SettingsLatencies::*place;
  Need need = Need::kRequired;
};
constexpr std::array kSettingsLatencyFields{
    SettingsLatencyField{"SYSTOLIC_PROCESSING_OVERHEAD", &SettingsLatencies::systolic_processing_overhead},
    SettingsLatencyField{"VECTOR_LONGEST_OPERATE_CYCLES", &SettingsLatencies::vector_longest_operate,
                         Need::kOptional},
    SettingsLatencyField{"VECTOR_BASIC_CYCLES", &SettingsLatencies::vector_basic, Need::kOptional},
    SettingsLatencyField{"VECTOR_ADD_CYCLES", &SettingsLatencies::vector_add},
    SettingsLatencyField{"VECTOR_MUL_CYCLES", &SettingsLatencies::vector_mul},
    SettingsLatencyField{"VECTOR_EXP_CYCLES", &SettingsLatencies::vector_exp},
    SettingsLatencyField{"VECTOR_PREFIX_SCAN_CYCLES", &SettingsLatencies::vector_prefix_scan,
                         Need::kOptional},
    SettingsLatencyField{"VECTOR_SHIFT_CYCLES", &SettingsLatencies::vector_shift, Need::kOptional},
    SettingsLatencyField{"VECTOR_RECI_CYCLES", &SettingsLatencies::vector_reci},
    SettingsLatencyField{"VECTOR_MAX_CYCLES", &SettingsLatencies::vector_max},
    SettingsLatencyField{"VECTOR_SUM_CYCLES", &SettingsLatencies::vector_sum},
    SettingsLatencyField{"SCALAR_FP_LONGEST_OPERATE_CYCLES", &SettingsLatencies::scalar_fp_longest_operate,
                         Need::kOptional},
    SettingsLatencyField{"SCALAR_FP_BASIC_CYCLES", &SettingsLatencies::scalar_fp_basic},
    SettingsLatencyField{"SCALAR_FP_EXP_CYCLES", &SettingsLatencies::scalar_fp_exp},
    SettingsLatencyField{"SCALAR_FP_SQRT_CYCLES", &SettingsLatencies::scalar_fp_sqrt},
    SettingsLatencyField{"SCALAR_FP_RECI_CYCLES", &SettingsLatencies::scalar_fp_reci},
    SettingsLatencyField{"SCALAR_INT_BASIC_CYCLES", &SettingsLatencies::scalar_int_basic},
};

class SettingsTreeReader {
 public:
  SettingsTreeReader(const SettingsTree& otherwise, std::vector<std::string>& unknown)
      : tree_(otherwise), unknown_(unknown) {}

  SettingsTree read(ConfigMap map) {
    read_config(map.required_map("CONFIG"));
    read_precision(map.required_map("PRECISION"));
    read_latency(map.required_map("LATENCY"));
    note_unknown(map);
    return tree_;
  }

 private:
  void note_unknown(const ConfigMap& map) {
    std::vector<std::string> keys = map.unknown();
    unknown_.insert(unknown_.end(), std::make_move_iterator(keys.begin()),
                    std::make_move_iterator(keys.end()));
  }

  // A key is a table with a `value`.
  std::optional<std::uint64_t> value(ConfigMap& config, std::string_view key, ConfigRange range, Need need) {
    if (need == Need::kRequired) config.complain_if_missing(key);
    ConfigMap table = config.map(key);
    table.complain_if_missing("value");
    const auto number = table.integer("value", range);
    note_unknown(table);
    return number;
  }

  void read_config(ConfigMap config) {
    if (!config.present()) return;
    if (const auto enabled = value(config, "DC_EN", kSwitchRange, Need::kRequired))
      tree_.config.dc_enabled = *enabled != 0;
    for (const ConfigField& field : kConfigFields)
      if (const auto number = value(config, field.key, field.range, field.need))
        tree_.config.*field.place = *number;
    if (const auto bytes = value(config, "HBM_SIZE", kByteRange, Need::kRequired))
      tree_.config.hbm_size = base::Bytes{static_cast<std::int64_t>(*bytes)};
    read_profile(config);
    note_unknown(config);
  }

  void read_profile(ConfigMap& config) {
    ConfigMap table = config.map("LATENCY_PROFILE");
    tree_.config.latency_profile = base::replace_invalid_utf8(table.text("value").value_or(""));
    if (const auto known = with_profile({}, tree_.config.latency_profile); !known)
      table.problem("value", "{}", known.error().message);
    note_unknown(table);
  }

  std::optional<ElementType> element(ConfigMap map) {
    if (!map.present()) return std::nullopt;
    const std::string type = map.required_text("type");
    std::optional<ElementType> made;
    if (type == "Fp")
      made = float_element(map);
    else if (type == "Int")
      made = integer_element(map);
    else if (!type.empty())
      map.problem("type", "`Fp` or `Int` is expected, this is `{}`", shown(type));
    note_unknown(map);
    return made;
  }

  // Whether a format has blocks is told by the keys that are there, not by what `format` says; what it says
  // counts for the rule of blocks only.
  std::optional<NumberFormat> format(ConfigMap map) {
    if (map.has("type")) {
      const auto made = element(map);
      return made ? std::optional(NumberFormat{*made}) : std::nullopt;
    }
    const bool by_ocp = map.text("format") == "OcpMx";
    std::optional<NumberFormat> made;
    if (map.has("ELEM") || map.has("SCALE") || map.has("block")) {
      const auto block = map.required_integer("block", kBlockRange);
      const auto elements = element(map.required_map("ELEM"));
      const auto scale = element(map.required_map("SCALE"));
      if (elements && scale)
        made = NumberFormat{*elements, static_cast<std::uint32_t>(block), *scale,
                            by_ocp ? BlockRule::kOcp : BlockRule::kReference};
    } else if (by_ocp) {
      map.problem("format", "`OcpMx` is a format in blocks: `block`, `ELEM` and `SCALE` are expected");
    } else if (const auto elements = element(map.required_map("DATA_TYPE"))) {
      made = NumberFormat{*elements};
    }
    note_unknown(map);
    return made;
  }

  void read_precision(ConfigMap precision) {
    if (!precision.present()) return;
    for (const PrecisionField& field : kPrecisionFields) {
      if (field.need == Need::kRequired) precision.complain_if_missing(field.key);
      ConfigMap map = precision.map(field.key);
      if (!map.present()) continue;
      if (const auto made = format(map)) tree_.precision.*field.place = *made;
    }
    note_unknown(precision);
  }

  void read_latency(ConfigMap latency) {
    if (!latency.present()) return;
    for (const SettingsLatencyField& field : kSettingsLatencyFields) {
      if (field.need == Need::kRequired) latency.complain_if_missing(field.key);
      ConfigMap map = latency.map(field.key);
      if (!map.present()) continue;
      tree_.latency.*field.place = {map.required_integer("dc_lib_en", kLatencyRange),
                                    map.required_integer("dc_lib_dis", kLatencyRange)};
      note_unknown(map);
    }
    note_unknown(latency);
  }

  SettingsTree tree_;
  std::vector<std::string>& unknown_;
};

std::string read_mode(ConfigMap map, std::string otherwise) {
  std::string mode = map.text("active").value_or(std::move(otherwise));
  if (mode != "analytic" && mode != "transactional")
    map.problem("active", "`analytic` or `transactional` is expected, this is `{}`", shown(mode));
  return mode;
}

void read_trees(ConfigMap& map, ReadSettings& read, std::vector<std::string>& unknown) {
  Settings& settings = read.settings;
  if (map.has("ANALYTIC"))
    settings.analytic = SettingsTreeReader(settings.analytic, unknown).read(map.map("ANALYTIC"));
  else
    read.remarks.emplace_back("There is no tree ANALYTIC; the shipped values stand for it.");
  const bool has_older = map.has("BEHAVIOR");
  if (map.has("TRANSACTIONAL")) {
    settings.transactional =
        SettingsTreeReader(settings.transactional, unknown).read(map.map("TRANSACTIONAL"));
    if (has_older)
      read.remarks.emplace_back("The tree BEHAVIOR is not read, because there is TRANSACTIONAL.");
  } else if (has_older) {
    settings.transactional = SettingsTreeReader(settings.transactional, unknown).read(map.map("BEHAVIOR"));
  } else {
    read.remarks.emplace_back("There is no tree TRANSACTIONAL; the shipped values stand for it.");
  }
}

// "KEY = { value = 1 }" with the value that the configuration has for it; other lines as they are.
std::string with_value(std::string_view line, const SettingsConfig& config) {
  const std::string_view key = line.substr(0, line.find(' '));
  const auto* const field =
      std::find_if(kConfigFields.begin(), kConfigFields.end(),
                   [&](const ConfigField& one) { return !key.empty() && one.key == key; });
  if (field == kConfigFields.end()) return std::string(line);
  return fmt::format("{} = {{ value = {} }}", key, config.*field->place);
}

}  // namespace

base::Result<ReadSettings> read_settings(const base::MappedFile& file) {
  ACCELSCOPE_TRY(const ConfigNode root, read_toml(file));
  ConfigProblems problems(file.path());
  ConfigMap map(root, problems);
  ReadSettings read{default_settings(), {}};
  std::vector<std::string> unknown;
  read.settings.active_mode = read_mode(map.map("MODE"), read.settings.active_mode);
  read_trees(map, read, unknown);
  if (!map.has("ANALYTIC") && !map.has("TRANSACTIONAL") && !map.has("BEHAVIOR"))
    problems.add(0, "has neither a tree ANALYTIC nor TRANSACTIONAL: these are no settings of an accelerator");
  for (std::string& key : map.unknown()) unknown.push_back(std::move(key));
  ACCELSCOPE_CHECK(problems.status());
  constexpr std::size_t kMostRemarks = 100;
  for (std::size_t i = 0; i < unknown.size() && i < kMostRemarks; ++i)
    read.remarks.push_back(fmt::format("`{}` is not known and was not read.", unknown[i]));
  if (unknown.size() > kMostRemarks)
    read.remarks.push_back(fmt::format("{} more keys are not known.", unknown.size() - kMostRemarks));
  return read;
}

base::Result<ReadSettings> load_settings(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file,
                 base::open_preset(path, "settings file", settings_presets(), kMaxConfigBytes));
  return read_settings(file);
}

void write_settings(const SettingsConfig& transactional, base::Output& out) {
  std::string_view rest = settings_presets().front().text;
  bool inside = false;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.starts_with('[')) inside = line == "[TRANSACTIONAL.CONFIG]";
    out.append(inside ? with_value(line, transactional) : std::string(line));
    out.append('\n');
  }
}

}  // namespace accelscope::boards
