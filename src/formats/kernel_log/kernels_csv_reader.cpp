// The kit's kernels.csv: one row per kernel. Of its columns only the facts are kept; the parts of the name
// that it also lists are wrong for packed kernels, and the symbol says them all.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/csv.h"
#include "formats/kernel_log/kernel_log_reader.h"
#include "formats/kernel_log/log_trace.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::kernel_log {
namespace {

using base::ErrorCode;
using base::Location;
using trace::Severity;

struct Columns {
  std::optional<std::size_t> model, symbol, family, count;
};

Columns columns_of(std::span<const std::string_view> header) {
  const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
  };
  return {find("model_id"), find("kernel_name"), find("category"), find("count")};
}

class KernelsCsvReader {
 public:
  explicit KernelsCsvReader(const base::MappedFile& file)
      : file_(file), reader_(file.path(), file.text()), log_(file, "kernels-csv") {}

  base::Result<trace::Trace> read() && {
    if (!reader_.next()) {
      ACCELSCOPE_CHECK(reader_.status());
      return base::fail_at(Location::of_file(file_.path()), ErrorCode::kTruncated,
                           "the file is empty: a kernel table begins with a header line");
    }
    columns_ = columns_of(reader_.cells());
    if (!columns_.symbol)
      return base::fail_at(Location::line(file_.path(), reader_.line()), ErrorCode::kMalformed,
                           "a kernel table needs a column kernel_name");
    while (reader_.next()) read_row();
    ACCELSCOPE_CHECK(reader_.status());
    if (!model_.empty() && !several_models_)
      log_.builder().add_fact(trace::fact::kModel, trace::Value::of_string(log_.intern(model_)));
    return std::move(log_).finish();
  }

 private:
  std::string_view cell(std::optional<std::size_t> column) const {
    return column && *column < reader_.cells().size() ? reader_.cells()[*column] : std::string_view{};
  }

  void read_row() {
    const std::string_view symbol = cell(columns_.symbol);
    if (symbol.empty()) {
      log_.note("kernel_log.short_row", Severity::kWarning, "Rows without a kernel's name are left out.",
                reader_.line());
      return;
    }
    const std::string_view model = cell(columns_.model);
    if (model_.empty()) model_ = model;
    if (model != model_) several_models_ = true;
    log_.add_registration(
        {.line = reader_.line(), .symbol = symbol, .family = cell(columns_.family), .count = count()});
  }

  std::int64_t count() {
    const std::string_view text = cell(columns_.count);
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error == std::errc() && end == text.data() + text.size() && count >= 0) return count;
    log_.note("kernel_log.bad_count", Severity::kWarning,
              "A count is missing or no whole number; the kernel is taken as registered once.",
              reader_.line());
    return 1;
  }

  const base::MappedFile& file_;
  base::CsvReader reader_;
  LogTrace log_;
  Columns columns_;
  std::string model_;
  bool several_models_ = false;
};

}  // namespace

bool looks_like_kernels_csv(std::string_view bytes) {
  constexpr std::size_t kHead = std::size_t{64} << 10U;
  const std::string_view head = bytes.substr(0, kHead);
  base::CsvReader reader("", head.substr(0, head.find('\n')));
  if (!reader.next()) return false;
  const Columns columns = columns_of(reader.cells());
  return columns.symbol && columns.family && columns.count;
}

base::Result<trace::Trace> read_kernels_csv(const base::MappedFile& file) {
  return KernelsCsvReader(file).read();
}

}  // namespace accelscope::formats::kernel_log
