#include "formats/capture/rows_chunk.h"

#include <algorithm>

#include "formats/capture/wire.h"

namespace accelscope::formats::capture {

void RowsEncoder::begin(std::string_view table, std::uint32_t first_row, std::uint32_t rows) {
  payload_.clear();
  append_text8(payload_, table);
  append_u32(payload_, first_row);
  append_u32(payload_, rows);
  place_of_count_ = payload_.size();
  append_u16(payload_, 0);
  columns_ = 0;
  rows_ = rows;
}

void RowsEncoder::add_words(std::string_view name, trace::ColumnType type, std::size_t width) {
  column_bytes_.clear();
  put_column(name, type, append_words(column_bytes_, words_, width));
}

void RowsEncoder::add_texts(std::string_view name) {
  column_bytes_.clear();
  append_texts(column_bytes_, texts_);
  put_column(name, trace::ColumnType::kText, Encoding::kTexts);
}

void RowsEncoder::put_column(std::string_view name, trace::ColumnType type, Encoding encoding) {
  append_text8(payload_, name);
  append_text8(payload_, trace::column_type_name(type));
  append_u8(payload_, static_cast<std::uint8_t>(encoding));
  append_u32(payload_, static_cast<std::uint32_t>(column_bytes_.size()));
  payload_ += column_bytes_;
  ++columns_;
}

std::string_view RowsEncoder::finish() {
  std::string count;
  append_u16(count, columns_);
  payload_.replace(place_of_count_, count.size(), count);
  return payload_;
}

bool RowsDecoder::parse(std::string_view payload) {
  WireReader in(payload);
  table_ = in.text8();
  first_row_ = in.u32();
  rows_ = in.u32();
  const std::uint16_t count = in.u16();
  columns_.clear();
  for (std::uint16_t i = 0; i < count && in.good(); ++i) {
    ColumnBytes column;
    column.name = in.text8();
    column.type = in.text8();
    column.encoding = static_cast<Encoding>(in.u8());
    column.bytes = in.take(in.u32());
    columns_.push_back(column);
  }
  return in.good() && in.rest().empty() && rows_ <= kMaxRowsOfChunk;
}

std::uint32_t RowsDecoder::columns_left() const {
  return static_cast<std::uint32_t>(std::count_if(columns_.begin(), columns_.end(),
                                                  [](const ColumnBytes& column) { return !column.found; }));
}

const RowsDecoder::ColumnBytes* RowsDecoder::find(std::string_view name, trace::ColumnType type) {
  const auto column = std::find_if(columns_.begin(), columns_.end(), [&](const ColumnBytes& candidate) {
    return candidate.name == name && candidate.type == trace::column_type_name(type);
  });
  if (column == columns_.end()) return nullptr;
  column->found = true;
  return &*column;
}

bool RowsDecoder::read_words_of(const ColumnBytes& column, std::size_t width) {
  words_.resize(rows_);
  return read_words(column.encoding, column.bytes, width, words_);
}

bool RowsDecoder::read_texts_of(const ColumnBytes& column) {
  texts_.resize(rows_);
  return column.encoding == Encoding::kTexts && read_texts(column.bytes, texts_);
}

}  // namespace accelscope::formats::capture
