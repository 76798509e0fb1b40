#include "analysis/backend_phases.h"

namespace accelscope::analysis {
namespace {

// Sorted by name.
constexpr NameRow kPhaseRows[] = {
    {"+EthosUBackend::execute()NPU", "backend_dispatch", Category::kOther, "Ethos-U"},
    {"+EthosUBackend::execute()handles.input.memcpy()", "copy_in", Category::kDataMovement, "Ethos-U"},
    {"+EthosUBackend::execute()handles.output.memcpy()", "copy_out", Category::kDataMovement, "Ethos-U"},
    {"+EthosUBackend::execute()handles.output.move()", "copy_out", Category::kDataMovement, "Ethos-U"},
    {"+EthosUBackend::init()processed_data", "load", Category::kFramework, "Ethos-U"},
    {"+EthosUBackend::init()vela_bin_read()", "load", Category::kFramework, "Ethos-U"},
    {"Accelerator (execute excluding wait) time", "backend_dispatch", Category::kOther, "QNN"},
    {"Accelerator (execute) time", "backend_dispatch", Category::kOther, "QNN"},
    {"DELEGATE_CALL", "delegate_call", Category::kDelegateOverhead, "ExecuTorch"},
    {"ETVK_COMPUTE_GRAPH_EXECUTE", "backend_dispatch", Category::kOther, "Vulkan"},
    {"ETVK_COPY_INPUTS", "copy_in", Category::kDataMovement, "Vulkan"},
    {"ETVK_COPY_OUTPUTS", "copy_out", Category::kDataMovement, "Vulkan"},
    {"ETVK_EXECUTE", "backend_execute", Category::kDelegateOverhead, "Vulkan"},
    {"ETVK_RESIZE", "shape_propagation", Category::kDelegateOverhead, "Vulkan"},
    {"EthosUBackend::execute()", "backend_execute", Category::kDelegateOverhead, "Ethos-U"},
    {"EthosUBackend::init()", "load", Category::kFramework, "Ethos-U"},
    {"FREE_CALL", "free", Category::kControl, "ExecuTorch"},
    {"GRAPH_EXECUTE", "backend_execute", Category::kDelegateOverhead, "QNN"},
    {"Graph execute", "backend_execute", Category::kDelegateOverhead, "QNN"},
    {"JF_CALL", "jump", Category::kControl, "ExecuTorch"},
    {"MOVE_CALL", "move_call", Category::kControl, "ExecuTorch"},
    {"Method::execute", "method", Category::kFramework, "ExecuTorch"},
    {"Method::init", "load", Category::kFramework, "ExecuTorch"},
    {"Method::step", "method", Category::kFramework, "ExecuTorch"},
    {"OPERATOR_CALL", "operator_call", Category::kOperatorCallOverhead, "ExecuTorch"},
    {"Program::load_method", "load", Category::kFramework, "ExecuTorch"},
    {"QNN (execute) time", "backend_execute", Category::kDelegateOverhead, "QNN"},
    {"QNN accelerator (execute) time", "backend_dispatch", Category::kOther, "QNN"},
    {"RPC (execute) time", "backend_execute", Category::kDelegateOverhead, "QNN"},
    {"VGF_COPY_INPUTS", "copy_in", Category::kDataMovement, "VGF"},
    {"VGF_COPY_OUTPUTS", "copy_out", Category::kDataMovement, "VGF"},
    {"VGF_DISPATCH_AND_WAIT", "backend_dispatch", Category::kOther, "VGF"},
    {"VGF_EXECUTE", "backend_execute", Category::kDelegateOverhead, "VGF"},
    {"VGF_INIT_ALLOCATE_COMMAND_BUFFER", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_ALLOCATE_REPR", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_DECODE_TABLES", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_ENSURE_INITIALIZED", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_MAP_IO_MEMORY", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_PROCESS_VGF", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_PROCESS_VGF_BACKEND", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_RECORD_COMMAND_BUFFER", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_TIMESTAMP_QUERIES", "load", Category::kFramework, "VGF"},
    {"VGF_INIT_TOTAL", "load", Category::kFramework, "VGF"},
    {"VGF_NEURAL_STATISTICS", "backend_statistics", Category::kDelegateOverhead, "VGF"},
    {"VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", "backend_dispatch", Category::kOther, "VGF"},
    {"VGF_TIMESTAMP_QUERY_READBACK", "backend_statistics", Category::kDelegateOverhead, "VGF"},
};
static_assert(is_sorted_table(kPhaseRows));

struct Prefix {
  std::string_view text;
  std::string_view library;
};
constexpr Prefix kPrefixes[] = {
    {"ETVK_", "Vulkan"}, {"VGF_", "VGF"}, {"EthosUBackend::", "Ethos-U"}, {"+EthosUBackend::", "Ethos-U"}};

}  // namespace

const NameRow* find_backend_phase(std::string_view name) {
  return find_name(kPhaseRows, name);
}

std::string_view library_of_prefix(std::string_view name) {
  for (const Prefix& prefix : kPrefixes)
    if (name.starts_with(prefix.text)) return prefix.library;
  return {};
}

}  // namespace accelscope::analysis
