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
// A run of a chip (docs/trace-model.md, "A run of a chip").
inline constexpr std::string_view kTaskExecution = "task";  // a core carries out one dispatch of a task
inline constexpr std::string_view kSubmit = "submit";       // a task is asked for
inline constexpr std::string_view kSchedulerPhase = "scheduler phase";
inline constexpr std::string_view kOrchestratorPhase = "orchestrator phase";  // a step of a submit
inline constexpr std::string_view kControlTask = "control task";  // retired by a control CPU, without a core
inline constexpr std::string_view kUpload = "upload";             // host memory to the device
inline constexpr std::string_view kPipeBusy = "pipe busy";        // a pipe of a core is at work
inline constexpr std::string_view kHostPhase = "host phase";
inline constexpr std::string_view kHostSpan = "host span";
inline constexpr std::string_view kMark = "mark";  // an instant: a checkpoint that a kernel's code contains
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
// Of a run of a chip.
inline constexpr std::string_view kSequence = "sequence";  // number of a dispatch on its core, from 1
inline constexpr std::string_view kLoop = "loop";          // iteration of the scheduler's loop
inline constexpr std::string_view kTasksProcessed = "tasks processed";
inline constexpr std::string_view kPopHits = "pop hits";                     // ready queues that had a task
inline constexpr std::string_view kPopMisses = "pop misses";                 // ready queues that were empty
inline constexpr std::string_view kQueuesAtStart = "ready queues at start";  // JSON: [AIC, AIV, MIX]
inline constexpr std::string_view kQueuesAtEnd = "ready queues at end";
inline constexpr std::string_view kSubmitIndex = "submit index";
inline constexpr std::string_view kUtilisationPrefix = "utilisation ";  // "utilisation vec": percent
inline constexpr std::string_view kInvocation = "invocation";     // of a host's span: which call of the run
inline constexpr std::string_view kCallable = "callable";         // of a host's span: hash of what is called
inline constexpr std::string_view kMarkId = "id";                 // of a mark
inline constexpr std::string_view kPipe = "pipe";                 // that a mark is for: "MTE2"
inline constexpr std::string_view kTask = "task";                 // that a mark was met in
inline constexpr std::string_view kUkernel = "microkernel kind";  // "IGEMM"
}  // namespace arg

// Who says which backend ran a slice.
namespace backend_source {
inline constexpr std::string_view kEtRecord = "etrecord";  // the exporter's record of the program
inline constexpr std::string_view kInferred = "inferred from names";
}  // namespace backend_source

// What a resource is (Resource::engine).
namespace engine {
inline constexpr std::string_view kCube = "AIC";    // a matrix core
inline constexpr std::string_view kVector = "AIV";  // a vector core
inline constexpr std::string_view kScheduler = "scheduler";
inline constexpr std::string_view kOrchestrator = "orchestrator";
inline constexpr std::string_view kHost = "host";
inline constexpr std::string_view kPipe = "pipe";  // of a core (trace/core_pipes.h)
}  // namespace engine

// Names of groups of tracks that are looked for.
namespace track_group {
inline constexpr std::string_view kReadyQueues = "ready queues";
}  // namespace track_group

// Names of tracks that are looked for.
namespace track_name {
inline constexpr std::string_view kPipeGaps = "pipes not recorded";  // states below a core
}  // namespace track_name

// Kinds of tasks. A task that cores carry out has the engine's name, or kMix for several engines together.
namespace task_kind {
inline constexpr std::string_view kMix = "MIX";
inline constexpr std::string_view kDummy = "dummy";            // only orders others
inline constexpr std::string_view kSkipped = "skipped";        // its predicate was false
inline constexpr std::string_view kAllocation = "allocation";  // memory, asked for like a task
inline constexpr std::string_view kGraph = "graph";            // a whole graph submitted as one task
inline constexpr std::string_view kUnknown = "unknown";        // nothing tells
}  // namespace task_kind

// Names of slices of category kSchedulerPhase. Other words of a source are kept as they are.
namespace phase {
inline constexpr std::string_view kComplete = "complete";  // sees which cores have finished
inline constexpr std::string_view kDispatch = "dispatch";  // takes ready tasks and hands them to cores
inline constexpr std::string_view kResolve = "resolve";    // inside complete or dummy: wakes the consumers
inline constexpr std::string_view kRelease = "release";
inline constexpr std::string_view kDummy = "dummy";
inline constexpr std::string_view kEarlyDispatch = "early_dispatch";
inline constexpr std::string_view kAsyncPoll = "async_poll";
inline constexpr std::string_view kDrain = "drain";
inline constexpr std::string_view kDrainPrepare = "drain_prepare";
inline constexpr std::string_view kDrainPublish = "drain_publish";
inline constexpr std::string_view kIdle = "idle";  // only old recordings say so
inline constexpr std::string_view kScan = "scan";  // only old recordings
}  // namespace phase

// Names of slices of category kControlTask.
namespace control {
inline constexpr std::string_view kDummyTask = "dummy_task";
inline constexpr std::string_view kPredicatedSkip = "predicated_skip";
inline constexpr std::string_view kGraphPrepare = "graph_prepare";
}  // namespace control

// Why a task waits for another (TaskEdgeTable::kind). Several reasons for one edge are joined with '+'.
namespace edge {
inline constexpr std::string_view kExplicit = "explicit";    // given by the program
inline constexpr std::string_view kCreator = "creator";      // made the memory that is used
inline constexpr std::string_view kTensorMap = "tensormap";  // wrote the data that is read
inline constexpr std::string_view kFanout = "fanout";        // listed by the producer, without a reason
}  // namespace edge

// States of a core, in state tracks, and their causes.
namespace state {
inline constexpr std::string_view kFrozen = "frozen";  // everything waits until the recorder goes on
inline constexpr std::string_view kNotRecorded = "not recorded";  // what a core's pipes did is not known
}  // namespace state

// Kinds of flows.
namespace flow {
inline constexpr std::string_view kViolation = "happens-before violation";
inline constexpr std::string_view kSubmitToDispatch = "submit to dispatch";
inline constexpr std::string_view kDispatchToStart = "dispatch to start";
inline constexpr std::string_view kFinishToComplete = "finish to complete";
inline constexpr std::string_view kCompleteToReady = "complete to ready";
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
// Of a run of a chip.
inline constexpr std::string_view kSwimlaneLevel = "swimlane level";  // int: how much was recorded, 1 to 4
inline constexpr std::string_view kFunctionPrefix = "function ";      // "function 3": the name of function 3
inline constexpr std::string_view kDependenciesRecorded = "dependencies recorded";  // bool: no edge is none
inline constexpr std::string_view kOrchestratorName = "orchestrator name";
inline constexpr std::string_view kPmuEventType = "pmu event type";
inline constexpr std::string_view kSwimlaneFormat = "swimlane format";  // which generation wrote the file
inline constexpr std::string_view kWallClockOffset = "wall clock minus host clock";  // int: nanoseconds
// "scope peak ring 1 heap", "scope capacity ring 1 heap": the most that was in use, and what there is.
inline constexpr std::string_view kScopePeakPrefix = "scope peak ";
inline constexpr std::string_view kScopeCapacityPrefix = "scope capacity ";
inline constexpr std::string_view kInputHash = "input hash";
}  // namespace fact

}  // namespace accelscope::trace
