// Reads what XNNPACK logs about its kernels into a Trace: any text log with such lines (a terminal's,
// logcat's, the profiling kit's `*_xnntrace.log`), and the kit's `*_kernels.csv` made from one.
//
// One track "kernel log" of instants. Their time is the number of the line, on a clock of unknown frequency,
// because the log has no usable times. A kernel's registration has the category "kernel registered" and means
// that the kernel is a candidate, not that it ran; "running operator" lines have "operator invoked", and
// "skip running operator" lines "operator skipped". Arguments are those of trace/vocabulary.h.
//
// Nothing is kept between calls: several threads may read several files. The Trace owns all it shows; the
// file may be closed afterwards.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open("toy_xnntrace.log"));
//   ACCELSCOPE_TRY(const Trace trace, kernel_log::read_log(file));
#pragma once

#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::kernel_log {

// Decided by content. A log is searched for its first line about kernels, which may stand anywhere in it.
bool looks_like_kernel_log(std::string_view bytes);
bool looks_like_kernels_csv(std::string_view bytes);

base::Result<trace::Trace> read_log(const base::MappedFile& file);
base::Result<trace::Trace> read_kernels_csv(const base::MappedFile& file);

}  // namespace accelscope::formats::kernel_log
