/**
 * Chances of a match as it stands, for the simulator's market: rounds are won with equal chance but for strength. A map is won by who
 * first has enough rounds, a series by who first has enough maps. Pure; exact under that assumption (no overtime: a tie is a coin).
 */

/** Chance that who needs `mine` more rounds gets them before the other gets `theirs`, each round being won with chance `p`. */
export const raceChance = (mine: number, theirs: number, p: number): number => {
  if (mine <= 0) return 1
  if (theirs <= 0) return 0
  // Row by row: chances[j] is that of needing i more against j.
  let row = Array.from({ length: theirs + 1 }, () => 1)
  row[0] = 1
  for (let i = 1; i <= mine; i++) {
    const next = [0]
    for (let j = 1; j <= theirs; j++) next.push(p * (row[j] ?? 0) + (1 - p) * (next[j - 1] ?? 0))
    row = next
  }
  return row[theirs] ?? 0
}

/** Chance of team 1 to win a map from this score; `p`: its chance of a round. */
export const mapChance = (score: readonly [number, number], maxRounds: number, p: number): number => {
  const needed = Math.floor(maxRounds / 2) + 1
  const [one, two] = score
  if (one >= needed || two >= needed) {
    // In overtime: four of six from here on, as far as one more decides.
    return one === two ? 0.5 : one > two ? 0.75 : 0.25
  }
  return raceChance(needed - one, needed - two, p)
}

/** Chance of team 1 to win the series; `current`: of the map in play, undefined between maps; `map`: of each map still to come. */
export const seriesChance = (won: readonly [number, number], bestOf: number, current: number | undefined, map: number): number => {
  const needed = Math.floor(bestOf / 2) + 1
  const [one, two] = won
  if (one >= needed) return 1
  if (two >= needed) return 0
  if (current === undefined) return raceChance(needed - one, needed - two, map)
  return current * raceChance(needed - one - 1, needed - two, map) + (1 - current) * raceChance(needed - one, needed - two - 1, map)
}
