#include "formats/capture/ending_notes.h"

namespace accelscope::formats::capture {

using base::Location;
using trace::Severity;

void note_unknown_chunks(std::uint64_t count, const Location& place, trace::QualityTable& quality) {
  quality.add({"astrace.unknown_chunk", Severity::kWarning,
               "Parts of the file are of a kind that this version does not know; they are left out.", count,
               place});
}

void note_ending(const ContainerReader& reader, const std::string& path, trace::QualityTable& quality) {
  if (reader.skipped_chunks() > 0)
    note_unknown_chunks(reader.skipped_chunks(), Location::byte(path, 0), quality);
  const Location place = Location::byte(path, reader.offset());
  if (reader.ending() == Ending::kEndedEarly)
    quality.add({"astrace.ended_early", Severity::kWarning,
                 "The file ended early: what was to follow is missing, and so is what refers to it.", 1,
                 place});
  if (reader.ending() == Ending::kDamaged)
    quality.add({"astrace.damaged", Severity::kError,
                 "The file is damaged: what follows this place is left out, and so is what refers to it.", 1,
                 place});
  if (reader.trailing_bytes() > 0)
    quality.add({"astrace.trailing_bytes", Severity::kWarning,
                 "Bytes follow the end of the file's content; they are ignored.", reader.trailing_bytes(),
                 place});
}

}  // namespace accelscope::formats::capture
