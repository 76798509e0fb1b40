#include "memory/dram_options.h"

#include <fmt/format.h>

#include <array>

#include "base/closest_name.h"

namespace accelscope::memory {
namespace {

constexpr std::array<std::string_view, 3> kRefreshes{"none", "all-bank", "per-bank"};
constexpr std::array<std::string_view, 2> kPages{"open", "closed"};
constexpr std::array<std::string_view, 2> kFidelities{"closed-form", "event"};

template <class Kind>
base::Result<Kind> found(std::string_view name, std::string_view what,
                         std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Kind>(i);
  return base::fail(base::ErrorCode::kUsage, "there is no {} `{}`: {}{}", what, name, fmt::join(names, ", "),
                    base::suggestion(name, names));
}

}  // namespace

std::string_view name_of(RefreshKind kind) {
  return kRefreshes[static_cast<std::size_t>(kind)];
}
std::string_view name_of(PagePolicy policy) {
  return kPages[static_cast<std::size_t>(policy)];
}
std::string_view name_of(Fidelity fidelity) {
  return kFidelities[static_cast<std::size_t>(fidelity)];
}
base::Result<RefreshKind> refresh_kind_of(std::string_view name) {
  return found<RefreshKind>(name, "kind of refresh", kRefreshes);
}
base::Result<PagePolicy> page_policy_of(std::string_view name) {
  return found<PagePolicy>(name, "page policy", kPages);
}
base::Result<Fidelity> fidelity_of(std::string_view name) {
  return found<Fidelity>(name, "fidelity", kFidelities);
}
std::span<const std::string_view> refresh_kind_names() {
  return kRefreshes;
}
std::span<const std::string_view> page_policy_names() {
  return kPages;
}
std::span<const std::string_view> fidelity_names() {
  return kFidelities;
}

}  // namespace accelscope::memory
