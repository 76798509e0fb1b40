#include "emulator/images.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/half_float.h"
#include "emulator/row_codec.h"

namespace accelscope::emulator {
namespace {

struct Limits {
  std::string_view what;
  std::uint64_t word_bytes = 1;
  std::uint64_t most_bytes = 0;
};

// Words that are not whole are ignored, as the reference does, unless rules are strict.
void check_image(std::span<const std::byte> image, const Limits& limits, Rules rules,
                 std::vector<std::string>& problems) {
  if (image.size() > limits.most_bytes)
    problems.push_back(fmt::format("the image of the {} has {} bytes, and there is room for {}", limits.what,
                                   image.size(), limits.most_bytes));
  if (rules == Rules::kStrict && image.size() % limits.word_bytes != 0)
    problems.push_back(fmt::format("the image of the {} has {} bytes, which are no whole words of {}",
                                   limits.what, image.size(), limits.word_bytes));
}

std::uint64_t row_bytes(const isa::Machine& machine) {
  return (machine.vlen * machine.formats.vector_sram.element.bits() + 7) / 8;
}

void load_floats(ScalarMemories& scalars, std::span<const std::byte> image) {
  for (std::size_t i = 0; 2 * i + 1 < image.size(); ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, image.data() + 2 * i, sizeof half);
    scalars.floats[i] = base::float_of_bfloat16(base::bfloat16_bits(base::float_of_float16(half)));
    scalars.float_written[i] = true;
  }
}

void load_integers(ScalarMemories& scalars, std::span<const std::byte> image) {
  for (std::size_t i = 0; 4 * i + 3 < image.size(); ++i) {
    std::memcpy(&scalars.integers[i], image.data() + 4 * i, sizeof(std::uint32_t));
    scalars.integer_written[i] = true;
  }
}

base::Status load_vectors(VectorMemory& vectors, std::span<const std::byte> image,
                          const isa::Machine& machine) {
  ACCELSCOPE_TRY(const RowCodec codec, RowCodec::make(machine.formats.vector_sram));
  const std::uint64_t bytes = row_bytes(machine);
  for (std::uint64_t row = 0; row * bytes < image.size(); ++row) {
    const std::span<const std::byte> rest = image.subspan(row * bytes);
    codec.decode(rest.first(std::min<std::size_t>(rest.size(), bytes)), {}, {vectors.row(row), machine.vlen});
    vectors.written.rows[row] = vectors.written.all;
  }
  return {};
}

}  // namespace

base::Status check_images(const Images& images, const isa::Machine& machine, Rules rules) {
  std::vector<std::string> problems;
  const auto external = static_cast<std::uint64_t>(std::max<std::int64_t>(0, machine.external_memory.value));
  const std::uint64_t vectors = (base::Checked(machine.vector_rows) * row_bytes(machine)).value_or(~0ULL);
  const std::uint64_t element_bytes = (machine.formats.vector_sram.element.bits() + 7) / 8;
  check_image(images.external, {"external memory", 1, external}, rules, problems);
  check_image(images.floats, {"scalar memory of floats", 2, 2 * kScalarWords}, rules, problems);
  check_image(images.integers, {"scalar memory of integers", 4, 4 * kScalarWords}, rules, problems);
  check_image(images.vectors, {"vector memory", element_bytes, vectors}, rules, problems);
  if (problems.empty()) return {};
  return base::fail(base::ErrorCode::kUsage, "{}", fmt::join(problems, "; "));
}

base::Status load_images(State& state, const Images& images, const isa::Machine& machine, Rules rules) {
  ACCELSCOPE_CHECK(check_images(images, machine, rules));
  ACCELSCOPE_CHECK(state.external.write(0, images.external));
  load_floats(state.scalars, images.floats);
  load_integers(state.scalars, images.integers);
  return load_vectors(state.vectors, images.vectors, machine);
}

}  // namespace accelscope::emulator
