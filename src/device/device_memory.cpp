#include "device/device_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/shared_memory.h"
#include "device/reached_memory.h"

namespace accelscope::device {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 40U;  // of a block: more than any device has

struct GiveBack {
  void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{kAlignment}); }
};

// One of the two.
struct Block {
  std::unique_ptr<std::byte, GiveBack> own = {};
  base::SharedMemory shared = {};
  std::size_t size = 0;

  std::byte* bytes() const { return own != nullptr ? own.get() : shared.data(); }
};

// Memory of this process, and of those that it forks if wanted, stands for the device's; the address is the
// pointer.
class ProcessMemory : public ReachedMemory<ProcessMemory> {
 public:
  explicit ProcessMemory(Sharing sharing) : sharing_(sharing) {}

  base::Result<Address> allocate(std::size_t bytes) override {
    Block block{.size = bytes};
    if (sharing_ == Sharing::kForkedOnes && bytes <= kMaxBlockBytes) {
      ACCELSCOPE_TRY(block.shared, base::SharedMemory::make(bytes));
    } else if (bytes <= kMaxBlockBytes) {
      block.own.reset(static_cast<std::byte*>(
          ::operator new (std::max<std::size_t>(bytes, 1), std::align_val_t{kAlignment}, std::nothrow)));
    }
    if (block.bytes() == nullptr)
      return base::fail(base::ErrorCode::kTooLarge, "no memory for {} bytes of the device", bytes);
    std::memset(block.bytes(), 0, bytes);
    const Address address = address_of(block.bytes());
    allocated_ += bytes;
    blocks_.push_back(std::move(block));
    return address;
  }

  void release(Address address) override {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Block& block) { return address_of(block.bytes()) == address; });
    if (found == blocks_.end()) return;
    allocated_ -= found->size;
    blocks_.erase(found);
  }

  std::uint64_t allocated_bytes() const override { return allocated_; }

  static std::byte* pointer_of(Address address) {
    // An address of a device is a number; here it is one that this file made of a pointer.
    return reinterpret_cast<std::byte*>(  // NOLINT(performance-no-int-to-ptr)
        static_cast<std::uintptr_t>(address));
  }

 protected:
  static std::span<const std::byte> bytes_at(Address address, std::size_t bytes) {
    return {pointer_of(address), bytes};
  }

 private:
  static Address address_of(const std::byte* bytes) {
    return static_cast<Address>(reinterpret_cast<std::uintptr_t>(bytes));
  }

  const Sharing sharing_;
  std::vector<Block> blocks_;
  std::uint64_t allocated_ = 0;
};

class MappedMemory final : public ProcessMemory {
 public:
  using ProcessMemory::ProcessMemory;
  std::span<const std::byte> read(Address address, std::size_t bytes, std::vector<std::byte>&) override {
    return bytes_at(address, bytes);
  }
};

class CopiedMemory final : public ProcessMemory {
 public:
  using ProcessMemory::ProcessMemory;
  std::span<const std::byte> read(Address address, std::size_t bytes, std::vector<std::byte>& copy) override {
    const std::span<const std::byte> there = bytes_at(address, bytes);
    copy.assign(there.begin(), there.end());
    return copy;
  }
};

}  // namespace

std::unique_ptr<DeviceMemory> mapped_memory(Sharing sharing) {
  return std::make_unique<MappedMemory>(sharing);
}

std::unique_ptr<DeviceMemory> copied_memory(Sharing sharing) {
  return std::make_unique<CopiedMemory>(sharing);
}

}  // namespace accelscope::device
