/** Pairings of a league in which each team meets every other one in turn, by the circle method. No side effects. */

/** Indexes of an even number of teams. After `teams - 1` rounds all have met, and repeat with the sides exchanged. */
export const pairsOfRound = (teams: number, round: number): ReadonlyArray<readonly [number, number]> => {
  const turns = teams - 1
  const turn = round % turns
  const isReturn = Math.floor(round / turns) % 2 === 1
  const placed = (place: number) => (place === 0 ? 0 : 1 + ((place - 1 + turn) % turns))
  return Array.from({ length: teams / 2 }, (_, pair) => {
    const [one, other] = [placed(pair), placed(teams - 1 - pair)]
    return isReturn !== ((pair + turn) % 2 === 1) ? ([other, one] as const) : ([one, other] as const)
  })
}
