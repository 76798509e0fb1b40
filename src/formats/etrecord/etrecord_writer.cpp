#include "formats/etrecord/etrecord_writer.h"

#include <fmt/core.h>
#include <zip.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "base/json_writer.h"

namespace accelscope::formats::etrecord {
namespace {

using base::JsonWriter;

constexpr std::time_t kStartOfDosTime = 315532800;  // 1980-01-01, the earliest a ZIP can say

struct SourceFree {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

void write_handles(JsonWriter& json, const std::vector<DebugHandle>& handles) {
  json.begin_array();
  for (const DebugHandle handle : handles) json.value(handle);
  json.end_array();
}

void write_delegate(JsonWriter& json, const Delegate& delegate) {
  json.begin_object().member("name", std::string_view(delegate.backend)).key("delegate_map").begin_object();
  std::vector<const DelegateEvents::value_type*> in_order;
  for (const DelegateEvents::value_type& event : delegate.events) in_order.push_back(&event);
  std::sort(in_order.begin(), in_order.end(),
            [](const auto* a, const auto* b) { return a->second.position < b->second.position; });
  for (const DelegateEvents::value_type* event : in_order) {
    json.key(event->first);
    write_handles(json, event->second.handles);
  }
  json.end_object().end_object();
}

// {method: {instruction: value}}
template <class Map, class WriteValue>
std::string map_json(const EtRecord& record, Map Method::*map, WriteValue&& write_value) {
  base::MemoryOutput out;
  JsonWriter json(out);
  json.begin_object();
  for (const Method& method : record.methods) {
    json.key(method.name).begin_object();
    for (const auto& entry : method.*map) {
      json.key(fmt::format("{}", entry.first));
      write_value(json, entry.second);
    }
    json.end_object();
  }
  json.end_object();
  return std::string(out.bytes());
}

std::string graph_json(const Method& method) {
  base::MemoryOutput out;
  JsonWriter json(out);
  json.begin_object()
      .key("graph_module")
      .begin_object()
      .key("graph")
      .begin_object()
      .key("nodes")
      .begin_array();
  for (const auto& entry : method.nodes) {
    for (const GraphNode& node : entry.second) {
      json.begin_object().member("target", std::string_view(node.op)).key("outputs").begin_array();
      json.begin_object()
          .key("as_tensor")
          .begin_object()
          .member("name", std::string_view(node.name))
          .end_object();
      json.end_object().end_array().key("metadata").begin_object();
      json.member("debug_handle", std::string_view(fmt::format("{}", entry.first)));
      if (!node.stack_trace.empty()) json.member("stack_trace", std::string_view(node.stack_trace));
      if (!node.module_stack.empty()) json.member("nn_module_stack", std::string_view(node.module_stack));
      json.end_object().end_object();
    }
  }
  json.end_array().end_object().end_object().end_object();
  return std::string(out.bytes());
}

tl::unexpected<base::Error> zip_failure(const char* reason) {
  return base::fail(base::ErrorCode::kWriteFailed, "the ZIP archive could not be made: {}", reason);
}

base::Status add_entry(zip_t* archive, const ZipContent& entry, Packing packing) {
  zip_source_t* data = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
  if (data == nullptr) return zip_failure(zip_strerror(archive));
  const zip_int64_t index = zip_file_add(archive, entry.name.c_str(), data, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(data);
    return zip_failure(zip_strerror(archive));
  }
  const auto position = static_cast<zip_uint64_t>(index);
  zip_set_file_compression(archive, position, packing == Packing::kStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
  zip_file_set_mtime(archive, position, kStartOfDosTime, 0);
  return {};
}

base::Result<std::string> bytes_of(zip_source_t* source) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0) return zip_failure("no bytes");
  std::string bytes(stat.size, '\0');
  const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got < 0 || static_cast<std::size_t>(got) != bytes.size())
    return zip_failure("it could not be read back");
  return bytes;
}

}  // namespace

base::Result<std::string> make_zip(const std::vector<ZipContent>& entries, Packing packing) {
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, SourceFree> buffer(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (buffer == nullptr) return zip_failure(zip_error_strerror(&error));
  zip_source_keep(buffer.get());  // one reference is the archive's, one ours
  std::unique_ptr<zip_t, Discard> archive(
      zip_open_from_source(buffer.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (archive == nullptr) {
    zip_source_free(buffer.get());
    return zip_failure(zip_error_strerror(&error));
  }
  for (const ZipContent& entry : entries) ACCELSCOPE_CHECK(add_entry(archive.get(), entry, packing));
  if (zip_close(archive.get()) != 0) return zip_failure(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closed: nothing is left to discard
  return bytes_of(buffer.get());
}

base::Result<std::string> write(const EtRecord& record) {
  std::vector<ZipContent> entries = {{std::string(kMarker), ""}};
  for (const Method& method : record.methods)
    entries.push_back({"edge_dialect_exported_program/" + method.name, graph_json(method)});
  entries.push_back({"debug_handle_map", map_json(record, &Method::handles, write_handles)});
  entries.push_back({"delegate_map", map_json(record, &Method::delegates, write_delegate)});
  entries.push_back({"instruction_id_to_num_outs_map",
                     map_json(record, &Method::output_counts,
                              [](JsonWriter& json, std::int32_t count) { json.value(count); })});
  return make_zip(entries);
}

}  // namespace accelscope::formats::etrecord
