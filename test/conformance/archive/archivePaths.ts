/**
 * Section 4 of the specification outside the live section: every path, the request on the sample, and the table of its
 * response.
 */
import type { archiveSpec } from "./archiveFields.ts"

export interface SpecPath {
  /** Path as the specification writes it. */
  readonly path: string
  readonly spec: keyof typeof archiveSpec
  /** Values of the path parameters, in order. */
  readonly of?: ReadonlyArray<string>
  readonly query?: string
}

const GAME = "cs2-match-1001-map-1"
const MATCH = "cs2-match-1001"

const games = ["/cs2/games/{gameId}", "/cs2/maps/{mapId}"]

const events = (root: string): ReadonlyArray<SpecPath> => [
  { path: `${root}/live`, spec: "events" },
  { path: `${root}/upcoming`, spec: "events" },
  { path: `${root}/recent`, spec: "events" },
  { path: `${root}/calendar`, spec: "calendar" },
  { path: `${root}/active`, spec: "active" },
  { path: root, spec: "events" },
]

export const specPaths: ReadonlyArray<SpecPath> = [
  { path: "/cs2", spec: "overview" },
  { path: "/cs2/status/sync", spec: "sync" },
  { path: "/cs2/changelog", spec: "changelog" },
  { path: "/cs2/webhooks", spec: "webhooks" },
  { path: "/cs2/webhooks/events", spec: "webhooks" },
  { path: "/cs2/search", spec: "found", query: "q=alpha" },
  { path: "/cs2/autocomplete", spec: "found", query: "q=p10" },
  { path: "/cs2/weapons", spec: "weapons" },
  { path: "/cs2/regions", spec: "regions" },
  { path: "/cs2/leagues", spec: "events" },
  { path: "/cs2/maps", spec: "mapCatalog" },
  { path: "/cs2/map-pool", spec: "mapPool" },
  { path: "/cs2/maps/pool", spec: "mapPool" },
  { path: "/cs2/matches/upcoming", spec: "matches" },
  { path: "/cs2/matches/recent", spec: "matches" },
  { path: "/cs2/matches/{matchId}", spec: "match", of: [MATCH] },
  { path: "/cs2/matches/{matchId}/player-stats", spec: "statRows", of: [MATCH] },
  { path: "/cs2/matches/{matchId}/games", spec: "rowsOfOurs", of: [MATCH] },
  { path: "/cs2/matches/{matchId}/maps", spec: "maps", of: [MATCH] },
  { path: "/cs2/matches/{matchId}/demos", spec: "rowsOfOurs", of: [MATCH] },
  { path: "/cs2/games/{gameId}", spec: "game", of: [GAME] },
  { path: "/cs2/games/{gameId}/events", spec: "gameEvents", of: [GAME] },
  ...games.flatMap(
    (root): ReadonlyArray<SpecPath> => [
      { path: `${root}/stats`, spec: "statRows", of: [GAME] },
      { path: `${root}/player-stats`, spec: "statRows", of: [GAME] },
      { path: `${root}/rounds`, spec: "rowsOfOurs", of: [GAME] },
    ],
  ),
  ...["rating", "adr", "kast", "kd", "kills", "opening-kills"].map(
    (metric): SpecPath => ({
      path: "/cs2/leaderboards/{metric}",
      spec: "leaderboard",
      of: [metric],
      query: "min_maps=1&window_days=365",
    }),
  ),
  { path: "/cs2/stats/players", spec: "statsPlayers", query: "days=365" },
  { path: "/cs2/stats/teams", spec: "statsTeams", query: "min_maps=1" },
  { path: "/cs2/stats/maps", spec: "statsMaps" },
  { path: "/cs2/stats/weapons", spec: "statsWeapons" },
  { path: "/cs2/stats/pistol-rounds", spec: "pistolRounds", query: "min_maps=1" },
  { path: "/cs2/stats/opening-duels", spec: "openingDuels" },
  { path: "/cs2/stats/clutches", spec: "clutches", query: "min_attempts=1&min_maps=1" },
  { path: "/cs2/stats/flash-assists", spec: "flashAssists" },
  { path: "/cs2/stats/utility", spec: "utility" },
  { path: "/cs2/stats/economy", spec: "economy" },
  ...events("/cs2/events"),
  ...events("/cs2/tournaments"),
  { path: "/cs2/events/{eventId}/participants", spec: "rowsOfOurs", of: ["cs2-event-11"] },
  { path: "/cs2/roster-changes/recent", spec: "rosterChanges" },
  { path: "/cs2/transfers/recent", spec: "transfers" },
  { path: "/cs2/transfers", spec: "transfers" },
  { path: "/cs2/rankings", spec: "ours" },
  { path: "/cs2/rankings/teams", spec: "ours" },
  { path: "/cs2/teams", spec: "rowsOfOurs" },
  { path: "/cs2/teams/{teamIdOrSlug}", spec: "ours", of: ["alpha-wolves"] },
  { path: "/cs2/teams/{teamId}/roster-history", spec: "ours", of: ["cs2-team-1"] },
  { path: "/cs2/teams/{teamId}/trends", spec: "ours", of: ["cs2-team-1"] },
  { path: "/cs2/players", spec: "rowsOfOurs" },
  { path: "/cs2/players/{playerIdOrSlug}", spec: "ours", of: ["p101"] },
  { path: "/cs2/players/{playerIdOrSlug}/stats", spec: "ours", of: ["p101"] },
  { path: "/cs2/players/{playerId}/career", spec: "ours", of: ["cs2-player-101"] },
  { path: "/cs2/players/{playerId}/seasons", spec: "ours", of: ["cs2-player-101"] },
  { path: "/cs2/players/{playerId}/transfers", spec: "ours", of: ["cs2-player-101"] },
]

/** Paths that are not served yet, each with its reason. Should be empty. */
export const knownGaps: Readonly<Record<string, string>> = {}
