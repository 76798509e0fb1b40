// The functional part of the accelerator: what every instruction does to registers and memories. It knows no
// time.
//
// Rules: `compat` does what the reference does, wrong or not; `strict` stops at everything that the hardware
// documents forbid or leave open, with the instruction. What the reference stops at, both stop at. A fault
// leaves the state as it was before the instruction. One thread uses one core, which owns its state; programs
// are read only.
//
//   ACCELSCOPE_TRY(Core core, Core::make(machine, Rules::kStrict));
//   if (const Fault fault = core.carry_out(operation); fault.found()) ...
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "emulator/kernels.h"
#include "emulator/operation.h"
#include "emulator/pending_blocks.h"
#include "emulator/row_codec.h"
#include "emulator/state.h"
#include "emulator/transfer_plan.h"
#include "isa/machine.h"

namespace accelscope::emulator {

enum class Rules : std::uint8_t { kStrict, kCompat };

// Why an instruction could not be carried out. The text says what is wrong with which value; who runs the
// program adds pc, source line and the instruction as it is written.
// Costs a pointer where nothing is wrong.
class [[nodiscard]] Fault {
 public:
  Fault() = default;
  explicit Fault(std::string text) : text_(std::make_unique<std::string>(std::move(text))) {}

  bool found() const { return text_ != nullptr; }
  const std::string& text() const { return *text_; }  // only where one was found

 private:
  std::unique_ptr<std::string> text_;
};

// Divides by a number that is a power of two nearly always.
class Divisor {
 public:
  Divisor() = default;
  explicit Divisor(std::uint64_t value)
      : value_(value), is_power_(std::has_single_bit(value)), shift_(std::countr_zero(value)) {}

  std::uint64_t quotient(std::uint64_t number) const {
    return is_power_ ? number >> shift_ : number / value_;
  }
  std::uint64_t rest(std::uint64_t number) const {
    return is_power_ ? number & (value_ - 1) : number % value_;
  }

 private:
  std::uint64_t value_ = 1;
  bool is_power_ = true;
  int shift_ = 0;
};

class Core {
 public:
  // Fails for dimensions and formats that cannot be carried out, and memories that cannot be addressed. The
  // machine must outlive the core.
  static base::Result<Core> make(const isa::Machine& machine, Rules rules);

  State& state() { return state_; }
  const State& state() const { return state_; }
  const isa::Machine& machine() const { return *machine_; }
  Rules rules() const { return rules_; }

  // Everything but loops and breaks, which are the business of who runs the program (run_loop.h).
  Fault carry_out(const Operation& operation);

  // The same, but products of blocks and writing them out may be put off: then their faults are found, and
  // their results are there after settle(). Any other instruction settles first. For those who do not look
  // at the state between instructions.
  Fault carry_out_soon(const Operation& operation);
  void settle() {
    if (!pending_.empty()) carry_out_pending();
  }

  // The same for scalar instructions and those that set registers, in line (core_scalar.h) and without a
  // text: false where it was none of them, or one that carry_out() finds fault with; then nothing was done.
  bool carry_out_scalar(const Operation& operation);

 private:
  // An address as the instruction has it: a register, maybe with something added.
  struct Address {
    std::uint64_t value = 0;
    std::uint8_t gp = 0;
    std::uint32_t addend = 0;
    int added_gp = -1;

    std::string text() const;  // "4100 in gp2"
  };
  struct TilePlace {
    std::uint64_t tile = 0;
    std::uint64_t rest = 0;  // elements from its beginning
  };
  struct Codecs {
    RowCodec vector_memory;
    RowCodec matrix_weights;
    RowCodec matrix_kv;
    RowCodec vector_activations;
    RowCodec vector_kv;
  };
  using Exponentials = std::vector<float>;  // of clamped bf16, by their bits

  Core(const isa::Machine& machine, Rules rules, State state, Codecs codecs);
  static base::Result<Codecs> make_codecs(const isa::Machine& machine);

  bool strict() const { return rules_ == Rules::kStrict; }
  std::uint32_t gp(std::uint8_t number) const { return state_.registers.gp[number]; }
  bool set_gp(std::uint8_t number, std::uint32_t value);
  template <class Calculate>
  bool set_f(const Operation& operation, bool of_two, const Calculate& calculate);
  bool load_float(const Operation& operation);
  bool store_float(const Operation& operation);
  bool load_integer(const Operation& operation);
  bool store_integer(const Operation& operation);

  // core.cpp
  Fault scalar_fault(const Operation& operation) const;
  Fault scalar_memory_fault(const Operation& operation, bool floats) const;
  Fault map_floats(const Operation& operation);
  Address address_in(std::uint8_t number) const { return {gp(number), number}; }
  Address address_in(std::uint8_t number, std::uint32_t addend) const {
    return {gp(number) + addend, number, addend};
  }
  // Rows of vectors from an address on; the fault says what is wrong with it.
  Fault find_rows(const Address& address, std::uint64_t count, std::uint64_t& row) const;
  Fault row_fault(const Address& address, std::uint64_t count) const;
  // strict: elements are read that were never written.
  Fault check_written(const Address& address, std::uint64_t row, std::uint64_t bits) const;
  Fault unwritten_fault(const Address& address, std::uint64_t row, std::uint64_t bits) const;
  // Rounds to the format of the vector memory.
  void store_row(const float* values, std::uint64_t row, std::uint64_t first, std::uint64_t count);
  void round_row(float* values, std::uint64_t count);

  // core_matrix.cpp
  Fault carry_out_matrix(const Operation& operation);
  Fault find_tile(const Address& address, TilePlace& place) const;
  Fault find_vectors(const Address& address, std::uint64_t count, std::uint64_t& row) const;
  Fault find_block(const Address& address, TilePlace& place) const;
  Fault find_head(const Address& address, TilePlace& place) const;
  struct BlockOperands {
    PendingBlocks::Factors factors = {};
    std::uint64_t row = 0;  // of vectors: the first one
  };
  Fault find_block_operands(const Operation& operation, bool turned, BlockOperands& operands);
  Fault find_block_target(const Operation& operation, PendingBlocks::Target& target) const;
  Product block_shape() const;
  Fault block_product(const Operation& operation, bool turned);
  Fault put_off_product(const Operation& operation, bool turned);
  Fault put_off_writing(const Operation& operation);
  void carry_out_pending();
  Fault row_product(const Operation& operation, bool turned);
  Fault heads_product(const Operation& operation, bool turned);
  Fault head_row_product(const Operation& operation);
  Fault write_out_block(const Operation& operation);
  Fault write_out_row(const Operation& operation);
  Fault write_out_heads(const Operation& operation, Accumulator& accumulator, std::uint64_t rows);
  Fault check_filled(const Accumulator& accumulator) const;

  // core_vector.cpp
  Fault carry_out_vector(const Operation& operation);
  std::uint64_t slice_count() const;
  bool slice_chosen(std::uint64_t slice) const;
  struct RowsUsed {
    std::uint64_t out = 0;
    std::uint64_t a = 0;
    std::uint64_t chosen = 0;  // by the mask, as written rows have it
  };
  Fault find_rows_used(const Operation& operation, RowsUsed& rows) const;
  Fault chosen_bits(const Operation& operation, std::uint64_t& bits) const;
  template <class Calculate, class Copy>
  void by_slices(const Operation& operation, const Calculate& calculate, const Copy& copy);
  void mark_result(std::uint64_t out, std::uint64_t a, std::uint64_t chosen);
  Fault of_two_rows(const Operation& operation, RowOperation what);
  Fault of_row_and_scalar(const Operation& operation, RowOperation what);
  Fault check_unclamped(const Operation& operation, std::uint64_t row) const;
  Fault exponential(const Operation& operation);
  Fault reciprocal(const Operation& operation);
  Fault reduce_sum(const Operation& operation);
  Fault reduce_maximum(const Operation& operation);
  Fault find_reduced(const Operation& operation, std::uint64_t& row) const;
  Fault shift(const Operation& operation);
  Fault route(const Operation& operation);  // core_routing.cpp

  // core_transfer.cpp
  Fault carry_out_transfer(const Operation& operation);
  Fault transfer_fault(const Operation& operation, const TransferPlan& plan) const;
  Fault range_fault(const TransferPlan& plan) const;
  Fault prefetch_matrix(const Operation& operation);
  Fault prefetch_vectors(const Operation& operation);
  Fault store_vectors(const Operation& operation);
  const RowCodec& codec_of(const Operation& operation, const TransferPlan& plan) const;

  const isa::Machine* machine_;
  Rules rules_;
  State state_;
  const Kernels* kernels_;
  Codecs codecs_;
  Rounding rounding_ = Rounding::kNone;  // of the vector memory
  bool rounds_by_codec_ = false;         // it has a format that no kernel rounds to
  Divisor vlen_;
  Divisor mlen_;
  Divisor blen_;
  Divisor tile_;
  std::shared_ptr<const Exponentials> exponentials_;
  PendingBlocks pending_;
  bool puts_off_ = false;         // blocks have the size at which that helps
  std::vector<float> rows_;       // of vectors, on their way
  std::vector<std::byte> bytes_;  // of a row of elements, and its scales
};

}  // namespace accelscope::emulator
