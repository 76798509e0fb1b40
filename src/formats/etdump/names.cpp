#include "formats/etdump/names.h"

#include "base/utf8.h"

namespace accelscope::formats::etdump {
namespace {

using trace::StringId;

constexpr unsigned kGuessBits = 13;
// Comparing longer names counts against the budget, like hashing them.
constexpr std::size_t kLongestGuess = 512;

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

ValueUnit unit_of_suffix(std::string_view name) {
  if (name.ends_with(" (us)")) return ValueUnit::kMicroseconds;
  if (name.ends_with(" (cycles)")) return ValueUnit::kCycles;
  if (name.ends_with(" (bytes)")) return ValueUnit::kBytes;
  if (name.ends_with(" (count)")) return ValueUnit::kCount;
  return ValueUnit::kNotSaid;
}

}  // namespace

std::string_view backend_name(Backend backend) {
  switch (backend) {
    case Backend::kUnknown:
      return "";
    case Backend::kXnnpack:
      return "XNNPACK";
    case Backend::kVulkan:
      return "Vulkan";
    case Backend::kVgf:
      return "VGF";
    case Backend::kEthosU:
      return "Ethos-U";
    case Backend::kQnn:
      return "QNN";
  }
  return "";
}

std::string_view unit_name(ValueUnit unit) {
  switch (unit) {
    case ValueUnit::kNotSaid:
      return "";
    case ValueUnit::kNanoseconds:
      return "ns";
    case ValueUnit::kMicroseconds:
      return "us";
    case ValueUnit::kCycles:
      return "cycles";
    case ValueUnit::kBytes:
      return "bytes";
    case ValueUnit::kCount:
      return "count";
  }
  return "";
}

NameTraits traits_of(std::string_view name) {
  NameTraits traits;
  traits.role = trace::role_of_name(name);
  traits.unit = unit_of_suffix(name);
  if (traits.unit != ValueUnit::kNotSaid) {
    traits.backend = Backend::kQnn;
  } else if (trace::is_numbered_name(name)) {
    traits.backend = Backend::kXnnpack;
    traits.numbered = true;
  } else if (has_part(name, "\"dispatch_id\":")) {
    traits.backend = Backend::kVulkan;
    traits.unit = ValueUnit::kNanoseconds;  // of the GPU's clock
  } else if (name.starts_with("ETVK_")) {
    traits.backend = Backend::kVulkan;
  } else if (name.starts_with("VGF_")) {
    traits.backend = Backend::kVgf;
  } else if (has_part(name, "EthosUBackend")) {
    traits.backend = Backend::kEthosU;
  }
  return traits;
}

NameTable::NameTable(trace::TraceBuilder& builder, std::size_t file_bytes)
    : builder_(builder),
      budget_(std::uint64_t{file_bytes} * 8 + 65536),
      guesses_(std::size_t{1} << kGuessBits, StringId::kEmpty),
      known_(1) {}

StringId& NameTable::guess() {
  const std::uint32_t context = index(last_) * 0x9E3779B1U + index(before_last_) * 0x85EBCA77U;
  return guesses_[context >> (32 - kGuessBits)];
}

bool NameTable::within_budget(std::size_t bytes) {
  if (bytes > budget_) {
    exhausted_ = true;
    return false;
  }
  budget_ -= bytes;
  return true;
}

StringId NameTable::intern(std::string_view raw) {
  StringId& name = guess();
  if (raw.size() > kLongestGuess || raw != builder_.text(name)) name = look_up(raw);
  before_last_ = last_;
  last_ = name;
  return name;
}

StringId NameTable::look_up(std::string_view raw) {
  if (!within_budget(raw.size())) return StringId::kEmpty;
  const bool valid = base::is_valid_utf8(raw);
  if (!valid) ++repaired_;
  const StringId id = builder_.intern(valid ? raw : base::replace_invalid_utf8(raw));
  if (index(id) >= known_.size()) known_.resize(std::size_t{index(id)} + 1);
  KnownName& known = known_[index(id)];
  if (!known.examined) known = {true, traits_of(builder_.text(id))};
  return id;
}

StringId NameTable::intern_bytes(std::string_view raw) {
  if (raw.data() == last_bytes_.data() && raw.size() == last_bytes_.size()) return last_bytes_id_;
  last_bytes_ = raw;
  last_bytes_id_ = within_budget(raw.size()) ? builder_.intern(raw) : StringId::kEmpty;
  return last_bytes_id_;
}

}  // namespace accelscope::formats::etdump
