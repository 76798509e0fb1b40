#include "boards/config_node.h"

namespace accelscope::boards {

base::Status check_config_size(const base::MappedFile& file) {
  if (file.size() <= kMaxConfigBytes) return {};
  return base::fail_at(base::Location::of_file(file.path()), base::ErrorCode::kTooLarge,
                       "has {} bytes; {} are the most", file.size(), kMaxConfigBytes);
}

}  // namespace accelscope::boards
