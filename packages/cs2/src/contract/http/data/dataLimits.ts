/** Maximum `limit` of each list. Section 8 of the API specification defines the first group. */
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
  /** The API specification does not define the values below. */
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
