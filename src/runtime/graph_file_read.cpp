#include <fmt/format.h>

#include <algorithm>

#include "accelscope/dfx_flags.h"
#include "base/closest_name.h"
#include "base/mapped_file.h"
#include "base/utf8.h"
#include "device/pmu_events.h"
#include "runtime/graph_reader.h"
#include "runtime/graph_run_words.h"
#include "runtime/kernel_pipes.h"

namespace accelscope::runtime {
namespace {

using base::ErrorCode;
using base::JsonKind;
using base::Location;

constexpr std::string_view kTopKeys[] = {"name", "run", "functions", "buffers", "steps", "expect"};
constexpr std::string_view kRunKeys[] = {"chip",        "platform",    "chip_swimlane", "rounds", "deps",
                                         "dump_tensor", "scope_stats", "pmu",           "policy"};
constexpr std::string_view kFunctionKeys[] = {"kernel", "args", "scalars", "pipes"};
constexpr std::string_view kPipesKeys[] = {"tiles", "buffers"};
constexpr std::string_view kBufferKeys[] = {"type", "shape", "init"};
constexpr std::string_view kInitKeys[] = {"counting", "random"};
constexpr std::string_view kFillKeys[] = {"from", "step", "width", "seed"};
constexpr std::string_view kExpectKeys[] = {"buffer", "offset",   "shape",   "strides",
                                            "values", "absolute", "relative"};

// A level is a whole number; true and false stand for all and nothing. It must never become a truth value on
// its way.
std::optional<std::uint32_t> read_level(GraphJson& json) {
  if (json.kind() == JsonKind::kTrue || json.kind() == JsonKind::kFalse)
    return json.truth().value_or(false) ? kMaxChipSwimlaneLevel : 0;
  if (json.kind() != JsonKind::kNumber) {
    json.wrong_kind(fmt::format("a level from 0 to {}, or true or false", kMaxChipSwimlaneLevel));
    return std::nullopt;
  }
  const auto level = json.whole_number(0, kMaxChipSwimlaneLevel);
  return level ? std::optional(static_cast<std::uint32_t>(*level)) : std::nullopt;
}

// A group of counters; true stands for the usual one, false for none.
std::optional<std::uint32_t> read_pmu(GraphJson& json) {
  if (json.kind() == JsonKind::kTrue || json.kind() == JsonKind::kFalse)
    return json.truth().value_or(false) ? std::optional(device::kDefaultPmuGroup) : std::nullopt;
  if (json.kind() != JsonKind::kNumber) {
    json.wrong_kind("the number of a group of counters, or true or false,");
    return std::nullopt;
  }
  const auto group = json.whole_number(1, kMaxPmuGroup);
  return group ? std::optional(static_cast<std::uint32_t>(*group)) : std::nullopt;
}

// One of the words, else "".
std::string read_word(GraphJson& json, std::span<const std::string_view> words) {
  const std::uint64_t at = json.offset();
  const auto word = json.text();
  if (!word) return "";
  if (std::ranges::find(words, *word) != words.end()) return *word;
  json.complain(at, fmt::format("`{}` is none of `{}`{}", *word, fmt::join(words, "`, `"),
                                base::suggestion(*word, words)));
  return "";
}

void read_run(GraphReading& reading) {
  GraphJson& json = reading.json;
  RunDefaults& run = reading.file.run;
  json.object(kRunKeys, [&](std::size_t key) {
    switch (key) {
      case 0:
        run.chip = json.text();
        break;
      case 1:
        run.platform = platform_named(read_word(json, kPlatformNames));
        break;
      case 2:
        run.chip_swimlane = read_level(json);
        break;
      case 3:
        if (const auto rounds = json.whole_number(1, kMaxRounds))
          run.rounds = static_cast<std::uint32_t>(*rounds);
        break;
      case 4:
        run.deps = json.truth();
        break;
      case 5:
        run.dump_tensor = json.truth();
        break;
      case 6:
        run.scope_stats = json.truth();
        break;
      case 7:
        run.pmu = read_pmu(json);
        break;
      default:
        run.policy = capture::run_policy(read_word(json, kPolicyNames));
    }
  });
}

// [first, count]
std::optional<Range> read_range(GraphJson& json) {
  const std::uint64_t at = json.offset();
  std::vector<std::uint64_t> numbers;
  json.array([&](std::size_t) {
    if (const auto number = json.whole_number(0, 0xFFFFFFFE)) numbers.push_back(*number);
  });
  if (numbers.size() == 2)
    return Range{static_cast<std::uint32_t>(numbers[0]), static_cast<std::uint32_t>(numbers[1])};
  json.complain(at, "two whole numbers are expected: which is the first, and how many");
  return std::nullopt;
}

// {"tiles": 8, "buffers": 2}, or one of them.
Pipes read_pipes(GraphJson& json) {
  const std::uint64_t at = json.offset();
  Pipes pipes;
  bool says_something = json.kind() != JsonKind::kObject;
  json.object(kPipesKeys, [&](std::size_t key) {
    says_something = true;
    const auto number = json.whole_number(1, key == 0 ? kMaxTiles : kMaxPipeBuffers);
    (key == 0 ? pipes.tiles : pipes.buffers) = static_cast<std::uint32_t>(number.value_or(0));
  });
  if (!says_something) json.complain(at, "says nothing: `tiles` and `buffers` are possible");
  return pipes;
}

void read_functions(GraphReading& reading) {
  GraphJson& json = reading.json;
  json.names([&](const std::string& name) {
    const std::uint64_t at = json.offset();
    const std::uint64_t before = json.problems();
    Function function{.name = name};
    if (json.kind() == JsonKind::kString) {
      function.kernel = json.text().value_or("");
    } else {
      json.object(kFunctionKeys, [&](std::size_t key) {
        if (key == 0)
          function.kernel = json.text().value_or("");
        else if (key == 3)
          function.pipes = read_pipes(json);
        else
          (key == 1 ? function.arguments : function.scalars) = read_range(json).value_or(kAll);
      });
      if (function.kernel.empty() && json.problems() == before) json.complain(at, "names no kernel");
    }
    if (name.empty()) json.complain(at, "a function needs a name");
    if (!reading.functions.try_emplace(name, static_cast<std::int32_t>(reading.functions.size())).second) {
      json.complain(at, "is given twice");
      return;
    }
    reading.file.graph.functions.push_back(std::move(function));
    reading.function_places.add(at, json.problems() > before);
  });
}

void read_fill(GraphJson& json, BufferContent& content) {
  content.step = content.fill == Fill::kCounting ? 1 : 0;
  const std::uint64_t at = json.offset();
  bool has_width = false;
  json.object(kFillKeys, [&](std::size_t key) {
    const bool is_random = content.fill == Fill::kRandom;
    if (key == 0) {
      content.base = json.number().value_or(0);
    } else if (key == 3 && is_random) {
      content.seed = json.whole_number(0, ~0ULL).value_or(0);
    } else if ((key == 1 && !is_random) || (key == 2 && is_random)) {
      content.step = json.number().value_or(0);
      has_width = true;
    } else {
      json.complain(json.offset(), is_random ? "is for `counting`" : "is for `random`");
      json.skip();
    }
  });
  if (content.fill == Fill::kRandom && !has_width)
    json.complain(at, "`width` is missing: numbers are drawn from `from` up to `from` + `width`");
}

void read_init(GraphJson& json, BufferContent& content) {
  if (json.kind() == JsonKind::kNumber) {
    content.fill = Fill::kConstant;
    content.base = json.number().value_or(0);
  } else if (json.kind() == JsonKind::kArray) {
    content.fill = Fill::kValues;
    json.array([&](std::size_t) { content.values.push_back(json.number().value_or(0)); });
  } else if (json.kind() == JsonKind::kObject) {
    const std::uint64_t at = json.offset();
    int fills = 0;
    json.object(kInitKeys, [&](std::size_t key) {
      ++fills;
      content.fill = key == 0 ? Fill::kCounting : Fill::kRandom;
      read_fill(json, content);
    });
    if (fills != 1) json.complain(at, "one of `counting` and `random` is expected");
  } else {
    json.wrong_kind("a number, an array of numbers, or an object");
  }
}

std::optional<DataType> read_type(GraphJson& json) {
  const std::uint64_t at = json.offset();
  const auto name = json.text();
  if (!name) return std::nullopt;
  if (const auto type = data_type_named(*name)) return type;
  std::array<std::string_view, kDataTypes.size()> names;
  std::ranges::transform(kDataTypes, names.begin(), &DataTypeFacts::name);
  json.complain(at, fmt::format("`{}` is no type{}; there are: {}", *name, base::suggestion(*name, names),
                                fmt::join(names, ", ")));
  return std::nullopt;
}

// The whole buffer as its shape says; nothing when the shape cannot be.
std::optional<TensorView> read_buffer_shape(GraphJson& json, Buffer& buffer) {
  const std::uint64_t at = json.offset();
  if (json.kind() == JsonKind::kNumber) {
    buffer.elements = json.whole_number(1, ~0ULL).value_or(0);
    TensorView whole{.dimensions = 1};
    whole.shape[0] = buffer.elements <= 0xFFFFFFFF ? static_cast<std::uint32_t>(buffer.elements) : 0;
    whole.strides[0] = 1;
    return whole;
  }
  if (json.kind() != JsonKind::kArray) {
    json.wrong_kind("an array, or a number of elements,");
    return std::nullopt;
  }
  const auto extents = read_extents(json, 1);
  if (!extents) return std::nullopt;
  if (!can_be_contiguous(*extents)) {
    json.complain(at, "has too many elements: only the first dimension may go beyond 32 bits");
    return std::nullopt;
  }
  const TensorView whole = contiguous_view(0, *extents);
  buffer.elements = element_count(whole);
  return whole;
}

void read_buffer(GraphReading& reading, const std::string& name) {
  GraphJson& json = reading.json;
  const std::uint64_t at = json.offset();
  const std::uint64_t before = json.problems();
  Buffer buffer{.name = name};
  std::optional<DataType> type;
  std::optional<TensorView> whole;
  bool has_type = false;
  bool has_shape = false;
  json.object(kBufferKeys, [&](std::size_t key) {
    if (key == 0) {
      has_type = true;
      type = read_type(json);
    } else if (key == 1) {
      has_shape = true;
      whole = read_buffer_shape(json, buffer);
    } else {
      read_init(json, buffer.content);
    }
  });
  if (!has_type && json.problems() == before) json.complain(at, "`type` is missing");
  if (!has_shape && json.problems() == before) json.complain(at, "`shape` is missing");
  if (name.empty()) json.complain(at, "a buffer needs a name");
  const auto number = static_cast<std::uint32_t>(reading.wholes.size());
  if (!reading.buffers.try_emplace(name, number).second) {
    json.complain(at, "is given twice");
    return;
  }
  buffer.type = type.value_or(DataType::kFloat32);
  TensorView view = whole.value_or(TensorView{});
  view.buffer = number;
  reading.wholes.push_back(view);
  reading.buffer_places.add(at, json.problems() > before);
  reading.file.graph.buffers.push_back(std::move(buffer));
}

void read_expectation(GraphReading& reading) {
  GraphJson& json = reading.json;
  const std::uint64_t at = json.offset();
  const std::uint64_t before = json.problems();
  Expectation expectation;
  ViewFields view(reading);
  json.object(kExpectKeys, [&](std::size_t key) {
    switch (key) {
      case 0:
        view.take_buffer();
        break;
      case 1:
        view.take_offset();
        break;
      case 2:
        view.take_shape();
        break;
      case 3:
        view.take_strides();
        break;
      case 4:
        json.array([&](std::size_t) { expectation.values.push_back(json.number().value_or(0)); });
        break;
      default:
        (key == 5 ? expectation.absolute : expectation.relative) = json.number().value_or(0);
    }
  });
  if (!view.has_buffer() && json.problems() == before) json.complain(at, "`buffer` is missing");
  const auto resolved = view.resolve(false);
  expectation.view = resolved.value_or(TensorView{});
  reading.expectation_places.add(at, !resolved || json.problems() > before);
  reading.file.graph.expectations.push_back(std::move(expectation));
}

// Reads the parts of the document in an order in which each knows what it names.
void read_document(GraphReading& reading) {
  GraphJson& json = reading.json;
  std::array<std::optional<std::uint64_t>, std::size(kTopKeys)> parts;
  json.object(kTopKeys, [&](std::size_t key) {
    parts[key] = json.offset();
    json.skip();
  });
  json.expect_end();
  const auto part = [&](std::size_t key, auto&& read) {
    if (!parts[key] || !json.status()) return;
    json.go_to(*parts[key], kTopKeys[key]);
    read();
  };
  part(0, [&] { reading.file.graph.name = json.text().value_or(""); });
  part(1, [&] { read_run(reading); });
  part(2, [&] { read_functions(reading); });
  part(3, [&] { json.names([&](const std::string& name) { read_buffer(reading, name); }); });
  part(4, [&] { read_steps(reading); });
  part(5, [&] { json.array([&](std::size_t) { read_expectation(reading); }); });
}

// What is wrong with the graph as a whole, but not with what the reader has complained about.
void add_graph_problems(const GraphReading& reading, const KnownKernels& kernels,
                        std::vector<FileProblem>& problems, std::uint64_t& count) {
  const GraphProblems found = problems_of(reading.file.graph, kernels);
  count += found.count;
  for (const GraphProblem& problem : found.first) {
    const Places* places = problem.of == GraphProblem::Of::kBuffer        ? &reading.buffer_places
                           : problem.of == GraphProblem::Of::kFunction    ? &reading.function_places
                           : problem.of == GraphProblem::Of::kTask        ? &reading.task_places
                           : problem.of == GraphProblem::Of::kExpectation ? &reading.expectation_places
                                                                          : nullptr;
    const bool known = places != nullptr && problem.number < places->offsets.size();
    if (known && places->bad[problem.number])
      --count;
    else
      problems.push_back({known ? places->offsets[problem.number] : 0, problem.text});
  }
}

// "line 3: ...", in the order of the file.
std::vector<std::string> with_lines(std::string_view text, std::vector<FileProblem>& problems) {
  std::ranges::stable_sort(problems, {}, &FileProblem::offset);
  std::vector<std::string> lines;
  std::uint64_t line = 1;
  std::size_t counted = 0;
  for (const FileProblem& problem : problems) {
    line += static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                  text.begin() + static_cast<std::ptrdiff_t>(problem.offset),
                                                  '\n'));
    counted = problem.offset;
    lines.push_back(fmt::format("line {}: {}", line, problem.text));
  }
  return lines;
}

// A cursor knows bytes; people know lines.
base::Error at_line(base::Error error, std::string_view text) {
  if (error.where.kind != Location::Kind::kByte) return error;
  const std::string_view before = text.substr(0, std::min<std::uint64_t>(error.where.position, text.size()));
  const std::size_t line_start = before.rfind('\n');
  const std::size_t column = before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1;
  const auto line = static_cast<std::uint64_t>(std::ranges::count(before, '\n')) + 1;
  error.message = fmt::format("is not valid JSON in column {}: {}", column, error.message);
  error.where = Location::line(error.where.file, line);
  return error;
}

base::Result<GraphFile> parse(const std::string& name, std::string_view text, const KnownKernels& kernels) {
  if (!base::is_valid_utf8(text))
    return base::fail_at(Location::of_file(name), ErrorCode::kMalformed, "is not UTF-8 text");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return base::fail_at(Location::of_file(name), ErrorCode::kTruncated,
                         "is empty; a JSON object is expected");
  GraphFile file;
  GraphJson json(text, name);
  GraphReading reading{json, file};
  read_document(reading);
  if (const base::Status status = json.status(); !status)
    return tl::unexpected(at_line(status.error(), text));
  std::uint64_t count = json.problems();
  std::vector<FileProblem> problems = json.take_problems();
  add_graph_problems(reading, kernels, problems, count);
  if (count == 0) return file;
  return base::fail_at(Location::of_file(name), ErrorCode::kMalformed, "{}",
                       listed(with_lines(text, problems), count));
}

}  // namespace

base::Result<GraphFile> parse_graph(const std::string& name, std::string_view json,
                                    const KnownKernels& kernels) {
  const base::MappedFile file = base::MappedFile::from_memory(name, json);
  return parse(name, file.text(), kernels);
}

base::Result<GraphFile> read_graph_file(const std::string& path, const KnownKernels& kernels) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path, kMaxGraphFileBytes));
  if (file.size() > kMaxGraphFileBytes)
    return base::fail_at(Location::of_file(path), ErrorCode::kTooLarge, "has {} bytes; {} are the most",
                         file.size(), kMaxGraphFileBytes);
  return parse(path, file.text(), kernels);
}

TensorView default_strides(const TensorView& whole, TensorView view) {
  if (view.dimensions == whole.dimensions) {
    view.strides = whole.strides;
    return view;
  }
  const std::span<const std::uint32_t> shape(view.shape.data(), view.dimensions);
  view.strides = contiguous_view(0, shape).strides;
  return view;
}

}  // namespace accelscope::runtime
