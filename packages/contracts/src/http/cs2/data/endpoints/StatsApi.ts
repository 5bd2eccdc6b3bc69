/**
 * Statistics and leaderboards over the maps of the archive: sums and rates of a window of days. They are computed hourly and after
 * imports; `meta.availability` says when. Definitions of a single map's numbers are the domain's (`cs2/statistics`).
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { NoMeta, success, wholeNumber } from "../../../envelope.ts"
import { NotFound } from "../../../errors.ts"
import { archiveErrors, describe, limitOf, offsetQuery } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
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

/** Windows up to so many days are kept to the day; longer ones are the whole archive. */
export const MAX_WINDOW_DAYS = 365

/** Of `/cs2/stats/teams` and `/cs2/stats/maps`; the whole archive everywhere else. */
export const DEFAULT_WINDOW_DAYS = 365
/** `rates`: of leaderboards by a rate or a rating, which a few maps say little about. */
export const DEFAULT_MIN_MAPS = { teams: 10, rates: 5, others: 1 } as const

/** Of `/cs2/stats/form`: when nobody says, and at most. */
export const FORM_MATCHES = 10
export const MAX_FORM_MATCHES = 50

const Days = wholeNumber({ minimum: 1, maximum: 36_500 })
const Minimum = wholeNumber({ minimum: 0, maximum: 1_000_000 })

const WINDOW = `The newest days that count, exact up to ${MAX_WINDOW_DAYS}; more is the whole archive. Not more than the plan's history (403 \`HISTORY_LIMIT\`)`

const window = {
  days: Schema.optionalKey(Days.annotate({ description: WINDOW })),
  window_days: Schema.optionalKey(Days.annotate({ description: "The same as `days`, and wins over it" })),
} as const

const minMaps = {
  min_maps: Schema.optionalKey(Minimum.annotate({ description: "Leaves out whoever has fewer maps in the window" })),
} as const

const listQuery = { ...offsetQuery, ...window, ...minMaps } as const
export const statsQuery = Schema.Struct(listQuery)
export type StatsQuery = typeof statsQuery.Type

/** The words that all of them share. */
const told = (order: string, scope: string) =>
  `${order} ${scope} Forfeits do not count. \`limit\` is at most 200. Without \`days\` as far back as the plan looks; \`meta.windowDays\` says what was taken, null being the whole archive. ` +
  "Where there is nothing to tell, `data` is empty and `meta.dataAvailable` false with the reason."

const whole = "Over the whole archive unless `days` says otherwise."
const year = `Over ${DEFAULT_WINDOW_DAYS} days unless \`days\` says otherwise.`

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
  }).annotateMerge(describe(summary, told(order, scope)))

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
        told(
          `Players, highest \`metric\` first. Rates are weighted by rounds, over the maps that tell them. Players without such a map are left out. Without \`min_maps\`, leaderboards by \`rating\`, \`adr\`, \`kast\` and \`kd\` take ${DEFAULT_MIN_MAPS.rates} maps at least.`,
          whole,
        ),
      ),
    ),
  )
  .add(list("players", "/cs2/stats/players", PlayerStatsRow, ["Player statistics", "Players, most kills first.", whole]))
  .add(
    list("teams", "/cs2/stats/teams", TeamStatsRow, [
      "Team statistics",
      `Teams, best \`matchWinPercent\` first, with \`min_maps\` ${DEFAULT_MIN_MAPS.teams} unless it says otherwise.`,
      year,
    ]),
  )
  .add(list("maps", "/cs2/stats/maps", MapStatsRow, ["Map statistics", "Maps, most played first; `share` is of all maps played.", year]))
  .add(
    list("weapons", "/cs2/stats/weapons", WeaponStatsRow, [
      "Weapon statistics",
      "Weapons of parsed demos, most kills first; `killShare` is of all their kills.",
      whole,
    ]),
  )
  .add(
    HttpApiEndpoint.get("pistolRounds", "/cs2/stats/pistol-rounds", {
      query: listQuery,
      success: success(Schema.Array(PistolRoundsRow), PistolRoundsMeta),
      error: archiveErrors,
    }).annotateMerge(
      describe("Pistol rounds", told("Teams, best `pistolWinPercent` first, over rounds 1 and 13 of maps whose rounds are known.", whole)),
    ),
  )
  .add(
    list("openingDuels", "/cs2/stats/opening-duels", OpeningDuelsRow, [
      "Opening duels",
      "Players, most first kills of a round first, over the maps that tell them.",
      whole,
    ]),
  )
  .add(
    HttpApiEndpoint.get("clutches", "/cs2/stats/clutches", {
      query: {
        ...listQuery,
        min_attempts: Schema.optionalKey(Minimum.annotate({ description: "Leaves out whoever was in fewer clutches; default 1" })),
      },
      success: success(Schema.Array(ClutchesRow), ClutchesMeta),
      error: archiveErrors,
    }).annotateMerge(describe("Clutches", told("Players, most clutches won first; `clutchWinPercent` is 0 to 100.", whole))),
  )
  .add(
    list("flashAssists", "/cs2/stats/flash-assists", FlashAssistsRow, [
      "Flash assists",
      "Players, most kills of enemies they had blinded first.",
      whole,
    ]),
  )
  .add(list("utility", "/cs2/stats/utility", UtilityRow, ["Utility", "Players, most grenades thrown first. Updated hourly.", whole]))
  .add(list("economy", "/cs2/stats/economy", EconomyRow, ["Economy", "Players, highest spending first. Updated hourly.", whole]))
  .add(
    HttpApiEndpoint.get("headToHead", "/cs2/stats/head-to-head", {
      query: { team1: TeamReference, team2: TeamReference, ...window },
      success: success(HeadToHeadStats, Schema.Struct({ ...NoMeta.fields, windowDays: StatsMeta.fields.windowDays })),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe("Head-to-head", `Matches, maps and rounds two teams played against each other, by map too. ${whole} As it is now.`),
    ),
  )
  .add(
    HttpApiEndpoint.get("form", "/cs2/stats/form", {
      query: { team: TeamReference, limit: limitOf(FORM_MATCHES) },
      success: success(TeamForm, Schema.Struct({ limit: Schema.Natural.annotate({ description: "Matches it looks at, at most" }) })),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe(
        "Form",
        `A team's newest matches and its streak; \`limit\` is ${FORM_MATCHES} unless named and at most ${MAX_FORM_MATCHES}. As it is now.`,
      ),
    ),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 statistics", description: "Leaderboards and statistics of the scene." })) {}
