#include "formats/etrecord/zip_archive.h"

#include <zip.h>

namespace accelscope::formats::etrecord {

using base::ErrorCode;
using base::Location;

void ZipArchive::Closer::operator()(zip* archive) const {
  zip_discard(archive);
}

base::Result<ZipArchive> ZipArchive::open(const base::MappedFile& file) {
  zip_error_t error;
  zip_error_init(&error);
  const auto failure = [&] {
    auto result = base::fail_at(Location::of_file(file.path()), ErrorCode::kMalformed,
                                "not a ZIP archive that can be read: {}", zip_error_strerror(&error));
    zip_error_fini(&error);
    return result;
  };
  zip_source_t* source = zip_source_buffer_create(file.text().data(), file.size(), 0, &error);
  if (source == nullptr) return failure();
  zip_t* opened = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (opened == nullptr) {
    auto result = failure();
    zip_source_free(source);
    return result;
  }
  zip_error_fini(&error);
  ZipArchive archive(file.path(), opened);
  const zip_int64_t count = zip_get_num_entries(opened, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    ZipEntry entry;
    if (zip_stat_index(opened, static_cast<zip_uint64_t>(i), 0, &stat) == 0) {
      if ((stat.valid & ZIP_STAT_NAME) != 0) entry.name = stat.name;
      if ((stat.valid & ZIP_STAT_SIZE) != 0) entry.bytes = stat.size;
      if ((stat.valid & ZIP_STAT_COMP_SIZE) != 0) entry.packed_bytes = stat.comp_size;
    }
    archive.entries_.push_back(std::move(entry));
  }
  return archive;
}

base::Status ZipArchive::check_size(const ZipEntry& entry) {
  const Location place = Location::of_file(path_);
  if (entry.bytes > kMaxEntryBytes)
    return base::fail_at(place, ErrorCode::kTooLarge, "entry '{}' has {} bytes; the limit is {}", entry.name,
                         entry.bytes, kMaxEntryBytes);
  if (entry.bytes > kAlwaysAllowedBytes && entry.bytes / kMaxRatio > entry.packed_bytes)
    return base::fail_at(place, ErrorCode::kTooLarge,
                         "entry '{}' would unpack from {} to {} bytes, more than {} times its size",
                         entry.name, entry.packed_bytes, entry.bytes, kMaxRatio);
  total_read_ += entry.bytes;
  if (total_read_ > kMaxTotalBytes)
    return base::fail_at(place, ErrorCode::kTooLarge,
                         "the entries up to '{}' have more than {} bytes together", entry.name,
                         kMaxTotalBytes);
  return {};
}

base::Result<std::string> ZipArchive::read(std::uint64_t index) {
  const ZipEntry& entry = entries_[index];
  ACCELSCOPE_CHECK(check_size(entry));
  const auto failure = [&](const char* reason) {
    return base::fail_at(Location::of_file(path_), ErrorCode::kMalformed, "entry '{}' cannot be read: {}",
                         entry.name, reason);
  };
  zip_file_t* file = zip_fopen_index(archive_.get(), index, 0);
  if (file == nullptr) return failure(zip_strerror(archive_.get()));
  std::string bytes;
  bytes.reserve(entry.bytes + base::MappedFile::kPadding);  // readable past the end, for the JSON parser
  bytes.resize(entry.bytes);
  std::uint64_t filled = 0;
  zip_int64_t got = 0;
  while (filled < bytes.size()) {
    got = zip_fread(file, bytes.data() + filled, bytes.size() - filled);
    if (got <= 0) break;
    filled += static_cast<std::uint64_t>(got);
  }
  const std::string reason = got < 0 ? zip_file_strerror(file) : "it ends early";
  zip_fclose(file);
  if (filled < bytes.size()) return failure(reason.c_str());
  return bytes;
}

}  // namespace accelscope::formats::etrecord
