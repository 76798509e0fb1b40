#include "fit/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/human.h"
#include "base/number_in.h"
#include "base/together.h"

namespace accelscope::fit {
namespace {

using base::Result;
using base::SweepDimension;

constexpr std::uint64_t kPointsTogether = 64;

template <class Value, class Parse>
base::Status read_all(const SweepDimension& dimension, std::vector<Value>& values, Parse parse) {
  for (const std::string& text : dimension.values) {
    auto value = parse(text);
    if (!value) return base::fail(value.error().code, "sweep: {}: {}", dimension.name, value.error().message);
    values.push_back(*value);
  }
  return {};
}

Result<base::BytesPerSecond> positive_rate(const std::string& text) {
  ACCELSCOPE_TRY(const base::BytesPerSecond rate, base::parse_rate(text));
  if (rate.value <= 0) return base::fail(base::ErrorCode::kUsage, "{} is not above zero", text);
  return rate;
}

Result<base::Bytes> positive_size(const std::string& text) {
  ACCELSCOPE_TRY(const base::Bytes size, base::parse_size(text));
  if (size.value <= 0) return base::fail(base::ErrorCode::kUsage, "{} is not above zero", text);
  return size;
}

base::Status read_dimension(const SweepDimension& dimension, SweepPlan& plan) {
  plan.numbers.emplace_back();
  const std::string& name = dimension.name;
  if (name == "model" || name == "board") return {};
  if (name == "weights") return read_all(dimension, plan.weights, boards::parse_number_format);
  if (name == "kv") return read_all(dimension, plan.kv, boards::parse_number_format);
  if (name == "activations") return read_all(dimension, plan.activations, boards::parse_number_format);
  if (name == "host_bandwidth") return read_all(dimension, plan.host_bandwidth, positive_rate);
  if (name == "capacity") return read_all(dimension, plan.capacity, positive_size);
  for (const std::string& text : dimension.values)
    plan.numbers.back().push_back(base::number_in<std::uint64_t>(text).value_or(0));
  return {};
}

struct Combination {
  const boards::Model* model = nullptr;
  const boards::Board* board = nullptr;
  Overrides overrides = {};
  WorkloadWish wish = {};
};

void take_number(std::string_view name, std::uint64_t value, Combination& one) {
  if (name == "mlen") one.overrides.mlen = value;
  if (name == "blen") one.overrides.blen = value;
  if (name == "vlen") one.overrides.vlen = value;
  if (name == "buffers")
    one.overrides.buffers = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX));
  if (name == "context") one.wish.context = value;
  if (name == "prompt") one.wish.prompt = value;
  if (name == "batch") one.wish.batch = value;
}

Combination combination_at(const SweepPlan& plan, std::uint64_t index) {
  Combination one{plan.models.data(), plan.boards.data(), plan.common.overrides, plan.common.wish};
  const std::vector<std::size_t> places = plan.sweep.point(index);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string& name = plan.sweep.dimensions[i].name;
    const std::size_t at = places[i];
    if (name == "model") one.model = &plan.models[at];
    if (name == "board") one.board = &plan.boards[at];
    if (name == "weights") one.overrides.weights = plan.weights[at];
    if (name == "kv") one.overrides.kv = plan.kv[at];
    if (name == "activations") one.overrides.activations = plan.activations[at];
    if (name == "host_bandwidth") one.overrides.host_bandwidth = plan.host_bandwidth[at];
    if (name == "capacity") one.overrides.capacity = plan.capacity[at];
    if (!plan.numbers[i].empty()) take_number(name, plan.numbers[i][at], one);
  }
  return one;
}

SweepPoint point_at(const SweepPlan& plan, std::uint64_t index) {
  SweepPoint point{.index = index};
  const Combination one = combination_at(plan, index);
  const auto machine = machine_of(*one.board, plan.common.settings, one.overrides);
  if (!machine) {
    point.skipped = machine.error().message;
    return point;
  }
  point.on_chip = machine->least_on_chip(*one.model);
  point.watts = machine->watts;
  if (machine->on_chip && point.on_chip > *machine->on_chip) {
    point.skipped = fmt::format("needs {} on the chip, which has {}", base::format_size(point.on_chip),
                                base::format_size(*machine->on_chip));
    return point;
  }
  const auto workload = workload_for(*one.model, one.wish);
  const auto fit = workload ? fit_model(*one.model, *machine, *workload) : tl::unexpected(workload.error());
  if (!fit) {
    point.skipped = fit.error().message;
    return point;
  }
  point.regime = fit->regime;
  if (!fit->decode) {
    point.skipped = fmt::format("{}, and the board has no host link", memory::name_of(fit->regime));
    return point;
  }
  point.bound = fit->decode->bound();
  point.tokens_per_second = fit->tokens_per_second();
  point.first_token = fit->first_token();
  return point;
}

// Points that answer the same question: the same model, context and prompt.
std::vector<std::size_t> question_of(const SweepPlan& plan, std::uint64_t index) {
  std::vector<std::size_t> question;
  const std::vector<std::size_t> places = plan.sweep.point(index);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string& name = plan.sweep.dimensions[i].name;
    if (name == "model" || name == "context" || name == "prompt") question.push_back(places[i]);
  }
  return question;
}

bool is_beaten_by(const SweepPoint& point, const SweepPoint& other) {
  const bool other_has_power = other.watts.has_value() && point.watts.has_value();
  const double watts = other_has_power ? *point.watts : 0;
  const double other_watts = other_has_power ? *other.watts : 0;
  if (other.tokens_per_second < point.tokens_per_second || other.on_chip > point.on_chip ||
      other_watts > watts)
    return false;
  return other.tokens_per_second > point.tokens_per_second || other.on_chip < point.on_chip ||
         other_watts < watts;
}

// From the fastest down: who is beaten is beaten by somebody of the front found so far.
void find_front(const SweepPlan& plan, std::vector<SweepPoint>& points) {
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> questions;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].skipped.empty()) questions[question_of(plan, points[i].index)].push_back(i);
  for (auto& [question, members] : questions) {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      if (points[a].tokens_per_second != points[b].tokens_per_second)
        return points[a].tokens_per_second > points[b].tokens_per_second;
      if (points[a].on_chip != points[b].on_chip) return points[a].on_chip < points[b].on_chip;
      return points[a].watts.value_or(0) < points[b].watts.value_or(0);
    });
    std::vector<std::size_t> front;
    for (const std::size_t at : members) {
      const bool beaten = std::any_of(front.begin(), front.end(), [&](std::size_t other) {
        return is_beaten_by(points[at], points[other]);
      });
      if (beaten) continue;
      points[at].in_front = true;
      front.push_back(at);
    }
  }
}

}  // namespace

Result<Workload> workload_for(const boards::Model& model, const WorkloadWish& wish) {
  constexpr std::uint64_t kUsualPrompt = 512;
  const base::Checked of_images = base::Checked(wish.images) * tokens_of_image(model);
  const std::uint64_t images = of_images.value_or(UINT64_MAX);
  std::uint64_t text = wish.prompt.value_or(kUsualPrompt);
  if (wish.context && !wish.prompt) text = std::min(text, *wish.context - std::min(*wish.context, images));
  const base::Checked prompt = of_images + text;
  const base::Checked context = prompt + wish.output_tokens;
  if (!context.fits())
    return base::fail(base::ErrorCode::kTooLarge, "{}: prompt, images and output together do not fit 64 bits",
                      model.nickname);
  Workload workload{.context = wish.context.value_or(*context.value()),
                    .batch = wish.batch,
                    .prompt = *prompt.value(),
                    .images = wish.images,
                    .steps = wish.steps};
  if (const std::string wrong = wrong_workload(model, workload); !wrong.empty())
    return base::fail(base::ErrorCode::kUsage, "{}", wrong);
  return workload;
}

std::vector<base::SweepKind> sweep_kinds(std::vector<std::string> models, std::vector<std::string> boards) {
  return {{.name = "model", .numbers = false, .all = std::move(models)},
          {.name = "board", .numbers = false, .all = std::move(boards)},
          {.name = "mlen"},
          {.name = "blen"},
          {.name = "vlen"},
          {.name = "context"},
          {.name = "prompt"},
          {.name = "batch"},
          {.name = "buffers"},
          {.name = "weights", .numbers = false},
          {.name = "kv", .numbers = false},
          {.name = "activations", .numbers = false},
          {.name = "host_bandwidth", .numbers = false},
          {.name = "capacity", .numbers = false}};
}

Result<SweepPlan> plan_sweep(base::Sweep sweep, std::vector<boards::Model> models,
                             std::vector<boards::Board> boards, SweepCommon common) {
  SweepPlan plan{std::move(sweep), std::move(models), std::move(boards), std::move(common)};
  for (const SweepDimension& dimension : plan.sweep.dimensions)
    ACCELSCOPE_CHECK(read_dimension(dimension, plan));
  return plan;
}

std::vector<SweepPoint> run_sweep(const SweepPlan& plan, const base::Shard& shard) {
  const std::uint64_t all = plan.sweep.points();
  const std::uint64_t mine = all / shard.count + (all % shard.count > shard.index ? 1 : 0);
  std::vector<SweepPoint> points(mine);
  std::vector<std::function<void()>> jobs;
  for (std::uint64_t from = 0; from < mine; from += kPointsTogether)
    jobs.emplace_back([&, from] {
      for (std::uint64_t i = from; i < std::min(mine, from + kPointsTogether); ++i)
        points[i] = point_at(plan, i * shard.count + shard.index);
    });
  base::do_together(jobs);
  find_front(plan, points);
  return points;
}

}  // namespace accelscope::fit
