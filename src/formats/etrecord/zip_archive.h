// A ZIP in memory, read entry by entry with limits on what unpacking may cost.
//
// Internal to this folder. One thread uses one archive, which refers to the file's bytes and must not outlive
// them; entries that are read are the caller's.
//
//   ACCELSCOPE_TRY(ZipArchive archive, ZipArchive::open(file));
//   for (std::uint64_t i = 0; i < archive.entries().size(); ++i) {
//     ACCELSCOPE_TRY(const std::string bytes, archive.read(i));
//   }
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"

struct zip;

namespace accelscope::formats::etrecord {

struct ZipEntry {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t packed_bytes = 0;
};

class ZipArchive {
 public:
  static constexpr std::uint64_t kMaxEntryBytes = std::uint64_t{1} << 30;
  // Of all entries that are read from one archive together.
  static constexpr std::uint64_t kMaxTotalBytes = std::uint64_t{2} << 30;
  // Text packs ten to fifty times; far more, in something large, is an attack.
  static constexpr std::uint64_t kMaxRatio = 200;
  static constexpr std::uint64_t kAlwaysAllowedBytes = std::uint64_t{1} << 20;

  static base::Result<ZipArchive> open(const base::MappedFile& file);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  base::Result<std::string> read(std::uint64_t entry);

 private:
  struct Closer {
    void operator()(zip* archive) const;
  };

  ZipArchive(std::string path, zip* archive) : path_(std::move(path)), archive_(archive) {}
  base::Status check_size(const ZipEntry& entry);

  std::string path_;
  std::unique_ptr<zip, Closer> archive_;
  std::vector<ZipEntry> entries_;
  std::uint64_t total_read_ = 0;
};

}  // namespace accelscope::formats::etrecord
