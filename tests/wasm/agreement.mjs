/** Plays again what Python played, in Node and in browsers. */

/** Whether two JSON values are the same, to the last bit of every number. */
function isSame(one, other) {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

/** Returns how many choices there were, and everything that the engine does differently. */
export function agree(engine, cases) {
  const differences = [];
  let choices = 0;
  function compare(what, found, expected) {
    if (isSame(found, expected)) return;
    differences.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`.slice(0, 2000));
  }
  for (const { rules, seed, scores, agents, plies, observations } of cases) {
    const round = engine.deal(rules, { seed, scores });
    const seats = agents.map((agent, seat) => engine.makeAgent(agent, { seed: seed + seat }));
    plies.forEach(({ observation, best, decision }, ply) => {
      const seat = observation.observer;
      const what = `${rules}, seed ${seed}, ply ${ply}, ${agents[seat]}`;
      compare(`${what}: observation`, round.observe(seat), observation);
      const decided = seats[seat].decide(round);
      compare(`${what}: decision`, decision ? decided : decided.best, decision ?? best);
      choices += observation.legal_actions.length > 1 ? 1 : 0;
      round.apply(best);
    });
    observations.forEach((seen, seat) => compare(`${rules}, seed ${seed}, seat ${seat}`, round.observe(seat), seen));
    for (const kept of [round, ...seats]) kept.release();
  }
  return { choices, differences };
}

/** Perft counts and batches of random rounds. */
export function count(engine, { perft, batches }) {
  return {
    perft: perft.map(({ rules, seed, depth }) => engine.deal(rules, { seed }).countLeaves(depth)),
    batches: batches.map(({ rules, numGames, seed }) => engine.playRandomGames(rules, numGames, seed)),
  };
}

/** Networks that agents need. */
export const NETWORKS = ["official-2", "official-4", "family-2", "family-3-4", "tournament-2", "any", "advisor-2", "champion-3"];
