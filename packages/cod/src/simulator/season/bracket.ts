/** Double-elimination bracket of eight teams: pairings and final places. No side effects. */

export interface Pairing<Team> {
  readonly round: string
  /** Day of the tournament, from 0 to 3. */
  readonly day: number
  readonly teams: readonly [Team, Team]
}

export interface Placement<Team> {
  readonly team: Team
  readonly placement: number
}

/** Undefined if the pairing has not been played yet. */
type Play<Team> = (pairing: Pairing<Team>) => Team | undefined

/** Undefined until the matches before were played. */
type Known<Team> = Team | undefined

/**
 * `seeds` are in seed order. Returns the places once the final has been played. Pairings whose teams are not known yet
 * are left out. Teams that lose their first two matches share place 7, and so on.
 */
export const playBracket = <Team>(seeds: ReadonlyArray<Team>, play: Play<Team>): ReadonlyArray<Placement<Team>> => {
  const meet = (round: string, day: number, one: Known<Team>, other: Known<Team>): { winner: Known<Team>; loser: Known<Team> } => {
    if (one === undefined || other === undefined) return { winner: undefined, loser: undefined }
    const winner = play({ round, day, teams: [one, other] })
    return { winner, loser: winner === undefined ? undefined : winner === one ? other : one }
  }
  const first = pairsOfSeeds.map(([one, other]) => meet("Winners Round 1", 0, seeds[one], seeds[other]))
  const [a, b, c, d] = first
  const semis = [meet("Winners Round 2", 1, a?.winner, b?.winner), meet("Winners Round 2", 1, c?.winner, d?.winner)]
  const out1 = [meet("Elimination Round 1", 1, a?.loser, b?.loser), meet("Elimination Round 1", 1, c?.loser, d?.loser)]
  const out2 = [
    meet("Elimination Round 2", 2, semis[1]?.loser, out1[0]?.winner),
    meet("Elimination Round 2", 2, semis[0]?.loser, out1[1]?.winner),
  ]
  const winners = meet("Winners Final", 2, semis[0]?.winner, semis[1]?.winner)
  const out3 = meet("Elimination Round 3", 2, out2[0]?.winner, out2[1]?.winner)
  const elimination = meet("Elimination Final", 3, winners.loser, out3.winner)
  const final = meet("Grand Final", 3, winners.winner, elimination.winner)
  if (final.winner === undefined) return []
  const places: ReadonlyArray<readonly [number, Known<Team>]> = [
    [1, final.winner],
    [2, final.loser],
    [3, elimination.loser],
    [4, out3.loser],
    ...out2.map(({ loser }) => [5, loser] as const),
    ...out1.map(({ loser }) => [7, loser] as const),
  ]
  return places.flatMap(([placement, team]) => (team === undefined ? [] : [{ team, placement }]))
}

/** Seeds that meet in the first round. Seed 1 and seed 2 can meet in the final only. */
const pairsOfSeeds = [
  [0, 7],
  [3, 4],
  [1, 6],
  [2, 5],
] as const
