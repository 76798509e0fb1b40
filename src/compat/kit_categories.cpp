#include "compat/kit_categories.h"

#include <algorithm>
#include <initializer_list>

namespace accelscope::compat {
namespace {

// A space in a phrase stands for itself, '~' for a space or nothing.
struct FineRule {
  std::string_view category;
  std::initializer_list<std::string_view> phrases;
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool has_whole(std::string_view text, std::string_view phrase) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

bool has_phrase(std::string_view text, std::string_view phrase) {
  const std::size_t joint = phrase.find('~');
  if (joint == std::string_view::npos) return has_whole(text, phrase);
  const std::string first(phrase.substr(0, joint));
  const std::string second(phrase.substr(joint + 1));
  return has_whole(text, first + " " + second) || has_whole(text, first + second);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return has_phrase(text, phrase); });
}

// The first rule that fits decides.
std::string_view first_fine_rule(std::string_view text) {
  const FineRule rules[] = {
      {"CONV",
       {"conv", "conv1d", "conv2d", "conv3d", "convolution", "conv~transpose", "conv~transpose1d",
        "conv~transpose2d", "conv~transpose3d", "deconv", "depthwise", "dwconv", "pointwise"}},
      {"GEMM", {"gemm", "matmul", "mm", "bmm", "addmm", "linear", "fully~connected", "dense", "einsum"}},
      {"POOL",
       {"pool", "pool1d", "pool2d", "pool3d", "avgpool", "avgpool1d", "avgpool2d", "avgpool3d",
        "adaptivepool", "adaptivepool1d", "adaptivepool2d", "adaptivepool3d", "maxpool", "maxpool1d",
        "maxpool2d", "maxpool3d"}},
      {"NORM", {"batchnorm", "layernorm", "groupnorm", "instancenorm", "rmsnorm"}},
      {"ATTENTION", {"sdpa", "flash attn", "multihead attention", "mha", "attention"}},
      {"EMBEDDING", {"embedding"}},
      {"ACTIVATION",
       {"gelu", "relu", "relu6", "leaky~relu", "prelu", "silu", "swish", "mish", "tanh", "sigmoid",
        "softplus", "softsign", "elu", "selu", "hard~tanh", "hard~sigmoid", "log~softmax", "softmax"}},
      {"ELEMENTWISE",
       {"add",   "sub", "mul", "multiply", "div", "divide", "pow",   "exp",  "log",   "abs",      "sqrt",
        "rsqrt", "sin", "cos", "where",    "max", "min",    "clamp", "clip", "round", "floor",    "ceil",
        "and",   "or",  "xor", "eq",       "ne",  "gt",     "ge",    "lt",   "le",    "vmulcaddc"}},
      {"REDUCTION", {"sum", "mean", "amax", "amin", "argmax", "argmin", "prod"}},
      {"RESHAPE", {"reshape", "view", "flatten", "squeeze", "unsqueeze"}},
      {"DATA_MOVEMENT",
       {"transpose", "permute", "cat", "concat", "split", "stack", "gather", "scatter", "index~select",
        "take", "copy", "clone", "expand", "tile", "repeat", "unfold", "pad", "roll", "slice"}},
      {"RESIZE", {"upsample", "interpolate", "resize"}},
      {"QUANT",
       {"quantize", "dequantize", "requantize", "fake~quant", "int8", "uint8", "q8", "per~tensor",
        "per~channel"}},
      {"RNN", {"lstm", "gru", "rnn"}}};
  for (const FineRule& rule : rules)
    if (has_any(text, rule.phrases)) return rule.category;
  return "OTHER";
}

}  // namespace

std::string kit_normalised_name(std::string_view name) {
  constexpr std::string_view kSeparators = "_:/-.";
  std::string text;
  text.reserve(name.size());
  for (const char c : name) {
    const bool gap = is_space(c) || kSeparators.find(c) != std::string_view::npos;
    if (!gap)
      text += lower(c);
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string_view kit_fine_category(std::string_view name) {
  const std::string text = kit_normalised_name(name);
  return has_any(text, {"igemm", "implicit gemm"}) ? "CONV" : first_fine_rule(text);
}

std::string_view kit_coarse_category(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = lower(c);
  const auto contains = [&](std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return text.find(part) != std::string::npos; });
  };
  if (contains({"conv"})) return "Convolution";
  if (contains({"matmul", "linear", "gemm"})) return "GEMM";
  if (contains({"transpose", "reshape", "copy", "convert", "pad"})) return "Data Movement";
  if (contains({"relu", "gelu", "sigmoid", "tanh", "hardtanh", "hardswish", "hard_swish", "clamp", "add",
                "mul", "sub", "div"}))
    return "Elementwise";
  return "Other";
}

}  // namespace accelscope::compat
