/**
 * Statistics and leaderboards over a window of days. Most are recomputed hourly and after each import;
 * `meta.availability` contains the time of the computation. `rules/statistics` defines the statistics of a single map.
 */
import { NoMeta, success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { archiveErrors, describe, limitOf, offsetQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TeamReference } from "../references.ts"
import {
  ClutchesMeta,
  ClutchesRow,
  EconomyRow,
  FlashAssistsRow,
  HeadToHeadStats,
  LeaderboardMeta,
  LeaderboardMetric,
  LeaderboardRow,
  MapStatsRow,
  OpeningDuelsRow,
  PistolRoundsMeta,
  PistolRoundsRow,
  PlayerStatsRow,
  StatsMeta,
  TeamForm,
  TeamStatsRow,
  UtilityRow,
  WeaponStatsRow,
} from "../statsModels.ts"

/** In days. A longer window covers the whole archive. */
export const MAX_WINDOW_DAYS = 365

/** Default of `/cs2/stats/teams` and `/cs2/stats/maps`, in days. Otherwise it is the whole archive. */
export const DEFAULT_WINDOW_DAYS = 365
/** Least number of maps of a row. `rates` is for rankings by a rate or rating, not meaningful over a few maps. */
export const DEFAULT_MIN_MAPS = { teams: 10, rates: 5, others: 1 } as const

/** Default `limit` of `/cs2/stats/form`. `MAX_FORM_MATCHES` is the largest value allowed. */
export const FORM_MATCHES = 10
export const MAX_FORM_MATCHES = 50

const Days = wholeNumber({ minimum: 1, maximum: 36_500 })
const Minimum = wholeNumber({ minimum: 0, maximum: 1_000_000 })

const WINDOW = `Length of the window in days, ending today. More than ${MAX_WINDOW_DAYS} selects the whole archive. A window longer than your plan's history is rejected with 403 \`HISTORY_LIMIT\``

const window = {
  days: Schema.optionalKey(Days.annotate({ description: WINDOW })),
  window_days: Schema.optionalKey(Days.annotate({ description: "Alias of `days`; takes precedence over it" })),
} as const

const minMaps = {
  min_maps: Schema.optionalKey(Minimum.annotate({ description: "Minimum number of maps in the window; rows with fewer are left out" })),
} as const

const listQuery = { ...offsetQuery, ...window, ...minMaps } as const
export const statsQuery = Schema.Struct(listQuery)
export type StatsQuery = typeof statsQuery.Type

const describeList = (order: string, scope: string) =>
  `${order} ${scope} Forfeits do not count. \`limit\` is at most 200. The default window is never longer than your plan's history. \`meta.windowDays\` is the window used; null means the whole archive. ` +
  "If there are no statistics, `data` is empty, `meta.dataAvailable` is false and `meta.unavailableReason` gives the reason."

const whole = "Default window: the whole archive."
const year = `Default window: ${DEFAULT_WINDOW_DAYS} days.`

const list = <Name extends string, Path extends `/${string}`, Row extends Schema.Top>(
  name: Name,
  path: Path,
  row: Row,
  [summary, order, scope]: readonly [string, string, string],
) =>
  HttpApiEndpoint.get(name, path, {
    query: listQuery,
    success: success(Schema.Array(row), StatsMeta),
    error: archiveErrors,
  }).annotateMerge(describe(summary, describeList(order, scope)))

export class StatsApi extends HttpApiGroup.make("cs2-stats")
  .add(
    HttpApiEndpoint.get("leaderboard", "/cs2/leaderboards/:metric", {
      params: { metric: LeaderboardMetric },
      query: listQuery,
      success: success(Schema.Array(LeaderboardRow), LeaderboardMeta),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Leaderboard",
        describeList(
          `Players, highest \`metric\` first. Rates are weighted by rounds, over the maps for which they are known. Players without such a map are left out. Default of \`min_maps\`: ${DEFAULT_MIN_MAPS.rates} for \`rating\`, \`adr\`, \`kast\` and \`kd\`, otherwise ${DEFAULT_MIN_MAPS.others}.`,
          whole,
        ),
      ),
    ),
  )
  .add(list("players", "/cs2/stats/players", PlayerStatsRow, ["Player statistics", "Players, most kills first.", whole]))
  .add(
    list("teams", "/cs2/stats/teams", TeamStatsRow, [
      "Team statistics",
      `Teams, best \`matchWinPercent\` first. Default of \`min_maps\`: ${DEFAULT_MIN_MAPS.teams}.`,
      year,
    ]),
  )
  .add(
    list("maps", "/cs2/stats/maps", MapStatsRow, [
      "Map statistics",
      "Maps, most played first. `share` is relative to all maps played.",
      year,
    ]),
  )
  .add(
    list("weapons", "/cs2/stats/weapons", WeaponStatsRow, [
      "Weapon statistics",
      "Weapons, most kills first, from parsed demos only. `killShare` is relative to all kills in these demos.",
      whole,
    ]),
  )
  .add(
    HttpApiEndpoint.get("pistolRounds", "/cs2/stats/pistol-rounds", {
      query: listQuery,
      success: success(Schema.Array(PistolRoundsRow), PistolRoundsMeta),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Pistol rounds",
        describeList("Teams, best `pistolWinPercent` first, over rounds 1 and 13 of maps whose rounds are known.", whole),
      ),
    ),
  )
  .add(
    list("openingDuels", "/cs2/stats/opening-duels", OpeningDuelsRow, [
      "Opening duels",
      "Players, most opening kills (first kill of a round) first, over the maps for which they are known.",
      whole,
    ]),
  )
  .add(
    HttpApiEndpoint.get("clutches", "/cs2/stats/clutches", {
      query: {
        ...listQuery,
        min_attempts: Schema.optionalKey(
          Minimum.annotate({ description: "Minimum number of clutches; players with fewer are left out. Default 1" }),
        ),
      },
      success: success(Schema.Array(ClutchesRow), ClutchesMeta),
      error: archiveErrors,
    }).annotateMerge(describe("Clutches", describeList("Players, most clutches won first; `clutchWinPercent` is 0 to 100.", whole))),
  )
  .add(list("flashAssists", "/cs2/stats/flash-assists", FlashAssistsRow, ["Flash assists", "Players, most flash assists first.", whole]))
  .add(list("utility", "/cs2/stats/utility", UtilityRow, ["Utility", "Players, most grenades thrown first. Updated hourly.", whole]))
  .add(list("economy", "/cs2/stats/economy", EconomyRow, ["Economy", "Players, highest total spend first. Updated hourly.", whole]))
  .add(
    HttpApiEndpoint.get("headToHead", "/cs2/stats/head-to-head", {
      query: { team1: TeamReference, team2: TeamReference, ...window },
      success: success(HeadToHeadStats, Schema.Struct({ ...NoMeta.fields, windowDays: StatsMeta.fields.windowDays })),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe(
        "Head-to-head",
        `Matches, maps and rounds that two teams played against each other, in total and by map. ${whole} Computed at the time of the request.`,
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("form", "/cs2/stats/form", {
      query: { team: TeamReference, limit: limitOf(FORM_MATCHES) },
      success: success(
        TeamForm,
        Schema.Struct({ limit: Schema.Natural.annotate({ description: "Maximum number of matches considered" }) }),
      ),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe(
        "Form",
        `Newest matches and current streak of a team. Default of \`limit\`: ${FORM_MATCHES}; at most ${MAX_FORM_MATCHES}. Computed at the time of the request.`,
      ),
    ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(
    OpenApi.annotations({ title: "CS2 statistics", description: "Leaderboards and statistics of players, teams, maps and weapons." }),
  ) {}
