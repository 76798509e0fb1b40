#include "formats/chrome_json/document.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "formats/chrome_json/diagnosis.h"

namespace accelscope::formats::chrome_json {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMaxFactBytes = std::size_t{64} * 1024;

bool is_known_section(std::string_view key) {
  constexpr std::array<std::string_view, 5> kSections = {"systemTraceEvents", "stackFrames", "samples",
                                                         "powerTraceAsString", "controllerTraceDataKey"};
  return std::find(kSections.begin(), kSections.end(), key) != kSections.end();
}

}  // namespace

DocumentReader::DocumentReader(std::string_view document, trace::TraceBuilder& builder, Troubles& troubles,
                               const Options& options, std::size_t window_bytes)
    : document_(document),
      builder_(builder),
      troubles_(troubles),
      windows_(document, window_bytes),
      events_(builder, options.keep_args),
      progress_(options.progress),
      assembler_(builder, troubles) {}

std::optional<Problem> DocumentReader::read() {
  const std::size_t begin = document_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (Outcome problem = enter(windows_.load(begin))) return problem;
  if (walker_.exhausted())
    return cut_short({0, document_.empty() ? "the file is empty" : "the file holds nothing but white space"});
  const char first = walker_.peek();
  if (first != '[' && first != '{') return fail_here("neither a list of events nor an object around one");
  is_bare_array_ = first == '[';
  if (Outcome problem = is_bare_array_ ? read_events() : read_members()) return problem;
  if (closed_)
    if (Outcome problem = check_tail()) return problem;
  if (!is_bare_array_ && !found_events_) return Problem{begin, "the object has no member 'traceEvents'"};
  assembler_.finish();
  return std::nullopt;
}

DocumentReader::Outcome DocumentReader::enter(IndexOutcome outcome) {
  if (outcome != IndexOutcome::kIndexed) return read_up_to_damage(outcome);
  walker_.enter(windows_.current());
  if (progress_) progress_(windows_.current().offset);
  return std::nullopt;
}

// The index pass runs ahead: something before the damage may be wrong as well, and be its cause (a string
// that is never closed turns the rest of the file inside out). What comes first is reported.
DocumentReader::Outcome DocumentReader::read_up_to_damage(IndexOutcome outcome) {
  const std::size_t offset = windows_.current().offset;
  const Damage damage = diagnose(outcome, document_, offset);
  const bool is_before_other_damage =
      damage.problem.offset < (damage_ ? damage_->offset : document_.size() + 1);
  if (outcome == IndexOutcome::kNoMemory || !is_before_other_damage) return damage.problem;
  damage_ = damage.problem;
  damage_is_the_end_ = outcome == IndexOutcome::kEndsInsideString;
  windows_.cut_at(damage.sound_until);
  return enter(windows_.load(offset));
}

DocumentReader::Outcome DocumentReader::load_more(std::uint32_t token) {
  const std::size_t offset = walker_.offset_of(token);
  return enter(offset == windows_.current().offset ? windows_.grow() : windows_.load(offset));
}

// The document, or the sound part of it, has come to its end too early.
DocumentReader::Outcome DocumentReader::cut_short(Problem problem) {
  truncated_ = !damage_ || damage_is_the_end_;
  return damage_ ? damage_ : std::move(problem);
}

// The walker stands on the opening bracket, and afterwards behind the closing one.
DocumentReader::Outcome DocumentReader::read_events() {
  found_events_ = true;
  const std::size_t list_offset = walker_.offset_of(walker_.at());
  walker_.advance();
  char last_item = '\0';
  bool separator_is_next = false;
  while (true) {
    if (walker_.exhausted()) {
      if (windows_.current().is_last) return end_inside_events(list_offset, last_item == '{');
      if (Outcome problem = enter(windows_.load(windows_.current().end()))) return problem;
      continue;
    }
    const char c = walker_.peek();
    if (c == ']') {
      if (!separator_is_next && last_item != '\0')
        troubles_.note(Trouble::kTrailingComma, walker_.offset_of(walker_.at()));
      walker_.advance();
      return std::nullopt;
    }
    if (separator_is_next) {
      if (c != ',') return fail_here("a ',' or ']' is missing behind an event");
      walker_.advance();
      separator_is_next = false;
      continue;
    }
    const std::uint32_t token = walker_.at();
    const Step step = read_item();
    if (step == Step::kBad) return walker_.problem();
    if (step == Step::kNeedsMore) {
      if (Outcome problem = event_needs_more(token)) return problem;
      continue;
    }
    last_item = c;
    separator_is_next = true;
  }
}

DocumentReader::Outcome DocumentReader::event_needs_more(std::uint32_t token) {
  if (!windows_.current().is_last) return load_more(token);
  // The event reader looks several tokens ahead; the slower walk tells what is wrong from what is missing.
  walker_.move_to(token);
  if (walker_.skip_value() == Step::kBad) return walker_.problem();
  return cut_short(diagnose_end(document_, walker_.offset_of(token), "event"));
}

// Producers that are stopped leave a bare list open, and viewers accept it; but only between events is it
// sure that nothing is cut.
DocumentReader::Outcome DocumentReader::end_inside_events(std::size_t list_offset, bool behind_event) {
  if (!is_bare_array_ || !behind_event || damage_)
    return cut_short(diagnose_end(document_, list_offset, "list of events"));
  troubles_.note(Trouble::kCutTail, document_.size());
  closed_ = false;
  return std::nullopt;
}

Step DocumentReader::read_item() {
  if (walker_.peek() != '{') {
    const std::size_t offset = walker_.offset_of(walker_.at());
    const Step step = walker_.skip_value();
    if (step == Step::kDone) troubles_.note(Trouble::kNotAnEvent, offset);
    return step;
  }
  const Step step = events_.read(walker_, event_);
  if (step == Step::kDone) assembler_.add(event_);
  return step;
}

// The walker stands on the opening brace, and afterwards behind the closing one.
DocumentReader::Outcome DocumentReader::read_members() {
  const std::size_t object_offset = walker_.offset_of(walker_.at());
  walker_.advance();
  bool separator_is_next = false;
  bool may_close = true;
  while (true) {
    if (walker_.exhausted()) {
      if (windows_.current().is_last) return cut_short(diagnose_end(document_, object_offset, "object"));
      if (Outcome problem = enter(windows_.load(windows_.current().end()))) return problem;
      continue;
    }
    const char c = walker_.peek();
    if (c == '}' && may_close) {
      walker_.advance();
      return std::nullopt;
    }
    if (separator_is_next) {
      if (c != ',') return fail_here("a ',' or '}' is missing behind a member of the object");
      walker_.advance();
      separator_is_next = may_close = false;
      continue;
    }
    const std::uint32_t token = walker_.at();
    bool is_event_list = false;
    const Step step = read_member(is_event_list);
    if (step == Step::kBad) return walker_.problem();
    if (step == Step::kNeedsMore) {
      if (windows_.current().is_last)
        return cut_short(diagnose_end(document_, walker_.offset_of(token), "member"));
      if (Outcome problem = load_more(token)) return problem;
      continue;
    }
    if (is_event_list)
      if (Outcome problem = read_events()) return problem;
    separator_is_next = may_close = true;
  }
}

// Steps over a key and its value, but stops on the bracket that opens the events.
Step DocumentReader::read_member(bool& is_event_list) {
  const std::uint32_t token = walker_.at();
  if (walker_.peek() != '"') return walker_.fail_at_token(token, "a key in quotation marks is missing here");
  std::string_view decoded;
  if (!walker_.decode_string(token, decoded)) return Step::kBad;
  const std::string key(decoded);
  if (token + 1 >= walker_.count()) return Step::kNeedsMore;
  if (walker_.first_char(token + 1) != ':')
    return walker_.fail_at_token(token + 1, "a ':' is missing between a key and its value");
  if (token + 2 >= walker_.count()) return Step::kNeedsMore;
  walker_.move_to(token + 2);
  if (key != "traceEvents") return read_section(key);
  is_event_list = walker_.peek() == '[';
  return is_event_list ? Step::kDone : walker_.fail_at_token(token + 2, "'traceEvents' is not a list");
}

Step DocumentReader::read_section(std::string_view key) {
  const std::uint32_t first = walker_.at();
  // Walked to its end before anything of it is kept: a part in the next window would make it begin again.
  if (const Step step = walker_.skip_value(); step != Step::kDone) return step;
  const std::uint32_t end = walker_.at();
  walker_.move_to(first);
  if (is_known_section(key))
    troubles_.note(Trouble::kIgnoredSection, walker_.offset_of(first));
  else if ((key == "otherData" || key == "metadata") && walker_.peek() == '{')
    read_facts();
  else if (key != "displayTimeUnit")
    read_fact(key);
  walker_.move_to(end);
  return Step::kDone;
}

// The walker stands on the brace of an object that is known to be whole.
void DocumentReader::read_facts() {
  walker_.advance();
  while (walker_.peek() != '}') {
    std::string_view decoded;
    walker_.decode_string(walker_.at(), decoded);
    const std::string key(decoded);
    walker_.move_to(walker_.at() + 2);
    read_fact(key);
    if (walker_.peek() == ',') walker_.advance();
  }
}

void DocumentReader::read_fact(std::string_view key) {
  const std::uint32_t first = walker_.at();
  walker_.skip_value();
  const std::uint32_t end = walker_.at();
  const std::size_t bytes =
      walker_.offset_of(end - 1) + walker_.token_text(end - 1).size() - walker_.offset_of(first);
  if (bytes > kMaxFactBytes) return troubles_.note(Trouble::kIgnoredSection, walker_.offset_of(first));
  walker_.move_to(first);
  trace::Value value;
  events_.read_value(walker_, value);
  builder_.add_fact(key, value);
}

DocumentReader::Outcome DocumentReader::check_tail() {
  constexpr std::string_view kReason = "the document has ended, and something follows it";
  if (!walker_.exhausted()) return fail_here(std::string(kReason));
  const std::size_t more = document_.find_first_not_of(" \t\r\n", windows_.current().end());
  if (more == std::string_view::npos) return std::nullopt;
  return Problem{more, std::string(kReason)};
}

}  // namespace accelscope::formats::chrome_json
