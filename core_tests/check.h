// A test is a function; a check that fails is counted and told, and the test goes on.

#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline int& failures_of_this_test() {
  static int count = 0;
  return count;
}

struct Registration {
  Registration(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline void report(const char* file, int line, const std::string& what) {
  ++failures_of_this_test();
  std::printf("%s:%d: %s\n", file, line, what.c_str());
}

}  // namespace check

#define TEST(name)                                                 \
  static void name();                                              \
  static const check::Registration name##_registered(#name, name); \
  static void name()

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) check::report(__FILE__, __LINE__, "not: " #condition); \
  } while (false)

#define CHECK_THROWS(expression, type)                                               \
  do {                                                                               \
    bool thrown = false;                                                             \
    try {                                                                            \
      static_cast<void>(expression);                                                 \
    } catch (const type&) {                                                          \
      thrown = true;                                                                 \
    }                                                                                \
    if (!thrown) check::report(__FILE__, __LINE__, #expression " throws no " #type); \
  } while (false)
