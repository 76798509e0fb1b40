#include "boards/manifest_from_build.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "base/json_cursor.h"
#include "base/number_in.h"
#include "boards/weight_manifest.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;
using base::JsonCursor;
using base::MappedFile;
using base::Result;
using Remark = BuildRemark::Kind;

constexpr std::string_view kAddresses = "hbm_addrs.json";
constexpr std::string_view kSizes = "hbm_sizes.json";
constexpr std::string_view kLayouts = "tensor_layouts.json";

// MX of E4M3 in blocks of 8, the compiler's only format: 9 bits an element, rounded down as the reference
// does.
constexpr std::uint64_t kNinths = 9;
constexpr std::uint64_t kEighths = 8;

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The value that stands next, if it is an integer of that type; anything else is moved past.
template <class Number>
std::optional<Number> integer_if_any(JsonCursor& json) {
  if (json.kind() == base::JsonKind::kNumber) return base::number_in<Number>(json.raw_value());
  json.skip_value();
  return std::nullopt;
}

using SizeByName = std::unordered_map<std::string, std::uint64_t>;

Result<SizeByName> read_sizes(const MappedFile& file) {
  SizeByName sizes;
  JsonCursor json(file.text(), file.path());
  json.begin_object();
  while (json.next_key()) {
    std::string name(json.key());
    const auto size = integer_if_any<std::int64_t>(json);
    // A later value of the same name counts, also where it is of no use.
    if (size && *size > 0)
      sizes[std::move(name)] = static_cast<std::uint64_t>(*size);
    else
      sizes.erase(name);
  }
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  return sizes;
}

// The product of a shape; nothing where it is no list of positive integers, or too large.
std::optional<std::uint64_t> elements_of_shape(JsonCursor& json) {
  if (json.kind() != base::JsonKind::kArray) {
    json.skip_value();
    return std::nullopt;
  }
  std::uint64_t product = 1;
  bool sound = true;
  json.begin_array();
  while (json.next_element()) {
    const auto side = integer_if_any<std::int64_t>(json);
    sound = sound && side && *side > 0 &&
            !__builtin_mul_overflow(product, static_cast<std::uint64_t>(*side), &product);
  }
  return sound ? std::optional(product) : std::nullopt;
}

std::optional<std::uint64_t> size_of_layout(JsonCursor& json) {
  if (json.kind() != base::JsonKind::kObject) {
    json.skip_value();
    return std::nullopt;
  }
  std::optional<std::uint64_t> elements;
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "storage_shape")
      elements = elements_of_shape(json);
    else
      json.skip_value();
  }
  std::uint64_t bits = 0;
  if (!elements || __builtin_mul_overflow(*elements, kNinths, &bits)) return std::nullopt;
  return bits / kEighths;
}

Result<SizeByName> read_layouts(const MappedFile& file) {
  SizeByName sizes;
  JsonCursor json(file.text(), file.path());
  json.begin_object();
  while (json.next_key()) {
    std::string name(json.key());
    if (const auto size = size_of_layout(json); size && *size > 0 && *size <= kLargestManifestNumber)
      sizes[std::move(name)] = *size;
  }
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  return sizes;
}

struct Placed {
  std::string name;
  std::uint64_t offset = 0;
};

// A name that comes again replaces what it said before, as in every reader of JSON.
void keep_last_of_each_name(std::vector<Placed>& tensors) {
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const Placed& a, const Placed& b) { return a.name < b.name; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i + 1 < tensors.size() && tensors[i].name == tensors[i + 1].name) continue;
    if (kept != i) tensors[kept] = std::move(tensors[i]);
    ++kept;
  }
  tensors.resize(kept);
}

class Builder {
 public:
  Result<BuildManifest> build(const BuildFiles& files) {
    ACCELSCOPE_TRY(const std::vector<Placed> tensors, read_addresses(*files.addresses));
    if (files.sizes != nullptr) {
      ACCELSCOPE_TRY(sizes_, read_sizes(*files.sizes));
    } else {
      remark(Remark::kNoSizesFile, "");
    }
    if (files.layouts != nullptr) {
      ACCELSCOPE_TRY(layouts_, read_layouts(*files.layouts));
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
      add(tensors[i], i + 1 < tensors.size() ? std::optional(tensors[i + 1].offset) : std::nullopt);
    ACCELSCOPE_CHECK(check_total(files.addresses->path()));
    find_ceiling();
    std::sort(result_.remarks.begin(), result_.remarks.end(),
              [](const BuildRemark& a, const BuildRemark& b) { return a.kind < b.kind; });
    return std::move(result_);
  }

 private:
  // Sorted by offset; of equal ones, by name.
  Result<std::vector<Placed>> read_addresses(const MappedFile& file) {
    std::vector<Placed> tensors;
    JsonCursor json(file.text(), file.path());
    json.begin_object();
    while (json.next_key()) {
      std::string name(json.key());
      const auto offset = integer_if_any<std::uint64_t>(json);
      if (!json.ok()) break;
      if (offset)
        tensors.push_back({std::move(name), *offset});
      else
        remark(Remark::kBadOffset, name);
    }
    json.expect_end();
    ACCELSCOPE_CHECK(json.status());
    keep_last_of_each_name(tensors);
    std::sort(tensors.begin(), tensors.end(), [](const Placed& a, const Placed& b) {
      return a.offset != b.offset ? a.offset < b.offset : a.name < b.name;
    });
    return tensors;
  }

  void add(const Placed& tensor, std::optional<std::uint64_t> next) {
    const std::uint64_t size = clamped(tensor, size_of(tensor, next), next);
    if (size == 0) return remark(Remark::kNoSize, tensor.name);
    const std::optional<std::uint32_t> layer = layer_of_tensor(tensor.name);
    if (!layer) remark(Remark::kBadLayer, tensor.name);
    result_.manifest.regions.push_back({layer.value_or(0), tensor.offset,
                                        base::Bytes{static_cast<std::int64_t>(size)},
                                        kind_of_tensor(tensor.name)});
    result_.names.push_back(tensor.name);
  }

  // 0 where nothing says it.
  std::uint64_t size_of(const Placed& tensor, std::optional<std::uint64_t> next) {
    if (const auto found = sizes_.find(tensor.name); found != sizes_.end()) {
      ++result_.sources.sizes_file;
      return found->second;
    }
    if (const auto found = layouts_.find(tensor.name); found != layouts_.end()) {
      ++result_.sources.layouts_file;
      return found->second;
    }
    if (!next || *next == tensor.offset) return 0;
    ++result_.sources.next_offset;
    return *next - tensor.offset;
  }

  std::uint64_t clamped(const Placed& tensor, std::uint64_t size, std::optional<std::uint64_t> next) {
    // The last one must end somewhere, too; no memory reaches that far.
    const std::uint64_t room =
        next ? *next - tensor.offset : std::numeric_limits<std::uint64_t>::max() - tensor.offset;
    if (size <= std::min(room, kLargestManifestNumber)) return size;
    remark(Remark::kClamped, tensor.name);
    return std::min(room, kLargestManifestNumber);
  }

  void remark(Remark kind, const std::string& name) {
    for (BuildRemark& known : result_.remarks) {
      if (known.kind == kind) {
        ++known.count;
        return;
      }
    }
    result_.remarks.push_back({kind, 1, name});
  }

  base::Status check_total(const std::string& path) const {
    std::uint64_t total = 0;
    for (const ManifestRegion& region : result_.manifest.regions) {
      total += static_cast<std::uint64_t>(region.size.value);
      if (total > kLargestManifestNumber)
        return base::fail_at(base::Location::of_file(path), ErrorCode::kTooLarge,
                             "the tensors up to offset {} hold more than {} bytes together", region.offset,
                             kLargestManifestNumber);
    }
    return {};
  }

  void find_ceiling() {
    for (const ManifestRegion& region : result_.manifest.regions) {
      if (region.kind != RegionKind::kWeight) continue;
      result_.manifest.activation_ceiling = region.offset;
      return;
    }
  }

  BuildManifest result_;
  SizeByName sizes_;
  SizeByName layouts_;
};

Result<std::optional<MappedFile>> open_if_there(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  ACCELSCOPE_TRY(MappedFile file, MappedFile::open(path.string()));
  return std::optional(std::move(file));
}

}  // namespace

RegionKind kind_of_tensor(std::string_view name) {
  for (const std::string_view stored : {"K_stored_", "V_stored_"}) {
    for (std::size_t at = name.find(stored); at != std::string_view::npos; at = name.find(stored, at + 1))
      if (at == 0 || name[at - 1] == '_') return RegionKind::kKv;
  }
  constexpr std::array<std::string_view, 4> kWeights{"V_PATCH_W", "V_PATCH_BIAS_POS", "V_CONNECTOR_W",
                                                     "V_CONNECTOR_B"};
  constexpr std::array<std::string_view, 6> kPrefixes{"W_", "V_W_", "V_B_", "V_LN1_", "V_LN2_", "V_POST_LN_"};
  const bool is_weight = std::find(kWeights.begin(), kWeights.end(), name) != kWeights.end() ||
                         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                                     [&](std::string_view prefix) { return name.starts_with(prefix); });
  return is_weight ? RegionKind::kWeight : RegionKind::kActivation;
}

std::optional<std::uint32_t> layer_of_tensor(std::string_view name) {
  // "_h3" at the end is a head, and the digits of fc1 and ln2 are part of a word.
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (end < name.size() && end >= 2 && name.substr(end - 2, 2) == "_h") name = name.substr(0, end - 2);
  std::size_t at = 0;
  while (at < name.size() && !is_digit(name[at])) {
    const bool word = at + 2 < name.size() && (name[at + 2] == '1' || name[at + 2] == '2') &&
                      ((small(name[at]) == 'f' && small(name[at + 1]) == 'c') ||
                       (small(name[at]) == 'l' && small(name[at + 1]) == 'n'));
    at += word ? 3 : 1;
  }
  std::size_t behind = at;
  while (behind < name.size() && is_digit(name[behind])) ++behind;
  if (behind == at) return 0;
  return base::number_in<std::uint32_t>(name.substr(at, behind - at));
}

Result<BuildManifest> manifest_from_files(const BuildFiles& files) {
  return Builder().build(files);
}

Result<BuildManifest> manifest_from_build(const std::string& directory) {
  const std::filesystem::path folder(directory);
  ACCELSCOPE_TRY(const std::optional<MappedFile> addresses, open_if_there(folder / kAddresses));
  if (!addresses)
    return base::fail_at(base::Location::of_file(directory), ErrorCode::kNotFound,
                         "there is no {} in this directory; the compiler's runner leaves it in a build "
                         "directory",
                         kAddresses);
  ACCELSCOPE_TRY(const std::optional<MappedFile> sizes, open_if_there(folder / kSizes));
  ACCELSCOPE_TRY(const std::optional<MappedFile> layouts, open_if_there(folder / kLayouts));
  return manifest_from_files({.addresses = &*addresses,
                              .sizes = sizes ? &*sizes : nullptr,
                              .layouts = layouts ? &*layouts : nullptr});
}

}  // namespace accelscope::boards
