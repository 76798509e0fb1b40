#include "formats/kernel_log/kernel_log_reader.h"

#include <cstring>

#include "formats/kernel_log/log_line.h"
#include "formats/kernel_log/log_trace.h"

namespace accelscope::formats::kernel_log {
namespace {

// A line of this kind around each place where `anchor` stands, among the first few.
bool has_line_with(std::string_view text, std::string_view anchor) {
  constexpr int kMaxTries = 1000;
  constexpr std::size_t kBefore = 512;
  std::size_t from = 0;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const void* found = memmem(text.data() + from, text.size() - from, anchor.data(), anchor.size());
    if (found == nullptr) return false;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    from = at + anchor.size();
    const std::size_t first = at < kBefore ? 0 : at - kBefore;
    std::string_view around = text.substr(first, from - first + 2 * kMaxNameBytes);
    const std::size_t line_start = around.rfind('\n', at - first);
    if (line_start != std::string_view::npos) around.remove_prefix(line_start + 1);
    const LineKind kind = parse_log_line(around.substr(0, around.find('\n'))).kind;
    if (kind != LineKind::kNone && kind != LineKind::kDamaged) return true;
  }
  return false;
}

void add_line(LogTrace& log, std::string_view text, std::uint64_t number) {
  const LogLine line = parse_log_line(text);
  switch (line.kind) {
    case LineKind::kNone:
      break;
    case LineKind::kRegistered:
      log.add_registration({.line = number,
                            .symbol = line.symbol,
                            .family = line.family,
                            .function = line.function,
                            .place = line.place});
      break;
    case LineKind::kInvoked:
    case LineKind::kSkipped:
      log.add_operator({.line = number,
                        .skipped = line.kind == LineKind::kSkipped,
                        .index = line.index,
                        .sub_index = line.sub_index,
                        .text = line.text,
                        .name = line.name,
                        .ukernel = line.ukernel});
      break;
    case LineKind::kDamaged:
      log.note("kernel_log.damaged_line", trace::Severity::kWarning,
               "Lines that begin like XNNPACK's about kernels and are cut or garbled are left out.", number);
      break;
  }
}

}  // namespace

bool looks_like_kernel_log(std::string_view bytes) {
  constexpr std::size_t kTextProof = std::size_t{4} << 10U;
  constexpr std::size_t kSearched = std::size_t{256} << 20U;
  if (bytes.substr(0, kTextProof).find('\0') != std::string_view::npos) return false;
  bytes = bytes.substr(0, kSearched);
  return has_line_with(bytes, "microkernel '") || has_line_with(bytes, "running operator ");
}

base::Result<trace::Trace> read_log(const base::MappedFile& file) {
  LogTrace log(file, "kernel-log");
  std::string_view text = file.text();
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const void* found = std::memchr(text.data(), '\n', text.size());
    const std::size_t size = found == nullptr
                                 ? text.size()
                                 : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    add_line(log, text.substr(0, size), number);
    text.remove_prefix(found == nullptr ? size : size + 1);
  }
  return std::move(log).finish();
}

}  // namespace accelscope::formats::kernel_log
