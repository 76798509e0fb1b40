// Whether two traces are the same: every text, every value of every column of every table, every clock
// reading and row of Quality.
//
// Gives the places that differ, in words, so that a test can print them; none when the traces are equal.
//
//   EXPECT_EQ(tests::differences(saved, read), "");
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "trace/trace_parts.h"

namespace accelscope::tests {

class TraceDifferences {
 public:
  TraceDifferences(const trace::Trace& a, const trace::Trace& b) : a_(a), b_(b) {}

  std::string find() {
    compare_strings();
    compare_all("categories", a_.categories(), b_.categories());
    trace::for_each_table(
        [&](std::string_view name, auto rows, auto) { compare(name, (a_.*rows)(), (b_.*rows)()); });
    compare_clock_readings();
    compare_quality();
    compare_rows_of_tracks();
    return std::move(found_);
  }

 private:
  template <class T>
  static bool same(const T& a, const T& b) {
    // Equal frequencies may be written in different terms.
    if constexpr (std::is_same_v<T, base::Frequency>)
      return a.ticks == b.ticks && a.seconds == b.seconds;
    else if constexpr (std::is_same_v<T, double>)
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    else
      return a == b;
  }

  bool same_size(std::string_view name, std::size_t a, std::size_t b) {
    if (a != b) found_ += fmt::format("{}: {} rows and {}\n", name, a, b);
    return a == b;
  }
  void expect(bool equal, std::string_view table, std::string_view column, std::size_t row) {
    if (!equal && found_.size() < 2000) found_ += fmt::format("{} '{}', row {}\n", table, column, row);
  }

  template <class Rows>
  void compare_all(std::string_view name, const Rows& a, const Rows& b) {
    if (!same_size(name, a.size(), b.size())) return;
    for (std::uint32_t row = 0; row < a.size(); ++row) expect(same(a[row], b[row]), name, "", row);
  }

  template <class Table>
  void compare(std::string_view name, const Table& a, const Table& b) {
    const auto both = [&](const auto&... fields) {
      (compare_column(name, fields.info.name, a.*(fields.member), b.*(fields.member)), ...);
    };
    std::apply(both, Table::columns());
  }
  template <class Column>
  void compare_column(std::string_view table, std::string_view name, const Column& a, const Column& b) {
    if (!same_size(table, a.size(), b.size())) return;
    for (std::uint32_t row = 0; row < a.size(); ++row) expect(same(a[row], b[row]), table, name, row);
  }
  template <class Row>
  void compare(std::string_view name, std::span<const Row> a, std::span<const Row> b) {
    if (!same_size(name, a.size(), b.size())) return;
    for (std::size_t row = 0; row < a.size(); ++row)
      std::apply(
          [&](const auto&... fields) {
            (expect(same(a[row].*(fields.member), b[row].*(fields.member)), name, fields.info.name, row),
             ...);
          },
          Row::columns());
  }

  void compare_strings() {
    if (!same_size("strings", a_.strings().size(), b_.strings().size())) return;
    for (std::uint32_t id = 0; id < a_.strings().size(); ++id)
      expect(a_.text(trace::StringId{id}) == b_.text(trace::StringId{id}), "strings", "", id);
  }

  void compare_clock_readings() {
    if (a_.clock_relations().size() != b_.clock_relations().size()) return;
    for (std::size_t i = 0; i < a_.clock_relations().size(); ++i) {
      const trace::ClockRelation& a = a_.clock_relations()[i];
      const trace::ClockRelation& b = b_.clock_relations()[i];
      compare("clock_samples", std::span(a.samples), std::span(b.samples));
      compare("clock_knots", std::span(a.knots), std::span(b.knots));
    }
  }

  void compare_quality() {
    const auto& a = a_.quality().rows();
    const auto& b = b_.quality().rows();
    if (!same_size("quality", a.size(), b.size())) return;
    for (std::size_t row = 0; row < a.size(); ++row)
      expect(a[row].id == b[row].id && a[row].severity == b[row].severity &&
                 a[row].sentence == b[row].sentence && a[row].count == b[row].count &&
                 a[row].first_place == b[row].first_place,
             "quality", a[row].id, row);
  }

  void compare_rows_of_tracks() {
    const auto alike = [](trace::RowRange a, trace::RowRange b) {
      return a.first == b.first && a.count == b.count;
    };
    for (std::uint32_t id = 0; id < a_.tracks().size() && id < b_.tracks().size(); ++id) {
      const trace::TrackId track{id};
      expect(alike(a_.slices_of(track), b_.slices_of(track)) &&
                 alike(a_.states_of(track), b_.states_of(track)) &&
                 alike(a_.counters_of(track), b_.counters_of(track)) &&
                 alike(a_.instants_of(track), b_.instants_of(track)),
             "tracks", "rows", id);
    }
  }

  const trace::Trace& a_;
  const trace::Trace& b_;
  std::string found_;
};

inline std::string differences(const trace::Trace& a, const trace::Trace& b) {
  return TraceDifferences(a, b).find();
}

}  // namespace accelscope::tests
