// The trace that both forms of a kernel log become: one track "kernel log" of instants, whose time is the
// number of the line they stand on.
//
// Internal to this folder. One thread per object; the builder belongs to it until finish().
//
//   LogTrace log(file, "kernel-log");
//   log.add_registration({.line = 3, .symbol = "xnn_...", .family = "gemm"});
//   return std::move(log).finish();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::kernel_log {

struct Registration {
  std::uint64_t line = 0;
  std::string_view symbol;
  std::string_view family;
  std::string_view function = {};
  std::string_view place = {};
  std::int64_t count = 1;
};

struct OperatorLine {
  std::uint64_t line = 0;
  bool skipped = false;
  std::uint64_t index = 0;
  std::uint64_t sub_index = 0;
  std::string_view text;
  std::string_view name;
  std::string_view ukernel;
};

class LogTrace {
 public:
  LogTrace(const base::MappedFile& file, std::string_view format);

  void add_registration(const Registration& registration);
  void add_operator(const OperatorLine& line);
  // Something is left out or assumed on this line.
  void note(std::string_view id, trace::Severity severity, std::string_view sentence, std::uint64_t line);
  trace::TraceBuilder& builder() { return builder_; }
  trace::StringId intern(std::string_view text);

  base::Result<trace::Trace> finish() &&;

 private:
  void add_text(std::uint32_t instant, trace::StringId name, std::string_view text);

  struct Names {
    explicit Names(trace::TraceBuilder& builder);
    trace::StringId symbol, family, function, place, count, index, sub_index, name, ukernel;
  };

  const base::MappedFile& file_;
  std::string format_;
  trace::TraceBuilder builder_;
  Names names_{builder_};
  trace::CategoryId registered_;
  trace::CategoryId invoked_;
  trace::CategoryId skipped_;
  trace::TrackId track_;
  std::uint64_t operators_ = 0;
};

}  // namespace accelscope::formats::kernel_log
