// The JSON files inside an ETRecord, as far as they are of use.
//
// Internal to this folder; the only place that knows the JSON library. Each function adds to the record what
// it finds and answers with an error that says why the text is not what it should be. One thread per record.
//
//   ACCELSCOPE_CHECK(add_debug_handle_map(text, "forward", record));
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/etrecord/etrecord.h"

namespace accelscope::formats::etrecord {

// Maps without a level of methods are those of `only_method`.
base::Status add_debug_handle_map(const std::string& json, std::string_view only_method, EtRecord& record);
base::Status add_delegate_map(const std::string& json, std::string_view only_method, EtRecord& record);
base::Status add_output_counts(const std::string& json, std::string_view only_method, EtRecord& record);
// The nodes of an exported program, those of its inner graphs included.
base::Status add_graph(const std::string& json, Method& method);

// "executorch.exir.dialects.edge.ops.aten.mul.Tensor" -> "aten.mul.Tensor"
std::string op_of_target(std::string_view target);

}  // namespace accelscope::formats::etrecord
