#include "emulator/kernels.h"

// Vectors of unknown size cannot be kept in arrays, as the sums of a product are here.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/kernels.cpp"
#include <hwy/foreach_target.h>
// It must come behind the one above, which includes this file once for every kind of processor.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace accelscope::emulator::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Full = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

template <Rounding kRounding, class D, class V>
HWY_INLINE V rounded(D d, V value) {
  const hn::RebindToUnsigned<D> du;
  const V no_number = hn::BitCast(d, hn::Set(du, 0x7FC00000U));
  const auto is_none = hn::IsNaN(value);
  if constexpr (kRounding == Rounding::kBf16) {
    const auto bits = hn::BitCast(du, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1U));
    const auto sum = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFU)));
    value = hn::BitCast(d, hn::And(sum, hn::Set(du, 0xFFFF0000U)));
  }
  return hn::IfThenElse(is_none, no_number, value);
}

template <RowOperation kOperation, class V>
HWY_INLINE V calculated(V a, V b) {
  if constexpr (kOperation == RowOperation::kAdd) return hn::Add(a, b);
  if constexpr (kOperation == RowOperation::kSubtract) return hn::Sub(a, b);
  if constexpr (kOperation == RowOperation::kSubtractFrom) return hn::Sub(b, a);
  if constexpr (kOperation == RowOperation::kMultiply) return hn::Mul(a, b);
  // Processors disagree about maxima of what is no number, and compilers about the order of operands.
  if constexpr (kOperation == RowOperation::kMaximum)
    return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
  if constexpr (kOperation == RowOperation::kMinimum)
    return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
}

// step(tag, i) for all i below `count`, with as many elements at once as the tag has lanes.
template <class Step>
HWY_INLINE void for_row(std::size_t count, const Step& step) {
  const Full full;
  std::size_t i = 0;
  for (; i + hn::Lanes(full) <= count; i += hn::Lanes(full)) step(full, i);
  for (; i < count; ++i) step(One(), i);
}

template <RowOperation kOperation, Rounding kRounding>
void of_two(const float* a, const float* b, float* out, std::size_t count) {
  for_row(count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto result = calculated<kOperation>(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    hn::StoreU(rounded<kRounding>(d, result), d, out + i);
  });
}

template <RowOperation kOperation, Rounding kRounding>
void with_scalar(const float* a, float b, float* out, std::size_t count) {
  for_row(count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto result = calculated<kOperation>(hn::LoadU(d, a + i), hn::Set(d, b));
    hn::StoreU(rounded<kRounding>(d, result), d, out + i);
  });
}

template <Rounding kRounding>
void reciprocal(const float* a, float* out, std::size_t count) {
  for_row(count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto result = hn::Div(hn::Set(d, 1.0F), hn::LoadU(d, a + i));
    hn::StoreU(rounded<kRounding>(d, result), d, out + i);
  });
}

template <Rounding kRounding>
void round(const float* a, float* out, std::size_t count) {
  for_row(count, [&](auto d, std::size_t i)
                     HWY_ATTR { hn::StoreU(rounded<kRounding>(d, hn::LoadU(d, a + i)), d, out + i); });
}

template <std::size_t kRows, std::size_t kVectors, class D>
HWY_INLINE void multiply_block(D d, const Product& p, std::size_t row, std::size_t column) {
  using Vector = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const float* a = p.a + row * p.a_row_step;
  const float* b = p.b + column;
  float* c = p.c + row * p.c_row_step + column;
  Vector sums[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::LoadU(d, c + r * p.c_row_step + v * lanes);
  for (std::size_t k = 0; k < p.depth; ++k) {
    Vector factors[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) factors[v] = hn::LoadU(d, b + v * lanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector factor = hn::Set(d, a[r * p.a_row_step]);
      for (std::size_t v = 0; v < kVectors; ++v)
        sums[r][v] = hn::Add(sums[r][v], hn::Mul(factor, factors[v]));
    }
    a += p.a_depth_step;
    b += p.b_depth_step;
  }
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], d, c + r * p.c_row_step + v * lanes);
}

// As many sums at once as hide the latency of one addition and fit the registers.
template <std::size_t kVectors, class D>
HWY_INLINE std::size_t multiply_columns(D d, const Product& p, std::size_t column) {
  const std::size_t width = kVectors * hn::Lanes(d);
  for (; column + width <= p.columns; column += width) {
    std::size_t row = 0;
    if constexpr (kVectors == 1)
      for (; row + 8 <= p.rows; row += 8) multiply_block<8, kVectors>(d, p, row, column);
    for (; row + 4 <= p.rows; row += 4) multiply_block<4, kVectors>(d, p, row, column);
    for (; row < p.rows; ++row) multiply_block<1, kVectors>(d, p, row, column);
  }
  return column;
}

// Four rows of four columns, two of them in one vector: four additions of four would hide less of their own
// latency than two of eight, and blocks of four are what most machines have.
template <class D>
HWY_INLINE void multiply_four_by_four(D d, const Product& p, std::size_t row, std::size_t column) {
  const hn::Half<D> half;
  const float* a0 = p.a + row * p.a_row_step;
  const float* a1 = a0 + p.a_row_step;
  const float* a2 = a1 + p.a_row_step;
  const float* a3 = a2 + p.a_row_step;
  const float* b = p.b + column;
  float* c0 = p.c + row * p.c_row_step + column;
  float* c1 = c0 + p.c_row_step;
  float* c2 = c1 + p.c_row_step;
  float* c3 = c2 + p.c_row_step;
  auto first = hn::Combine(d, hn::LoadU(half, c1), hn::LoadU(half, c0));
  auto second = hn::Combine(d, hn::LoadU(half, c3), hn::LoadU(half, c2));
  HWY_UNROLL(4)
  for (std::size_t k = 0; k < p.depth; ++k) {
    const std::size_t at = k * p.a_depth_step;
    const auto factors = hn::Combine(d, hn::LoadU(half, b), hn::LoadU(half, b));
    const auto of_first = hn::ConcatUpperLower(d, hn::Set(d, a1[at]), hn::Set(d, a0[at]));
    const auto of_second = hn::ConcatUpperLower(d, hn::Set(d, a3[at]), hn::Set(d, a2[at]));
    first = hn::Add(first, hn::Mul(of_first, factors));
    second = hn::Add(second, hn::Mul(of_second, factors));
    b += p.b_depth_step;
  }
  hn::StoreU(hn::LowerHalf(half, first), half, c0);
  hn::StoreU(hn::UpperHalf(half, first), half, c1);
  hn::StoreU(hn::LowerHalf(half, second), half, c2);
  hn::StoreU(hn::UpperHalf(half, second), half, c3);
}

// All sixteen sums in one vector: a step in k is one product and one sum, with nothing in its way but a
// broadcast. Four elements of all four rows of `a` are loaded together; those of `b` are there four times.
template <class D>
HWY_INLINE void multiply_sixteen_sums(D d, const Product& p, std::size_t row) {
  const hn::Half<D> half;
  const hn::Half<decltype(half)> quarter;
  const float* a0 = p.a + row * p.a_row_step;
  const float* a1 = a0 + p.a_row_step;
  const float* a2 = a1 + p.a_row_step;
  const float* a3 = a2 + p.a_row_step;
  const float* b = p.b;
  const std::size_t step = p.b_depth_step;
  auto sums = hn::LoadU(d, p.c + row * 4);
  for (std::size_t k = 0; k < p.depth; k += 4, b += 4 * step) {
    const auto low = hn::Combine(half, hn::LoadU(quarter, a1 + k), hn::LoadU(quarter, a0 + k));
    const auto high = hn::Combine(half, hn::LoadU(quarter, a3 + k), hn::LoadU(quarter, a2 + k));
    const auto rows = hn::Combine(d, high, low);
    sums = hn::Add(sums, hn::Mul(hn::Broadcast<0>(rows), hn::LoadDup128(d, b)));
    sums = hn::Add(sums, hn::Mul(hn::Broadcast<1>(rows), hn::LoadDup128(d, b + step)));
    sums = hn::Add(sums, hn::Mul(hn::Broadcast<2>(rows), hn::LoadDup128(d, b + 2 * step)));
    sums = hn::Add(sums, hn::Mul(hn::Broadcast<3>(rows), hn::LoadDup128(d, b + 3 * step)));
  }
  hn::StoreU(sums, d, p.c + row * 4);
}

// Of four columns, and rows by fours.
template <class D>
HWY_INLINE void multiply_blocks_of_four(D d, const Product& p) {
  if constexpr (hn::MaxLanes(Full()) >= 16) {
    const hn::CappedTag<float, 16> sixteen;
    if (p.c_row_step == 4 && p.a_depth_step == 1 && p.depth % 4 == 0) {
      for (std::size_t row = 0; row < p.rows; row += 4) multiply_sixteen_sums(sixteen, p, row);
      return;
    }
  }
  if constexpr (hn::MaxLanes(D()) == 8) {
    for (std::size_t row = 0; row < p.rows; row += 4) multiply_four_by_four(d, p, row, 0);
  }
}

void multiply(const Product& p) {
  const hn::CappedTag<float, 8> eight;
  if (hn::MaxLanes(eight) == 8 && p.columns == 4 && p.rows % 4 == 0) return multiply_blocks_of_four(eight, p);
  std::size_t column = multiply_columns<2>(Full(), p, 0);
  column = multiply_columns<1>(Full(), p, column);
  column = multiply_columns<1>(eight, p, column);
  column = multiply_columns<1>(hn::CappedTag<float, 4>(), p, column);
  multiply_columns<1>(One(), p, column);
}

// values(bits) of all elements, each times its block's factor.
template <class D, class Values>
HWY_INLINE void scale_blocks(D d, const LookUp& l, const Values& values) {
  const hn::Rebind<std::uint8_t, D> du8;
  const hn::RebindToSigned<D> di;
  // Copies: what is written could be anywhere, for all that a compiler knows.
  const std::uint8_t* const elements = l.elements;
  const std::uint8_t* scale = l.scales;
  const float* const factors = l.factors;
  float* const out = l.out;
  const std::size_t size = l.block;
  const std::size_t count = l.count;
  for (std::size_t block = 0; block < count; block += size) {
    const auto factor = hn::Set(d, factors[*scale++]);
    for (std::size_t i = block; i < block + size; i += hn::Lanes(d)) {
      const auto bits = hn::PromoteTo(di, hn::LoadU(du8, elements + i));
      hn::StoreU(hn::Mul(values(bits), factor), d, out + i);
    }
  }
}

template <class D>
HWY_INLINE void look_up_blocks(D d, const LookUp& l) {
  const float* const table = l.values;
  scale_blocks(d, l, [=](auto bits) HWY_ATTR { return hn::GatherIndex(d, table, bits); });
}

// Finite numbers from their bits; where a vector has others, it is looked up.
template <class D>
HWY_INLINE void work_out_blocks(D d, const LookUp& l) {
  const hn::RebindToSigned<D> di;
  const float* const table = l.values;
  const ByteFloat shape = *l.shape;
  const auto all_but_sign = hn::Set(di, 0x7F);
  const auto last_finite = hn::Set(di, static_cast<std::int32_t>(shape.first_special) - 1);
  const auto first_normal = hn::Set(di, 1 << shape.mantissa);
  const auto rebias = hn::Set(di, static_cast<std::int32_t>(shape.rebias));
  const auto step = hn::Set(d, shape.step);
  const int shift = 23 - shape.mantissa;
  scale_blocks(d, l, [=](auto bits) HWY_ATTR {
    const auto magnitude = hn::And(bits, all_but_sign);
    if (HWY_UNLIKELY(!hn::AllFalse(di, hn::Gt(magnitude, last_finite))))
      return hn::GatherIndex(d, table, bits);
    const auto small = hn::RebindMask(d, hn::Lt(magnitude, first_normal));
    const auto normal = hn::BitCast(d, hn::Add(hn::ShiftLeftSame(magnitude, shift), rebias));
    const auto steps = hn::Mul(hn::ConvertTo(d, magnitude), step);
    const auto sign = hn::BitCast(d, hn::ShiftLeft<24>(hn::Xor(bits, magnitude)));
    return hn::Or(hn::IfThenElse(small, steps, normal), sign);
  });
}

template <class D>
HWY_INLINE void decode_blocks(D d, const LookUp& l) {
  if (l.shape != nullptr)
    work_out_blocks(d, l);
  else
    look_up_blocks(d, l);
}

void look_up(const LookUp& l) {
  const hn::CappedTag<float, 8> eight;
  if (l.block % hn::Lanes(Full()) == 0)
    decode_blocks(Full(), l);
  else if (l.block % hn::Lanes(eight) == 0)
    decode_blocks(eight, l);
  else
    look_up_blocks(One(), l);
}

template <Rounding kRounding>
constexpr void add_rows(Kernels& made) {
  constexpr auto kAt = static_cast<std::size_t>(kRounding);
  made.of_two[0][kAt] = of_two<RowOperation::kAdd, kRounding>;
  made.of_two[1][kAt] = of_two<RowOperation::kSubtract, kRounding>;
  made.of_two[2][kAt] = of_two<RowOperation::kSubtractFrom, kRounding>;
  made.of_two[3][kAt] = of_two<RowOperation::kMultiply, kRounding>;
  made.of_two[4][kAt] = of_two<RowOperation::kMaximum, kRounding>;
  made.of_two[5][kAt] = of_two<RowOperation::kMinimum, kRounding>;
  made.with_scalar[0][kAt] = with_scalar<RowOperation::kAdd, kRounding>;
  made.with_scalar[1][kAt] = with_scalar<RowOperation::kSubtract, kRounding>;
  made.with_scalar[2][kAt] = with_scalar<RowOperation::kSubtractFrom, kRounding>;
  made.with_scalar[3][kAt] = with_scalar<RowOperation::kMultiply, kRounding>;
  made.with_scalar[4][kAt] = with_scalar<RowOperation::kMaximum, kRounding>;
  made.with_scalar[5][kAt] = with_scalar<RowOperation::kMinimum, kRounding>;
  made.reciprocal[kAt] = reciprocal<kRounding>;
  made.round[kAt] = round<kRounding>;
}

constexpr Kernels kTable = [] {
  Kernels made{};
  made.name = std::string_view(HWY_STR(HWY_NAMESPACE)).substr(2);  // without "N_"
  add_rows<Rounding::kNone>(made);
  add_rows<Rounding::kBf16>(made);
  made.multiply = multiply;
  made.look_up = look_up;
  return made;
}();

}  // namespace

const Kernels* table() {
  return &kTable;
}

}  // namespace accelscope::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <atomic>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace accelscope::emulator {
namespace {

// Which of the versions compiled above this processor runs. Highway can tell, too, but its answer is part of
// a shared library whose start-up code calibrates a timer for several milliseconds, in every run of every
// verb.
#if HWY_ARCH_X86
bool has_sse4() {
  return __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("aes") != 0 &&
         __builtin_cpu_supports("pclmul") != 0;
}

bool has_avx2() {
  constexpr unsigned kLzcnt = 1U << 5U;
  constexpr unsigned kF16c = 1U << 29U;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kF16c) == 0) return false;
  if (__get_cpuid(0x80000001U, &a, &b, &c, &d) == 0 || (c & kLzcnt) == 0) return false;
  return has_sse4() && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
         __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool has_avx3() {
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0;
}
#endif

std::atomic<const Kernels*>& chosen_kernels() {
  static std::atomic<const Kernels*> chosen{kernels_here().front()};
  return chosen;
}

}  // namespace

std::vector<const Kernels*> kernels_here() {
  std::vector<const Kernels*> all;
#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX3) && !(HWY_STATIC_TARGET & HWY_AVX3)
  if (has_avx3()) all.push_back(N_AVX3::table());
#endif
#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX2) && !(HWY_STATIC_TARGET & HWY_AVX2)
  if (has_avx2()) all.push_back(N_AVX2::table());
#endif
#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_SSE4) && !(HWY_STATIC_TARGET & HWY_SSE4)
  if (has_sse4()) all.push_back(N_SSE4::table());
#endif
  all.push_back(HWY_STATIC_DISPATCH(table)());
  return all;
}

const Kernels& best_kernels() {
  return *chosen_kernels().load(std::memory_order_acquire);
}

void use_kernels(const Kernels& kernels) {
  chosen_kernels().store(&kernels, std::memory_order_release);
}

}  // namespace accelscope::emulator
#endif
