#include <fmt/core.h>

#include "base/human.h"
#include "formats/perfmon/infer_parts.h"

namespace accelscope::formats::perfmon::details {
namespace {

using base::format_count;

// Where hardware will write next, as far as the times tell: between these bytes.
struct WritePlace {
  std::uint64_t from = 0;
  std::uint64_t to = 0;

  bool holds(std::uint64_t position) const { return position >= from && position <= to; }
  std::string text() const {
    return from == to ? fmt::format("at byte {}", format_count(from))
                      : fmt::format("between byte {} and {}", format_count(from), format_count(to));
  }
};

std::vector<std::size_t> seams_of(const std::vector<StampSeen>& stamps) {
  std::vector<std::size_t> seams;
  for (std::size_t i = 0; i + 1 < stamps.size(); ++i)
    if (stamps[i + 1].base < stamps[i].base) seams.push_back(i);
  return seams;
}

WritePlace write_place(const Survey& survey, const Inference& found) {
  if (found.shape == BufferShape::kRing) {
    const std::size_t seam = seams_of(survey.stamps).front();
    return {survey.stamps[seam].end, survey.stamps[seam + 1].begin};
  }
  const std::uint64_t end = found.format->offset + survey.written;
  return {end, end};
}

std::string linear_answer(const Survey& survey, const Inference& found) {
  if (!found.written_bytes)
    return "Linear, or a ring that has not come round: the time runs forwards through all of it.";
  return fmt::format(
      "Linear so far: the time runs forwards up to byte {}, and the rest is {:#x} again and again, which "
      "nobody wrote.",
      format_count(*found.written_bytes), survey.unwritten);
}

// One unit of a register: bytes, or words.
Hypothesis register_hypothesis(std::string_view unit, std::uint64_t position, const WritePlace& place,
                               bool fits) {
  return {fmt::format("it counts {}", unit), fits ? Fit::kFits : Fit::kDoesNotFit,
          fmt::format("would be byte {}; the words end {}", format_count(position), place.text())};
}

// `total`: it counts everything that was ever written, so in a ring it is at least the ring.
std::optional<unsigned> ask_register(Question question, std::string_view name,
                                     const std::optional<std::uint64_t>& value, bool total,
                                     const Survey& survey, Inference& found) {
  std::optional<unsigned> unit;
  const bool known_end = found.shape == BufferShape::kRing || found.shape == BufferShape::kLinear;
  if (!value) {
    question.answer = fmt::format("Cannot tell: the value of {} is not known.", name);
  } else if (!known_end) {
    question.answer = "Cannot tell: it is not known where the words end.";
  } else {
    const WritePlace place = write_place(survey, found);
    const bool ring = found.shape == BufferShape::kRing;
    const std::uint64_t word = found.format->layout.word_bytes;
    unsigned fitting = 0;
    for (const std::uint64_t bytes : {std::uint64_t{1}, word}) {
      const std::uint64_t all = *value * bytes;
      const std::uint64_t position = ring && total ? all % survey.size : all;
      const bool fits = place.holds(position) && (!ring || !total || all >= survey.size);
      question.hypotheses.push_back(
          register_hypothesis(bytes == 1 ? "bytes" : "words", position, place, fits));
      if (!fits) continue;
      ++fitting;
      unit = static_cast<unsigned>(bytes);
    }
    if (fitting != 1) unit.reset();
    question.answered = unit.has_value();
    if (unit)
      question.answer = fmt::format("{} counts {}.", name, *unit == 1 ? "bytes" : "words");
    else
      question.answer = fmt::format("Cannot tell: {} = {} fits {}.", name, format_count(*value),
                                    fitting == 0 ? "neither bytes nor words" : "both bytes and words");
    if (fitting > 1)
      for (Hypothesis& hypothesis : question.hypotheses) hypothesis.fit = Fit::kCannotTell;
  }
  found.questions.push_back(std::move(question));
  return unit;
}

void ask_length(const Survey& survey, std::uint64_t buf_len, Inference& found) {
  Question question{.id = "length", .title = "What does buf_len mean?"};
  const std::uint64_t word = found.format->layout.word_bytes;
  const auto add = [&](std::string claim, std::uint64_t size) {
    const bool fits = size == survey.size;
    question.hypotheses.push_back({claim, fits ? Fit::kFits : Fit::kDoesNotFit,
                                   fmt::format("a buffer of {} bytes; the file has {}", format_count(size),
                                               format_count(survey.size))});
    if (!fits) return;
    question.answered = true;
    question.answer = fmt::format("buf_len is {}.", claim);
  };
  add("the size in bytes", buf_len);
  add("the offset of the last word", buf_len + word);
  add("the size in words", buf_len * word);
  if (!question.answered)
    question.answer = "Cannot tell: the file is not the whole buffer, or something else is meant.";
  found.questions.push_back(std::move(question));
}

}  // namespace

void ask_buffer(const Survey& survey, Inference& found) {
  Question question{.id = "buffer", .title = "Is the buffer a ring?"};
  const std::vector<StampSeen>& stamps = survey.stamps;
  const std::vector<std::size_t> seams = seams_of(stamps);
  if (survey.written < survey.bytes) found.written_bytes = found.format->offset + survey.written;
  const bool comes_round = seams.size() == 1 && stamps.back().base <= stamps.front().base;
  found.shape = stamps.size() < 2 && !found.written_bytes ? BufferShape::kCannotTell
                : seams.empty()                           ? BufferShape::kLinear
                : comes_round                             ? BufferShape::kRing
                                                          : BufferShape::kSeveral;
  question.answered = found.shape != BufferShape::kCannotTell;
  std::string evidence = fmt::format("{}; the time runs backwards {}", stamps_text(survey),
                                     seams.empty()       ? std::string("nowhere")
                                     : seams.size() == 1 ? std::string("once")
                                                         : format_count(seams.size()) + " times");
  if (!seams.empty()) {
    const StampSeen& before = stamps[seams.front()];
    const StampSeen& behind = stamps[seams.front() + 1];
    evidence += fmt::format(": first from {} (byte {}) to {} (byte {}); it begins with {} and ends with {}",
                            before.base, format_count(before.begin), behind.base, format_count(behind.begin),
                            stamps.front().base, stamps.back().base);
  }
  const auto fit = [&](BufferShape shape) {
    if (!question.answered) return Fit::kCannotTell;
    return found.shape == shape ? Fit::kFits : Fit::kDoesNotFit;
  };
  question.hypotheses = {{"linear, from front to back", fit(BufferShape::kLinear), evidence},
                         {"a ring that has come round", fit(BufferShape::kRing), evidence},
                         {"several recordings in one file", fit(BufferShape::kSeveral), evidence}};
  switch (found.shape) {
    case BufferShape::kCannotTell:
      question.answer = "Cannot tell: needs two stamps.";
      break;
    case BufferShape::kLinear:
      question.answer = linear_answer(survey, found);
      break;
    case BufferShape::kRing:
      question.answer =
          fmt::format("A ring: its oldest word lies {}, and the end continues at the beginning.",
                      write_place(survey, found).text());
      break;
    case BufferShape::kSeveral:
      question.answer =
          "Several recordings in one file, or noise: the time runs backwards as it cannot in one ring.";
      break;
  }
  found.questions.push_back(std::move(question));
}

void ask_registers(const Survey& survey, const std::optional<Registers>& registers, Inference& found) {
  const Registers values = registers.value_or(Registers{});
  found.wptr_unit = ask_register({.id = "write_pointer", .title = "What does the write pointer count?"},
                                 "wptr", values.wptr, false, survey, found);
  found.samp_wrt_unit =
      ask_register({.id = "samples", .title = "What does the number of samples written count?"}, "samp_wrt",
                   values.samp_wrt, true, survey, found);
  if (values.samp_crt)
    ask_register({.id = "produced", .title = "What does the number of samples produced count?"}, "samp_crt",
                 values.samp_crt, true, survey, found);
  if (values.buf_len) ask_length(survey, *values.buf_len, found);
}

}  // namespace accelscope::formats::perfmon::details
