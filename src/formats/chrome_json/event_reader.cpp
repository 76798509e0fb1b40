#include "formats/chrome_json/event_reader.h"

#include <algorithm>

namespace accelscope::formats::chrome_json {

using trace::Value;

enum class EventReader::Field : std::uint8_t {
  kUnknown,
  kPhase,
  kTime,
  kDuration,
  kProcess,
  kThread,
  kName,
  kCategory,
  kArguments,
  kId,
  kId2,
  kScope,
  kIdScope,
  kBindingPoint,
  kBindId,
  kFlowIn,
  kFlowOut,
  kThreadTime,
  kThreadDuration,
  kUnit,
  kLevelsUp,
};

inline EventReader::Field EventReader::field_of(std::string_view key) {
  switch (key.size()) {
    case 1:
      return key[0] == 's' ? Field::kScope : Field::kUnknown;
    case 2:
      if (key == "ph") return Field::kPhase;
      if (key == "ts") return Field::kTime;
      if (key == "id") return Field::kId;
      return key == "bp" ? Field::kBindingPoint : Field::kUnknown;
    case 3:
      if (key == "pid") return Field::kProcess;
      if (key == "tid") return Field::kThread;
      if (key == "dur") return Field::kDuration;
      if (key == "cat") return Field::kCategory;
      if (key == "tts") return Field::kThreadTime;
      return key == "id2" ? Field::kId2 : Field::kUnknown;
    case 4:
      if (key == "name") return Field::kName;
      if (key == "args") return Field::kArguments;
      if (key == "tdur") return Field::kThreadDuration;
      return key == "unit" ? Field::kUnit : Field::kUnknown;
    case 5:
      return key == "scope" ? Field::kIdScope : Field::kUnknown;
    case 7:
      if (key == "bind_id") return Field::kBindId;
      return key == "flow_in" ? Field::kFlowIn : Field::kUnknown;
    case 8:
      return key == "flow_out" ? Field::kFlowOut : Field::kUnknown;
    case 9:
      return key == "levels_up" ? Field::kLevelsUp : Field::kUnknown;
    default:
      return Field::kUnknown;
  }
}

Step EventReader::read(JsonWalker& walker, Event& event) {
  event.reset(walker.offset_of(walker.at()));
  std::uint32_t token = walker.at() + 1;
  const std::uint32_t count = walker.count();
  if (token >= count) return Step::kNeedsMore;
  const bool empty = walker.first_char(token) == '}';
  for (char separator = empty ? '}' : ','; separator != '}'; ++token) {
    // A key, its colon, its value and what follows.
    if (token + 3 >= count) return Step::kNeedsMore;
    if (walker.first_char(token) != '"' || walker.first_char(token + 1) != ':')
      return walker.check_key_at(token);
    std::string_view key = walker.raw_string(token);
    if (walker.window().has_backslash && !walker.decode_string(token, key)) return Step::kBad;
    const Field field = field_of(key);
    if (read_usual_field(walker, token + 2, field, event)) {
      token += 3;
    } else {
      walker.move_to(token + 2);
      if (const Step step = read_field(walker, field, event); step != Step::kDone) return step;
      token = walker.at();
      if (token >= count) return Step::kNeedsMore;
    }
    separator = walker.first_char(token);
    if (separator != ',' && separator != '}')
      return walker.fail_at_token(token, "a ',' or '}' is missing here");
  }
  walker.move_to(empty ? token + 1 : token);
  if (event.present < Event::kLateArguments) return Step::kDone;
  return finish_arguments(walker, event);
}

// What could not be decided before the whole event was seen: its phase may come last.
Step EventReader::finish_arguments(JsonWalker& walker, Event& event) {
  if (event.has(Event::kLateArguments) && (event.phase == 'C' || event.phase == 'M')) {
    const std::uint32_t behind_event = walker.at();
    walker.move_to(event.arguments_token);
    if (const Step step = read_arguments(walker, event); step != Step::kDone) return step;
    walker.move_to(behind_event);
  }
  if (!keep_arguments_ || event.phase == 'C') return Step::kDone;
  if (event.has(Event::kThreadTime)) event.arguments.push_back({thread_time_name_, event.thread_time});
  if (event.has(Event::kThreadDuration))
    event.arguments.push_back({thread_duration_name_, event.thread_duration});
  return Step::kDone;
}

// The fields that nearly every event has, in the form they nearly always have. False, and nothing done, for
// anything else: read_field() then does it the long way.
inline bool EventReader::read_usual_field(const JsonWalker& walker, std::uint32_t token, Field field,
                                          Event& event) {
  const std::string_view text = walker.token_text(token);
  const auto read_usual_text = [&](StringId& id) {
    if (text.front() != '"' || (walker.window().has_backslash && text.find('\\') != std::string_view::npos))
      return false;
    id = texts_.intern(JsonWalker::unquoted(text));
    return true;
  };
  const auto read_usual_id = [&](ExternalId& id) {
    id.kind = ExternalId::Kind::kInt;
    return parse_short_integer(text, id.bits);
  };
  const auto read_usual_time = [&](PreciseTime& time, Event::Presence presence) {
    if (!parse_short_microseconds(text, time)) return false;
    event.present |= presence;
    return true;
  };
  switch (field) {
    case Field::kPhase:
      if (text.size() != 3 || text[0] != '"') return false;
      event.phase = text[1];
      return true;
    case Field::kTime:
      return read_usual_time(event.time, Event::kTime);
    case Field::kDuration:
      return read_usual_time(event.duration, Event::kDuration);
    case Field::kProcess:
      return read_usual_id(event.process);
    case Field::kThread:
      return read_usual_id(event.thread);
    case Field::kName:
      return read_usual_text(event.name);
    case Field::kCategory:
      return read_usual_text(event.category);
    default:
      return false;
  }
}

Step EventReader::read_field(JsonWalker& walker, Field field, Event& event) {
  bool found = false;
  switch (field) {
    case Field::kPhase:
      return read_phase(walker, event);
    case Field::kTime:
      return read_time(walker, event.time, Event::kTime, event);
    case Field::kDuration:
      return read_time(walker, event.duration, Event::kDuration, event);
    case Field::kProcess:
      return read_id(walker, event.process, found);
    case Field::kThread:
      return read_id(walker, event.thread, found);
    case Field::kName:
      return read_text(walker, event.name);
    case Field::kCategory:
      return read_text(walker, event.category);
    case Field::kArguments:
      if (keep_arguments_) return read_arguments(walker, event);
      event.present |= Event::kLateArguments;
      event.arguments_token = walker.at();
      return walker.skip_value();
    default:
      return read_rare_field(walker, field, event);
  }
}

Step EventReader::read_rare_field(JsonWalker& walker, Field field, Event& event) {
  const auto read_presence = [&](ExternalId& id, Event::Presence presence) {
    bool found = false;
    const Step step = read_id(walker, id, found);
    if (found) event.present |= presence;
    return step;
  };
  switch (field) {
    case Field::kId:
      return read_presence(event.id, Event::kId);
    case Field::kBindId:
      return read_presence(event.bind_id, Event::kBindId);
    case Field::kId2:
      return read_id2(walker, event);
    case Field::kFlowIn:
      return read_boolean(walker, Event::kFlowIn, event);
    case Field::kFlowOut:
      return read_boolean(walker, Event::kFlowOut, event);
    case Field::kIdScope:
      return read_text(walker, event.id_scope);
    case Field::kUnit:
      return read_text(walker, event.unit);
    case Field::kThreadTime:
      event.present |= Event::kThreadTime;
      return read_value(walker, event.thread_time);
    case Field::kThreadDuration:
      event.present |= Event::kThreadDuration;
      return read_value(walker, event.thread_duration);
    case Field::kScope:
      if (walker.token_text(walker.at()).size() == 3) event.scope = walker.token_text(walker.at())[1];
      return walker.skip_value();
    case Field::kBindingPoint:
      if (walker.token_text(walker.at()) == "\"e\"") event.present |= Event::kBindsEnclosing;
      return walker.skip_value();
    case Field::kLevelsUp: {
      Value levels;
      const Step step = read_value(walker, levels);
      if (step == Step::kDone && levels.type == trace::ValueType::kInt)
        event.levels_up = static_cast<std::uint32_t>(std::clamp<std::int64_t>(levels.as_int(), 0, 0xFFFF));
      return step;
    }
    default:
      event.present |= Event::kIgnoredFields;
      return walker.skip_value();
  }
}

inline StringId EventReader::intern(const JsonWalker& walker, std::string_view text) {
  // Decoded text is not in the window and has nothing readable behind it.
  const char* const window = walker.window().text;
  const bool in_window = text.data() >= window && text.data() < window + walker.window().size;
  return in_window ? texts_.intern(text) : builder_.intern(text);
}

Step EventReader::read_text(JsonWalker& walker, StringId& text) {
  const std::uint32_t token = walker.at();
  const char first = walker.peek();
  if (first == '"') {
    std::string_view decoded;
    if (!walker.decode_string(token, decoded)) return Step::kBad;
    text = intern(walker, decoded);
    walker.advance();
    return Step::kDone;
  }
  const Step step = walker.skip_value();
  if (step == Step::kDone && first != '{' && first != '[') text = builder_.intern(walker.token_text(token));
  return step;
}

Step EventReader::read_phase(JsonWalker& walker, Event& event) {
  const std::string_view text = walker.token_text(walker.at());
  event.phase = text.size() == 3 && text[0] == '"' ? text[1] : Event::kOddPhase;
  if (event.phase == Event::kOddPhase) return walker.skip_value();
  walker.advance();
  return Step::kDone;
}

Step EventReader::read_time(JsonWalker& walker, PreciseTime& time, Event::Presence presence, Event& event) {
  std::string_view text = walker.token_text(walker.at());
  const bool quoted = text.front() == '"';
  if (quoted) text = JsonWalker::unquoted(text);
  switch (parse_microseconds(text, time)) {
    case TimeOutcome::kParsed:
      event.present |= presence;
      break;
    case TimeOutcome::kOutOfRange:
      event.present |= Event::kTimeOutOfRange;
      break;
    case TimeOutcome::kMalformed:
      return walker.skip_value();
  }
  walker.advance();
  return Step::kDone;
}

Step EventReader::read_id(JsonWalker& walker, ExternalId& id, bool& found) {
  const std::uint32_t token = walker.at();
  std::string_view text = walker.token_text(token);
  const bool quoted = text.front() == '"';
  if (quoted && !walker.decode_string(token, text)) return Step::kBad;
  found = true;
  switch (parse_number(text, id.bits)) {
    case NumberKind::kInt:
      id.kind = ExternalId::Kind::kInt;
      break;
    case NumberKind::kUint:
      id.kind = ExternalId::Kind::kUint;
      break;
    case NumberKind::kMalformed:
      if (!quoted) {
        found = false;
        return walker.skip_value();
      }
      [[fallthrough]];
    default:
      id = {index(builder_.intern(text)), ExternalId::Kind::kText};
  }
  walker.advance();
  return Step::kDone;
}

Step EventReader::read_id2(JsonWalker& walker, Event& event) {
  const std::uint32_t first = walker.at();
  if (const Step step = walker.skip_value(); step != Step::kDone) return step;
  const std::uint32_t end = walker.at();
  // {"local": ID} or {"global": ID} is five tokens at least: brace, key, colon, value, brace.
  if (walker.first_char(first) != '{' || end - first < 5) return Step::kDone;
  const std::string_view kind = walker.raw_string(first + 1);
  const char value = walker.first_char(first + 3);
  if ((kind != "local" && kind != "global") || value == '{' || value == '[') return Step::kDone;
  walker.move_to(first + 3);
  bool found = false;
  const Step step = read_id(walker, event.id, found);
  walker.move_to(end);
  if (found) event.present |= Event::kId;
  if (found && kind == "local") event.present |= Event::kIdIsLocal;
  return step;
}

Step EventReader::read_boolean(JsonWalker& walker, Event::Presence presence, Event& event) {
  if (walker.token_text(walker.at()) == "true") event.present |= presence;
  return walker.skip_value();
}

Step EventReader::read_arguments(JsonWalker& walker, Event& event) {
  event.arguments.clear();
  if (walker.peek() != '{') {
    Value value;
    const Step step = read_value(walker, value);
    if (step == Step::kDone && value.type != trace::ValueType::kNull)
      event.arguments.push_back({builder_.intern("args"), value});
    return step;
  }
  walker.advance();
  if (walker.exhausted()) return Step::kNeedsMore;
  if (walker.peek() == '}') {
    walker.advance();
    return Step::kDone;
  }
  while (true) {
    const std::uint32_t token = walker.at();
    if (token + 3 >= walker.count()) return Step::kNeedsMore;
    if (walker.peek() != '"' || walker.first_char(token + 1) != ':') return walker.check_key_at(token);
    std::string_view key;
    if (!walker.decode_string(token, key)) return Step::kBad;
    Argument& argument = event.arguments.emplace_back();
    argument.name = intern(walker, key);
    walker.move_to(token + 2);
    if (const Step step = read_value(walker, argument.value); step != Step::kDone) return step;
    if (walker.exhausted()) return Step::kNeedsMore;
    const char separator = walker.peek();
    if (separator != ',' && separator != '}')
      return walker.fail_at_token(walker.at(), "a ',' or '}' is missing here");
    walker.advance();
    if (separator == '}') return Step::kDone;
  }
}

Step EventReader::read_value(JsonWalker& walker, Value& value) {
  const std::uint32_t token = walker.at();
  switch (walker.peek()) {
    case '"': {
      std::string_view text;
      if (!walker.decode_string(token, text)) return Step::kBad;
      value = Value::of_string(intern(walker, text));
      walker.advance();
      return Step::kDone;
    }
    case '{':
    case '[':
      if (const Step step = walker.skip_value(); step != Step::kDone) return step;
      value = Value::of_json(builder_.intern(walker.minified(token, walker.at())));
      return Step::kDone;
    case 't':
    case 'f':
    case 'n': {
      const Step step = walker.skip_value();
      value =
          walker.first_char(token) == 'n' ? Value::null() : Value::of_bool(walker.first_char(token) == 't');
      return step;
    }
    default:
      return read_number(walker, value);
  }
}

inline Step EventReader::read_number(JsonWalker& walker, Value& value) {
  const std::string_view text = walker.token_text(walker.at());
  std::uint64_t bits = 0;
  if (parse_short_integer(text, bits)) {
    value = {trace::ValueType::kInt, bits};
    walker.advance();
    return Step::kDone;
  }
  switch (parse_number(text, bits)) {
    case NumberKind::kInt:
      value = {trace::ValueType::kInt, bits};
      break;
    case NumberKind::kUint:
      value = {trace::ValueType::kUint, bits};
      break;
    case NumberKind::kDouble:
      value = {trace::ValueType::kDouble, bits};
      break;
    case NumberKind::kTooWide:
      value = Value::of_string(builder_.intern(text));
      break;
    case NumberKind::kMalformed:
      return walker.skip_value();
  }
  walker.advance();
  return Step::kDone;
}

}  // namespace accelscope::formats::chrome_json
