// Where records go: a function that is handed one buffer after the other, those of one producer in order.
//
// Called by one thread at a time. After an error it is not called again.
//
//   const TakeRecords take = [&](const recorder::BufferHeader& header, std::span<const std::byte> records) {
//     return writer.take(header, records);
//   };
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "accelscope/recorder/buffer.h"
#include "base/result.h"

namespace accelscope::capture {

using TakeRecords = std::function<base::Status(const recorder::BufferHeader&, std::span<const std::byte>)>;

// Calls it; an exception becomes an error.
base::Status call_sink(const TakeRecords& take, const recorder::BufferHeader& header,
                       std::span<const std::byte> records);

// In a handler: what was thrown, by whom.
base::Error error_of_exception(const char* who);

}  // namespace accelscope::capture
