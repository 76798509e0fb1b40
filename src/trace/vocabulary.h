// Words that readers write and analyses look for. A reader translates its format's words into these, so that
// nothing downstream needs to know which format a trace came from. Compile-time constants.
//
//   const CategoryId kernel = builder.category(category::kOperator);
//   builder.add_slice({.track = track, .start = start, .duration = length, .category = kernel});
#pragma once

#include <string_view>

namespace accelscope::trace {

// What kind of thing a slice is.
namespace category {
inline constexpr std::string_view kMethod = "method";  // one execution of a model's method: the root of a run
inline constexpr std::string_view kLoad = "load";      // loading and preparing a model
inline constexpr std::string_view kOperatorCall =
    "operator call";                                       // the framework's wrapper around one kernel
inline constexpr std::string_view kOperator = "operator";  // a kernel of the framework's own library
inline constexpr std::string_view kDelegateCall = "delegate call";          // handing work to a backend
inline constexpr std::string_view kDelegateOperator = "delegate operator";  // what the backend says it did
inline constexpr std::string_view kControl = "control";                     // jumps, moves, frees
// Instants of a kernel log.
inline constexpr std::string_view kKernelRegistered = "kernel registered";  // a candidate; it need not run
inline constexpr std::string_view kOperatorInvoked = "operator invoked";
inline constexpr std::string_view kOperatorSkipped = "operator skipped";
}  // namespace category

// Names of arguments.
namespace arg {
inline constexpr std::string_view kRecord = "record";  // position of the event in its run's log, from 0
inline constexpr std::string_view kInstruction = "instruction";  // position in the program
inline constexpr std::string_view kChain = "chain";
inline constexpr std::string_view kDelegateId = "delegate id";  // the backend's own number for the event
inline constexpr std::string_view kDelegateMetadata = "delegate metadata";
inline constexpr std::string_view kBackend = "backend";
inline constexpr std::string_view kBackendSource = "backend source";  // see backend_source
inline constexpr std::string_view kOpTypes = "op types";
inline constexpr std::string_view kStackTrace = "stack trace";
inline constexpr std::string_view kModuleHierarchy = "module hierarchy";
inline constexpr std::string_view kUnit = "unit";  // of a value that the source stored as a time
inline constexpr std::string_view kValue = "value";
inline constexpr std::string_view kAllocator = "allocator";
inline constexpr std::string_view kBytes = "bytes";
inline constexpr std::string_view kSymbol = "symbol";                 // of a kernel
inline constexpr std::string_view kKernelFamily = "family";           // the log's word for a kind of kernel
inline constexpr std::string_view kInitFunction = "init function";    // that registered a kernel
inline constexpr std::string_view kSourcePlace = "source";            // "file:line" of the code that logged
inline constexpr std::string_view kCount = "count";                   // how often it happened
inline constexpr std::string_view kOperatorIndex = "operator index";  // position in the delegate's program
inline constexpr std::string_view kOperatorSubIndex = "operator sub index";
inline constexpr std::string_view kOperatorName = "operator name";
inline constexpr std::string_view kUkernel = "microkernel kind";  // "IGEMM"
}  // namespace arg

// Who says which backend ran a slice.
namespace backend_source {
inline constexpr std::string_view kEtRecord = "etrecord";  // the exporter's record of the program
inline constexpr std::string_view kInferred = "inferred from names";
}  // namespace backend_source

// Kinds of flows.
namespace flow {
inline constexpr std::string_view kDependency = "dependency";
inline constexpr std::string_view kGeneric = "flow";
}  // namespace flow

// Stages of a slice, in the order work passes through them.
namespace stage {
inline constexpr std::string_view kSubmit = "submit";
inline constexpr std::string_view kReady = "ready";
inline constexpr std::string_view kDispatch = "dispatch";
inline constexpr std::string_view kReceive = "receive";
inline constexpr std::string_view kStart = "start";
inline constexpr std::string_view kEnd = "end";
inline constexpr std::string_view kFinish = "finish";
inline constexpr std::string_view kResolve = "resolve";
}  // namespace stage

// Keys of facts about a whole trace.
namespace fact {
inline constexpr std::string_view kModel = "model";
inline constexpr std::string_view kDevice = "device";
inline constexpr std::string_view kBuild = "build";
inline constexpr std::string_view kCommand = "command";
inline constexpr std::string_view kInputHash = "input hash";
}  // namespace fact

}  // namespace accelscope::trace
