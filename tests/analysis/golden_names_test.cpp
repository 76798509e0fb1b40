// What the grammar says about 320 names that other tools were asked about, too.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "analysis/operator_name.h"
#include "base/mapped_file.h"

namespace accelscope::analysis {
namespace {

// The first cell of a CSV line.
std::string first_cell(std::string_view line) {
  if (!line.starts_with('"')) return std::string(line.substr(0, line.find(',')));
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '"') {
      cell += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == '"') {
      cell += '"';
      ++i;
    } else {
      break;
    }
  }
  return cell;
}

TEST(GoldenNames, AreAlmostAllKnown) {
  const auto file = base::MappedFile::open(std::string(ACCELSCOPE_FIXTURES_DIR) +
                                           "/executorch/case4_categories/categories_golden.csv");
  if (!file) GTEST_SKIP() << "the conformance data is not beside this checkout";
  std::string_view text = file->text();
  std::size_t names = 0;
  std::string unknown;
  std::map<std::string_view, int> categories;
  std::string by_words;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string name = first_cell(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (++names == 1) continue;  // the header
    const OperatorName op = parse_operator_name(name);
    ++categories[name_of(op.category)];
    if (op.match == NameMatch::kWords) by_words += "[" + name + "]";
    if (!op.known()) unknown += "[" + name + "]";
  }
  EXPECT_EQ(names, 321U);
  // No operators, and a word that means convolutions to some and elementwise work to others.
  EXPECT_EQ(unknown, "[Invalid][pointwise][][int8][per_channel]");
  EXPECT_EQ(by_words,
            "[{conv2d_dw_3x3_texture3d_half, \"dispatch_id\": 4}][implicit_gemm conv][Multi-Head Attention]");
  const std::map<std::string_view, int> expected = {{"Attention", 7},
                                                    {"Control", 4},
                                                    {"Convert/Quantise", 12},
                                                    {"Convolution", 37},
                                                    {"Data Movement", 55},
                                                    {"Delegate overhead", 3},
                                                    {"Elementwise & Activation", 82},
                                                    {"Embedding/Index", 7},
                                                    {"Framework", 4},
                                                    {"GEMM", 58},
                                                    {"Normalisation", 8},
                                                    {"Operator-call overhead", 1},
                                                    {"Other", 7},
                                                    {"Pooling/Reduction", 30},
                                                    {"Resize", 5}};
  EXPECT_EQ(categories, expected);
}

}  // namespace
}  // namespace accelscope::analysis
