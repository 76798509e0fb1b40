// Writes ETDumps as the runtime does: values that equal the default are not stored, delegate events have no
// name but an identifier and a (possibly empty) vector of metadata, every event carries its own copy of its
// name. For tests, examples and converters.
//
// Plain data in, bytes out; the same Dump gives the same bytes. Safe from any thread; the caller owns the
// result.
//
//   Dump dump{{Block{.name = "Execute", .events = {ProfileEvent{.name = "Method::execute", .chain = -1,
//              .instruction = 0, .start = 100, .end = 900}}}}};
//   std::string file = write_etdump(dump);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "formats/etdump/damage.h"

namespace accelscope::formats::etdump {

// Delegated when one of the two identifiers is there.
struct ProfileEvent {
  std::string name = {};  // empty: not stored
  std::int32_t chain = 0;
  std::int32_t instruction = -1;
  std::optional<std::int32_t> delegate_number = {};
  std::optional<std::string> delegate_name = {};
  std::string metadata = {};  // stored for delegated events only
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

struct AllocationEvent {
  std::int32_t allocator = 0;  // from 1
  std::uint64_t bytes = 0;
};

struct TensorValue {
  std::int8_t scalar_type = 6;
  std::vector<std::int64_t> sizes = {};
  std::vector<std::int64_t> strides = {};
  std::int64_t offset = 0;
};

struct DebugEvent {
  using Value =
      std::variant<std::monostate, std::int64_t, bool, float, double, TensorValue, std::vector<TensorValue>>;
  std::int64_t chain = -1;
  std::int32_t instruction = 0;
  std::string name = {};
  std::optional<std::int32_t> delegate_number = {};
  std::optional<std::string> delegate_name = {};
  Value value = {};
  std::optional<bool> is_output = {};
};

using Event = std::variant<ProfileEvent, AllocationEvent, DebugEvent>;

struct Block {
  std::string name = {};
  std::int32_t bundled_input_index = -1;
  std::vector<std::string> allocators = {};
  std::vector<Event> events = {};  // empty: the vector is not stored
};

struct Dump {
  std::vector<Block> blocks = {};
};

std::string write_etdump(const Dump& dump, Prefix prefix = Prefix::kSize);

// What a board prints: the commands that recreate the files, with the dump in base64. With `line_width` the
// base64 text is wrapped as a terminal would.
std::string write_uart_log(const Dump& dump, std::size_t line_width = 0);

}  // namespace accelscope::formats::etdump
