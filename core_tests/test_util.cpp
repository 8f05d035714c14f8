#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "util/random.h"
#include "util/stopwatch.h"
#include "util/thread_pool.h"

using namespace woodstock;

TEST(a_pool_does_everything_once) {
  for (unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    for (std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      pool.run(count, [&](std::size_t i, unsigned worker) {
        CHECK(worker < threads);
        ++done[i];
      });
      for (const auto& times : done) CHECK(times == 1);
    }
    CHECK_THROWS(pool.run(10,
                          [](std::size_t i, unsigned) {
                            if (i == 3) throw std::runtime_error("three");
                          }),
                 std::runtime_error);
    std::atomic<int> after{0};
    pool.run(5, [&](std::size_t, unsigned) { ++after; });
    CHECK(after == 5);
  }
}

TEST(random_numbers_are_those_of_splitmix64) {
  RandomStream random(1234567);
  CHECK(random.draw() == 6457827717110365317ULL);
  CHECK(random.draw() == 3203168211198807973ULL);
  CHECK(random.draw() == 9817491932198370423ULL);
  // A stream is the numbers of a counter.
  CHECK(random.draw() == scatter(1234567 + 4 * golden_gamma));
  for (int i = 0; i < 1000; ++i) {
    CHECK(random.below(7) < 7);
    const double luck = random.luck();
    CHECK(luck >= 0 && luck < 1);
  }
  CHECK(unit(0) == 0 && unit(~std::uint64_t{0}) < 1);
}

TEST(a_deadline_may_be_never) {
  CHECK(deadline_in(std::numeric_limits<double>::infinity()) == Clock::time_point::max());
  CHECK(deadline_in(std::nan("")) == Clock::time_point::max());
  CHECK(deadline_in(-5) < Clock::now());
  CHECK(deadline_in(1e6) > Clock::now());
}

TEST(a_stopwatch_goes_forward) {
  const Stopwatch watch;
  const double seconds = watch.seconds();
  CHECK(seconds >= 0 && watch.seconds() >= seconds);
  const double cpu = watch.cpu_seconds();
  CHECK(cpu >= 0 && watch.cpu_seconds() >= cpu);
  CHECK(watch.begin() <= Clock::now());
}
