#include "formats/etdump/etdump_reader.h"

#include <fmt/core.h>

#include "base/file_names.h"
#include "formats/etdump/block_builder.h"
#include "formats/etdump/block_nesting.h"
#include "formats/etdump/container.h"
#include "formats/etdump/event_decoder.h"
#include "formats/etdump/uart_log.h"
#include "formats/etdump/unwrap.h"

namespace accelscope::formats::etdump {
namespace {

using base::ErrorCode;
using base::Location;
using trace::Severity;

// One dump and where it came from.
struct Source {
  std::string_view bytes;
  Prefix prefix = Prefix::kSize;
  std::uint64_t offset = 0;     // in the file; 0 for a dump decoded from a log
  std::uint64_t uart_line = 0;  // 0 for a dump that is in the file itself
};

base::Error damage_error(const std::string& path, const Source& source, const Damage& damage) {
  const bool truncated = damage.leads_outside && source.prefix == Prefix::kNone;
  const ErrorCode code = truncated ? ErrorCode::kTruncated : ErrorCode::kMalformed;
  if (source.uart_line == 0)
    return {code, fmt::format("not a valid ETDump: {}", damage.reason),
            Location::byte(path, source.offset + damage.offset)};
  return {code,
          fmt::format("the dump printed in this line is not valid: byte {} after decoding: {}", damage.offset,
                      damage.reason),
          Location::line(path, source.uart_line)};
}

class Reader {
 public:
  Reader(const base::MappedFile& file, const Options& options) : file_(file), options_(options) {}

  base::Result<trace::Trace> run() {
    const bool is_log = !looks_like_etdump(file_.text()) && looks_like_uart_log(file_.text());
    ACCELSCOPE_CHECK(is_log ? find_in_log() : find_in_file());
    return build();
  }

 private:
  base::Status find_in_file() {
    ACCELSCOPE_TRY(const Container container, find_dumps(file_.path(), file_.text()));
    for (const DumpExtent& dump : container.dumps)
      sources_.push_back({file_.text().substr(dump.offset, dump.size), dump.prefix, dump.offset, 0});
    note_container(container);
    detail_ = container.dumps.front().prefix == Prefix::kSize ? "FlatBuffers with a size in front"
                                                              : "FlatBuffers without a size in front";
    if (sources_.size() > 1) detail_ += fmt::format(", {} dumps in a row", sources_.size());
    return {};
  }

  base::Status find_in_log() {
    ACCELSCOPE_TRY(log_, extract_from_uart_log(file_.path(), file_.text()));
    for (const UartDump& dump : log_.dumps) {
      base::Result<Container> container = find_dumps(file_.path(), dump.bytes);
      if (!container) {
        base::Error error = std::move(container).error();
        error.message = "the dump printed in this line: " + error.message;
        error.where = Location::line(file_.path(), dump.line);
        return tl::unexpected(std::move(error));
      }
      for (const DumpExtent& extent : container->dumps)
        sources_.push_back(
            {std::string_view(dump.bytes).substr(extent.offset, extent.size), extent.prefix, 0, dump.line});
      note_container(*container);
    }
    if (log_.debug_buffers > 0)
      note("etdump.debug_buffer_ignored", Severity::kInfo,
           "The log also holds debug_buffer.bin, the contents of tensors, which is not read.",
           log_.debug_buffers);
    detail_ = fmt::format("base64 in the log of a board, {} dump{}", sources_.size(),
                          sources_.size() == 1 ? "" : "s");
    return {};
  }

  void note_container(const Container& container) {
    if (container.trailing_bytes > 0)
      note("etdump.trailing_bytes", Severity::kInfo, "Bytes after the end of the dump are ignored.",
           container.trailing_bytes);
    if (container.cut_off) note_unreadable(*container.cut_off);
  }

  void note(std::string id, Severity severity, std::string sentence, std::uint64_t count = 1) {
    builder_.quality().add({.id = std::move(id),
                            .severity = severity,
                            .sentence = std::move(sentence),
                            .count = count,
                            .first_place = Location::of_file(file_.path())});
  }

  // Of a dump that is not the first: what could be read is kept.
  void note_unreadable(const base::Error& error) {
    if (!unreadable_)
      unreadable_ = {.id = "etdump.further_dump_unreadable",
                     .severity = Severity::kError,
                     .sentence = fmt::format("A further dump is left out: {}", error.message),
                     .first_place = error.where};
    builder_.quality().add(*unreadable_);
  }

  TimeUnit decide_time_unit() {
    if (options_.time_unit) {
      note_unknown_speed(*options_.time_unit);
      return *options_.time_unit;
    }
    if (log_.says_cycles) {
      note("etdump.unit_assumed", Severity::kInfo,
           "The unit of times is not recorded in the file; cycles are assumed, as the log itself advises.");
      note_unknown_speed(TimeUnit::cycles());
      return TimeUnit::cycles();
    }
    note("etdump.unit_assumed", Severity::kInfo,
         "The unit of times is not recorded in the file; nanoseconds are assumed.");
    return TimeUnit::nanoseconds();
  }

  void note_unknown_speed(const TimeUnit& unit) {
    if (!unit.frequency.known())
      note("etdump.unknown_frequency", Severity::kInfo,
           "Times are cycles of a clock whose frequency was not given: they cannot be turned into seconds.");
  }

  base::Result<trace::Trace> build() {
    const TimeUnit unit = decide_time_unit();
    const trace::TrackId process = builder_.add_track({.name = builder_.intern(base::file_stem(file_.path())),
                                                       .level = trace::TrackLevel::kProcess,
                                                       .kind = trace::TrackKind::kGroup});
    if (sources_.size() > 1)
      note("etdump.several_dumps", Severity::kInfo,
           "Several dumps in one file: each has a clock and a track of its own.", sources_.size());
    NameTable names(builder_, file_.size());
    BlockBuilder blocks(builder_, names, remarks_, process, unit, file_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const base::Status status = add_dump(sources_[i], names, blocks);
      if (!status && i == 0) return tl::unexpected(status.error());
      if (!status) note_unreadable(status.error());
    }
    blocks.finish();
    if (blocks.method_count() > 1)
      note("etdump.methods_inferred", Severity::kInfo,
           "Method names are not recorded; runs are grouped by the instructions they execute.",
           blocks.method_count());
    if (names.repaired() > 0) remarks_.note(Remark::kNotUtf8, 0, names.repaired());
    remarks_.write_to(builder_.quality(), file_.path(),
                      log_.dumps.empty() ? Remarks::Offsets::kOfFile : Remarks::Offsets::kOfDecodedDump);
    builder_.add_source({file_.path(), "etdump", detail_, file_.size()});
    return std::move(builder_).finish();
  }

  base::Status add_dump(const Source& source, NameTable& names, BlockBuilder& blocks) {
    const DumpCheck check = check_dump(source.bytes, source.prefix);
    if (check.damage) return tl::unexpected(damage_error(file_.path(), source, *check.damage));
    if (check.misaligned) remarks_.note(Remark::kMisaligned, source.offset);
    EventDecoder decoder(source.bytes, source.prefix, source.offset, names, remarks_);
    Unwrapper unwrapper(remarks_, source.offset, [&] { return decoder.all_times_fit_32_bits(); });
    BlockNester nester(remarks_);
    blocks.begin_dump(source.bytes.data(), source.offset);
    StagedBlock block;
    for (std::uint32_t i = 0; i < decoder.block_count(); ++i) {
      decoder.decode(i, block);
      unwrapper.apply(block.events);
      nester.nest(block.events, unwrapper.overflowed(), source.offset);
      blocks.add(block);
      if (names.exhausted())
        return base::fail_at(Location::byte(file_.path(), block.file_offset), ErrorCode::kMalformed,
                             "the names of this block overlap each other, which no runtime writes: the file "
                             "is damaged or made to exhaust memory");
    }
    return {};
  }

  const base::MappedFile& file_;
  const Options& options_;
  UartLog log_;
  std::vector<Source> sources_;
  std::string detail_;
  std::optional<trace::QualityRow> unreadable_;  // the first; others only count
  trace::TraceBuilder builder_;
  Remarks remarks_;
};

}  // namespace

bool looks_like_etdump(std::string_view bytes) {
  return detect_prefix(bytes).has_value();
}

base::Result<trace::Trace> read(const base::MappedFile& file, const Options& options) {
  return Reader(file, options).run();
}

}  // namespace accelscope::formats::etdump
