/* The order of search results: what a trader reads first, what a maintainer reads last. Titles count most. */
const guides =
  /^(tutorial|essentials|guides\/|observability|toolkit|command|asyncio|session-transport|signing|observed)/;
var Scorer = {
  score: ([page, , , , score]) => {
    if (/^(reference\/toolkit|reference\/observed|streams-observed)/.test(page)) return score - 6;
    if (guides.test(page)) return score + 3;
    if (/^(reference|methods)/.test(page)) return score - 1;
    if (/^(changelog|contributing|conformance|vectors|rules|second|spec|ir|benchmarks)/.test(page)) return score - 3;
    return score;
  },
  objNameMatch: 5,
  objPartialMatch: 6,
  objPrio: { 0: 3, 1: 1, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
