// Plain text as Markdown: what would be read as markup, or leave its table cell, is escaped.
//
// Pure functions, safe from any thread; what they return belongs to the caller. The text is one line already
// (plain_text.h).
//
//   markdown_text("a|b `c` <d>")  -> "a\|b \`c\` \<d>"
#pragma once

#include <string>
#include <string_view>

namespace accelscope::report {

// Within a line: a cell, or the rest of a heading.
std::string markdown_text(std::string_view line);

// At the beginning of a paragraph or of a list's item, where more characters have a meaning.
std::string markdown_paragraph(std::string_view line);

// The same for sentences of our own: `commands` between backticks stay code.
std::string markdown_sentence(std::string_view line);

}  // namespace accelscope::report
