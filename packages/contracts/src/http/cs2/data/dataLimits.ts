/** Maximum `limit` of each list. The limits that section 8 of the specification defines come first. */
export const dataLimits = {
  events: 100,
  eventCalendar: 250,
  eventsActive: 250,
  leagues: 200,
  stats: 200,
  transfers: 200,
  rosterChanges: 200,
  changelog: 200,
  mapEvents: 5_000,
  /** The specification does not define the following limits. */
  matches: 100,
  teams: 100,
  players: 100,
  rankings: 500,
  odds: 100,
  oddsHistory: 1_000,
  skins: 100,
  skinPrices: 1_000,
  search: 50,
} as const
