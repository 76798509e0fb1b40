// Boards as files: YAML with the fields of docs/boards.md. Four are part of the program.
//
// The schema is strict: unknown keys (with the nearest known one), wrong types, zero or negative clocks,
// capacities and bandwidths are errors, all of a file at once, each with its line. Plain functions, safe from
// any thread.
//
//   ACCELSCOPE_TRY(const Board board, load_board("nexys_video"));     // part of the program
//   ACCELSCOPE_TRY(const Board mine, load_board("mine.yaml"));
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/board.h"

namespace accelscope::boards {

// Boards that are part of the program, by name.
std::span<const base::EmbeddedFile> board_presets();

base::Result<Board> read_board(const base::MappedFile& file);
// The name of a preset, else the path of a file.
base::Result<Board> load_board(const std::string& name_or_path);

// What reads a field of a board's file, for docs and reports: "fit", "isa profile", or "" where nothing does.
struct BoardField {
  std::string_view path;  // "memory.capacity_bytes"
  std::string_view used_by;
};
std::span<const BoardField> board_fields();
// Of the fields that this board gives, those that nothing uses.
std::vector<std::string_view> unused_fields(const Board& board);

}  // namespace accelscope::boards
