/**
 * The endpoints of the Call of Duty League in section 4 of the specification, transcribed: every path with its query
 * parameters. Names of path parameters are those of the specification. Data only.
 */
export interface CodPath {
  readonly path: string
  readonly query?: ReadonlyArray<string>
  /** Names of parameters that must be sent. */
  readonly required?: ReadonlyArray<string>
}

const completed = ["team", "tournamentId", "season", "startDate", "endDate", "page", "days", "limit", "offset"]

export const codPaths: ReadonlyArray<CodPath> = [
  { path: "/cdl/standings", query: ["season", "stage"] },
  { path: "/standings", query: ["season", "stage"] },
  { path: "/cdl/schedule", query: ["upcoming"] },
  { path: "/schedule", query: ["upcoming"] },
  { path: "/cdl/live" },
  { path: "/matches/live" },
  { path: "/matches", query: completed },
  { path: "/matches/recent", query: completed },
  { path: "/matches/upcoming", query: ["team", "tournamentId", "season", "limit", "offset"] },
  { path: "/matches/{id}" },
  { path: "/matches/{id}/maps" },
  { path: "/matches/{id}/maps/{mapNumber}/player-stats" },
  { path: "/matches/{id}/player-stats", query: ["includeMaps"] },
  { path: "/leaderboards/earnings", query: ["season", "limit"] },
  { path: "/leaderboards/{mode}", query: ["stat", "season", "limit"] },
  { path: "/search", query: ["q", "type", "limit"], required: ["q"] },
  { path: "/analytics/players/{id}/trends", query: ["stat", "period"] },
  { path: "/analytics/players/{id}/clutch-factor" },
  { path: "/analytics/head-to-head", query: ["player1", "player2"], required: ["player1", "player2"] },
  { path: "/analytics/compare", query: ["players"], required: ["players"] },
  { path: "/analytics/teams/{slug}/style" },
  { path: "/analytics/teams/head-to-head", query: ["team1", "team2"], required: ["team1", "team2"] },
  { path: "/analytics/teams/map-comparison", query: ["teams"], required: ["teams"] },
  { path: "/analytics/leaderboard/{stat}" },
]
