// Rows of one table as the payload of a chunk: named columns, each with its type, so that a reader of another
// version finds those that it knows.
//
// A Value or Frequency takes two columns. Encoder and decoder keep their memory from chunk to chunk; each is
// one thread's, and what they give views memory of their own or of the payload.
//
//   RowsEncoder encoder;
//   encoder.begin("slices", 0, 2);
//   encoder.add<Ticks>("start", [&](std::uint32_t row) { return starts[row]; });
//   std::string_view payload = encoder.finish();
//
//   RowsDecoder decoder;
//   if (!decoder.parse(payload)) ...
//   decoder.read<Ticks>("start", Ticks{}, [&](std::uint32_t, Ticks start) { column.push_back(start); });
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/capture/column_codec.h"
#include "trace/schema.h"

namespace accelscope::formats::capture {

// The most rows that one chunk has; chunks of a trace's large tables have as many, but for the last.
inline constexpr std::uint32_t kMaxRowsOfChunk = 65536;

class RowsEncoder {
 public:
  void begin(std::string_view table, std::uint32_t first_row, std::uint32_t rows);

  // get(row) gives the value of row `first_row + row`.
  template <class T, class Get>
  void add(std::string_view name, Get&& get) {
    if constexpr (std::is_same_v<T, trace::Value>) {
      add<trace::ValueType>(std::string(name) + ".type", [&](std::uint32_t row) { return get(row).type; });
      add<std::uint64_t>(std::string(name) + ".bits", [&](std::uint32_t row) { return get(row).bits; });
    } else if constexpr (std::is_same_v<T, base::Frequency>) {
      add<std::int64_t>(std::string(name) + ".ticks", [&](std::uint32_t row) { return get(row).ticks; });
      add<std::int64_t>(std::string(name) + ".seconds", [&](std::uint32_t row) { return get(row).seconds; });
    } else if constexpr (std::is_same_v<T, std::string>) {
      texts_.resize(rows_);
      for (std::uint32_t row = 0; row < rows_; ++row) texts_[row] = get(row);
      add_texts(name);
    } else {
      words_.resize(rows_);
      for (std::uint32_t row = 0; row < rows_; ++row) words_[row] = to_word<T>(get(row));
      add_words(name, trace::column_type_of<T>(), sizeof(T));
    }
  }

  std::string_view finish();

 private:
  void add_words(std::string_view name, trace::ColumnType type, std::size_t width);
  void add_texts(std::string_view name);
  void put_column(std::string_view name, trace::ColumnType type, Encoding encoding);

  std::string payload_;
  std::string column_bytes_;
  std::size_t place_of_count_ = 0;
  std::uint16_t columns_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<std::string_view> texts_;
};

class RowsDecoder {
 public:
  // False when this is no payload of rows. The payload must live as long as it is read from.
  bool parse(std::string_view payload);

  std::string_view table() const { return table_; }
  std::uint32_t first_row() const { return first_row_; }
  std::uint32_t rows() const { return rows_; }
  // Columns that nobody asked for.
  std::uint32_t columns_left() const;

  // Calls put(row, value) for every row; with `missing` when there is no column of this name and type. False
  // when the column's bytes are not what they say.
  template <class T, class Put>
  bool read(std::string_view name, const T& missing, Put&& put) {
    if constexpr (std::is_same_v<T, trace::Value>) {
      std::vector<trace::ValueType> types(rows_);
      return read<trace::ValueType>(std::string(name) + ".type", missing.type,
                                    [&](std::uint32_t row, trace::ValueType type) { types[row] = type; }) &&
             read<std::uint64_t>(std::string(name) + ".bits", missing.bits,
                                 [&](std::uint32_t row, std::uint64_t bits) {
                                   put(row, trace::Value{types[row], bits});
                                 });
    } else if constexpr (std::is_same_v<T, base::Frequency>) {
      std::vector<std::int64_t> ticks(rows_);
      return read<std::int64_t>(std::string(name) + ".ticks", missing.ticks,
                                [&](std::uint32_t row, std::int64_t value) { ticks[row] = value; }) &&
             read<std::int64_t>(std::string(name) + ".seconds", missing.seconds,
                                [&](std::uint32_t row, std::int64_t seconds) {
                                  put(row, base::Frequency{ticks[row], seconds});
                                });
    } else if constexpr (std::is_same_v<T, std::string>) {
      const ColumnBytes* column = find(name, trace::ColumnType::kText);
      if (column != nullptr && !read_texts_of(*column)) return false;
      for (std::uint32_t row = 0; row < rows_; ++row)
        put(row, column == nullptr ? missing : std::string(texts_[row]));
      return true;
    } else {
      const ColumnBytes* column = find(name, trace::column_type_of<T>());
      if (column != nullptr && !read_words_of(*column, sizeof(T))) return false;
      for (std::uint32_t row = 0; row < rows_; ++row)
        put(row, column == nullptr ? missing : from_word<T>(words_[row]));
      return true;
    }
  }

 private:
  struct ColumnBytes {
    std::string_view name;
    std::string_view type;
    Encoding encoding = Encoding::kRaw;
    std::string_view bytes;
    bool found = false;
  };
  const ColumnBytes* find(std::string_view name, trace::ColumnType type);
  bool read_words_of(const ColumnBytes& column, std::size_t width);
  bool read_texts_of(const ColumnBytes& column);

  std::string_view table_;
  std::uint32_t first_row_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<ColumnBytes> columns_;
  std::vector<std::uint64_t> words_;
  std::vector<std::string_view> texts_;
};

}  // namespace accelscope::formats::capture
