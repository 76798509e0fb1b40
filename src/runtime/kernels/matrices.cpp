// Products of matrices, on the cube.
//
// Every element of the product is the sum of its products in float, from the first to the last along the
// inner dimension, beginning with 0 (gemm_add: with what is there): whatever the blocks below, this order
// stays, and with it every bit.
#include <algorithm>
#include <vector>

#include "runtime/kernels/arguments.h"
#include "runtime/kernels/builtins.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/lines.h"
#include "runtime/kernels/tiles.h"

namespace accelscope::runtime {
namespace {

using Call = accelscope_kernel_call;
using Work = accelscope_kernel_work;

// So many rows of the product are worked on at once, with so large a panel of b: both stay in a cache of 256
// KiB and more.
constexpr std::uint32_t kRows = 128;
constexpr std::uint32_t kColumns = 256;
constexpr std::uint32_t kDepth = 128;

struct Matrix {
  std::byte* data = nullptr;
  DataType type = DataType::kFloat32;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::int64_t row_stride = 0;  // in elements
  std::int64_t column_stride = 0;

  std::byte* at(std::uint32_t row, std::uint32_t column) const {
    return data + (row * row_stride + column * column_stride) * std::int64_t{facts_of(type).bytes};
  }
};

Matrix matrix_of(const accelscope_tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data),
          static_cast<DataType>(tensor.data_type),
          tensor.shape[0],
          tensor.shape[1],
          tensor.strides[0],
          tensor.strides[1]};
}

Matrix transposed(const Matrix& matrix) {
  return {matrix.data, matrix.type, matrix.columns, matrix.rows, matrix.column_stride, matrix.row_stride};
}

// sums += a row of a times a panel of b, four steps at a time: the sum is loaded and stored once for four,
// and the order of the additions stays.
void add_products(const float* a, std::uint32_t depth, const float* panel, std::size_t width,
                  std::uint32_t columns, float* sums) {
  std::uint32_t k = 0;
  for (; k + 4 <= depth; k += 4) {
    const float* __restrict b0 = panel + k * width;
    const float* __restrict b1 = b0 + width;
    const float* __restrict b2 = b1 + width;
    const float* __restrict b3 = b2 + width;
    float* __restrict out = sums;
    const float a0 = a[k];
    const float a1 = a[k + 1];
    const float a2 = a[k + 2];
    const float a3 = a[k + 3];
    for (std::uint32_t j = 0; j < columns; ++j)
      out[j] = (((out[j] + a0 * b0[j]) + a1 * b1[j]) + a2 * b2[j]) + a3 * b3[j];
  }
  for (; k < depth; ++k) {
    const float* __restrict b0 = panel + k * width;
    float* __restrict out = sums;
    for (std::uint32_t j = 0; j < columns; ++j) out[j] += a[k] * b0[j];
  }
}

class Product {
 public:
  Product(const Matrix& a, const Matrix& b, const Matrix& out, bool add)
      : a_(a),
        b_(b),
        out_(out),
        add_(add),
        width_(std::min(kColumns, out.columns)),
        panel_(width_ * std::min(kDepth, a.columns)),
        a_line_(std::min(kDepth, a.columns)) {}

  void rows(Share share) {
    sums_.resize(width_ * std::min(kRows, share.count));
    for (std::uint32_t column = 0; column < out_.columns; column += kColumns)
      for (std::uint32_t row = 0; row < share.count; row += kRows)
        block(share.first + row, std::min(kRows, share.count - row), column,
              std::min(kColumns, out_.columns - column));
  }

 private:
  void block(std::uint32_t row, std::uint32_t rows, std::uint32_t column, std::uint32_t columns) {
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    for (std::uint32_t i = 0; i < rows && add_; ++i)
      load_line(out_.type, out_.at(row + i, column), out_.column_stride, columns, sums_of(i));
    for (std::uint32_t k = 0; k < a_.columns; k += kDepth) {
      const std::uint32_t depth = std::min(kDepth, a_.columns - k);
      for (std::uint32_t i = 0; i < depth; ++i)
        load_line(b_.type, b_.at(k + i, column), b_.column_stride, columns, &panel_[i * width_]);
      for (std::uint32_t i = 0; i < rows; ++i) {
        load_line(a_.type, a_.at(row + i, k), a_.column_stride, depth, a_line_.data());
        add_products(a_line_.data(), depth, panel_.data(), width_, columns, sums_of(i));
      }
    }
    for (std::uint32_t i = 0; i < rows; ++i)
      store_line(out_.type, out_.at(row + i, column), out_.column_stride, sums_of(i), columns);
  }
  float* sums_of(std::uint32_t row) { return &sums_[row * width_]; }

  Matrix a_, b_, out_;
  bool add_;
  std::size_t width_;          // of the panel and the sums
  std::vector<float> panel_;   // of b, row by row
  std::vector<float> a_line_;  // a part of a row of a
  std::vector<float> sums_;
};

template <class Op>
struct Gemm {
  static Matrix b_of(const Call& call) {
    const Matrix b = matrix_of(call.tensors[1]);
    return Op::kTransposed ? transposed(b) : b;
  }
  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, Op::kSignature)) return wrong;
    if (const char* wrong = not_all_floats(*call)) return wrong;
    for (std::uint32_t i = 0; i < 3; ++i)
      if (call->tensors[i].dimensions != 2) return "all three tensors must have two dimensions";
    const Matrix a = matrix_of(call->tensors[0]);
    const Matrix b = b_of(*call);
    const Matrix out = matrix_of(call->tensors[2]);
    if (a.columns != b.rows) return Op::kInner;
    if (out.rows != a.rows || out.columns != b.columns) return Op::kOuter;
    return nullptr;
  }
  static int run(const Call* call) {
    const Matrix out = matrix_of(call->tensors[2]);
    Product(matrix_of(call->tensors[0]), b_of(*call), out, Op::kAdd).rows(share_of(*call, out.rows));
    return 0;
  }
  static void work(const Call* call, Work* work) {
    const Matrix a = matrix_of(call->tensors[0]);
    const Matrix b = b_of(*call);
    const Matrix out = matrix_of(call->tensors[2]);
    const double rows = share_of(*call, out.rows).count;
    const double depth = a.columns;
    const double columns = out.columns;
    const double bytes_out = rows * columns * facts_of(out.type).bytes;
    if (rows == 0) return;
    work->multiply_adds = rows * depth * columns;
    work->bytes_read = rows * depth * facts_of(a.type).bytes + depth * columns * facts_of(b.type).bytes +
                       (Op::kAdd ? bytes_out : 0);
    work->bytes_written = bytes_out;
    work->tiles = tiles_of_steps(depth / kCubeDepth);
  }
};

struct Plain {
  static constexpr Signature kSignature = {"rrw", 0, 0,
                                           "gemm takes a and b, which it reads, and out, which it writes"};
  static constexpr const char* kInner = "a must have as many columns as b has rows";
  static constexpr const char* kOuter = "out must have as many rows as a and as many columns as b";
  static constexpr bool kTransposed = false;
  static constexpr bool kAdd = false;
};

struct Added {
  static constexpr Signature kSignature = {
      "rrb", 0, 0, "gemm_add takes a and b, which it reads, and c, which it reads and writes"};
  static constexpr const char* kInner = "a must have as many columns as b has rows";
  static constexpr const char* kOuter = "c must have as many rows as a and as many columns as b";
  static constexpr bool kTransposed = false;
  static constexpr bool kAdd = true;
};

struct WithTransposed {
  static constexpr Signature kSignature = {"rrw", 0, 0,
                                           "gemm_nt takes a and b, which it reads, and out, which it writes"};
  static constexpr const char* kInner = "a and b must have equally many columns: b is taken transposed";
  static constexpr const char* kOuter = "out must have as many rows as a and as many columns as b has rows";
  static constexpr bool kTransposed = true;
  static constexpr bool kAdd = false;
};

template <class Op>
constexpr accelscope_kernel cube_kernel(const char* name) {
  return {name, ACCELSCOPE_ENGINE_CUBE, Gemm<Op>::run, Gemm<Op>::check, Gemm<Op>::work};
}

constexpr accelscope_kernel kMatricesKernels[] = {
    cube_kernel<Plain>("gemm"),
    cube_kernel<Added>("gemm_add"),
    cube_kernel<WithTransposed>("gemm_nt"),
};

}  // namespace

std::span<const accelscope_kernel> matrix_kernels() {
  return kMatricesKernels;
}

}  // namespace accelscope::runtime
