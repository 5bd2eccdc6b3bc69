/**
 * The tennis endpoints of section 4 of the specification, transcribed: every path with its query parameters. Names of
 * path parameters are those of the specification. Data only.
 */
export interface TennisPath {
  readonly path: string
  readonly query?: ReadonlyArray<string>
  /** True if the endpoint is announced and answers 501. */
  readonly announced?: true
}

export const tennisPaths: ReadonlyArray<TennisPath> = [
  { path: "/players", query: ["q", "tour"] },
  { path: "/players/search", query: ["q"] },
  { path: "/players/batch", query: ["ids"] },
  { path: "/players/{playerId}" },
  { path: "/players/{playerId}/stats", query: ["surface", "level", "year_from", "year_to"] },
  { path: "/players/{playerId}/matches" },
  { path: "/matches", query: ["player_id", "opponent_id", "tour", "year", "surface", "tournament", "round", "level"] },
  { path: "/matches/recent", query: ["tour"] },
  { path: "/matches/completed", query: ["date"] },
  { path: "/matches/live" },
  { path: "/matches/live/{matchId}" },
  { path: "/matches/{matchId}" },
  { path: "/matches/{matchId}/stats" },
  { path: "/matches/{matchId}/timeline" },
  { path: "/matches/{matchId}/status" },
  { path: "/matches/{matchId}/tournament-link" },
  { path: "/h2h", query: ["player1_id", "player2_id", "surface", "level", "year_from", "year_to"] },
  { path: "/h2h/matrix", query: ["player_ids"] },
  { path: "/rankings", query: ["tour", "date"] },
  { path: "/rankings/top", query: ["tour", "top_n"] },
  { path: "/rankings/dates", query: ["tour", "year"] },
  { path: "/rankings/history/{playerId}" },
  { path: "/rankings/movers", query: ["tour", "direction"] },
  { path: "/rankings/{circuit}" },
  { path: "/standings", query: ["tour", "top_n"] },
  { path: "/tournaments", query: ["level", "surface", "tour", "tier", "country"] },
  { path: "/tournaments/calendar", query: ["year"] },
  { path: "/tournaments/{tournamentId}" },
  { path: "/tournaments/{tournamentId}/draw" },
  { path: "/tournaments/{tournamentId}/bracket" },
  { path: "/tournaments/{tournamentId}/editions/{year}/draw" },
  { path: "/tournaments/{tournamentId}/schedule" },
  { path: "/competitions", query: ["q"] },
  { path: "/leaderboards/{board}", query: ["tour", "year"] },
  { path: "/schedule", query: ["date"] },
  { path: "/coverage" },
  { path: "/health" },
  { path: "/health/sync" },
  { path: "/odds/{matchId}", announced: true },
  { path: "/odds/{matchId}/live", announced: true },
]

/** Values of `board` in the specification. */
export const boards = [
  "aces",
  "1st-serve-won",
  "break-conversion",
  "break-points-saved",
  "comeback-wins",
  "deciding-set-record",
  "finals-record",
  "return-games-won",
  "tiebreak-win-pct",
] as const
