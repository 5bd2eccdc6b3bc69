/** Points and prize money of the simulated league. The tables are invented. No side effects. */

/** League points of a win in the qualifiers of a stage. */
export const POINTS_PER_WIN = 10

/** League points by place. Places that are not listed get none. */
export const majorPoints: Readonly<Record<number, number>> = { 1: 75, 2: 60, 3: 45, 4: 30, 5: 20, 7: 10 }

/** Prize pools in US dollars. */
export const MAJOR_PRIZES = 400_000
export const CHAMPIONSHIP_PRIZES = 2_000_000

/** Share of the prize pool by place, in percent. Two teams share place 5, and two share place 7. */
const shares: Readonly<Record<number, number>> = { 1: 40, 2: 24, 3: 12, 4: 8, 5: 5, 7: 3 }

/** Prize of each player in US dollars. The players of a team get equal parts. */
export const playerPrize = (prizePool: number, placement: number, teamSize: number): number =>
  (prizePool * (shares[placement] ?? 0)) / 100 / teamSize
