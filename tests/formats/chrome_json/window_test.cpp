// Documents that are read in many windows give what they give in one.
#include "formats/chrome_json/window.h"

#include <fmt/core.h>

#include "formats/chrome_json/document.h"
#include "support.h"

namespace accelscope::formats::chrome_json {
namespace {

// Events with braces, quotation marks and separators inside strings, nested arguments and one event that is
// much longer than the windows of the test.
std::string tricky_document(std::size_t events) {
  std::string text = R"({"before":{"a":"},{"},"traceEvents":[)";
  for (std::size_t i = 0; i < events; ++i) {
    const std::string filler = i % 37 == 5 ? std::string(3000, i % 2 == 0 ? '}' : '{') : "x";
    text += fmt::format(
        R"({}{{"name":"}}, {{\"ph\":\"X\" {}","ph":"X","pid":{},"tid":{},"ts":{}.5,"dur":2,"args":{{"s":"\\","n":{{"k":[{{}},"}}"]}},"f":"{}"}}}})",
        i == 0 ? "" : " ,\n ", i % 11, i % 3, i % 7, i, filler);
  }
  return text + R"(],"after":{"b":"]}"}})";
}

std::string read_in_windows(std::string_view document, std::size_t window_bytes) {
  const base::MappedFile file = base::MappedFile::from_memory("test.json", document);
  trace::TraceBuilder builder;
  Troubles troubles;
  DocumentReader reader(file.text(), builder, troubles, {}, window_bytes);
  if (const auto problem = reader.read()) return fmt::format("byte {}: {}", problem->offset, problem->reason);
  const auto trace = std::move(builder).finish();
  return trace ? written(*trace) : trace.error().to_string();
}

TEST(Window, EverySizeGivesTheSameTrace) {
  const std::string document = tricky_document(200);
  const std::string expected = read_in_windows(document, document.size());
  EXPECT_NE(expected.find("traceEvents"), std::string::npos);
  for (const std::size_t window : {1U, 2U, 3U, 7U, 16U, 64U, 100U, 333U, 1000U, 4096U, 20'000U})
    EXPECT_TRUE(read_in_windows(document, window) == expected) << window;
}

TEST(Window, EverySizeGivesTheSameMessage) {
  const std::string document = tricky_document(60);
  for (std::size_t size = 0; size < document.size(); size += 97) {
    const std::string_view cut = std::string_view(document).substr(0, size);
    const std::string expected = read_in_windows(cut, document.size());
    for (const std::size_t window : {1U, 50U, 700U})
      ASSERT_EQ(read_in_windows(cut, window), expected) << size;
  }
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
