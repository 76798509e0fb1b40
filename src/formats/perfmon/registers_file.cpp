#include "formats/perfmon/registers_file.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/json_cursor.h"
#include "base/json_writer.h"

namespace accelscope::formats::perfmon {
namespace {

using Field = std::optional<std::uint64_t> Registers::*;

constexpr std::array<std::pair<std::string_view, Field>, 5> kFields{{{"wptr", &Registers::wptr},
                                                                     {"samp_wrt", &Registers::samp_wrt},
                                                                     {"samp_crt", &Registers::samp_crt},
                                                                     {"buf_len", &Registers::buf_len},
                                                                     {"base", &Registers::base}}};

}  // namespace

std::string registers_path(const std::string& path_of_bytes) {
  return path_of_bytes + ".regs.json";
}

base::Result<Registers> read_registers(const base::MappedFile& file) {
  Registers registers;
  base::JsonCursor json(file.text(), file.path());
  json.begin_object();
  while (json.next_key()) {
    Field field = nullptr;
    for (const auto& [name, member] : kFields)
      if (json.key() == name) field = member;
    if (field == nullptr)
      json.skip_value();
    else
      registers.*field = json.unsigned_integer();
  }
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  return registers;
}

void write_registers(const Registers& registers, base::Output& out) {
  base::JsonWriter json(out);
  json.begin_object();
  for (const auto& [name, member] : kFields)
    if (const auto& value = registers.*member) json.member(name, *value);
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::formats::perfmon
