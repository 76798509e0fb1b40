#include "formats/perfmon/infer.h"

#include "base/human.h"
#include "formats/perfmon/infer_parts.h"

namespace accelscope::formats::perfmon {
namespace details {
namespace {

// So many equal words at the end were not written by hardware that tells of changes.
constexpr std::uint64_t kUnwrittenWords = 8;

// Where the words end that somebody wrote.
void find_unwritten(std::span<const std::byte> bytes, const WordLayout& layout, Survey& survey) {
  survey.written = survey.bytes;
  if (survey.bytes == 0) return;
  const auto word_at = [&](std::uint64_t end) {
    return load_word(layout, bytes.data() + end - layout.word_bytes);
  };
  const Word last = word_at(survey.bytes);
  if (layout.filler == last) return;
  std::uint64_t end = survey.bytes;
  while (end > 0 && word_at(end) == last) end -= layout.word_bytes;
  if (survey.bytes - end < kUnwrittenWords * layout.word_bytes) return;
  survey.written = end;
  survey.unwritten = last;
}

}  // namespace

std::string stamps_text(const Survey& survey) {
  return base::format_count(survey.stamps.size()) + (survey.stamps.size() == 1 ? " stamp" : " stamps");
}

Survey survey(std::span<const std::byte> bytes, Inference& found) {
  const WordLayout& layout = found.format->layout;
  const std::size_t offset = found.format->offset;
  Survey survey{.size = bytes.size()};
  bytes = bytes.subspan(offset);
  survey.bytes = bytes.size() - bytes.size() % layout.word_bytes;
  find_unwritten(bytes, layout, survey);
  const Word of_no_pipe = layout.events.greatest() & ~events_of(layout, kAllPipes);
  std::optional<PipeMask> busy;
  found.counters = walk_words(bytes.first(survey.written), {.layout = &layout}, [&](const WordRow& row) {
    StampSeen* const last = survey.stamps.empty() ? nullptr : &survey.stamps.back();
    if (row.stamp) {
      const std::uint64_t end = offset + row.offset + layout.word_bytes;
      survey.stamps.push_back({.begin = end - std::uint64_t{layout.word_bytes} * layout.stamp.words,
                               .end = end,
                               .base = row.stamp->value});
      return true;
    }
    if (row.kind == WordKind::kState) {
      found.stray_states += (layout.events.of(row.word) & of_no_pipe) != 0 ? 1 : 0;
      found.repeated_states += busy == row.busy ? 1 : 0;
      busy = row.busy;
    }
    if (last == nullptr || row.kind == WordKind::kStamp || row.kind == WordKind::kFiller) return true;
    last->broken =
        last->broken || row.kind == WordKind::kUnknown || row.kind == WordKind::kEndOfBlock || !row.time;
    last->cycles += row.delta;
    ++last->words;
    return true;
  });
  found.counters.torn_bytes = bytes.size() - survey.bytes;
  return survey;
}

}  // namespace details

Inference infer(std::span<const std::byte> bytes, const std::optional<Registers>& registers,
                std::span<const WordLayout* const> candidates) {
  Inference found;
  details::ask_format(bytes, candidates, found);
  if (!found.format) return found;
  const details::Survey survey = details::survey(bytes, found);
  details::ask_clock(survey, found);
  details::ask_buffer(survey, found);
  details::ask_registers(survey, registers, found);
  return found;
}

}  // namespace accelscope::formats::perfmon
