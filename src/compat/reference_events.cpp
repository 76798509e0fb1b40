#include "compat/reference_events.h"

#include "compat/python_text.h"

namespace accelscope::compat {

void ReferenceEvents::metadata(std::string_view event, std::string_view key, int process,
                               const std::optional<std::int64_t>& thread,
                               const std::function<void()>& value) {
  json_.begin_object().key("args").begin_object().key(key);
  value();
  json_.end_object()
      .member("cat", "__metadata")
      .member("name", event)
      .member("ph", "M")
      .member("pid", process);
  if (thread) json_.member("tid", *thread);
  json_.end_object();
}

void ReferenceEvents::name_process(int process, std::string_view name) {
  metadata("process_name", "name", process, std::nullopt, [&] { json_.value(name); });
}

void ReferenceEvents::sort_process(int process, int order) {
  metadata("process_sort_index", "sort_index", process, std::nullopt, [&] { json_.value(order); });
}

void ReferenceEvents::name_thread(int process, std::int64_t thread, std::string_view name) {
  metadata("thread_name", "name", process, thread, [&] { json_.value(name); });
}

void ReferenceEvents::sort_thread(int process, std::int64_t thread, int order) {
  metadata("thread_sort_index", "sort_index", process, thread, [&] { json_.value(order); });
}

void ReferenceEvents::end_bar(const Bar& bar) {
  json_.member("name", bar.name).member("ph", "X").member("pid", bar.process).member("tid", bar.thread);
  python_member(json_, "ts", bar.ts);
  python_member(json_, "dur", bar.dur);
  json_.end_object();
}

void ReferenceEvents::flow_end(std::string_view name, std::string_view phase, const FlowEnd& end,
                               const std::optional<BlockCounts>& blocks) {
  json_.begin_object().member("cat", "flow").member("id", flows_).member("name", name).member("ph", phase);
  json_.member("pid", end.process).member("tid", end.thread);
  python_member(json_, "ts", end.ts);
  if (phase == "f") json_.member("bp", "e");
  if (blocks)
    json_.member("input_task_count", blocks->consumer).member("output_task_count", blocks->producer);
  if (end.bar) json_.member("bind_id", *end.bar);
  json_.end_object();
}

void ReferenceEvents::flow(std::string_view name, const FlowEnd& from, const FlowEnd& to,
                           const std::optional<BlockCounts>& blocks) {
  flow_end(name, "s", from, blocks);
  flow_end(name, "f", to, blocks);
  ++flows_;
}

}  // namespace accelscope::compat
