#include "formats/deps/deps.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <limits>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/json_cursor.h"
#include "base/json_outline.h"
#include "base/number_in.h"

namespace accelscope::formats::deps {
namespace {

using base::ErrorCode;
using base::JsonCursor;
using base::JsonKind;
using base::Location;
using trace::Severity;

// How often something happened, and where first.
struct Tally {
  std::uint64_t count = 0;
  std::uint64_t first_offset = 0;

  void note(std::uint64_t offset) {
    if (count++ == 0) first_offset = offset;
  }
};

struct PairHash {
  std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& pair) const {
    return base::hash_of(pair.first, pair.second);
  }
};

Reason reason_of(std::string_view source) {
  if (source == "tensormap") return Reason::kTensorMap;
  if (source == "creator") return Reason::kCreator;
  if (source == "explicit") return Reason::kExplicit;
  return Reason::kOther;
}

class Reader {
 public:
  explicit Reader(const base::MappedFile& file) : path_(file.path()), json_(file.text(), file.path()) {}

  base::Result<Dependencies> read() && {
    bool has_graph = false;
    json_.begin_object();
    while (json_.next_key()) {
      const std::string_view key = json_.key();
      has_graph = has_graph || key == "tasks" || key == "edges";
      if (key == "tasks") {
        read_tasks();
      } else if (key == "edges") {
        read_edges();
      } else if (key == "tensors") {
        count_tensors();
      } else {
        json_.skip_value();
      }
    }
    json_.expect_end();
    ACCELSCOPE_CHECK(json_.status());
    if (!has_graph)
      return base::fail_at(Location::of_file(path_), ErrorCode::kMalformed,
                           "a task graph has the members \"tasks\" and \"edges\"; this has neither");
    add_quality();
    return std::move(result_);
  }

 private:
  // A number, or a string of one, which is how 64 bits survive readers that only know doubles.
  std::uint64_t id() {
    if (json_.kind() != JsonKind::kString) return json_.unsigned_integer();
    const auto value = base::number_in<std::uint64_t>(json_.string());
    if (!value)
      json_.fail_here(ErrorCode::kMalformed, "the id of a task, a number of 64 bits, is expected here");
    return value.value_or(0);
  }

  void read_tasks() {
    json_.begin_array();
    while (json_.next_element()) {
      const std::uint64_t start = json_.offset();
      std::optional<Task> task = read_task();
      if (!task) continue;
      if (known_.insert(task->id).second) {
        result_.tasks.push_back(*task);
      } else {
        duplicate_tasks_.note(start);
      }
    }
  }

  std::optional<Task> read_task() {
    Task task;
    bool has_id = false;
    json_.begin_object();
    while (json_.next_key()) {
      const std::string_view key = json_.key();
      if (key == "task_id") {
        task.id = id();
        has_id = true;
      } else if (key == "kernel_ids") {
        read_kernels(task);
      } else if (key == "block_num") {
        task.blocks = blocks();
      } else if (key == "early_dispatch") {
        task.early_dispatch = json_.boolean();
      } else if (key == "scope") {
        task.manual_scope = json_.string() == "manual";
      } else {
        json_.skip_value();
      }
    }
    if (!has_id) json_.fail_here(ErrorCode::kMalformed, "the task that ends here has no task_id");
    if (!json_.ok()) return std::nullopt;
    return task;
  }

  std::uint32_t blocks() {
    const std::uint64_t value = json_.unsigned_integer();
    if (value > std::numeric_limits<std::uint32_t>::max())
      json_.fail_here(ErrorCode::kMalformed, "a number of blocks does not fit 32 bits");
    return static_cast<std::uint32_t>(value);
  }

  void read_kernels(Task& task) {
    std::size_t slot = 0;
    json_.begin_array();
    while (json_.next_element()) {
      const std::int64_t kernel = json_.integer();
      if (slot == task.kernels.size())
        return json_.fail_here(ErrorCode::kMalformed, "a task has three kernels at most");
      if (kernel < -1 || kernel > std::numeric_limits<std::int32_t>::max())
        return json_.fail_here(ErrorCode::kMalformed, "the number of a kernel, or -1, is expected here");
      task.kernels[slot++] = static_cast<std::int32_t>(kernel);
    }
  }

  void count_tensors() {
    json_.begin_array();
    while (json_.next_element()) {
      json_.skip_value();
      ++result_.tensors;
    }
  }

  void read_edges() {
    json_.begin_array();
    while (json_.next_element()) {
      const std::uint64_t start = json_.offset();
      const std::optional<Edge> edge = read_edge();
      if (!edge) continue;
      ++result_.listed_edges;
      if (edge->from == edge->to) {
        self_edges_.note(start);
      } else {
        join(*edge);
      }
    }
  }

  std::optional<Edge> read_edge() {
    Edge edge;
    bool has_from = false;
    bool has_to = false;
    json_.begin_object();
    while (json_.next_key()) {
      const std::string_view key = json_.key();
      if (key == "pred") {
        edge.from = id();
        has_from = true;
      } else if (key == "succ") {
        edge.to = id();
        has_to = true;
      } else if (key == "source") {
        edge.reasons = reason_of(json_.string());
        if (edge.reasons == Reason::kOther) unknown_sources_.note(json_.offset());
      } else {
        json_.skip_value();
      }
    }
    if (!has_from || !has_to)
      json_.fail_here(ErrorCode::kMalformed, "the edge that ends here lacks pred or succ");
    if (!json_.ok()) return std::nullopt;
    return edge;
  }

  void join(const Edge& edge) {
    const auto [place, is_new] = pairs_.insert({{edge.from, edge.to}, result_.edges.size()});
    if (is_new) {
      result_.edges.push_back(edge);
    } else {
      Edge& first = result_.edges[place->second];
      first.reasons = first.reasons | edge.reasons;
    }
  }

  void add_row(std::string id, Severity severity, std::string sentence, const Tally& tally) {
    if (tally.count == 0) return;
    result_.quality.add({.id = std::move(id),
                         .severity = severity,
                         .sentence = std::move(sentence),
                         .count = tally.count,
                         .first_place = Location::byte(path_, tally.first_offset)});
  }

  void add_quality() {
    add_row("deps.duplicate_task", Severity::kWarning,
            "Tasks are listed several times; the first of each counts.", duplicate_tasks_);
    add_row("deps.self_edge", Severity::kWarning, "Tasks depend on themselves; such edges are left out.",
            self_edges_);
    add_row("deps.unknown_source", Severity::kInfo,
            "Edges have a source that is not known; they are kept as edges for another reason.",
            unknown_sources_);
    std::uint64_t unknown = 0;
    for (const Edge& edge : result_.edges)
      if (!known_.contains(edge.from) || !known_.contains(edge.to)) ++unknown;
    if (unknown != 0)
      result_.quality.add({.id = "deps.unknown_task",
                           .severity = Severity::kWarning,
                           .sentence = "Edges name tasks that the file does not list; they are kept.",
                           .count = unknown,
                           .first_place = Location::of_file(path_)});
  }

  std::string path_;
  JsonCursor json_;
  Dependencies result_;
  tsl::robin_set<std::uint64_t, base::IntegerHash> known_;
  tsl::robin_map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t, PairHash> pairs_;
  Tally duplicate_tasks_;
  Tally self_edges_;
  Tally unknown_sources_;
};

}  // namespace

bool looks_like_dependencies(std::string_view bytes) {
  const base::JsonOutline outline(bytes);
  // Old swimlanes have "tasks" with a "task_id", too, but no kernels for three slots and no "edges".
  return (outline.has("tasks") && outline.has("edges")) ||
         (outline.has("tasks/task_id") &&
          (outline.has("tasks/kernel_ids") || outline.has("tasks/args/tensor_id"))) ||
         (outline.has("edges/pred") && outline.has("edges/succ")) ||
         (outline.has("tensors/tensor_id") && outline.has("tensors/buffer_addr"));
}

base::Result<Dependencies> read_dependencies(const base::MappedFile& file) {
  return Reader(file).read();
}

}  // namespace accelscope::formats::deps
