// Tensors of any shape, stride and type, dumped into buffers and put together again.
#include "accelscope/recorder/tensor_dump.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace accelscope::recorder {
namespace {

struct TensorPlatform {
  uint64_t time = 0;
  uint64_t now() { return ++time; }
  void relax() {}
};

// A lane of one kind whose host takes every buffer when it is asked to.
template <class Record>
struct TensorBench {
  TensorBench(uint32_t buffers, uint32_t records, Policy policy) {
    stride = buffer_bytes<Record>(records);
    memory.resize(stride * buffers / sizeof(BufferHeader));
    std::memset(static_cast<void*>(memory.data()), 0xEE, stride * buffers);
    for (uint32_t buffer = 0; buffer < buffers; ++buffer) EXPECT_TRUE(lane.free.push(buffer));
    array = {reinterpret_cast<unsigned char*>(memory.data()), stride, records};
    config.policy = policy;
    config.wait_limit = 10;
  }

  // By number; a number that is missing was dropped.
  void collect() {
    uint32_t buffer = 0;
    while (lane.ready.pop(buffer)) {
      const BufferHeader* header = array.at(buffer);
      numbers.resize(header->first_record + header->count, nullptr);
      for (uint32_t i = 0; i < header->count; ++i) {
        kept.push_back(std::make_unique<Record>(records_of<Record>(header)[i]));
        numbers[header->first_record + i] = kept.back().get();
      }
      EXPECT_TRUE(lane.free.push(buffer));
    }
  }

  uint64_t stride = 0;
  std::vector<BufferHeader> memory;
  Lane<> lane;
  Gate<> gate;
  BufferArray array;
  WriterConfig config;
  TensorPlatform platform;
  RecordWriter<Record, TensorPlatform>& writer() {
    if (!made)
      made = std::make_unique<RecordWriter<Record, TensorPlatform>>(lane, gate, array, config, platform);
    return *made;
  }
  std::unique_ptr<RecordWriter<Record, TensorPlatform>> made;
  std::vector<std::unique_ptr<Record>> kept;
  std::vector<const Record*> numbers;
};

class TensorDump : public testing::Test {
 protected:
  void begin(uint64_t limit = 0, uint32_t buffers = 8, Policy policy = Policy::kDrop) {
    tensors = std::make_unique<TensorBench<TensorRecord>>(8, 256, policy);
    blocks = std::make_unique<TensorBench<TensorBlockRecord>>(buffers, 4, policy);
    recorder = std::make_unique<TensorDumpRecorder<TensorPlatform>>(kDfxDumpTensor, &tensors->writer(),
                                                                    &blocks->writer(), limit);
  }
  void end() {
    tensors->writer().flush();
    blocks->writer().flush();
    tensors->collect();
    blocks->collect();
  }
  const TensorRecord& record(std::size_t number) { return *tensors->numbers.at(number); }

  // The bytes that a record says it has.
  std::string payload(const TensorRecord& tensor) {
    EXPECT_EQ(tensor.payload_offset % TensorBlockRecord::kBytes, 0U);
    std::string bytes;
    for (uint64_t block = tensor.payload_offset / 64; bytes.size() < tensor.payload_bytes; ++block) {
      const auto* found = block < blocks->numbers.size() ? blocks->numbers[block] : nullptr;
      if (found == nullptr) {
        ADD_FAILURE() << "block " << block << " is missing";
        return bytes;
      }
      bytes.append(reinterpret_cast<const char*>(found->bytes), 64);
    }
    const std::string rest = bytes.substr(tensor.payload_bytes);
    EXPECT_EQ(rest, std::string(rest.size(), '\0')) << "what was there before is cleared";
    bytes.resize(tensor.payload_bytes);
    return bytes;
  }

  std::unique_ptr<TensorBench<TensorRecord>> tensors;
  std::unique_ptr<TensorBench<TensorBlockRecord>> blocks;
  std::unique_ptr<TensorDumpRecorder<TensorPlatform>> recorder;
};

// Element by element, by the definition of strides.
std::string expected_bytes(const TensorDescription& tensor, const std::vector<unsigned char>& memory) {
  const uint32_t width = element_bytes(tensor.data_type);
  std::string bytes;
  for (uint64_t number = 0; number < elements_of(tensor); ++number) {
    uint64_t place = tensor.start_offset;
    uint64_t rest = number;
    for (uint32_t i = tensor.dimensions; i > 0; --i) {
      place += rest % tensor.shape[i - 1] * tensor.strides[i - 1];
      rest /= tensor.shape[i - 1];
    }
    bytes.append(reinterpret_cast<const char*>(memory.data()) + place * width, width);
  }
  return bytes;
}

// Rows longer than 32 bits can say have no gaps either.
constexpr uint32_t outer_dimensions_of_long_rows() {
  TensorDescription tensor;
  tensor.dimensions = 3;
  tensor.shape[0] = 2;
  tensor.shape[1] = tensor.shape[2] = 65536;
  set_contiguous(tensor);
  return innermost_run(tensor).outer;
}
static_assert(outer_dimensions_of_long_rows() == 0);

std::vector<unsigned char> memory_of(std::size_t bytes, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<unsigned char> memory(bytes);
  for (unsigned char& byte : memory) byte = static_cast<unsigned char>(random());
  return memory;
}

// Any shape, strides of views: transposed, cut out, every second one, broadcast, or anything.
TensorDescription random_tensor(std::mt19937& random) {
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  TensorDescription tensor;
  tensor.task = random();
  tensor.argument = below(40);
  tensor.role = static_cast<TensorRole>(below(3));
  tensor.stage = static_cast<TensorStage>(below(2));
  tensor.data_type = static_cast<DataType>(below(kDataTypes));
  tensor.dimensions = static_cast<uint8_t>(below(kMaxDimensions + 1));
  for (uint32_t i = 0; i < tensor.dimensions; ++i)
    tensor.shape[i] = below(20) == 0 ? 0 : 1 + below(i == 0 ? 40 : 6);
  TensorDescription whole = tensor;  // of which the tensor is a part
  const bool cut_out = below(2) == 0;
  for (uint32_t i = 0; i < tensor.dimensions; ++i) whole.shape[i] += cut_out ? below(4) : 0;
  set_contiguous(whole);
  std::copy(std::begin(whole.strides), std::end(whole.strides), tensor.strides);
  for (uint32_t i = 0; i < tensor.dimensions && below(3) == 0; ++i) {
    const uint32_t other = below(tensor.dimensions);
    std::swap(tensor.shape[i], tensor.shape[other]);
    std::swap(tensor.strides[i], tensor.strides[other]);
  }
  for (uint32_t i = 0; i < tensor.dimensions; ++i)
    if (below(8) == 0) tensor.strides[i] = below(4);
  tensor.start_offset = below(3) == 0 ? below(50) : 0;
  return tensor;
}

std::size_t memory_needed(const TensorDescription& tensor) {
  std::size_t last = tensor.start_offset;
  for (uint32_t i = 0; i < tensor.dimensions; ++i)
    last += tensor.shape[i] == 0 ? 0 : std::size_t{tensor.shape[i] - 1} * tensor.strides[i];
  return (last + 1) * element_bytes(tensor.data_type);
}

TEST_F(TensorDump, GathersWhateverItsStridesAre) {
  std::mt19937 random(2026);
  for (int i = 0; i < 3000; ++i) {
    SCOPED_TRACE(i);
    const TensorDescription tensor = random_tensor(random);
    // Exactly what the tensor may touch, so that a sanitizer sees a step beyond it.
    const std::vector<unsigned char> memory = memory_of(memory_needed(tensor), static_cast<uint32_t>(i));
    begin(0, 8, Policy::kDrop);
    const std::string expected = expected_bytes(tensor, memory);
    if (expected.size() > 8 * 4 * 64) continue;  // more than fits the buffers of this test
    recorder->on_tensor(tensor, memory.data());
    end();
    const TensorRecord& made = record(0);
    EXPECT_EQ(payload(made), expected);
    EXPECT_EQ(made.task, tensor.task);
    EXPECT_EQ(made.argument, tensor.argument);
    EXPECT_EQ(made.role, tensor.role);
    EXPECT_EQ(made.stage, tensor.stage);
    EXPECT_EQ(made.data_type, tensor.data_type);
    EXPECT_EQ(made.start_offset, tensor.start_offset);
    EXPECT_TRUE(std::equal(std::begin(tensor.shape), std::end(tensor.shape), made.shape));
    EXPECT_TRUE(std::equal(std::begin(tensor.strides), std::end(tensor.strides), made.strides));
    EXPECT_EQ(made.flags & TensorRecord::kCut, 0U);
  }
}

TEST_F(TensorDump, SaysWhetherItHadGaps) {
  begin();
  TensorDescription tensor{.data_type = DataType::kFloat32, .dimensions = 3, .shape = {2, 1, 3}};
  set_contiguous(tensor);
  const std::vector<unsigned char> memory = memory_of(200, 1);
  recorder->on_tensor(tensor, memory.data());
  tensor.strides[1] = 77;  // of a dimension with one element: nobody ever steps there
  recorder->on_tensor(tensor, memory.data());
  tensor.strides[0] = 4;
  recorder->on_tensor(tensor, memory.data());
  end();
  EXPECT_EQ(record(0).flags, 0U);
  EXPECT_EQ(record(1).flags, 0U);
  EXPECT_EQ(record(2).flags, TensorRecord::kStrided);
}

TEST_F(TensorDump, TensorsFollowEachOtherInBlocksOfTheirOwn) {
  begin();
  const std::vector<unsigned char> memory = memory_of(1000, 2);
  std::vector<TensorDescription> all;
  for (const uint32_t size : {1U, 64U, 65U, 0U, 200U}) {
    TensorDescription tensor{.data_type = DataType::kUint8, .dimensions = 1, .shape = {size}};
    set_contiguous(tensor);
    recorder->on_tensor(tensor, memory.data());
    all.push_back(tensor);
  }
  end();
  uint64_t block = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(record(i).payload_offset, block * 64);
    EXPECT_EQ(payload(record(i)), expected_bytes(all[i], memory));
    block += (all[i].shape[0] + 63) / 64;
  }
  EXPECT_EQ(blocks->lane.produced.load(), block);
}

TEST_F(TensorDump, ALimitCutsBetweenElements) {
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const TensorDescription tensor = random_tensor(random);
    const std::vector<unsigned char> memory = memory_of(memory_needed(tensor), static_cast<uint32_t>(i));
    const uint64_t limit = 1 + random() % 300;
    begin(limit);
    recorder->on_tensor(tensor, memory.data());
    end();
    const std::string whole = expected_bytes(tensor, memory);
    const uint32_t width = element_bytes(tensor.data_type);
    const std::string expected = whole.substr(0, limit / width * width);
    EXPECT_EQ(payload(record(0)), expected);
    EXPECT_EQ((record(0).flags & TensorRecord::kCut) != 0, expected.size() < whole.size());
    EXPECT_EQ(blocks->lane.produced.load(), (expected.size() + 63) / 64);
  }
}

TEST_F(TensorDump, WhatFollowsADroppedBlockIsNotTried) {
  begin(0, 2);  // of four blocks each
  const std::vector<unsigned char> memory = memory_of(2000, 3);
  TensorDescription tensor{.data_type = DataType::kFloat64, .dimensions = 1, .shape = {250}};
  set_contiguous(tensor);
  recorder->on_tensor(tensor, memory.data());
  blocks->collect();
  recorder->on_tensor(tensor, memory.data());
  end();
  const std::string whole = expected_bytes(tensor, memory);
  EXPECT_EQ(payload(record(0)), whole.substr(0, 8 * 64));
  EXPECT_EQ(record(0).flags, TensorRecord::kCut);
  EXPECT_EQ(record(1).payload_offset, 9 * 64U) << "behind the block that was dropped";
  EXPECT_EQ(payload(record(1)), whole.substr(0, 8 * 64));
  EXPECT_EQ(blocks->lane.produced.load(), 18U);
  EXPECT_EQ(blocks->lane.dropped[static_cast<uint32_t>(DropReason::kNoBuffer)].load(), 2U);
}

TEST_F(TensorDump, AWaitInVainCutsToo) {
  begin(0, 1, Policy::kBlock);
  const std::vector<unsigned char> memory = memory_of(2000, 4);
  TensorDescription tensor{
      .data_type = DataType::kInt16, .dimensions = 2, .shape = {100, 10}, .strides = {1, 100}};
  recorder->on_tensor(tensor, memory.data());
  end();
  EXPECT_EQ(payload(record(0)), expected_bytes(tensor, memory).substr(0, 4 * 64));
  EXPECT_EQ(record(0).flags, TensorRecord::kCut | TensorRecord::kStrided);
  EXPECT_EQ(blocks->lane.timeouts.load(), 1U);
  EXPECT_EQ(blocks->lane.produced.load(), 5U) << "one was tried in vain";
}

TEST_F(TensorDump, DescribesWhatHasNoBytes) {
  begin();
  TensorDescription tensor{.task = 9, .data_type = DataType::kFloat32, .dimensions = 1, .shape = {10}};
  set_contiguous(tensor);
  recorder->on_tensor(tensor, nullptr);
  const unsigned char byte = 0;
  tensor.data_type = static_cast<DataType>(200);
  recorder->on_tensor(tensor, &byte);
  tensor.data_type = DataType::kFloat32;
  tensor.dimensions = kMaxDimensions + 1;
  recorder->on_tensor(tensor, &byte);
  recorder->on_scalar(9, 3, DataType::kInt32, 0xFFFFFFFF);
  end();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(record(i).flags, TensorRecord::kDescribed);
    EXPECT_EQ(record(i).payload_bytes, 0U);
    EXPECT_EQ(record(i).task, 9U);
  }
  EXPECT_EQ(record(2).dimensions, kMaxDimensions + 1);
  EXPECT_EQ(record(3).flags, TensorRecord::kScalar);
  EXPECT_EQ(record(3).value, 0xFFFFFFFFU);
  EXPECT_EQ(blocks->lane.produced.load(), 0U);
}

TEST_F(TensorDump, IsNothingWhenItIsOff) {
  TensorDumpRecorder<TensorPlatform> off(~kDfxDumpTensor, nullptr, nullptr);
  off.on_tensor({}, "x");
  off.on_scalar(1, 2, DataType::kInt32, 3);
}

TEST(TensorTypes, HaveAWidth) {
  EXPECT_EQ(element_bytes(DataType::kUnknown), 0U);
  EXPECT_EQ(element_bytes(static_cast<DataType>(kDataTypes)), 0U);
  for (uint32_t number = 0; number < kDataTypes; ++number) {
    const uint32_t width = element_bytes(static_cast<DataType>(number));
    EXPECT_TRUE(width == 1 || width == 2 || width == 4 || width == 8) << number;
  }
}

}  // namespace
}  // namespace accelscope::recorder
