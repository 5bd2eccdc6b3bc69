/**
 * The maps of CS2 that are played in competition: what they are called, and which of them were in the active duty pool when. Data; who
 * shows or looks up maps reads this. Dates of the pool: Valve's release notes on counter-strike.net ("Active Duty").
 */

export interface ShownMap {
  /** `de_<name>`, as the game says. */
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Other spellings, in lower case. */
  readonly aliases: ReadonlyArray<string>
  /** Its stays in the active duty pool of CS2, oldest first; `removedAt` null: still in it. Days, `YYYY-MM-DD`. */
  readonly activeDuty: ReadonlyArray<{ readonly inPoolSince: string; readonly removedAt: string | null }>
}
