/**
 * Win probabilities of a match in progress, for the simulated betting market. The model assumes that a team wins every
 * round with the same probability, which depends only on the strength of the two teams. A map is won by the first team
 * with enough rounds, a series by the first team with enough maps. The results are exact under this assumption, except
 * that overtime is approximated: a tie counts as a 50 % chance.
 */

/** Probability of winning `mine` more rounds before the opponent wins `theirs`. `p` is that of a single round. */
export const raceChance = (mine: number, theirs: number, p: number): number => {
  if (mine <= 0) return 1
  if (theirs <= 0) return 0
  // Row by row: entry j of row i is the probability of winning i more rounds before an opponent that needs j.
  let row = Array.from({ length: theirs + 1 }, () => 1)
  row[0] = 1
  for (let i = 1; i <= mine; i++) {
    const next = [0]
    for (let j = 1; j <= theirs; j++) next.push(p * (row[j] ?? 0) + (1 - p) * (next[j - 1] ?? 0))
    row = next
  }
  return row[theirs] ?? 0
}

/** Probability that team 1 wins a map with this score. `p` is its probability to win a single round. */
export const mapChance = (score: readonly [number, number], maxRounds: number, p: number): number => {
  const needed = Math.floor(maxRounds / 2) + 1
  const [one, two] = score
  if (one >= needed || two >= needed) {
    // Overtime: 50 % at a tied score, 75 % for the team that is ahead.
    return one === two ? 0.5 : one > two ? 0.75 : 0.25
  }
  return raceChance(needed - one, needed - two, p)
}

/** Probability that team 1 wins the series. `current`: on the current map, undefined between maps. `map`: on later ones. */
export const seriesChance = (won: readonly [number, number], bestOf: number, current: number | undefined, map: number): number => {
  const needed = Math.floor(bestOf / 2) + 1
  const [one, two] = won
  if (one >= needed) return 1
  if (two >= needed) return 0
  if (current === undefined) return raceChance(needed - one, needed - two, map)
  return current * raceChance(needed - one - 1, needed - two, map) + (1 - current) * raceChance(needed - one, needed - two - 1, map)
}
