// Latencies that the reference's authors published, on programs that were rebuilt after their documents.
#include <gtest/gtest.h>

#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

constexpr std::string_view kSmall = "linear:rows=128,in=16,out=32,mlen=16,blen=4";
constexpr std::string_view kLarge = "linear:rows=64,in=128,out=256,mlen=64,blen=4";

Emulation on(std::string_view program, std::uint64_t mlen, std::unique_ptr<memory::Timing> memory) {
  EmulationOptions options;
  options.machine = machine_of(mlen, 4);
  return run(generated(program), options, std::move(memory));
}

TEST(Published, Linear128By16By32) {
  const Emulation done = on(kSmall, 16, memory_of("reference-hbm2"));
  EXPECT_EQ(done.latency.value, 9'410'000);
  EXPECT_EQ(done.bytes_read, 49'152U);
  EXPECT_EQ(done.bytes_written, 0U);
  EXPECT_EQ(done.instructions, 3538U);
  EXPECT_EQ((done.latency - done.transfers).value, 7'330'000);
  EXPECT_EQ(on(kSmall, 16, memory_of("reference-hbm2-patched")).latency.value, 8'674'000);
}

TEST(Published, Linear64By128By256) {
  const Emulation done = on(kLarge, 64, memory_of("reference-hbm2"));
  EXPECT_EQ(done.latency.value, 146'935'000);
  EXPECT_EQ((done.latency - done.transfers).value, 144'938'000);
  EXPECT_EQ(done.bytes_read, 81'920U);
  EXPECT_EQ(done.instructions, 15'954U);
  EXPECT_EQ(on(kLarge, 64, memory_of("reference-hbm2-patched")).latency.value, 146'214'000);
}

std::unique_ptr<memory::Timing> reference_model(std::string_view model,
                                                const boards::WeightManifest& manifest) {
  MemoryWishes wishes;
  wishes.model = *memory_model_named(model);
  wishes.semantics = Semantics::kReference;
  wishes.manifest = &manifest;
  return std::move(set_up_memory(wishes)->timing);
}

TEST(Published, Regimes) {
  const boards::WeightManifest weights{.activation_ceiling = 0,
                                       .regions = {{0, 0, {2880}, boards::RegionKind::kWeight}}};
  EXPECT_EQ(on(kSmall, 16, reference_model("resident", weights)).latency.value, 13'454'216);
  EXPECT_EQ(on(kSmall, 16, reference_model("weight-stream", weights)).latency.value, 849'688'528);
  const boards::WeightManifest keys{.activation_ceiling = 0,
                                    .regions = {{0, 0, {2048}, boards::RegionKind::kKv}}};
  EXPECT_EQ(on(kSmall, 16, reference_model("kv-swap", keys)).latency.value, 47'493'920);
}

}  // namespace
}  // namespace accelscope::emulator
