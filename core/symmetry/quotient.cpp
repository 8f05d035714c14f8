#include "symmetry/quotient.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "circuit/simulator.h"

namespace woodstock::symmetry {

namespace {

// Rows of the table fill whole vectors.
std::size_t row_length(std::size_t elements) {
  return elements <= 4 ? std::bit_ceil(elements) : (elements + 7) / 8 * 8;
}

// Elements that differ on the first points, the identity first.
std::vector<Permutation> distinct(const std::vector<Point>& rows, std::size_t degree,
                                  std::size_t points) {
  std::vector<Permutation> out;
  for (std::size_t at = 0; at < rows.size(); at += degree) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(at);
    out.emplace_back(from, from + static_cast<std::ptrdiff_t>(points));
  }
  std::sort(out.begin(), out.end());  // nothing is smaller than the identity
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (out.empty()) out.push_back(identity(points));
  return out;
}

void check_kinds(const Permutation& p, std::size_t fluents) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if ((i < fluents) != (p[i] < fluents) || p[i] >= p.size()) {
      throw std::invalid_argument("a symmetry takes fluents to fluents and moves to moves");
    }
  }
}

}  // namespace

Quotient::Quotient(std::size_t fluents, std::size_t moves, const Group& group, std::size_t limit,
                   std::span<const Point> idle)
    : fluents_(fluents), moves_(moves), kept_((fluents + 7) / 8, 0xff) {
  const std::size_t points = fluents + moves;
  if (group.degree() < points) throw std::invalid_argument("a group of other points");
  limit = std::clamp<std::size_t>(limit, 1, most_elements);
  // A subgroup folds less, but what it folds is right; so a group that is too large is cut down.
  const std::vector<Point> rows = group.part(limit).elements(limit);
  const std::vector<Permutation> elements = distinct(rows, group.degree(), points);
  elements_ = elements.size();
  stride_ = row_length(elements_);
  for (const Permutation& p : elements) check_kinds(p, fluents);
  find_products(elements);
  for (const Point fluent : idle) {
    if (fluent >= fluents) throw std::invalid_argument("no such fluent");
    kept_[fluent / 8] = static_cast<std::uint8_t>(kept_[fluent / 8] & ~(1U << (fluent % 8)));
  }
  move_origins_.resize(elements_ * moves);
  for (std::size_t e = 0; e < elements_; ++e) {
    const Permutation& p = elements[e];
    fluent_images_.insert(fluent_images_.end(), p.begin(),
                          p.begin() + static_cast<std::ptrdiff_t>(fluents));
    for (std::size_t m = 0; m < moves; ++m) {
      const auto image = static_cast<Point>(p[fluents + m] - fluents);
      move_images_.push_back(image);
      move_origins_[e * moves + image] = static_cast<Point>(m);
    }
  }
  rows_.assign(fluents, unmoved);
  for (std::uint32_t f = 0; f < fluents; ++f) {
    keys_.push_back(zobrist_key(f));
    const bool moved = std::any_of(elements.begin(), elements.end(),
                                   [f](const Permutation& p) { return p[f] != f; });
    if (!moved) continue;
    rows_[f] = static_cast<std::uint32_t>(table_.size());
    table_.resize(table_.size() + stride_, 0);
    for (std::size_t e = 0; e < elements_; ++e) {
      table_[rows_[f] + e] = zobrist_key(elements[e][f]);
    }
  }
}

void Quotient::find_products(const std::vector<Permutation>& elements) {
  products_.resize(elements_ * elements_);
  for (std::size_t a = 0; a < elements_; ++a) {
    for (std::size_t b = 0; b < elements_; ++b) {
      Permutation product = elements[a];
      multiply(product, elements[b]);
      const auto found = std::lower_bound(elements.begin(), elements.end(), product);
      products_[a * elements_ + b] = static_cast<Element>(found - elements.begin());
    }
  }
}

void Quotient::apply(Element by, std::span<std::uint8_t> state) const {
  const Point* images = fluent_images_.data() + by * fluents_;
  std::vector<Point> held;
  for (std::size_t byte = 0; byte < state.size(); ++byte) {
    for (unsigned bits = state[byte] & kept_[byte]; bits != 0; bits &= bits - 1) {
      held.push_back(images[8 * byte + static_cast<unsigned>(std::countr_zero(bits))]);
    }
    state[byte] = 0;
  }
  for (const Point to : held) {
    state[to / 8] = static_cast<std::uint8_t>(state[to / 8] | 1U << (to % 8));
  }
}

void Quotient::fold(std::span<std::uint8_t> state, Image& image) const {
  std::vector<Point>& held = image.held;
  held.clear();
  std::uint64_t common = 0;
  for (std::size_t byte = 0; byte < state.size(); ++byte) {
    state[byte] &= kept_[byte];
    for (unsigned bits = state[byte]; bits != 0; bits &= bits - 1) {
      const auto fluent =
          static_cast<Point>(8 * byte + static_cast<unsigned>(std::countr_zero(bits)));
      if (rows_[fluent] == unmoved) {
        common ^= keys_[fluent];
      } else {
        held.push_back(fluent);
      }
    }
  }
  // The hash of a state is the exclusive or over its fluents. So those of all images are made
  // together, a row of the table for each fluent, and the state itself is permuted once.
  image.hashes.assign(stride_, common);
  std::uint64_t* const hashes = image.hashes.data();
  for (const Point fluent : held) {
    const std::uint64_t* row = table_.data() + rows_[fluent];
    for (std::size_t e = 0; e < stride_; ++e) hashes[e] ^= row[e];
  }
  image.hash = *std::min_element(hashes, hashes + elements_);
  image.elements.clear();
  for (std::size_t e = 0; e < elements_; ++e) {
    if (hashes[e] == image.hash) image.elements.push_back(static_cast<Element>(e));
  }
  const Element by = image.elements[0];
  if (by == 0) return;
  const Point* images = fluent_images_.data() + by * fluents_;
  // All bits go before any comes: images of some are places of others.
  for (const Point fluent : held) {
    state[fluent / 8] = static_cast<std::uint8_t>(state[fluent / 8] & ~(1U << (fluent % 8)));
  }
  for (const Point fluent : held) {
    const Point to = images[fluent];
    state[to / 8] = static_cast<std::uint8_t>(state[to / 8] | 1U << (to % 8));
  }
}

Point Quotient::smallest(const Image& image, Point move) const noexcept {
  Point best = unmoved;
  for (const Element by : image.elements) best = std::min(best, this->move(by, move));
  return best;
}

}  // namespace woodstock::symmetry
