#include <algorithm>
#include <stdexcept>

#include "check.h"
#include "ground/evaluator.h"
#include "sample.h"

using namespace sample;

TEST(a_program_survives_the_round_trip) {
  const GroundProgram p = filling_game(3);
  const std::string bytes = p.to_bytes();
  const GroundProgram q = GroundProgram::from_bytes(bytes);
  CHECK(q.to_bytes() == bytes);
  CHECK(q.statistics().bytes == p.statistics().bytes);
  CHECK(q.fluents().size() == p.fluents().size());
}

TEST(a_cut_image_is_refused) {
  const std::string bytes = filling_game(1).to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS(GroundProgram::from_bytes(std::string_view(bytes).substr(0, size)),
                 std::runtime_error);
  }
  CHECK_THROWS(GroundProgram::from_bytes(bytes + "x"), std::runtime_error);
}

// Whatever the bytes, reading either throws or gives a program that can be used.
TEST(a_changed_image_never_does_harm) {
  const std::string bytes = filling_game(2).to_bytes();
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ change);
      try {
        auto program = std::make_shared<GroundProgram>(GroundProgram::from_bytes(changed));
        static_cast<void>(program->statistics());
        if (!program->stratified()) continue;
        woodstock::Evaluator evaluator(program);
        const auto state = evaluator.initial();
        static_cast<void>(evaluator.analyse(state));
        static_cast<void>(evaluator.next(state, {}));
      } catch (const std::runtime_error&) {
        ++refused;
      }
    }
  }
  CHECK(refused > bytes.size());
}
