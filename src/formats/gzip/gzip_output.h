// An Output that packs with gzip on its way into another Output. finish() must be called at the end.
//
// One thread; the target must outlive it. The header carries no time and no name, so equal input gives equal
// bytes.
//
//   GzipOutput packed(file.output());
//   write(trace, packed);
//   ACCELSCOPE_CHECK(packed.finish());
#pragma once

#include <memory>

#include "base/output.h"

namespace accelscope::formats::gzip {

class GzipOutput final : public base::Output {
 public:
  explicit GzipOutput(base::Output& target);
  ~GzipOutput() override;

  base::Status finish();

 private:
  struct Deflater;
  void make_room(std::size_t size) override;
  void pack(bool last);

  base::Output& target_;
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace accelscope::formats::gzip
