#include "formats/perfetto/annotations.h"

#include <simdjson.h>

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

struct Annotations::JsonParser {
  simdjson::dom::parser parser;
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
    : trace_(trace), events_(events), json_(std::make_unique<JsonParser>()) {}
Annotations::~Annotations() = default;

void Annotations::add_list(Message& event, trace::ArgId first) {
  const trace::ArgTable& args = trace_.args();
  for (trace::ArgId arg = first; arg != trace::ArgId::kNone; arg = args.next[index(arg)])
    add(event, args.name[index(arg)], args.value(arg));
}

void Annotations::add(Message& event, trace::StringId name, Value value) {
  // All but nested JSON and bytes take a few bytes only, and can be built in place.
  const bool is_small = value.type != ValueType::kJson && value.type != ValueType::kBytes;
  if (is_small) {
    const std::size_t start = event.open_small(track_event::kAnnotations);
    event.varint(annotation::kNameId, events_.annotation_name(name));
    put_value(event, value, true);
    event.close_small(start);
    return;
  }
  annotation_.clear();
  annotation_.varint(annotation::kNameId, events_.annotation_name(name));
  put_value(annotation_, value, true);
  event.message(track_event::kAnnotations, annotation_);
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
    case ValueType::kJson: {
      simdjson::dom::element json;
      if (json_->parser.parse(trace_.text(value.as_text())).get(json) == simdjson::SUCCESS)
        return put_json(annotation, json, 0);
      return annotation.text(annotation::kString, trace_.text(value.as_text()));
    }
    case ValueType::kBytes:
      return annotation.text(annotation::kString, hexadecimal(trace_.text(value.as_text())));
    case ValueType::kTask:
      return annotation.bytes(annotation::kString, trace::task_label(value.as_uint()));
  }
}

}  // namespace accelscope::formats::perfetto
