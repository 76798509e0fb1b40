#include "compat/kit_categories.h"

#include <array>
#include <span>
#include <string>

namespace accelscope::compat {
namespace {

struct Category {
  std::string_view name;
  std::string_view words;  // apart by '|', with one at both ends
};

constexpr std::array<Category, 14> kFine = {{
    {"CONV",
     "|conv|conv1d|conv2d|conv3d|convolution|convtranspose|convtranspose1d|convtranspose2d|convtranspose3d|"
     "deconv|depthwise|dwconv|pointwise|"},
    {"GEMM", "|gemm|matmul|mm|bmm|addmm|linear|fullyconnected|fully connected|dense|einsum|"},
    {"POOL",
     "|pool|pool1d|pool2d|pool3d|avgpool|avgpool1d|avgpool2d|avgpool3d|adaptivepool|adaptivepool1d|"
     "adaptivepool2d|adaptivepool3d|maxpool|maxpool1d|maxpool2d|maxpool3d|"},
    {"NORM", "|batchnorm|layernorm|groupnorm|instancenorm|rmsnorm|"},
    {"ATTENTION", "|sdpa|flashattn|flash attn|multiheadattention|multihead attention|mha|attention|"},
    {"EMBEDDING", "|embedding|"},
    {"ACTIVATION",
     "|gelu|relu|relu6|leakyrelu|leaky relu|prelu|silu|swish|mish|tanh|sigmoid|softplus|softsign|elu|selu|"
     "hardtanh|hardttanh|hard tanh|hardsigmoid|hard sigmoid|logsoftmax|log softmax|softmax|"},
    {"ELEMENTWISE",
     "|add|sub|mul|multiply|div|divide|pow|exp|log|abs|sqrt|rsqrt|sin|cos|where|max|min|clamp|clip|round|"
     "floor|"
     "ceil|and|or|xor|eq|ne|gt|ge|lt|le|vmulcaddc|"},
    {"REDUCTION", "|sum|mean|amax|amin|argmax|argmin|prod|"},
    {"RESHAPE", "|reshape|view|flatten|squeeze|unsqueeze|"},
    {"DATA_MOVEMENT",
     "|transpose|permute|cat|concat|split|stack|gather|scatter|indexselect|index "
     "select|take|copy|clone|expand|"
     "tile|repeat|unfold|pad|roll|slice|"},
    {"RESIZE", "|upsample|interpolate|resize|"},
    {"QUANT", "|quantize|dequantize|requantize|fakequant|fake quant|int8|uint8|q8|per tensor|per channel|"},
    {"RNN", "|lstm|gru|rnn|"},
}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string normalised(std::string_view name) {
  std::string result;
  for (const char c : lower(name)) {
    const bool separator = std::string_view("_:/-. \t\r\n").find(c) != std::string_view::npos;
    if (!separator)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80U;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

bool has_any_word(std::string_view text, std::string_view words) {
  for (std::size_t at = 1; at < words.size();) {
    const std::size_t end = words.find('|', at);
    if (has_word(text, words.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool has_any_part(std::string_view text, std::span<const std::string_view> parts) {
  for (const std::string_view part : parts)
    if (text.find(part) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string_view kit_fine_category(std::string_view name) {
  const std::string text = normalised(name);
  if (has_any_word(text, "|igemm|implicitgemm|implicit gemm|")) return "CONV";
  for (const Category& category : kFine)
    if (has_any_word(text, category.words)) return category.name;
  return "OTHER";
}

std::string_view kit_coarse_category(std::string_view name) {
  constexpr std::array<std::string_view, 1> kConvolution = {"conv"};
  constexpr std::array<std::string_view, 3> kGemm = {"matmul", "linear", "gemm"};
  constexpr std::array<std::string_view, 4> kMovement = {"transpose", "reshape", "copy", "pad"};
  constexpr std::array<std::string_view, 10> kElementwise = {
      "relu", "gelu", "sigmoid", "tanh", "hardswish", "hard_swish", "clamp", "add", "mul", "sub"};
  const std::string text = lower(name);
  if (has_any_part(text, kConvolution)) return "Convolution";
  if (has_any_part(text, kGemm)) return "GEMM";
  if (has_any_part(text, kMovement)) return "Data Movement";
  if (has_any_part(text, kElementwise) || text.find("div") != std::string::npos) return "Elementwise";
  return "Other";
}

}  // namespace accelscope::compat
