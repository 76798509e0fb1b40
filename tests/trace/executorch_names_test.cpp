#include "trace/executorch_names.h"

#include <gtest/gtest.h>

#include "trace/vocabulary.h"

namespace accelscope::trace {
namespace {

TEST(ExecutorchNames, SayTheRole) {
  EXPECT_EQ(role_of_name("Method::execute"), EventRole::kMethodExecute);
  EXPECT_EQ(role_of_name("Method::step"), EventRole::kMethodStep);
  EXPECT_EQ(role_of_name("Program::load_method"), EventRole::kLoad);
  EXPECT_EQ(role_of_name("Method::init"), EventRole::kLoad);
  EXPECT_EQ(role_of_name("OPERATOR_CALL"), EventRole::kOperatorCall);
  EXPECT_EQ(role_of_name("native_call_add.out"), EventRole::kOperator);
  EXPECT_EQ(role_of_name("DELEGATE_CALL"), EventRole::kDelegateCall);
  EXPECT_EQ(role_of_name("MOVE_CALL"), EventRole::kControl);
  EXPECT_EQ(role_of_name("Method::execute "), EventRole::kOther);
  EXPECT_EQ(role_of_name(""), EventRole::kOther);
}

TEST(ExecutorchNames, EveryRoleButOtherHasACategory) {
  EXPECT_EQ(category_of(EventRole::kOther), "");
  for (std::size_t role = 1; role < kEventRoleCount; ++role)
    EXPECT_NE(category_of(static_cast<EventRole>(role)), "") << role;
  EXPECT_EQ(category_of(EventRole::kDelegateOperator), category::kDelegateOperator);
}

TEST(ExecutorchNames, NumbersNeedTheSign) {
  EXPECT_TRUE(is_numbered_name("Convolution (NHWC, F32) IGEMM #3"));
  for (const std::string_view name : {"Convolution 3", "Convolution #", "Convolution#3", "#3", "3", ""})
    EXPECT_FALSE(is_numbered_name(name)) << name;
}

}  // namespace
}  // namespace accelscope::trace
