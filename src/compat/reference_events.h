// Events of the reference's Chrome trace: its processes, its numbers of threads, and one function for each
// shape of event.
//
// Everything goes straight to the JsonWriter. One thread uses one writer.
//
//   ReferenceEvents events(json);
//   events.name_process(kWorkerView, "Worker View");
//   events.flow("dependency", from, to);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/json_writer.h"

namespace accelscope::compat {

// Processes.
inline constexpr int kOrchestratorProcess = 1;
inline constexpr int kSchedulerProcess = 2;
inline constexpr int kSchedulerView = 3;
inline constexpr int kWorkerView = 4;
inline constexpr int kGraphProcess = 5;

// Threads.
inline constexpr std::int64_t kReadyQueueThread = 3999;
inline constexpr std::int64_t kOrchestratorThread = 4000;
inline constexpr std::int64_t kUploadThread = 4100;
inline constexpr std::int64_t kGraphThread = 5000;
constexpr std::int64_t core_thread(std::int64_t core, std::int64_t lane = 0) {
  return 10'000 + 10 * core + lane;
}
constexpr std::int64_t control_thread(std::int64_t thread) {
  return 19'000 + thread;
}
constexpr std::int64_t scheduler_thread(std::int64_t thread) {
  return 30'000 + 10 * thread;
}

// Markers of no length are drawn this long.
inline constexpr double kMarkerWidth = 0.02;

struct BlockCounts {
  std::uint32_t consumer = 1;
  std::uint32_t producer = 1;
};

struct FlowEnd {
  int process = 0;
  std::int64_t thread = 0;
  double ts = 0;
  std::optional<std::uint64_t> bar = std::nullopt;  // id of the bar it is bound to
};

class ReferenceEvents {
 public:
  explicit ReferenceEvents(base::JsonWriter& json) : json_(json) {}

  base::JsonWriter& json() { return json_; }

  void name_process(int process, std::string_view name);
  void sort_process(int process, int order);
  void name_thread(int process, std::int64_t thread, std::string_view name);
  void sort_thread(int process, std::int64_t thread, int order);

  // What every bar ends with, behind its args and category.
  struct Bar {
    std::string_view name = {};
    int process = 0;
    std::int64_t thread = 0;
    double ts = 0;
    double dur = 0;
  };
  void end_bar(const Bar& bar);
  std::uint64_t next_bar_id() { return bars_++; }

  // The two events of an arrow.
  void flow(std::string_view name, const FlowEnd& from, const FlowEnd& to,
            const std::optional<BlockCounts>& blocks = std::nullopt);

 private:
  void metadata(std::string_view event, std::string_view key, int process,
                const std::optional<std::int64_t>& thread, const std::function<void()>& value);
  void flow_end(std::string_view name, std::string_view phase, const FlowEnd& end,
                const std::optional<BlockCounts>& blocks);

  base::JsonWriter& json_;
  std::uint64_t bars_ = 0;
  std::uint64_t flows_ = 0;
};

}  // namespace accelscope::compat
