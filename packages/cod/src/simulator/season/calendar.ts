/** Four stages, each with qualifiers on every second weekend and a major, then the championship. Pure. */

const DAY = 86_400_000
const WEEK = 7 * DAY
const FRIDAY = 5

/** Stages of a season, and rounds of the qualifiers in each. A round is a weekend on which each team plays once. */
export const STAGES = 4
export const ROUNDS = 5

/** Weeks from a stage to the next, and from the first to the championship. */
const STAGE_WEEKS = 12
const CHAMPIONSHIP_WEEK = 50

/** Hours of UTC at which the matches of a day start, in order. */
const startHours = [17, 19, 21, 23] as const

/** A match can be over three hours after its start. */
export const MATCH_DURATION = 3 * 3_600_000

/** First Friday of September before the year of the season, in milliseconds since the Unix epoch. */
const firstFriday = (season: number): number => {
  const start = Date.UTC(season - 1, 8, 1)
  return start + ((FRIDAY - new Date(start).getUTCDay() + 7) % 7) * DAY
}

/** Friday of a round of qualifiers. `stage` and `round` count from 0. */
export const roundStart = (season: number, stage: number, round: number): number =>
  firstFriday(season) + (stage * STAGE_WEEKS + 2 * round) * WEEK

/** Thursday on which the major of a stage begins. */
export const majorStart = (season: number, stage: number): number => roundStart(season, stage, ROUNDS) - DAY

/** Thursday on which the championship begins. */
export const championshipStart = (season: number): number => firstFriday(season) + CHAMPIONSHIP_WEEK * WEEK - DAY

/** The n-th match of a day, n >= 0. */
export const matchStart = (day: number, n: number): number => day + (startHours[n % startHours.length] ?? 0) * 3_600_000
