#include "report/text_table.h"

#include <algorithm>
#include <numeric>

#include "report/plain_text.h"

namespace accelscope::report {
namespace {

constexpr std::size_t kTableIndent = 2;
constexpr std::size_t kGap = 2;
// Below this, a name tells nothing.
constexpr std::size_t kNarrowestText = 12;
// The first column says what a row is about.
constexpr std::size_t kNarrowestSubject = 30;
// But rather a name as short as this than a table in two pieces.
constexpr std::size_t kTightestSubject = 20;
constexpr std::size_t kLongestNumberTitle = 24;
// A longer cell of a column of numbers is no number.
constexpr std::size_t kLongestNumber = 40;

struct LaidColumn {
  std::size_t index = 0;
  std::size_t width = 0;
  std::size_t narrowest = 0;
};

LaidColumn measure(const ShownTable& table, std::size_t index) {
  std::size_t cells = 0;
  for (const std::vector<std::string>& row : table.rows) cells = std::max(cells, display_width(row[index]));
  const std::size_t title = display_width(table.columns[index].title);
  if (table.columns[index].is_number && cells <= kLongestNumber) {
    const std::size_t width = std::max(cells, std::min(title, kLongestNumberTitle));
    return {index, width, width};
  }
  const std::size_t width = std::max(cells, title);
  return {index, width, std::min(width, kNarrowestText)};
}

std::size_t total_width(const std::vector<LaidColumn>& columns) {
  const std::size_t gaps = columns.empty() ? 0 : kGap * (columns.size() - 1);
  return std::accumulate(columns.begin(), columns.end(), gaps,
                         [](std::size_t sum, const LaidColumn& column) { return sum + column.width; });
}

// Takes a column's width from the widest one that can give, until all fit.
void shrink_to(std::vector<LaidColumn>& columns, std::size_t room) {
  const auto to_give = [](const LaidColumn& column) {
    return column.width > column.narrowest ? column.width : 0;
  };
  for (LaidColumn& column : columns) column.width = std::max(column.narrowest, std::min(column.width, room));
  while (total_width(columns) > room) {
    const auto widest =
        std::max_element(columns.begin(), columns.end(),
                         [&](const LaidColumn& a, const LaidColumn& b) { return to_give(a) < to_give(b); });
    if (to_give(*widest) == 0) return;
    --widest->width;
  }
}

// How far the first column may shrink: as little as it must for all to fit beside each other.
std::size_t narrowest_subject(const ShownTable& table, std::size_t room) {
  const std::size_t usual = std::max(kNarrowestText, std::min(kNarrowestSubject, room / 3));
  std::size_t others = 0;
  for (std::size_t index = 1; index < table.columns.size(); ++index)
    others += kGap + measure(table, index).narrowest;
  if (others + kTightestSubject > room) return usual;
  return std::min(usual, room - others);
}

// Columns that fit beside each other, the first one in every block.
std::vector<std::vector<LaidColumn>> blocks_of(const ShownTable& table, std::size_t room) {
  std::vector<std::vector<LaidColumn>> blocks;
  std::size_t used = 0;
  LaidColumn first;
  for (std::size_t index = 0; index < table.columns.size(); ++index) {
    LaidColumn column = measure(table, index);
    if (index == 0) {
      column.narrowest = std::min(column.width, narrowest_subject(table, room));
      first = column;
    }
    const bool fits = !blocks.empty() && used + kGap + column.narrowest <= room;
    if (!fits) {
      blocks.emplace_back();
      used = 0;
      if (index > 0) {
        blocks.back().push_back(first);
        used = first.narrowest + kGap;
      }
      used += column.narrowest;
    } else {
      used += kGap + column.narrowest;
    }
    blocks.back().push_back(column);
  }
  // A first column that stands alone is repeated by the next block anyway.
  if (blocks.size() > 1 && blocks.front().size() == 1) blocks.erase(blocks.begin());
  for (std::vector<LaidColumn>& block : blocks) shrink_to(block, room);
  return blocks;
}

template <class CellOf>
std::string line_of(const ShownTable& table, const std::vector<LaidColumn>& block, const CellOf& cell_of) {
  std::string line(kTableIndent, ' ');
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Align align = table.columns[block[i].index].is_number ? Align::kRight : Align::kLeft;
    if (i > 0) line.append(kGap, ' ');
    line += padded(shortened(cell_of(block[i]), block[i].width), block[i].width, align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

std::string text_table(const ShownTable& table, const Style& style, std::size_t width) {
  std::string text;
  for (const std::vector<LaidColumn>& block : blocks_of(table, width - kTableIndent)) {
    if (!text.empty()) text += '\n';
    const auto title = [&](const LaidColumn& column) { return table.columns[column.index].title; };
    text.append(style.bold).append(line_of(table, block, title)).append(style.plain).append("\n");
    const auto rule = [](const LaidColumn& column) { return repeated("─", column.width); };
    text.append(style.dim).append(line_of(table, block, rule)).append(style.plain).append("\n");
    for (const std::vector<std::string>& row : table.rows)
      text += line_of(table, block, [&](const LaidColumn& column) { return row[column.index]; }) + '\n';
  }
  return text;
}

}  // namespace accelscope::report
