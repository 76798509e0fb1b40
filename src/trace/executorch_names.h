// What the names of events say that ExecuTorch's runtime logs, whichever file they arrive in: the binary dump
// and the tables made from it share them.
//
// Pure functions and compile-time constants; safe from any thread, nothing is owned.
//
//   role_of_name("DELEGATE_CALL") == EventRole::kDelegateCall
//   builder.category(category_of(EventRole::kLoad));   // the word of vocabulary.h
#pragma once

#include <cstdint>
#include <string_view>

namespace accelscope::trace {

// The part an event plays in a run.
enum class EventRole : std::uint8_t {
  kOther,
  kMethodExecute,
  kMethodStep,
  kLoad,
  kOperatorCall,
  kOperator,
  kDelegateCall,
  kControl,
  kDelegateOperator,  // of what surrounds an event, never of its name alone
};
inline constexpr std::size_t kEventRoleCount = 9;

// A kernel of the framework's own library is logged as this and its name: "native_call_add.out".
inline constexpr std::string_view kNativeCallPrefix = "native_call_";

EventRole role_of_name(std::string_view name);
// The word of vocabulary.h for it; empty for kOther.
std::string_view category_of(EventRole role);

// "Convolution (NHWC, F32) IGEMM #3": XNNPACK numbers its operators so, lays their times end to end and cuts
// them to microseconds.
bool is_numbered_name(std::string_view name);

}  // namespace accelscope::trace
