#include "check.h"

int main() {
  int passed = 0;
  int failed = 0;
  for (const check::Test& test : check::tests()) {
    check::failures_of_this_test() = 0;
    try {
      test.run();
    } catch (const std::exception& error) {
      check::report(test.name, 0, std::string("exception: ") + error.what());
    }
    if (check::failures_of_this_test() == 0) {
      ++passed;
    } else {
      ++failed;
      std::printf("FAILED %s\n", test.name);
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
