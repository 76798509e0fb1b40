#include "python/columns.h"

namespace accelscope::python {

namespace {

py::array read_only(py::array array) {
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace

py::array array_at(const py::dtype& type, std::size_t rows, std::size_t stride, const void* data,
                   const Owner& owner) {
  auto kept = std::make_unique<Owner>(owner);
  const py::capsule keeper(static_cast<void*>(kept.get()),
                           [](void* object) { delete static_cast<Owner*>(object); });
  static_cast<void>(kept.release());
  return read_only(
      py::array(type, {static_cast<py::ssize_t>(rows)}, {static_cast<py::ssize_t>(stride)}, data, keeper));
}

// NumPy itself would look into what is a sequence.
py::array array_of_objects(const py::list& objects) {
  const py::module_ numpy = py::module_::import("numpy");
  const py::object array = numpy.attr("empty")(objects.size(), py::arg("dtype") = "object");
  array[py::slice(py::none(), py::none(), py::none())] = objects;
  return read_only(array);
}

py::object object_of(const trace::Trace& trace, trace::Value value) {
  using trace::ValueType;
  switch (value.type) {
    case ValueType::kNull:
      return py::none();
    case ValueType::kInt:
      return py::int_(value.as_int());
    case ValueType::kUint:
    case ValueType::kTask:
      return py::int_(value.as_uint());
    case ValueType::kDouble:
      return py::float_(value.as_double());
    case ValueType::kBool:
      return py::bool_(value.as_bool());
    case ValueType::kString:
    case ValueType::kJson:
      return text_for(trace.text(value.as_text()));
    case ValueType::kBytes: {
      const std::string_view bytes = trace.text(value.as_text());
      return py::bytes(bytes.data(), bytes.size());
    }
  }
  return py::none();
}

}  // namespace accelscope::python
