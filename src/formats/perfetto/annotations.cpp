#include "formats/perfetto/annotations.h"

#include <simdjson.h>

#include <array>

#include "formats/perfetto/schema.h"
#include "trace/chip_run.h"

namespace accelscope::formats::perfetto {
namespace {

using trace::Value;
using trace::ValueType;
using wire::Message;

constexpr int kMaxJsonDepth = 32;

std::string hexadecimal(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4U];
    text += kDigits[value & 0xFU];
  }
  return text;
}

// Values that take a few bytes only.
bool is_small(ValueType type) {
  return type == ValueType::kInt || type == ValueType::kUint || type == ValueType::kDouble ||
         type == ValueType::kBool || type == ValueType::kString || type == ValueType::kTask;
}

// A whole annotation with such a value.
constexpr std::size_t kMaxSmallAnnotation = 2 + 2 * wire::kMaxVarintBytes + 2 + trace::kMaxTaskLabel;

constexpr std::uint64_t varint_tag(std::uint32_t field) {
  return wire::tag(field, wire::WireType::kVarint);
}

char* put_task(char* to, std::uint64_t task) {
  to = wire::put_varint(to, wire::tag(annotation::kString, wire::WireType::kBytes));
  char* const label = to + 1;
  char* const end = trace::put_task_label(label, task);
  *to = static_cast<char>(end - label);
  return end;
}

void put_json(Message& annotation, const simdjson::dom::element& json, int depth);

void put_json_object(Message& annotation, const simdjson::dom::object& object, int depth) {
  if (object.begin() == object.end()) annotation.text(annotation::kString, "{}");
  for (const auto& field : object) {
    Message entry;
    entry.text(annotation::kName, field.key);
    put_json(entry, field.value, depth + 1);
    annotation.message(annotation::kDictEntries, entry);
  }
}

void put_json_array(Message& annotation, const simdjson::dom::array& array, int depth) {
  if (array.begin() == array.end()) annotation.text(annotation::kString, "[]");
  for (const simdjson::dom::element& element : array) {
    Message entry;
    put_json(entry, element, depth + 1);
    annotation.message(annotation::kArrayValues, entry);
  }
}

void put_json(Message& annotation, const simdjson::dom::element& json, int depth) {
  if (depth >= kMaxJsonDepth && (json.is_object() || json.is_array())) {
    annotation.text(annotation::kString, simdjson::minify(json));
    return;
  }
  switch (json.type()) {
    case simdjson::dom::element_type::OBJECT:
      return put_json_object(annotation, json.get_object().value_unsafe(), depth);
    case simdjson::dom::element_type::ARRAY:
      return put_json_array(annotation, json.get_array().value_unsafe(), depth);
    case simdjson::dom::element_type::INT64:
      return annotation.signed_varint(annotation::kInt, json.get_int64().value_unsafe());
    case simdjson::dom::element_type::UINT64:
      return annotation.varint(annotation::kUint, json.get_uint64().value_unsafe());
    case simdjson::dom::element_type::DOUBLE:
      return annotation.real(annotation::kDouble, json.get_double().value_unsafe());
    case simdjson::dom::element_type::STRING:
      return annotation.text(annotation::kString, json.get_string().value_unsafe());
    case simdjson::dom::element_type::BOOL:
      return annotation.varint(annotation::kBool, json.get_bool().value_unsafe() ? 1 : 0);
    case simdjson::dom::element_type::NULL_VALUE:
      return annotation.text(annotation::kString, "null");
  }
}

}  // namespace

// Remembers what it encoded: scheduler phases have the same few lists again and again.
class Annotations::JsonEncoder {
 public:
  const Message& encoded(const trace::Trace& trace, trace::StringId text) {
    Entry& entry = entries_[index(text) % entries_.size()];
    if (!entry.known || entry.text != text) {
      entry.known = true;
      entry.text = text;
      entry.value.clear();
      encode(trace.text(text), entry.value);
    }
    return entry.value;
  }

 private:
  void encode(std::string_view text, Message& value) {
    simdjson::dom::element json;
    if (parser_.parse(text).get(json) == simdjson::SUCCESS)
      put_json(value, json, 0);
    else
      value.text(annotation::kString, text);
  }

  struct Entry {
    bool known = false;
    trace::StringId text = trace::StringId::kEmpty;
    Message value;
  };
  std::array<Entry, 64> entries_;
  simdjson::dom::parser parser_;
};

Message text_annotation(std::string_view name, std::string_view value) {
  Message annotation;
  annotation.text(annotation::kName, name);
  annotation.text(annotation::kString, value);
  return annotation;
}

Message int_annotation(std::string_view name, std::int64_t value) {
  Message annotation;
  annotation.text(annotation::kName, name);
  annotation.signed_varint(annotation::kInt, value);
  return annotation;
}

Message uint_annotation(std::string_view name, std::uint64_t value) {
  Message annotation;
  annotation.text(annotation::kName, name);
  annotation.varint(annotation::kUint, value);
  return annotation;
}

Annotations::Annotations(const trace::Trace& trace, SequenceWriter& events)
    : trace_(trace), events_(events), json_(std::make_unique<JsonEncoder>()) {}
Annotations::~Annotations() = default;

void Annotations::add_list(Message& event, trace::ArgId first) {
  const trace::ArgTable& args = trace_.args();
  for (trace::ArgId arg = first; arg != trace::ArgId::kNone; arg = args.next[index(arg)])
    add(event, args.name[index(arg)], args.value(arg));
}

void Annotations::add(Message& event, trace::StringId name, Value value) {
  if (is_small(value.type)) return add_small(event, name, value);
  annotation_.clear();
  annotation_.varint(annotation::kNameId, events_.annotation_name(name));
  put_value(annotation_, value, true);
  event.message(track_event::kAnnotations, annotation_);
}

// Bars of tasks have nothing but these, so they are placed byte by byte.
void Annotations::add_small(Message& event, trace::StringId name, Value value) {
  char* const start = event.reserve(kMaxSmallAnnotation);
  char* const content =
      wire::put_varint(start, wire::tag(track_event::kAnnotations, wire::WireType::kBytes)) + 1;
  char* to = wire::put_varint(content, varint_tag(annotation::kNameId));
  to = wire::put_varint(to, events_.annotation_name(name));
  const auto put = [&](std::uint32_t field, std::uint64_t bits) {
    to = wire::put_varint(wire::put_varint(to, varint_tag(field)), bits);
  };
  switch (value.type) {
    case ValueType::kTask:
      to = put_task(to, value.as_uint());
      break;
    case ValueType::kUint:
      put(annotation::kUint, value.as_uint());
      break;
    case ValueType::kString:
      put(annotation::kStringId, events_.annotation_string(value.as_text()));
      break;
    case ValueType::kBool:
      put(annotation::kBool, value.as_bool() ? 1 : 0);
      break;
    case ValueType::kDouble:
      to = wire::put_varint(to, wire::tag(annotation::kDouble, wire::WireType::kFixed64));
      to = wire::put_fixed64(to, std::bit_cast<std::uint64_t>(value.as_double()));
      break;
    default:
      put(annotation::kInt, static_cast<std::uint64_t>(value.as_int()));
  }
  content[-1] = static_cast<char>(to - content);
  event.advance_to(to);
}

Message Annotations::literal(std::string_view name, Value value) {
  Message annotation;
  annotation.text(annotation::kName, name);
  put_value(annotation, value, false);
  return annotation;
}

void Annotations::put_value(Message& annotation, Value value, bool intern_strings) {
  switch (value.type) {
    case ValueType::kNull:
      return annotation.text(annotation::kString, "null");
    case ValueType::kInt:
      return annotation.signed_varint(annotation::kInt, value.as_int());
    case ValueType::kUint:
      return annotation.varint(annotation::kUint, value.as_uint());
    case ValueType::kDouble:
      return annotation.real(annotation::kDouble, value.as_double());
    case ValueType::kBool:
      return annotation.varint(annotation::kBool, value.as_bool() ? 1 : 0);
    case ValueType::kString:
      if (intern_strings)
        return annotation.varint(annotation::kStringId, events_.annotation_string(value.as_text()));
      return annotation.text(annotation::kString, trace_.text(value.as_text()));
    case ValueType::kJson:
      return annotation.append(json_->encoded(trace_, value.as_text()));
    case ValueType::kBytes:
      return annotation.text(annotation::kString, hexadecimal(trace_.text(value.as_text())));
    case ValueType::kTask:
      return annotation.bytes(annotation::kString, trace::task_label(value.as_uint()));
  }
}

}  // namespace accelscope::formats::perfetto
