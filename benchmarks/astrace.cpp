// Saving and loading a trace of four million slices of two million tasks: rows and bytes per second, bytes
// per slice on disk.
//
// Floors in the same run: copying the same columns, and packing and unpacking them as they are with zstd's
// fastest level.
#include <fmt/core.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "formats/capture/packing.h"
#include "formats/capture/trace_chunks.h"
#include "trace/trace_builder.h"
#include "trace/trace_parts.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
namespace capture = formats::capture;
using trace::Ticks;

constexpr std::uint32_t kTasks = 2'000'000;
constexpr std::uint32_t kSlices = 2 * kTasks;
constexpr std::uint32_t kCores = 72;

// The best of three: others may use the machine.
double seconds_of(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void report(std::string_view what, double seconds, std::size_t bytes) {
  fmt::print("{:<52} {:7.3f} s  {:7.1f} M slices/s  {:7.0f} MB/s of columns\n", what, seconds,
             kSlices / seconds / 1e6, static_cast<double>(bytes) / seconds / 1e6);
}

// As a chip's run has them: a task is a slice of a core with a child, lengths and gaps vary, an edge each.
trace::Trace build() {
  trace::TraceBuilder builder;
  std::mt19937 random(1);
  const trace::ClockId clock = builder.add_clock({builder.intern("chip"), base::Frequency::mhz(50)});
  std::vector<trace::StringId> names;
  for (int i = 0; i < 50; ++i) names.push_back(builder.intern(fmt::format("function {}", i)));
  const trace::StringId data = builder.intern("data");
  const trace::CategoryId category = builder.category("task");
  for (std::uint32_t core = 0; core < kCores; ++core)
    builder.add_track({.name = builder.intern(fmt::format("core {}", core)), .clock = clock});
  std::vector<std::int64_t> now(kCores, 0);
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    const std::uint32_t core = i / (kTasks / kCores + 1);
    const std::int64_t start = now[core] + 5 + static_cast<std::int64_t>(random() % 40);
    const std::int64_t length = 100 + static_cast<std::int64_t>(random() % 2000);
    now[core] = start + length;
    const trace::TaskId task = builder.add_task({.external_id = i, .name = names[random() % names.size()]});
    if (i > 0) builder.add_task_edge(trace::TaskId{static_cast<std::uint32_t>(random() % i)}, task, data);
    const trace::SliceId slice = builder.add_slice({.track = trace::TrackId{core},
                                                    .start = Ticks{start},
                                                    .duration = Ticks{length},
                                                    .name = builder.tasks().name[i],
                                                    .category = category,
                                                    .task = task});
    builder.add_slice({.track = trace::TrackId{core},
                       .start = Ticks{start + 3},
                       .duration = Ticks{length - 5},
                       .name = names[0],
                       .category = category,
                       .parent = slice});
  }
  return std::move(*std::move(builder).finish());
}

// The large tables' columns as they lie in memory, one after the other.
std::string plain_columns(const trace::Trace& trace) {
  std::string bytes;
  const auto add = [&](const auto& table) {
    trace::for_each_column(table, [&](const trace::ColumnInfo&, const auto& column) {
      for (std::uint32_t row = 0; row < column.size();) {
        const auto values = column.chunk_from(row);
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
        row += static_cast<std::uint32_t>(values.size());
      }
    });
  };
  add(trace.slices());
  add(trace.tasks());
  add(trace.task_edges());
  return bytes;
}

}  // namespace

int main() {
  const trace::Trace built = build();
  const std::string columns = plain_columns(built);
  fmt::print("{} slices, {} tasks and {} edges: {:.0f} MB of columns\n", built.slices().size(),
             built.tasks().size(), built.task_edges().size(), static_cast<double>(columns.size()) / 1e6);

  std::string copy(columns.size(), '\1');
  report("floor: memcpy of the columns",
         seconds_of([&] { std::memcpy(copy.data(), columns.data(), columns.size()); }), columns.size());
  capture::Packer packer;
  std::string packed;
  report("floor: zstd 1 of the columns as they are", seconds_of([&] { packed = *packer.pack(columns); }),
         columns.size());
  fmt::print("  {:.1f} bytes per slice\n", static_cast<double>(packed.size()) / kSlices);
  capture::Unpacker unpacker;
  report("floor: unpacking that", seconds_of([&] { (void)unpacker.unpack(packed, columns.size()); }),
         columns.size());

  base::MemoryOutput saved;
  report("save", seconds_of([&] {
           saved.clear();
           (void)capture::write(built, saved);
         }),
         columns.size());
  fmt::print("  {:.1f} MB, {:.2f} bytes per slice with its task and edge\n",
             static_cast<double>(saved.bytes().size()) / 1e6,
             static_cast<double>(saved.bytes().size()) / kSlices);
  const base::MappedFile file = base::MappedFile::from_memory("saved", saved.bytes());
  const double seconds = seconds_of([&] {
    if (!capture::read(file)) fmt::print("cannot be read\n");
  });
  report("load", seconds, columns.size());
  fmt::print("  {:.1f} M tasks/s, {:.1f} M rows/s of all tables, {:.0f} MB/s of the file\n",
             kTasks / seconds / 1e6, (kSlices + 2.0 * kTasks) / seconds / 1e6,
             static_cast<double>(saved.bytes().size()) / seconds / 1e6);
}
