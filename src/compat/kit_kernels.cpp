#include "compat/kit_kernels.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/csv.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool contains_ignoring_case(std::string_view text, std::string_view lower_part) {
  return lower_case(text).find(lower_part) != std::string::npos;
}

std::string kit_category(std::string_view word) {
  std::string category = lower_case(word);
  return category == "transposec" ? "transpose" : category;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> tokens;
  while (true) {
    const std::size_t bar = text.find('_');
    tokens.push_back(text.substr(0, bar));
    if (bar == std::string_view::npos) return tokens;
    text.remove_prefix(bar + 1);
  }
}

// The kit's reading of a symbol, by the position of its words.
struct KitParts {
  std::string_view dtype, xnn_op, variant, shape, arch;
};

KitParts kit_parts(std::string_view symbol) {
  KitParts parts;
  const std::size_t bars = symbol.find("__");
  if (bars != std::string_view::npos) parts.arch = symbol.substr(bars + 2);
  const std::vector<std::string_view> tokens = split(symbol.substr(0, bars));
  if (tokens.size() > 1) parts.dtype = tokens[1];
  if (tokens.size() > 2) parts.xnn_op = tokens[2];
  const auto ukernel = std::find(tokens.begin(), tokens.end(), "ukernel");
  if (ukernel == tokens.end()) return parts;
  if (ukernel - tokens.begin() >= 4) parts.variant = tokens[3];
  if (ukernel + 1 != tokens.end()) parts.shape = ukernel[1];
  return parts;
}

std::string_view architecture_of(std::string_view name) {
  const std::string lower = lower_case(name);
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  if (has("sme2")) return "SME2";
  if (has("sme")) return "SME";
  return has("neon") || has("aarch64") ? "NEON" : "Other";
}

void append_row(base::Output& out, std::initializer_list<std::string_view> cells) {
  bool first = true;
  for (const std::string_view cell : cells) {
    if (!first) out.append(',');
    base::append_csv_cell(out, cell);
    first = false;
  }
  out.append("\r\n");
}

}  // namespace

std::vector<KitKernel> kit_kernels(const trace::Trace& log) {
  std::vector<KitKernel> kernels;
  const trace::CategoryId registered = log.find_category(trace::category::kKernelRegistered);
  if (registered == trace::CategoryId::kNone) return kernels;
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::uint32_t i = 0; i < log.instants().size(); ++i) {
    if (log.instants().category[i] != registered) continue;
    const std::string_view name = log.text(log.instants().name[i]);
    const auto [row, is_new] = rows.try_emplace(name, kernels.size());
    if (is_new) kernels.push_back({.name = name, .category = {}, .count = 0});
    KitKernel& kernel = kernels[row->second];
    const trace::ArgId args = log.instants().first_arg[i];
    const trace::Value family = log.find_arg(args, trace::arg::kKernelFamily);
    const trace::Value count = log.find_arg(args, trace::arg::kCount);
    if (family.type == trace::ValueType::kString) kernel.category = kit_category(log.text(family.as_text()));
    kernel.count += count.type == trace::ValueType::kInt ? static_cast<std::uint64_t>(count.as_int()) : 1;
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KitKernel& a, const KitKernel& b) { return a.count > b.count; });
  return kernels;
}

void write_kit_kernels_csv(base::Output& out, std::span<const KitKernel> kernels, std::string_view model_id) {
  append_row(out, {"model_id", "kernel_name", "category", "count", "dtype", "xnn_op", "variant",
                   "ukernel_shape", "arch_chain", "has_sme", "has_sme2"});
  for (const KitKernel& kernel : kernels) {
    const KitParts parts = kit_parts(kernel.name);
    const std::string_view sme = contains_ignoring_case(parts.arch, "sme") ? "1" : "0";
    const std::string_view sme2 = contains_ignoring_case(parts.arch, "sme2") ? "1" : "0";
    append_row(out, {model_id, kernel.name, kernel.category, fmt::format("{}", kernel.count), parts.dtype,
                     parts.xnn_op, parts.variant, parts.shape, parts.arch, sme, sme2});
  }
}

KitKernelView kit_pipeline_view(std::string_view stem) {
  return {.title = fmt::format("{}: GEMM/IGEMM Kernel view (XNNPACK Delegated):", stem), .filter = "gemm"};
}

void write_kit_kernel_view(base::Output& out, std::span<const KitKernel> on, std::span<const KitKernel> off,
                           const KitKernelView& view) {
  struct Presence {
    bool on = false;
    bool off = false;
  };
  const std::string filter = lower_case(view.filter);
  std::map<std::string_view, Presence> names;
  for (const KitKernel& kernel : on)
    if (contains_ignoring_case(kernel.name, filter)) names[kernel.name].on = true;
  for (const KitKernel& kernel : off)
    if (contains_ignoring_case(kernel.name, filter)) names[kernel.name].off = true;
  out.append(fmt::format("#### **{}**\n\n", view.title));
  if (names.empty()) {
    out.append("No kernels found matching the filter criteria.\n");
    return;
  }
  out.append("| Kernel Name | SME2-On | SME2-Off | Architecture | Delegation |\n");
  out.append("|-------------|----------|----------|-------------|------------|\n");
  const auto cell = [](bool present) { return present ? "\u2705 **Present**" : "\u274C **Absent**"; };
  for (const auto& [name, presence] : names)
    out.append(fmt::format("| `{}` | {} | {} | {} | XNNPACK Delegated |\n", name, cell(presence.on),
                           cell(presence.off), architecture_of(name)));
}

}  // namespace accelscope::compat
