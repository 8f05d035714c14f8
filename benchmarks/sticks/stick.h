// What the measuring sticks share: random numbers, sets of cells, the measuring loop.
//
// A stick plays one game by uniformly random moves, as fast as a careful programmer gets it by
// hand: every move is made and every position is looked at, one playout after the other on one
// core. A vector, where there is one, holds the directions on one board, never several games. The
// rules are those of src/woodstock/games; engines that know nothing but these are held against the
// figures.
//
//     g++ -O3 -march=native -std=c++20 benchmarks/sticks/reversi.cpp -o reversi
//     ./reversi --seconds 5 --seed 1

#pragma once

#include <time.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#if defined(__AVX__) || defined(__BMI2__)
#include <immintrin.h>
#endif

namespace stick {

using Bits = std::uint64_t;
__extension__ using Wide = unsigned __int128;

// xoroshiro128+ of Blackman and Vigna, its state filled by SplitMix64. Two words leave registers
// for the game, and a number follows from the last one in so few steps that it is ready before the
// position is. Its lowest bits are weak, but below() lives on the highest.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept {
    for (std::uint64_t* word : {&a_, &b_}) {
      seed += 0x9e3779b97f4a7c15U;
      *word = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9U;
      *word = (*word ^ (*word >> 27)) * 0x94d049bb133111ebU;
      *word ^= *word >> 31;
    }
  }

  std::uint64_t next() noexcept {
    const std::uint64_t result = a_ + b_;
    b_ ^= a_;
    a_ = std::rotl(a_, 24) ^ b_ ^ (b_ << 16);
    b_ = std::rotl(b_, 37);
    return result;
  }

  // From 0 to bound - 1. No number is more likely than another by more than 2^-64.
  unsigned below(unsigned bound) noexcept {
    return static_cast<unsigned>((Wide{next()} * bound) >> 64);
  }

 private:
  std::uint64_t a_, b_;
};

// The lowest bits of `value`, one for each bit of `mask`, moved to where these are. In particular
// deposit(1 << k, mask) is the k-th bit of the mask, and nothing if it has no more than k.
inline Bits deposit(Bits value, Bits mask) noexcept {
#ifdef __BMI2__
  return _pdep_u64(value, mask);
#else
  Bits result = 0;
  for (; mask != 0; mask &= mask - 1, value >>= 1) {
    if ((value & 1) != 0) result |= mask & -mask;
  }
  return result;
#endif
}

// The cells on the lines of one board, a lane for each of four directions.
using Lines [[gnu::vector_size(32)]] = Bits;

inline Lines in_all(Bits cells) noexcept { return Lines{cells, cells, cells, cells}; }

inline bool any(Lines lines) noexcept {
#ifdef __AVX__
  return _mm256_testz_si256((__m256i)lines, (__m256i)lines) == 0;
#else
  return ((lines[0] | lines[1]) | (lines[2] | lines[3])) != 0;
#endif
}

inline unsigned count(Bits mask) noexcept { return static_cast<unsigned>(std::popcount(mask)); }

struct Result {
  unsigned plies;
  unsigned first_goal;  // 100, 50 or 0; the second player gets what is missing to 100
};

inline double cpu_seconds() noexcept {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Repeats `playout`, a function from Random& to Result, for --seconds of CPU time and prints one
// JSON object. Returns the exit code: 2 when the arguments make no sense.
template <Result (*playout)(Random&) noexcept>
int measure(const char* game, int argc, char** argv) {
  double seconds = 2;
  std::uint64_t seed = 1;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    char* end = nullptr;
    if (i + 1 < argc && option == "--seconds") seconds = std::strtod(argv[i + 1], &end);
    if (i + 1 < argc && option == "--seed") seed = std::strtoull(argv[i + 1], &end, 10);
    if (end == nullptr || end == argv[i + 1] || *end != '\0' || !(seconds > 0)) {
      std::fprintf(stderr, "usage: %s [--seconds S] [--seed N]\n", argv[0]);
      return 2;
    }
  }
  // Asking for the time costs a system call: so many playouts that it does not show.
  constexpr unsigned batch = 4096;
  Random random(seed);
  std::uint64_t playouts = 0, plies = 0, first = 0;
  double spent = 0;
  for (const double start = cpu_seconds(); spent < seconds; spent = cpu_seconds() - start) {
    for (unsigned i = 0; i < batch; ++i) {
      const Result result = playout(random);
      plies += result.plies;
      first += result.first_goal;
    }
    playouts += batch;
  }
  const auto games = static_cast<double>(playouts), moves = static_cast<double>(plies);
  const double goal = static_cast<double>(first) / games;
  std::printf(
      "{\"game\": \"%s\", \"playouts\": %llu, \"cpu_seconds\": %.6f, "
      "\"playouts_per_cpu_second\": %.1f, \"plies_per_cpu_second\": %.1f, \"mean_length\": %.4f, "
      "\"mean_goals\": [%.4f, %.4f]}\n",
      game, static_cast<unsigned long long>(playouts), spent, games / spent, moves / spent,
      moves / games, goal, 100 - goal);
  return 0;
}

}  // namespace stick
