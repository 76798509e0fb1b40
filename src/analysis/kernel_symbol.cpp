#include "analysis/kernel_symbol.h"

#include <algorithm>

namespace accelscope::analysis {
namespace {

constexpr std::string_view kSymbolTypes[] = {
    "bf16", "f16",  "f16acc", "f32",    "f32acc", "f64",  "pf16", "pf32", "pqs8", "qb4w", "qc2w",
    "qc4w", "qc8w", "qd8",    "qdu8",   "qp8",    "qs16", "qs8",  "qu8",  "s16",  "s32",  "s32acc",
    "s8",   "u16",  "u32",    "u32acc", "u8",     "x16",  "x24",  "x32",  "x64",  "x8",   "xx"};

struct IsaPrefix {
  std::string_view text;
  IsaClass isa;
};
// The longer of two that fit stands first.
constexpr IsaPrefix kIsaPrefixes[] = {
    {"neonsme2", IsaClass::kSme2}, {"sme2", IsaClass::kSme2},      {"neonsme", IsaClass::kSme},
    {"sme", IsaClass::kSme},       {"sve", IsaClass::kSve},        {"neoni8mm", IsaClass::kI8mm},
    {"i8mm", IsaClass::kI8mm},     {"neondot", IsaClass::kDot},    {"dotprod", IsaClass::kDot},
    {"neon", IsaClass::kNeon},     {"aarch64", IsaClass::kNeon},   {"aarch32", IsaClass::kNeon},
    {"asm", IsaClass::kOther},     {"armsimd32", IsaClass::kNeon}, {"rvv", IsaClass::kRiscV},
    {"scalar", IsaClass::kScalar}, {"hvx", IsaClass::kHexagon},    {"sse", IsaClass::kX86},
    {"ssse", IsaClass::kX86},      {"avx", IsaClass::kX86},        {"fma3", IsaClass::kX86},
    {"f16c", IsaClass::kX86},      {"amd64", IsaClass::kX86},      {"xop", IsaClass::kX86},
    {"amx", IsaClass::kX86},       {"wasm", IsaClass::kWasm}};

const IsaPrefix* isa_of(std::string_view token) {
  const auto found = std::find_if(std::begin(kIsaPrefixes), std::end(kIsaPrefixes),
                                  [&](const IsaPrefix& row) { return token.starts_with(row.text); });
  return found == std::end(kIsaPrefixes) ? nullptr : found;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "32x32c2", "16x4c16s2", "3p16c", "7p7x", "9x", "u16": digits, then x or p; or u and digits.
bool is_tile(std::string_view token) {
  if (token.size() > 1 && token[0] == 'u')
    return std::all_of(token.begin() + 1, token.end(), [](char c) { return is_digit(c) || c == 'v'; });
  std::size_t digits = 0;
  while (digits < token.size() && is_digit(token[digits])) ++digits;
  return digits > 0 && digits < token.size() && (token[digits] == 'x' || token[digits] == 'p');
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> tokens;
  while (!text.empty()) {
    const std::size_t bar = text.find('_');
    if (bar != 0) tokens.push_back(text.substr(0, bar));
    if (bar == std::string_view::npos) break;
    text.remove_prefix(bar + 1);
  }
  return tokens;
}

void add_arch(KernelSymbol& kernel, std::string_view token, IsaClass isa) {
  // "asm_aarch64" is one word of the grammar.
  if (!kernel.arch.empty() && kernel.arch.back() == "asm" && kernel.arch.back().data() + 4 == token.data()) {
    kernel.arch.back() = {kernel.arch.back().data(), 4 + token.size()};
  } else {
    kernel.arch.push_back(token);
  }
  kernel.isa = std::max(kernel.isa, isa);
}

// What follows "ukernel": a tile, instruction sets, and everything else as the algorithm.
void take_details(KernelSymbol& kernel, std::string_view text) {
  for (const std::string_view token : split(text)) {
    const IsaPrefix* isa = isa_of(token);
    if (kernel.tile.empty() && is_tile(token)) {
      kernel.tile = token;
    } else if (isa != nullptr) {
      add_arch(kernel, token, isa->isa);
    } else {
      if (!kernel.algorithm.empty()) kernel.algorithm += '_';
      kernel.algorithm += token;
    }
  }
}

void take_base(KernelSymbol& kernel, std::string_view base) {
  for (const std::string_view token : split(base)) {
    const bool is_type =
        std::find(std::begin(kSymbolTypes), std::end(kSymbolTypes), token) != std::end(kSymbolTypes);
    if (kernel.operation.empty() && is_type)
      kernel.types.push_back(token);
    else if (kernel.operation.empty())
      kernel.operation = token;
    else if (kernel.operation == "pack" && token == "lh" && kernel.qualifiers.empty())
      kernel.operation = {kernel.operation.data(), kernel.operation.size() + 3};
    else
      kernel.qualifiers.push_back(token);
  }
}

}  // namespace

std::string_view name_of(IsaClass isa) {
  constexpr std::string_view kNames[] = {"other", "scalar", "Hexagon", "WebAssembly", "RISC-V", "x86",
                                         "NEON",  "DOT",    "I8MM",    "SVE",         "SME",    "SME2"};
  return kNames[static_cast<std::size_t>(isa)];
}

KernelSymbol parse_kernel_symbol(std::string_view symbol) {
  KernelSymbol kernel;
  constexpr std::string_view kPrefix = "xnn_";
  constexpr std::string_view kUkernel = "_ukernel";
  const std::size_t ukernel = symbol.find(kUkernel);
  const std::size_t after = ukernel + kUkernel.size();
  kernel.recognised = symbol.starts_with(kPrefix) && ukernel != std::string_view::npos &&
                      ukernel > kPrefix.size() && (after == symbol.size() || symbol[after] == '_');
  if (kernel.recognised) {
    take_base(kernel, symbol.substr(kPrefix.size(), ukernel - kPrefix.size()));
    take_details(kernel, symbol.substr(after));
  } else {
    // Not XNNPACK's form: only what it needs can be told, as of "kai_matmul_..._sme2_mopa".
    for (const std::string_view token : split(symbol))
      if (const IsaPrefix* isa = isa_of(token)) add_arch(kernel, token, isa->isa);
  }
  kernel.has_sme2 = kernel.isa == IsaClass::kSme2;
  kernel.has_sme = kernel.has_sme2 || kernel.isa == IsaClass::kSme;
  return kernel;
}

}  // namespace accelscope::analysis
