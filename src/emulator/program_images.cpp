#include "emulator/program_images.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "base/half_float.h"
#include "emulator/expected_results.h"
#include "emulator/row_codec.h"

namespace accelscope::emulator {
namespace {

using base::ErrorCode;
using base::Result;
using isa::ProgramTensor;
using isa::TensorPlace;
using isa::TensorRole;

constexpr boards::NumberFormat kFormat = boards::kPlenaMx;
// Scales of a row are read from one block of 64 bytes.
constexpr std::uint32_t kLongestRow = 64 * kFormat.block;

void put_bits(std::vector<std::byte>& bytes, std::uint16_t bits) {
  bytes.push_back(static_cast<std::byte>(bits & 0xFFU));
  bytes.push_back(static_cast<std::byte>(bits >> 8U));
}

// Element rows, and behind them the rows of scales.
void put_tensor(const RowCodec& codec, const ProgramTensor& tensor, const Matrix& contents,
                std::span<std::byte> external) {
  const std::size_t row_bytes = codec.element_bytes(tensor.columns);
  const std::size_t scale_bytes = codec.scale_bytes(tensor.columns);
  const std::span<std::byte> elements = external.subspan(tensor.address, tensor.rows * row_bytes);
  const std::span<std::byte> scales =
      external.subspan(tensor.address + elements.size(), tensor.rows * scale_bytes);
  for (std::uint32_t row = 0; row < tensor.rows; ++row)
    codec.encode(contents.row(row), elements.subspan(row * row_bytes, row_bytes),
                 scales.subspan(row * scale_bytes, scale_bytes));
}

std::vector<std::byte> float_image(std::span<const isa::ProgramScalar> scalars) {
  std::vector<double> words;
  for (const isa::ProgramScalar& scalar : scalars) {
    words.resize(std::max<std::size_t>(words.size(), scalar.address + 1));
    words[scalar.address] = scalar.value;
  }
  std::vector<std::byte> bytes;
  for (const double word : words) put_bits(bytes, base::float16_bits(word));
  return bytes;
}

ExpectedTensor expected_place(const ProgramTensor& tensor, std::uint32_t mlen, std::uint64_t offset) {
  ExpectedTensor expected{.name = tensor.name,
                          .memory = ExpectedMemory::kVector,
                          .address = tensor.address,
                          .rows = tensor.rows,
                          .columns = tensor.columns,
                          .block_columns = mlen,
                          .block_stride = std::uint64_t{tensor.rows} * mlen,
                          .row_stride = mlen,
                          .offset = offset};
  if (tensor.place == TensorPlace::kExternal) {
    expected.memory = ExpectedMemory::kExternal;
    expected.block_columns = expected.row_stride = tensor.columns;
    expected.block_stride = 0;
    expected.format = kFormat;
    expected.scale_address = tensor.address + tensor.elements();
  }
  return expected;
}

}  // namespace

Result<ProgramImages> make_images(const isa::GeneratedProgram& program, const Matrices& inputs) {
  ACCELSCOPE_TRY(const RowCodec codec, RowCodec::make(kFormat));
  ProgramImages images;
  images.external.resize(program.external_bytes);
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.place != TensorPlace::kExternal || tensor.role != TensorRole::kInput) continue;
    const auto contents = inputs.find(tensor.name);
    if (contents == inputs.end())
      return base::fail(ErrorCode::kUsage, "the input {} of the program {} is missing", tensor.name,
                        program.name);
    put_tensor(codec, tensor, contents->second, images.external);
  }
  images.floats = float_image(program.scalars);
  return images;
}

Result<Expectation> make_expectation(const isa::GeneratedProgram& program, const Matrices& results) {
  std::vector<ExpectedTensor> tensors;
  std::vector<std::byte> values;
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.role != TensorRole::kOutput) continue;
    const auto result = results.find(tensor.name);
    if (result == results.end())
      return base::fail(ErrorCode::kUsage, "the output {} of the program {} is missing", tensor.name,
                        program.name);
    tensors.push_back(expected_place(tensor, program.mlen, values.size()));
    Matrix contents = result->second;
    if (tensor.place == TensorPlace::kExternal) {
      ACCELSCOPE_TRY(contents, as_stored(contents));
    }
    for (const float value : contents.values) put_bits(values, base::bfloat16_bits(value));
  }
  const std::string_view text(reinterpret_cast<const char*>(values.data()), values.size());
  return Expectation{std::move(tensors), base::MappedFile::from_memory("expected values", text)};
}

boards::WeightManifest make_manifest(const isa::GeneratedProgram& program) {
  boards::WeightManifest manifest;
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.place != TensorPlace::kExternal) continue;
    const std::uint64_t size = tensor.elements() + tensor.elements() / kFormat.block;
    manifest.regions.push_back({.layer = tensor.layer,
                                .offset = tensor.address,
                                .size = base::Bytes{static_cast<std::int64_t>(size)},
                                .kind = tensor.kind});
  }
  const auto first_weight =
      std::ranges::find(manifest.regions, boards::RegionKind::kWeight, &boards::ManifestRegion::kind);
  if (first_weight != manifest.regions.end()) manifest.activation_ceiling = first_weight->offset;
  return manifest;
}

boards::SettingsConfig settings_for(const isa::GeneratedProgram& program) {
  constexpr std::uint64_t kBitsPerByte = 8;
  boards::SettingsConfig config;
  config.mlen = config.vlen = config.matrix_prefetch_rows = program.mlen;
  config.blen = config.vector_prefetch_rows = config.vector_writeback_rows = program.blen;
  config.hlen = std::min<std::uint64_t>(config.hlen, program.mlen);
  // Where a tile does not divide into such heads, it is one.
  if (config.mlen % config.hlen != 0) config.hlen = config.mlen;
  config.broadcast_amount = config.mlen / config.hlen;
  config.hbm_width_bits = std::max(config.hbm_width_bits, kBitsPerByte * config.mlen);
  config.matrix_sram_rows = std::max(config.matrix_sram_rows, program.matrix_tiles * config.mlen);
  config.vector_sram_rows =
      std::max(config.vector_sram_rows, (program.vector_elements + config.vlen - 1) / config.vlen);
  // A round of a loop over tiles may be long; no program of ours loops forever.
  config.max_loop_instructions = 1'000'000'000;
  return config;
}

Result<PreparedProgram> prepare(const isa::GeneratedProgram& program, const InputOptions& options) {
  if (program.mlen > kLongestRow)
    return base::fail(ErrorCode::kUsage,
                      "mlen ({}): the hardware reads the scales of at most {} elements of a row",
                      program.mlen, kLongestRow);
  ACCELSCOPE_TRY(Matrices inputs, make_inputs(program, options));
  ACCELSCOPE_TRY(Matrices results, expected_results(program, inputs));
  ACCELSCOPE_TRY(ProgramImages images, make_images(program, inputs));
  ACCELSCOPE_TRY(Expectation expectation, make_expectation(program, results));
  return PreparedProgram{std::move(inputs),      std::move(results),     std::move(images),
                         std::move(expectation), make_manifest(program), settings_for(program)};
}

}  // namespace accelscope::emulator
