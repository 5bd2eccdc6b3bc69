import { NotFound } from "@matchpoint/contracts/http/errors"
import { listPage, one, reading, storeUnavailable } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import { HeadToHeads } from "../../archive/stats/HeadToHeads.ts"
import { PlayerStats } from "../../archive/stats/PlayerStats.ts"
import type { StatsRows } from "../../archive/stats/ranked.ts"
import { StatsRefresh } from "../../archive/stats/StatsRefresh.ts"
import { TeamAndMapStats } from "../../archive/stats/TeamAndMapStats.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import {
  DEFAULT_MIN_MAPS,
  DEFAULT_WINDOW_DAYS,
  FORM_MATCHES,
  MAX_FORM_MATCHES,
  type StatsQuery,
} from "../../contract/http/data/endpoints/StatsApi.ts"
import type { LeaderboardMetric } from "../../contract/http/data/statsModels.ts"
import { snakeCaseAvailability, statsAnswer } from "./statsAnswer.ts"
import { statsWindow } from "./statsWindow.ts"

/** Which data a list counts. Each list returns its text as `dataScope`. */
const scopes = {
  lines: "player lines of completed maps",
  detailed: "player lines of maps that tell it: parsed demos and match files",
  maps: "completed maps and matches, without forfeits",
  demos: "parsed demos",
  pistols: "rounds 1 and 13 of maps whose rounds are known",
}

/** Every player with at least one clutch attempt is included. */
const DEFAULT_MIN_ATTEMPTS = 1

/** Totals, which grow with the number of maps played. All other metrics are rates. */
const COUNTED_METRICS: ReadonlyArray<LeaderboardMetric> = ["kills", "opening-kills"]

export const StatsHandlers = endpointGroup(
  Cs2Api,
  "cs2-stats",
  Effect.fn(function* (handlers) {
    const players = yield* PlayerStats
    const scene = yield* TeamAndMapStats
    const rivalries = yield* HeadToHeads
    const { state } = yield* StatsRefresh

    const answered = Effect.fnUntraced(function* <A>(
      query: StatsQuery,
      {
        category,
        dataScope,
        minMaps: fewest = DEFAULT_MIN_MAPS.others,
        days = null,
      }: { readonly category: string; readonly dataScope: string; readonly minMaps?: number; readonly days?: number | null },
      read: (page: ReadPage) => Effect.Effect<StatsRows<A>, StoreError>,
    ) {
      const page = listPage(query, dataLimits.stats)
      const window = yield* statsWindow(query, days)
      const minMaps = query.min_maps ?? fewest
      const rows = yield* read({ window, minMaps, limit: page.limit, offset: page.offset })
      return statsAnswer({ category, dataScope, minMaps, page, window }, rows, yield* state)
    })

    const list =
      <A>(
        category: string,
        dataScope: string,
        read: (page: ReadPage) => Effect.Effect<StatsRows<A>, StoreError>,
        defaults: { readonly minMaps?: number; readonly days?: number | null } = {},
      ) =>
      ({ query }: { readonly query: StatsQuery }) =>
        Effect.catchTag(answered(query, { category, dataScope, ...defaults }, read), "StoreError", storeUnavailable)

    return handlers.handleAll({
      leaderboard: reading(function* ({ params: { metric }, query }) {
        const minMaps = COUNTED_METRICS.includes(metric) ? DEFAULT_MIN_MAPS.others : DEFAULT_MIN_MAPS.rates
        const { meta, ...answer } = yield* answered(query, { category: "leaderboards", dataScope: scopes.lines, minMaps }, (page) =>
          players.leaderboard(metric, page),
        )
        return { ...answer, meta: { ...meta, metric, aggregated: true } }
      }),
      players: list("players", scopes.lines, players.players),
      teams: list("teams", scopes.maps, scene.teams, { minMaps: DEFAULT_MIN_MAPS.teams, days: DEFAULT_WINDOW_DAYS }),
      maps: list("maps", scopes.maps, scene.maps, { days: DEFAULT_WINDOW_DAYS }),
      weapons: list("weapons", scopes.demos, scene.weapons),
      pistolRounds: reading(function* ({ query }) {
        const { meta, ...answer } = yield* answered(query, { category: "pistol-rounds", dataScope: scopes.pistols }, scene.pistolRounds)
        // Every map has two pistol rounds.
        return { ...answer, meta: { ...meta, ...snakeCaseAvailability(meta), minPistolRounds: 2 * meta.minMaps } }
      }),
      openingDuels: list("opening-duels", scopes.detailed, players.openingDuels),
      clutches: reading(function* ({ query }) {
        const minAttempts = query.min_attempts ?? DEFAULT_MIN_ATTEMPTS
        const { meta, ...answer } = yield* answered(query, { category: "clutches", dataScope: scopes.detailed }, (page) =>
          players.clutches({ ...page, minAttempts }),
        )
        return { ...answer, meta: { ...meta, ...snakeCaseAvailability(meta), minAttempts } }
      }),
      flashAssists: list("flash-assists", scopes.detailed, players.flashAssists),
      utility: list("utility", scopes.detailed, players.utility),
      economy: list("economy", scopes.detailed, players.economy),
      headToHead: reading(function* ({ query }) {
        const window = yield* statsWindow(query, null)
        const found = yield* rivalries.headToHead(query.team1, query.team2, window)
        if (found === undefined) return yield* NotFound.of("one of the teams is unknown; GET /cs2/search finds teams by name")
        return { ...one(found), meta: { windowDays: window.days } }
      }),
      form: reading(function* ({ query }) {
        const limit = Math.min(query.limit ?? FORM_MATCHES, MAX_FORM_MATCHES)
        const found = yield* rivalries.form(query.team, yield* statsWindow({}, null), limit)
        if (found === undefined) return yield* NotFound.of("no team has this id or slug; GET /cs2/search finds teams by name")
        return { ...one(found), meta: { limit } }
      }),
    })
  }),
)

type ReadPage = Parameters<PlayerStats["Service"]["players"]>[0]
