// GroundProgram::to_bytes and from_bytes: the tables one after the other, each with its length.

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "ground/program.h"

namespace woodstock {

namespace {

// Read back as a number, the magic also tells an image of the other byte order.
constexpr std::uint32_t magic = 0x50475357;  // "WSGP"
constexpr std::uint32_t version = 1;

// Calls visit with every table, always in the same order.
template <class Tables, class Visit>
void for_each_table(Tables& tables, Visit visit) {
  visit(tables.term_symbol);
  visit(tables.term_begin);
  visit(tables.term_args);
  visit(tables.atom_predicate);
  visit(tables.atom_begin);
  visit(tables.atom_args);
  visit(tables.atom_fact);
  visit(tables.rules_begin);
  visit(tables.body_begin);
  visit(tables.literals);
  visit(tables.component_first);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  template <class T>
  void table(std::vector<T>& out) {
    const auto length = number<std::uint64_t>();
    // Compare before multiplying: a forged length must not wrap around, nor be allocated.
    if (length > bytes_.size() / sizeof(T)) throw std::runtime_error("ground program cut short");
    const auto n = static_cast<std::size_t>(length);
    out.resize(n);
    if (n != 0) std::memcpy(out.data(), take(n * sizeof(T)), n * sizeof(T));
  }

  bool at_end() const noexcept { return bytes_.empty(); }

 private:
  const char* take(std::size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("ground program cut short");
    const char* at = bytes_.data();
    bytes_.remove_prefix(size);
    return at;
  }

  std::string_view bytes_;
};

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string GroundProgram::to_bytes() const {
  std::size_t size = 2 * sizeof(std::uint32_t);
  for_each_table(t_, [&](const auto& table) {
    size += sizeof(std::uint64_t) + table.size() * sizeof(table[0]);
  });
  std::string out;
  out.reserve(size);
  append(out, magic);
  append(out, version);
  for_each_table(t_, [&](const auto& table) {
    append(out, static_cast<std::uint64_t>(table.size()));
    out.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(table[0]));
  });
  return out;
}

GroundProgram GroundProgram::from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.number<std::uint32_t>() != magic) throw std::runtime_error("not a ground program");
  if (reader.number<std::uint32_t>() != version) {
    throw std::runtime_error("ground program of another version");
  }
  Tables tables;
  for_each_table(tables, [&](auto& table) { reader.table(table); });
  if (!reader.at_end()) throw std::runtime_error("bytes left over after the ground program");
  return GroundProgram(std::move(tables));
}

}  // namespace woodstock
