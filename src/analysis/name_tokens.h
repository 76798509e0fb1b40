// Words that name an operator wherever they stand in a text: the last resort for names that are in no exact
// table. Words of two or three parts are joined by '_'. Words that also mean something else in an event's
// name
// ("and", "where", "max", "index", "time") are left out on purpose: a wrong category is worse than none.
//
// A constant table; safe from any thread, nothing is owned.
//
//   const NameRow* row = find_name_token("layer_norm");
#pragma once

#include "analysis/name_table.h"

namespace accelscope::analysis {

const NameRow* find_name_token(std::string_view token);

}  // namespace accelscope::analysis
