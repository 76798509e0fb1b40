// One column of a table: values in chunks that never move once they are full, so growing costs no copy and no
// peak of memory. (The first chunk starts small and grows, so that small traces stay small.)
//
// Readers take chunk() spans for speed or [] for convenience. Appending is one thread's work; once nobody
// appends, any number of threads may read. The column owns its chunks.
//
//   Column<Ticks> start;
//   start.push_back(Ticks{17});
//   for (std::uint32_t row = 0; row < start.size();) {
//     std::span<const Ticks> values = start.chunk_from(row);   // up to the end of the chunk
//     row += values.size();
//   }
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace accelscope::trace {

template <class T>
class Column {
 public:
  using Value = T;
  static constexpr std::uint32_t kChunkRows = 1U << 16U;
  static constexpr std::uint32_t kFirstRows = 1U << 6U;

  Column() = default;
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    Column moved(std::move(other));
    swap(moved);
    return *this;
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() = default;

  void push_back(T value) {
    ensure_room();
    put(value);
  }
  void append(std::span<const T> values) {
    for (std::size_t done = 0; done < values.size();) {
      const std::size_t count = room_for(values.size() - done);
      next_ = std::copy_n(values.data() + done, count, next_);
      done += count;
    }
  }
  // The same value many times.
  void append(std::size_t count, T value) {
    for (std::size_t done = 0; done < count;) {
      const std::size_t some = room_for(count - done);
      next_ = std::fill_n(next_, some, value);
      done += some;
    }
  }

  // For tables whose columns grow together: how much room there is depends on the number of rows alone, so
  // one column can be asked for all of them before a row is put.
  bool is_full() const { return next_ == chunk_end_; }
  void ensure_room() {
    if (is_full()) make_room();
  }
  void put(T value) { *next_++ = value; }

  std::uint32_t size() const { return capacity_ - static_cast<std::uint32_t>(chunk_end_ - next_); }
  bool empty() const { return size() == 0; }

  const T& operator[](std::uint32_t row) const { return chunks_[row / kChunkRows][row % kChunkRows]; }
  T& operator[](std::uint32_t row) { return chunks_[row / kChunkRows][row % kChunkRows]; }

  // The values from `row` to the end of its chunk; empty at the end of the column.
  std::span<const T> chunk_from(std::uint32_t row) const {
    const std::uint32_t end = size();
    if (row >= end) return {};
    const std::uint32_t offset = row % kChunkRows;
    return {chunks_[row / kChunkRows].get() + offset, std::min(kChunkRows - offset, end - row)};
  }

  // Where the values of these rows stand one behind the other; nullptr when they are in several chunks.
  const T* contiguous(std::uint32_t first, std::uint32_t count) const {
    const std::span<const T> values = chunk_from(first);
    return values.size() >= count ? values.data() : nullptr;
  }

  // The same values in another order: the new row i is the old row order[i].
  Column gather(std::span<const std::uint32_t> order) const {
    Column result;
    for (const std::uint32_t row : order) result.push_back((*this)[row]);
    return result;
  }

  std::size_t memory_bytes() const { return std::size_t{capacity_} * sizeof(T); }

 private:
  // Memory that nobody has touched, so that rows that never come cost no page. (An array of Ticks would be
  // filled with zeros.)
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> &&
                alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  struct GiveBack {
    void operator()(T* chunk) const { ::operator delete(static_cast<void*>(chunk)); }
  };
  using Chunk = std::unique_ptr<T[], GiveBack>;
  static Chunk new_chunk(std::uint32_t capacity) {
    return Chunk(static_cast<T*>(::operator new (std::size_t{capacity} * sizeof(T))));
  }

  void swap(Column& other) noexcept {
    std::swap(chunks_, other.chunks_);
    std::swap(next_, other.next_);
    std::swap(chunk_end_, other.chunk_end_);
    std::swap(capacity_, other.capacity_);
  }

  // Makes room for at least one value; the number of them that fit, at most `wanted`.
  std::size_t room_for(std::size_t wanted) {
    ensure_room();
    return std::min(wanted, static_cast<std::size_t>(chunk_end_ - next_));
  }

  void make_room() {
    const std::uint32_t rows = size();
    if (rows > 0 && rows < kChunkRows) {
      grow_first_chunk(rows);
      return;
    }
    const std::uint32_t capacity = rows == 0 ? kFirstRows : kChunkRows;
    chunks_.push_back(new_chunk(capacity));
    next_ = chunks_.back().get();
    chunk_end_ = next_ + capacity;
    capacity_ += capacity;
  }

  void grow_first_chunk(std::uint32_t rows) {
    const std::uint32_t capacity = std::min(rows * 4, kChunkRows);
    Chunk larger = new_chunk(capacity);
    std::copy_n(chunks_[0].get(), rows, larger.get());
    chunks_[0] = std::move(larger);
    next_ = chunks_[0].get() + rows;
    chunk_end_ = chunks_[0].get() + capacity;
    capacity_ = capacity;
  }

  std::vector<Chunk> chunks_;
  T* next_ = nullptr;
  T* chunk_end_ = nullptr;
  std::uint32_t capacity_ = 0;  // rows that all chunks together can take
};

}  // namespace accelscope::trace
