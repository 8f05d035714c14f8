#include "search/options.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace woodstock {

namespace {

template <class Option>
struct Names;

template <>
struct Names<Concept> {
  static constexpr const char* what = "solution concept";
  static constexpr std::array<std::pair<std::string_view, Concept>, 4> all{
      {{"maximin", Concept::maximin},
       {"difference", Concept::difference},
       {"maxn", Concept::maxn},
       {"team", Concept::team}}};
};

template <>
struct Names<Choice> {
  static constexpr const char* what = "choice";
  static constexpr std::array<std::pair<std::string_view, Choice>, 3> all{
      {{"ucb", Choice::ucb}, {"grave", Choice::grave}, {"regret", Choice::regret}}};
};

template <>
struct Names<Others> {
  static constexpr const char* what = "knowledge of others";
  static constexpr std::array<std::pair<std::string_view, Others>, 3> all{
      {{"memories", Others::memories}, {"next", Others::next}, {"everything", Others::everything}}};
};

template <>
struct Names<StageOrder> {
  static constexpr const char* what = "order";
  static constexpr std::array<std::pair<std::string_view, StageOrder>, 3> all{
      {{"utility", StageOrder::utility},
       {"principal", StageOrder::principal},
       {"depth", StageOrder::depth}}};
};

template <>
struct Names<Values> {
  static constexpr const char* what = "values";
  static constexpr std::array<std::pair<std::string_view, Values>, 3> all{
      {{"playouts", Values::playouts}, {"net", Values::net}, {"blend", Values::blend}}};
};

template <>
struct Names<Sampling> {
  static constexpr const char* what = "sampling";
  static constexpr std::array<std::pair<std::string_view, Sampling>, 2> all{
      {{"bulk", Sampling::bulk}, {"literal", Sampling::literal}}};
};

template <>
struct Names<Likelihood> {
  static constexpr const char* what = "belief";
  static constexpr std::array<std::pair<std::string_view, Likelihood>, 2> all{
      {{"exact", Likelihood::exact}, {"halves", Likelihood::halves}}};
};

template <>
struct Names<Answer> {
  static constexpr const char* what = "answer";
  static constexpr std::array<std::pair<std::string_view, Answer>, 2> all{
      {{"value", Answer::value}, {"followed", Answer::followed}}};
};

void require(bool sense, const char* sentence) {
  if (!sense) throw std::invalid_argument(sentence);
}

// Also false for what is not a number.
bool not_negative(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

template <class Option>
Option parse(std::string_view name) {
  std::string known;
  for (const auto& [one, option] : Names<Option>::all) {
    if (one == name) return option;
    known += known.empty() ? "" : ", ";
    known += one;
  }
  throw std::invalid_argument("no " + std::string(Names<Option>::what) + " called '" +
                              std::string(name) + "'; there are " + known);
}

template <class Option>
std::string_view name_of(Option option) {
  for (const auto& [name, one] : Names<Option>::all) {
    if (one == option) return name;
  }
  throw std::logic_error("an option without a name");
}

template Concept parse(std::string_view);
template Choice parse(std::string_view);
template Others parse(std::string_view);
template StageOrder parse(std::string_view);
template Values parse(std::string_view);
template Answer parse(std::string_view);
template Likelihood parse(std::string_view);
template Sampling parse(std::string_view);
template std::string_view name_of(Concept);
template std::string_view name_of(Choice);
template std::string_view name_of(Others);
template std::string_view name_of(StageOrder);
template std::string_view name_of(Values);
template std::string_view name_of(Answer);
template std::string_view name_of(Likelihood);
template std::string_view name_of(Sampling);

void SearchOptions::check() const {
  require(max_plies >= 1, "max_plies must be at least 1");
  require(memory >= std::size_t{4} << 20, "a search needs 4 MB of memory");
}

void SearchOptions::check_player(std::uint32_t roles) const {
  require(role < roles && role != chance, "no such player");
}

void SamplingOptions::check() const {
  SearchOptions::check();
  require(not_negative(exploration), "exploration must not be negative");
  require(leaves >= 1 && leaves <= 4096, "leaves must be between 1 and 4096");
  require(playouts >= 1 && playouts <= 64 && (playouts & (playouts - 1)) == 0,
          "playouts must be 1, 2, 4, 8, 16, 32 or 64");
  require(not_negative(reference), "reference must not be negative");
  require(not_negative(bias), "bias must not be negative");
  require(mixing >= 0 && mixing <= 1, "mixing must be between 0 and 1");
}

void TreeSearchOptions::check() const {
  SamplingOptions::check();
  require(not_negative(mast), "mast must not be negative");
  require(not_negative(proof_numbers), "proof_numbers must not be negative");
  require(not_negative(proof_steps), "proof_steps must not be negative");
  const bool proofs = proof_numbers > 0 || proof_steps > 0;
  require(!proofs || choice != Choice::regret,
          "proof_numbers and proof_steps are for moves chosen by ucb or grave");
  require(!proofs || (contest(concept_) && chance == Utilities::nobody),
          "proof_numbers and proof_steps are for contests without chance");
  require(values != Values::net, "a tree search plays out: values must be playouts or blend");
  require(net_weight >= 0 && net_weight <= 1, "net_weight must be between 0 and 1");
}

void InformationSearchOptions::check() const {
  SamplingOptions::check();
  require(not_negative(policy_exploration), "policy_exploration must not be negative");
  require(not_negative(policy_prior), "policy_prior must not be negative");
  require(not_negative(risk_exponent) && risk_exponent > 0, "risk_exponent must be above 0");
}

void StageSearchOptions::check() const {
  SearchOptions::check();
  require(samples >= 1, "samples must be at least 1");
  require(not_negative(confidence), "confidence must not be negative");
  require(not_negative(bonus), "bonus must not be negative");
  require(solving_share >= 0 && solving_share <= 1, "solving_share must be between 0 and 1");
}

void MacUcbOptions::check() const {
  StageSearchOptions::check();
  require(batch >= 1, "batch must be at least 1");
  require(alike_share >= 0 && alike_share <= 1, "alike_share must be between 0 and 1");
  require(sampling == Sampling::bulk || values == Values::playouts,
          "literal sampling is for values by playouts");
  require(not_negative(proof_steps), "proof_steps must not be negative");
  require(proof_steps == 0 || contest(concept_), "proof_steps are for contests");
  require(net_weight >= 0 && net_weight <= 1, "net_weight must be between 0 and 1");
}

void MacUcbIIOptions::check() const {
  StageSearchOptions::check();
  require(hypotheses >= 1, "hypotheses must be at least 1");
  require(successors >= 1, "successors must be at least 1");
}

}  // namespace woodstock
