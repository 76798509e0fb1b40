// Whatever the bytes, the reader of graphs answers with a graph that passes all checks and comes back equal
// from the writer, or with an error that says something.
#include <cstdint>
#include <string_view>

#include "base/output.h"
#include "require.h"
#include "runtime/buffer_content.h"
#include "runtime/graph_file.h"

namespace {

namespace runtime = accelscope::runtime;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = runtime::parse_graph("fuzzed-input", text);
  if (!file) {
    require(!file.error().message.empty(), "an error has a message");
    return 0;
  }
  require(runtime::check(file->graph, {}).has_value(), "a graph that was read passes all checks");
  accelscope::base::MemoryOutput once;
  require(runtime::write_graph(once, *file).has_value(), "a graph can be written");
  const auto back = runtime::parse_graph("written", once.bytes());
  require(back.has_value(), "what was written can be read");
  require(*back == *file, "what was written reads back equal");
  accelscope::base::MemoryOutput twice;
  require(runtime::write_graph(twice, *back).has_value(), "a graph can be written again");
  require(once.bytes() == twice.bytes(), "equal graphs are equal bytes");
  for (const runtime::Expectation& expectation : file->graph.expectations) {
    const runtime::Buffer& buffer = file->graph.buffers[expectation.view.buffer];
    constexpr std::uint64_t kSmallEnough = 1U << 16U;
    if (runtime::bytes_of(buffer) > kSmallEnough) continue;
    std::vector<std::byte> memory(runtime::bytes_of(buffer));
    runtime::fill(buffer, memory);
    (void)runtime::in_words(runtime::compare(expectation, buffer.type, memory), expectation, buffer.name);
  }
  return 0;
}
