/**
 * The endpoints of game A of section 4 of the specification, transcribed. It shows no query parameters except `q`; the
 * filters are those that it names in words. Data only.
 */
export interface ApexPath {
  readonly path: string
  readonly query?: ReadonlyArray<string>
}

export const apexPaths: ReadonlyArray<ApexPath> = [
  { path: "" },
  { path: "/algs/events", query: ["from", "to", "region", "status"] },
  { path: "/algs/events/{seriesId}/scores" },
  { path: "/algs/events/{seriesId}/bans" },
  { path: "/algs/matches", query: ["region", "status"] },
  { path: "/algs/global-stats" },
  { path: "/algs/global-stats/{eventId}/players" },
  { path: "/algs/global-stats/{eventId}/legends" },
  { path: "/algs/players/search", query: ["q"] },
  { path: "/algs/transactions" },
  { path: "/algs/tournaments/{tournamentId}/player-stats" },
]
