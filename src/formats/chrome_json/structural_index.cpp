#include "formats/chrome_json/structural_index.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>

namespace accelscope::formats::chrome_json {

// Only the index pass is used: the parser behind it keeps 5/3 of the document for strings and would need the
// whole document at once, while windows of it are enough for a list of events.
struct StructuralIndex::Parser {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stages;
  std::size_t capacity = 0;
  std::uint32_t count = 0;
};

StructuralIndex::StructuralIndex() : parser_(std::make_unique<Parser>()) {}
StructuralIndex::~StructuralIndex() = default;

IndexOutcome StructuralIndex::build(const char* text, std::uint32_t size) {
  constexpr std::size_t kUnusedDepth = 1;
  Parser& parser = *parser_;
  parser.count = 0;
  if (size > parser.capacity) {
    parser.stages.reset();
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        size, kUnusedDepth, parser.stages);
    parser.capacity = error == simdjson::SUCCESS ? size : 0;
    if (error != simdjson::SUCCESS) return IndexOutcome::kNoMemory;
  }
  if (size == 0) return IndexOutcome::kIndexed;
  const auto error = parser.stages->stage1(reinterpret_cast<const std::uint8_t*>(text), size,
                                           simdjson::stage1_mode::regular);
  switch (error) {
    case simdjson::SUCCESS:
      parser.count = parser.stages->n_structural_indexes;
      return IndexOutcome::kIndexed;
    case simdjson::EMPTY:
      return IndexOutcome::kIndexed;
    case simdjson::UNCLOSED_STRING:
      return IndexOutcome::kEndsInsideString;
    case simdjson::UNESCAPED_CHARS:
      return IndexOutcome::kControlCharacter;
    case simdjson::UTF8_ERROR:
      return IndexOutcome::kInvalidUtf8;
    default:
      return IndexOutcome::kNoMemory;
  }
}

std::span<const std::uint32_t> StructuralIndex::positions() const {
  if (parser_->count == 0) return {};
  return {parser_->stages->structural_indexes.get(), parser_->count};
}

}  // namespace accelscope::formats::chrome_json
