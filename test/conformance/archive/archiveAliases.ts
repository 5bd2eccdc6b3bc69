/**
 * Requests that must return the same response: paths that the specification calls equivalent, spellings of one
 * parameter, ids and slugs. Data only.
 */

export interface Alike {
  readonly path: string
  readonly as: string
}

const ofMap = ["stats", "player-stats"].flatMap((name) => ["games", "maps"].map((root) => `/cs2/${root}/cs2-match-1001-map-1/${name}`))
const [mainStats = "", ...otherStats] = ofMap

const events = [
  "",
  "?limit=2&page=2",
  "?summary=true",
  "?fields=name,tier",
  "?status=completed",
  "?tier=S",
  "/live",
  "/upcoming",
  "/recent",
  "/calendar",
  "/calendar?status=completed",
  "/active",
  "/active?includeUpcoming=false",
  "/cs2-event-11",
  "/winter-cup-2026",
  "/cs2-event-11/participants",
  "/cs2-event-11/matches",
  "/cs2-event-11/standings",
].map((rest): Alike => ({ path: `/cs2/events${rest}`, as: `/cs2/tournaments${rest}` }))

const transfers = ["", "?limit=2", "?include_undated=true", "?team=cs2-team-2", "?player=p205", "?status=left", "?from_team=delta"].map(
  (query): Alike => ({ path: `/cs2/transfers${query}`, as: `/cs2/transfers/recent${query}` }),
)

/** Pairs of requests with the two names of one parameter, for paths that accept both. */
const spelled = (path: string, [name, other]: readonly [string, string], values: ReadonlyArray<string | number>) =>
  values.map((value): Alike => ({ path: `${path}?${name}=${value}`, as: `${path}?${other}=${value}` }))

const statistics = [
  "players",
  "teams",
  "maps",
  "weapons",
  "pistol-rounds",
  "opening-duels",
  "clutches",
  "flash-assists",
  "utility",
  "economy",
]
const windows = ["/cs2/leaderboards/adr", ...statistics.map((name) => `/cs2/stats/${name}`)].flatMap((path) =>
  spelled(path, ["days", "window_days"], [20, 45]),
)

const scheduled = ["/cs2/events", "/cs2/tournaments", "/cs2/events/calendar", "/cs2/tournaments/calendar", "/cs2/matches"].map(
  (path): Alike => ({ path: `${path}?status=upcoming`, as: `${path}?status=scheduled` }),
)

export const alike: ReadonlyArray<Alike> = [
  ...otherStats.map((as): Alike => ({ path: mainStats, as })),
  { path: "/cs2/games/cs2-match-1001-map-1/rounds", as: "/cs2/maps/cs2-match-1001-map-1/rounds" },
  { path: "/cs2/games/cs2-match-1001-map-2/rounds", as: "/cs2/maps/cs2-match-1001-map-2/rounds" },
  { path: "/cs2/map-pool", as: "/cs2/maps/pool" },
  { path: "/cs2/webhooks", as: "/cs2/webhooks/events" },
  { path: "/cs2/search?q=alpha&limit=7", as: "/cs2/autocomplete?q=alpha&limit=7" },
  ...events,
  ...transfers,
  ...["/cs2/events/active", "/cs2/tournaments/active"].flatMap((path) => [
    ...spelled(path, ["includeUpcoming", "include_upcoming"], ["false", "true"]),
    ...spelled(path, ["upcomingLimit", "upcoming_limit"], [0, 1, 2]),
  ]),
  ...["/cs2/transfers", "/cs2/transfers/recent"].flatMap((path) => [
    ...spelled(path, ["player_id", "player"], ["cs2-player-205", "p205"]),
    ...spelled(path, ["team_id", "team"], ["cs2-team-2", "team-bravo"]),
  ]),
  ...windows,
  ...scheduled,
  { path: "/cs2/rankings", as: "/cs2/rankings?source=world" },
  { path: "/cs2/rankings/teams", as: "/cs2/rankings?source=vrs" },
  { path: "/cs2/rankings?region=europe", as: "/cs2/rankings?source=vrs&region=europe" },
]

/** Slug of one entity each, by id. */
export const slugs: Readonly<Record<string, string>> = {
  "cs2-team-1": "alpha-wolves",
  "cs2-team-2": "team-bravo",
  "cs2-player-101": "p101",
  "cs2-event-11": "winter-cup-2026",
  "cs2-skin-1": "ak-47-redline-field-tested",
}

/** Entity of the sample by parameter name. Each has data that refers to it. */
export const references: Readonly<Record<string, string>> = {
  team: "cs2-team-1",
  team1: "cs2-team-1",
  team2: "cs2-team-2",
  team_id: "cs2-team-2",
  teamId: "cs2-team-1",
  from_team: "cs2-team-2",
  to_team: "cs2-team-2",
  player: "cs2-player-101",
  player_id: "cs2-player-101",
  playerId: "cs2-player-101",
  event: "cs2-event-11",
}

export const flags = [
  ["true", "1", "yes"],
  ["false", "0", "no"],
] as const
