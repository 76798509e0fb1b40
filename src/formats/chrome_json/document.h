// Walks a whole document: the list of events, and the members of the object around it.
//
// One thread uses one reader; the document, with 64 readable bytes behind it, the builder and the troubles
// must outlive it.
//
//   DocumentReader reader(file.text(), builder, troubles, options);
//   if (auto problem = reader.read()) ...     // nothing when all went well
#pragma once

#include <optional>

#include "formats/chrome_json/assembler.h"
#include "formats/chrome_json/event_reader.h"
#include "formats/chrome_json/json_walker.h"
#include "formats/chrome_json/reader.h"

namespace accelscope::formats::chrome_json {

class DocumentReader {
 public:
  DocumentReader(std::string_view document, trace::TraceBuilder& builder, Troubles& troubles,
                 const Options& options, std::size_t window_bytes = IndexedWindows::kWindowBytes);

  // What is wrong with the document, if anything is. `truncated` then tells whether it only ends too early.
  std::optional<Problem> read();
  bool truncated() const { return truncated_; }
  bool is_bare_array() const { return is_bare_array_; }

 private:
  using Outcome = std::optional<Problem>;

  Outcome enter(IndexOutcome outcome);
  Outcome read_up_to_damage(IndexOutcome outcome);
  // Makes the walker stand on this token again, with more of the document behind it.
  Outcome load_more(std::uint32_t token);
  Outcome cut_short(Problem problem);
  Outcome fail_here(std::string reason) {
    return Problem{walker_.offset_of(walker_.at()), std::move(reason)};
  }

  Outcome read_events();
  Outcome end_inside_events(std::size_t list_offset, bool behind_event);
  Outcome event_needs_more(std::uint32_t token);
  Step read_item();
  Outcome read_members();
  Step read_member(bool& is_event_list);
  Step read_section(std::string_view key);
  void read_facts();
  void read_fact(std::string_view key);
  Outcome check_tail();

  std::string_view document_;
  trace::TraceBuilder& builder_;
  Troubles& troubles_;
  IndexedWindows windows_;
  JsonWalker walker_;
  EventReader events_;
  std::function<void(std::uint64_t)> progress_;
  Assembler assembler_;
  Event event_;
  Outcome damage_;  // the document is read up to it, in case something is wrong before
  bool is_bare_array_ = false;
  bool found_events_ = false;
  bool closed_ = true;  // false for a list of events without its closing bracket
  bool truncated_ = false;
  bool damage_is_the_end_ = false;
};

}  // namespace accelscope::formats::chrome_json
