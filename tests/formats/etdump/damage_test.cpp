// Every way to break a small dump: cut at every byte, every bit turned over, offsets that lead astray.
#include "formats/etdump/damage.h"

#include <cstring>

#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"

namespace accelscope::formats::etdump {
namespace {

Dump tiny_dump() {
  return {{execute_block({event("native_call_add.out", 0, 10, 50), reported("Add (ND) #1", 1, 60, 70),
                          event("DELEGATE_CALL", 1, 55, 80), execute(0, 100)})}};
}

// The answer must be a trace, or an error that names the file and says something.
void expect_sane(std::string_view bytes, const std::string& what) {
  const auto result = read_bytes(bytes);
  if (result) return;
  EXPECT_EQ(result.error().where.file, kTestFile) << what;
  EXPECT_FALSE(result.error().message.empty()) << what;
  EXPECT_NE(result.error().code, base::ErrorCode::kInternal) << what;
  EXPECT_LE(result.error().where.position, bytes.size()) << what;
}

TEST(Damage, NoneInWhatTheWriterWrites) {
  for (const Dump& dump : {tiny_dump(), quirks_dump(), wrap_dump(), toy_dump(ToySpeed::kFast)})
    for (const Prefix prefix : {Prefix::kSize, Prefix::kNone}) {
      const std::string bytes = write_etdump(dump, prefix);
      EXPECT_TRUE(library_accepts(bytes, prefix));
      EXPECT_FALSE(find_damage(bytes, prefix));
    }
}

TEST(Damage, CutAtEveryByte) {
  const std::string bytes = write_etdump(quirks_dump());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto result = read_bytes(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(result) << size;
    EXPECT_EQ(result.error().code, base::ErrorCode::kTruncated) << size;
  }
}

TEST(Damage, CutAtEveryByteWithoutAPrefix) {
  // Nothing announces the size here: what is missing is only noticed where an offset leads to it.
  const std::string bytes = write_etdump(tiny_dump(), Prefix::kNone);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    expect_sane(std::string_view(bytes).substr(0, size), std::to_string(size));
}

TEST(Damage, EveryBitOfATinyDump) {
  std::string bytes = write_etdump(
      {{execute_block({reported("a #1", 1, 60, 70), event("DELEGATE_CALL", 1, 55, 80), execute(0, 100)})}});
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    expect_sane(bytes, "bit " + std::to_string(bit));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
}

TEST(Damage, TheWalkAgreesWithTheLibraryOnEveryBit) {
  for (const Prefix prefix : {Prefix::kSize, Prefix::kNone}) {
    std::string bytes = write_etdump(quirks_dump(), prefix);
    // The size and the identifier are the container's business.
    for (std::size_t bit = 96; bit < bytes.size() * 8; ++bit) {
      const auto mask = static_cast<char>(1U << (bit % 8));
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
      const bool accepted = library_accepts(bytes, prefix);
      const auto damage = find_damage(bytes, prefix);
      // The library also refuses what is merely misaligned; the walk must never refuse what it accepts.
      EXPECT_FALSE(accepted && damage) << "bit " << bit;
      if (!accepted && !damage) {
        EXPECT_TRUE(read_bytes(bytes)) << "misaligned at bit " << bit;
      }
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    }
  }
}

TEST(Damage, TheFirstBadByteIsNamed) {
  const std::string good = write_etdump(tiny_dump());
  std::string bytes = good;
  const std::uint32_t far_away = 0x00FFFFFF;
  std::memcpy(bytes.data() + 4, &far_away, 4);
  const auto result = read_bytes(bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::ErrorCode::kMalformed);
  EXPECT_EQ(result.error().where, base::Location::byte(kTestFile, 4));
  EXPECT_NE(result.error().message.find("root offset"), std::string::npos) << result.error().message;
}

TEST(Damage, ATextThatIsNotClosedIsNamed) {
  std::string bytes = write_etdump(tiny_dump());
  const std::size_t end = bytes.find("native_call_add.out") + std::strlen("native_call_add.out");
  bytes[end] = 'x';
  const auto result = read_bytes(bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, base::Location::byte(kTestFile, end));
}

TEST(Damage, ALengthThatLeavesTheFileIsNamed) {
  std::string bytes = write_etdump(tiny_dump());
  const std::size_t length_at = bytes.find("native_call_add.out") - 4;
  bytes[length_at + 2] = '\x7F';
  const auto result = read_bytes(bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, base::Location::byte(kTestFile, length_at));
  EXPECT_NE(result.error().message.find("name"), std::string::npos) << result.error().message;
}

// Lays out tables by hand, so that their offsets can be made to lie.
class RawDump {
 public:
  RawDump() {
    put32(0);  // the root offset
    bytes_ += "ED00";
  }
  std::uint32_t at() const { return static_cast<std::uint32_t>(bytes_.size()); }
  void put16(std::uint16_t value) { put(&value, sizeof value); }
  void put32(std::uint32_t value) { put(&value, sizeof value); }
  // An offset field that leads to `target`.
  void point_to(std::uint32_t target) { put32(target - at()); }
  void patch_pointer(std::uint32_t place, std::uint32_t target) {
    const std::uint32_t offset = target - place;
    std::memcpy(bytes_.data() + place, &offset, sizeof offset);
  }
  // A table with one offset field in slot `field`; the field is at the returned place and still to be
  // patched.
  std::uint32_t table_with_pointer(std::uint16_t field) {
    const std::uint32_t vtable = at();
    put16(static_cast<std::uint16_t>(4 + 2 * (field + 1)));
    put16(8);
    for (std::uint16_t i = 0; i < field; ++i) put16(0);
    put16(4);
    if (at() % 4 != 0) put16(0);
    put32(at() - vtable);
    put32(0);
    return at() - 4;
  }
  // A dump with one block, whose vector of events is still to be patched; where its first offset is.
  std::uint32_t one_block_of_events(std::uint32_t count) {
    const std::uint32_t dump = table_with_pointer(1);
    patch_pointer(0, dump - 4);
    patch_pointer(dump, at());
    put32(1);
    put32(0);
    const std::uint32_t block_pointer = at() - 4;
    const std::uint32_t block = table_with_pointer(3);
    patch_pointer(block_pointer, block - 4);
    patch_pointer(block, at());
    put32(count);
    const std::uint32_t first = at();
    bytes_.append(std::size_t{count} * 4, '\0');
    return first;
  }
  std::string& bytes() { return bytes_; }

 private:
  void put(const void* value, std::size_t size) { bytes_.append(static_cast<const char*>(value), size); }
  std::string bytes_;
};

TEST(Damage, NoneInMoreTablesThanTheLibraryAllowsByDefault) {
  // A million events without content, each a table of its own: laid out by hand, because the builder takes
  // seconds for as many.
  constexpr std::uint32_t kMany = 1'000'001;
  RawDump raw;
  const std::uint32_t first_event = raw.one_block_of_events(kMany);
  const std::uint32_t vtable = raw.at();
  raw.put16(4);
  raw.put16(4);
  for (std::uint32_t i = 0; i < kMany; ++i) {
    raw.patch_pointer(first_event + 4 * i, raw.at());
    raw.put32(raw.at() - vtable);
  }
  EXPECT_TRUE(library_accepts(raw.bytes(), Prefix::kNone));
  EXPECT_FALSE(find_damage(raw.bytes(), Prefix::kNone));
}

TEST(Damage, SharedTablesCannotMultiply) {
  // 20 000 blocks that are all the same block of 20 000 events that are all the same event: 400 million
  // events in 160 KB.
  constexpr std::uint32_t kMany = 20'000;
  RawDump raw;
  const std::uint32_t dump = raw.table_with_pointer(1);
  raw.patch_pointer(0, dump - 4);
  const std::uint32_t blocks = raw.at();
  raw.patch_pointer(dump, blocks);
  raw.put32(kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) raw.put32(0);
  const std::uint32_t block = raw.table_with_pointer(3);
  for (std::uint32_t i = 0; i < kMany; ++i) raw.patch_pointer(blocks + 4 + 4 * i, block - 4);
  const std::uint32_t events = raw.at();
  raw.patch_pointer(block, events);
  raw.put32(kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) raw.put32(0);
  const std::uint32_t shared = raw.table_with_pointer(0);
  for (std::uint32_t i = 0; i < kMany; ++i) raw.patch_pointer(events + 4 + 4 * i, shared - 4);
  const std::uint32_t profile = raw.table_with_pointer(0);
  raw.patch_pointer(shared, profile - 4);
  raw.patch_pointer(profile, raw.at());
  raw.put32(0);  // an empty name
  raw.put32(0);
  const auto result = read_bytes(raw.bytes());
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("share"), std::string::npos) << result.error().message;
}

TEST(Damage, OverlappingNamesCannotMultiply) {
  // Every word is the length of a name that reaches to the end: 20 000 names of up to 80 000 bytes.
  constexpr std::uint32_t kMany = 20'000;
  RawDump raw;
  const std::uint32_t first_event = raw.one_block_of_events(kMany);
  std::vector<std::uint32_t> names;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    const std::uint32_t one = raw.table_with_pointer(0);
    raw.patch_pointer(first_event + 4 * i, one - 4);
    const std::uint32_t profile = raw.table_with_pointer(0);
    raw.patch_pointer(one, profile - 4);
    names.push_back(profile);
  }
  const std::uint32_t texts = raw.at();
  for (std::uint32_t i = 0; i < kMany; ++i) {
    raw.patch_pointer(names[i], texts + 4 * i);
    raw.put32(4 * (kMany - i - 1));
  }
  raw.put32(0);
  raw.put32(0);
  const auto result = read_bytes(raw.bytes());
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("overlap"), std::string::npos) << result.error().message;
}

TEST(Damage, AFileOfItsOwnIdentifierOnly) {
  for (const char filler : {'\0', '\x01', '\x7F', '\xFF'}) {
    std::string bytes(256, filler);
    bytes.replace(4, 4, "ED00");
    expect_sane(bytes, "filled with " + std::to_string(filler));
    bytes.replace(4, 4, 4, filler);
    bytes.replace(8, 4, "ED00");
    expect_sane(bytes, "prefixed and filled with " + std::to_string(filler));
  }
}

}  // namespace
}  // namespace accelscope::formats::etdump
