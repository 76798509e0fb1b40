#include "device/cost_file.h"

#include <fmt/core.h>

#include <array>
#include <variant>

#include "base/json_writer.h"
#include "device/settings_file.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;

// A second: what costs more than that is a mistake of units.
constexpr Picoseconds kMaxTime{1'000'000'000'000};

struct Range {
  double Costs::*field;
  double least, most;
};

struct Field {
  std::string_view key;
  std::variant<Picoseconds Costs::*, Range, std::uint64_t Costs::*> what;
};

// In the order of the struct, which is that of the file.
constexpr std::array kFields = {
    Field{"register_read_ns", &Costs::register_read},
    Field{"register_write_ns", &Costs::register_write},
    Field{"timestamp_read_ns", &Costs::timestamp_read},
    Field{"idle_loop_ns", &Costs::idle_loop},
    Field{"pop_task_ns", &Costs::pop_task},
    Field{"dispatch_task_ns", &Costs::dispatch_task},
    Field{"complete_block_ns", &Costs::complete_block},
    Field{"resolve_consumer_ns", &Costs::resolve_consumer},
    Field{"release_producer_ns", &Costs::release_producer},
    Field{"submit_task_ns", &Costs::submit_task},
    Field{"submit_argument_ns", &Costs::submit_argument},
    Field{"wire_edge_ns", &Costs::wire_edge},
    Field{"scope_ns", &Costs::scope},
    Field{"control_to_core_ns", &Costs::control_to_core},
    Field{"core_to_control_ns", &Costs::core_to_control},
    Field{"doorbell_ns", &Costs::doorbell},
    Field{"receive_to_start_ns", &Costs::receive_to_start},
    Field{"receive_to_start_cold_ns", &Costs::receive_to_start_cold},
    Field{"end_to_next_ns", &Costs::end_to_next},
    Field{"core_clock_mhz", Range{&Costs::core_clock_mhz, 1, 100'000}},
    Field{"cube_multiply_adds_per_cycle", Range{&Costs::cube_multiply_adds_per_cycle, 1e-3, 1e9}},
    Field{"vector_operations_per_cycle", Range{&Costs::vector_operations_per_cycle, 1e-3, 1e9}},
    Field{"scalar_operations_per_cycle", Range{&Costs::scalar_operations_per_cycle, 1e-3, 1e9}},
    Field{"bytes_per_cycle_read", Range{&Costs::bytes_per_cycle_read, 1e-3, 1e9}},
    Field{"bytes_per_cycle_written", Range{&Costs::bytes_per_cycle_written, 1e-3, 1e9}},
    Field{"bytes_per_cycle_moved", Range{&Costs::bytes_per_cycle_moved, 1e-3, 1e9}},
    Field{"kernel_start_ns", &Costs::kernel_start},
    Field{"jitter", Range{&Costs::jitter, 0, 0.99}},
    Field{"seed", &Costs::seed},
};

constexpr std::array<std::string_view, kFields.size()> key_names() {
  std::array<std::string_view, kFields.size()> names = {};
  for (std::size_t i = 0; i < kFields.size(); ++i) names[i] = kFields[i].key;
  return names;
}

Picoseconds read_time(base::JsonCursor& json) {
  const Picoseconds time{json.scaled_decimal(3)};
  if (json.ok() && (time < Picoseconds{} || time > kMaxTime))
    json.fail_here(ErrorCode::kMalformed, "is not from 0 to 1000000000 nanoseconds (one second)");
  return time;
}

// 600, 0.5, 12.345: nanoseconds, without a double in between.
void write_time(base::JsonWriter& json, Picoseconds time) {
  const std::int64_t nanoseconds = time.value / 1000;
  const std::int64_t rest = time.value % 1000;
  if (rest == 0) {
    json.value(nanoseconds);
    return;
  }
  std::string text = fmt::format("{}.{:03}", nanoseconds, rest);
  while (text.back() == '0') text.pop_back();
  json.raw(text);
}

}  // namespace

base::Result<Costs> read_costs(const base::MappedFile& file) {
  static constexpr auto kKeys = key_names();
  Costs costs;
  ACCELSCOPE_CHECK(read_settings(file, "cost file", kKeys, [&](std::size_t which, base::JsonCursor& json) {
    const auto& what = kFields[which].what;
    if (const auto* time = std::get_if<0>(&what))
      costs.*(*time) = read_time(json);
    else if (const auto* range = std::get_if<1>(&what))
      costs.*(range->field) = number_setting(json, range->least, range->most);
    else if (const auto* number = std::get_if<2>(&what))
      costs.*(*number) = json.unsigned_integer();
  }));
  return costs;
}

base::Result<Costs> load_costs(const std::string& name_or_path) {
  ACCELSCOPE_TRY(const base::MappedFile file, open_settings(name_or_path, "cost file", cost_presets()));
  return read_costs(file);
}

void write_costs(const Costs& costs, base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  for (const Field& field : kFields) {
    json.key(field.key);
    if (const auto* time = std::get_if<0>(&field.what))
      write_time(json, costs.*(*time));
    else if (const auto* range = std::get_if<1>(&field.what))
      json.value(costs.*(range->field));
    else if (const auto* number = std::get_if<2>(&field.what))
      json.value(costs.*(*number));
  }
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::device
