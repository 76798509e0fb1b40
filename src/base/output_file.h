// A file that appears under its name only when it is whole.
//
// Bytes go to a file without a name in the same folder; commit() gives it the final name in one step, and the
// permissions of the file that it replaces. Without commit(), also when the process is killed, nothing is
// left and a file that was there before stays as it was. (Where the file system has no files without a name,
// a hidden *.partial can remain after a kill.) A symbolic link is followed. "-" is standard output, and
// things that are not regular files (/dev/null, a pipe) are written in place: there is nothing to rename. One
// thread uses one OutputFile, which owns its descriptor.
//
//   ACCELSCOPE_TRY(OutputFile file, OutputFile::create("trace.pftrace"));
//   write_perfetto(trace, file.output());
//   ACCELSCOPE_CHECK(file.commit());
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/output.h"
#include "base/result.h"

namespace accelscope::base {

class OutputFile {
 public:
  static Result<OutputFile> create(const std::string& path);

  OutputFile(OutputFile&&) noexcept = default;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  Output& output() { return *output_; }
  // Puts bytes anywhere in the file, also behind its end; for a file to which output() is not used, and not
  // for standard output or a pipe.
  Status write_at(std::uint64_t offset, std::string_view bytes);
  // As it was given to create().
  const std::string& path() const { return path_; }

  // Drains the buffer and gives the file its name. The first error of any write is the answer, and then
  // nothing was renamed.
  Status commit();

 private:
  enum class Mode : unsigned char { kInPlace, kUnnamed, kTemporaryName };

  OutputFile(std::string path, std::string target, FileDescriptor file, int descriptor, Mode mode,
             std::string temporary);
  Status give_temporary_name();

  std::string path_;
  std::string target_;   // where the links in path_ lead
  FileDescriptor file_;  // invalid for standard output, which is not ours to close
  Mode mode_;
  std::string temporary_;
  std::unique_ptr<DescriptorOutput> output_;
};

// A whole file in one go.
Status write_file(const std::string& path, const std::function<void(Output&)>& write);

// A folder, with those that it lies in; one that is there is as good.
Status make_folder(const std::string& path);

}  // namespace accelscope::base
