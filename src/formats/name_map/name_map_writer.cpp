#include "formats/name_map/name_map_writer.h"

#include <string>

#include "base/json_writer.h"

namespace accelscope::formats::name_map {

void write_name_map(const NameMap& names, base::Output& out) {
  // Of a chip, which is the second level of the machine.
  constexpr int kChip = 2;
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("level", kChip);
  json.key("orchestrator_name");
  if (names.orchestrator.empty())
    json.null();
  else
    json.value(names.orchestrator);
  json.key("callable_id_to_name").begin_object();
  for (const auto& [number, name] : names.functions) json.member(std::to_string(number), name);
  json.end_object().end_object();
  out.append('\n');
}

}  // namespace accelscope::formats::name_map
