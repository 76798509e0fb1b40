#include "jobs/isa_files.h"

#include "base/mapped_file.h"
#include "base/output_file.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/generators.h"
#include "isa/words.h"

namespace accelscope::jobs {

using base::Result;

Result<isa::Diagnostics> assemble_file(const IsaFileOptions& options) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.file));
  isa::Assembly made = isa::assemble(file.path(), file.text(), options.dialect);
  if (made.diagnostics.ok())
    ACCELSCOPE_CHECK(
        base::write_file(options.output, [&](base::Output& out) { isa::write_words(out, made.words); }));
  return std::move(made.diagnostics);
}

Result<isa::Diagnostics> disassemble_file(const IsaFileOptions& options) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.file));
  isa::Words read = isa::read_words(file.path(), file.text());
  if (read.diagnostics.ok())
    ACCELSCOPE_CHECK(base::write_file(
        options.output, [&](base::Output& out) { isa::disassemble(out, read.words, options.dialect); }));
  return std::move(read.diagnostics);
}

base::Status generate_file(const std::string& program, const std::string& output) {
  ACCELSCOPE_TRY(const std::string listing, isa::generate_program(program));
  return base::write_file(output, [&](base::Output& out) { out.append(listing); });
}

}  // namespace accelscope::jobs
