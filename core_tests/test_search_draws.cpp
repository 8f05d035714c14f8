#include "search/draws.h"

#include <vector>

#include "check.h"

using namespace woodstock;

TEST(a_seed_decides_all_draws_of_a_search) {
  Draws one(7);
  Draws same(7);
  Draws other(8);
  const std::uint64_t first = one.draw();
  const std::uint64_t batch = one.next_batch();
  CHECK(first == same.draw() && batch == same.next_batch());
  CHECK(first != other.draw() && batch != other.next_batch());
  // Batches have seeds of their own: to draw more choices does not change the playouts.
  one.draw();
  CHECK(one.next_batch() == same.next_batch());
  for (int i = 0; i < 100; ++i) {
    const double nudge = one.nudge();
    CHECK(nudge >= 0.5 && nudge < 1.5);
  }
}

TEST(systematic_sampling_gives_everything_its_share) {
  const std::vector<double> sums{1, 1, 4, 10};  // weights 1, 0, 3, 6
  for (const double luck : {0.0, 0.3, 0.999}) {
    std::vector<int> taken(sums.size());
    std::size_t next = 0;
    draw_evenly(sums, 20, luck, [&](std::size_t i, std::size_t place) {
      CHECK(i == next++);
      ++taken[place];
    });
    CHECK(next == 20);
    CHECK((taken == std::vector<int>{2, 0, 6, 12}));
  }
}
