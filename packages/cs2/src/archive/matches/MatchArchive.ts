/** Reads matches in the format of API responses. `GameArchive` reads their maps, `ArchiveWriter` writes them. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Demo, MatchDetail, MatchResult, TeamsHeadToHead } from "../../contract/http/data/matchModels.ts"
import { type EventTier, type MatchStatus, MatchSummary } from "../../contract/http/data/models.ts"
import { matchJoins, matchJson, teamJson } from "../fragments.ts"
import { eventNumberOf, teamNumberOf } from "../references.ts"
import { demoLinksJson, headToHeadJson, matchDetailJson, matchResultJson } from "./matchFragments.ts"

/** `from` and `to` bound the start, inclusive. `team` and `event` are ids or slugs: unknown ones give an empty list. */
export interface MatchFilter extends PageWindow {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly team?: string | undefined
  readonly event?: string | undefined
  readonly tier?: typeof EventTier.Type | undefined
  readonly bestOf?: number | undefined
}

export interface Rows<A> {
  readonly rows: ReadonlyArray<A>
  /** Number of rows on all pages together. */
  readonly total: number
}

/** Matches between two teams, given by id or slug. The time bounds are inclusive. */
export interface HeadToHeadFilter {
  readonly team1: string
  readonly team2: string
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export class MatchArchive extends Context.Service<
  MatchArchive,
  {
    /** Lists upcoming matches, soonest first. */
    readonly upcoming: (filter: MatchFilter) => Effect.Effect<Listed<MatchSummary>, StoreError | ForeignCursor>
    /** Lists matches, latest start first. If `status` is undefined, the list includes matches of every status. */
    readonly list: (
      filter: MatchFilter & { readonly status?: MatchStatus | undefined },
    ) => Effect.Effect<Listed<MatchResult>, StoreError | ForeignCursor>
    /** Returns the actual start time of a match, or the scheduled one if the match has not started. */
    readonly startOf: (matchNumber: number) => Effect.Effect<Option.Option<Date>, StoreError>
    /** With all details. The record of earlier matches between the teams covers those that started at or after `since`. */
    readonly find: (matchNumber: number, since?: Date) => Effect.Effect<Option.Option<MatchDetail>, StoreError>
    readonly demosOf: (matchNumber: number) => Effect.Effect<ReadonlyArray<Demo>, StoreError>
    /** Returns the record of the matches between two teams, or none if a team is unknown. */
    readonly headToHead: (filter: HeadToHeadFilter) => Effect.Effect<Option.Option<TeamsHeadToHead>, StoreError>
  }
>()("@matchpoint/cs2/archive/matches/MatchArchive") {
  static readonly layer = Layer.effect(
    MatchArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const where = ({ bestOf, event, from, status, team, tier, to }: MatchFilter & { readonly status?: MatchStatus | undefined }) => {
        const conditions: Array<Fragment> = [sql.literal("true")]
        if (status !== undefined) conditions.push(sql`s.status = ${status}`)
        if (from !== undefined) conditions.push(sql`s.starts_at >= ${from}`)
        if (to !== undefined) conditions.push(sql`s.starts_at <= ${to}`)
        // Two conditions instead of IN, so that PostgreSQL can use the index of each column.
        if (team !== undefined)
          conditions.push(sql`(s.team1_number = ${teamNumberOf(sql, team)} OR s.team2_number = ${teamNumberOf(sql, team)})`)
        if (event !== undefined) conditions.push(sql`s.event_number = ${eventNumberOf(sql, event)}`)
        if (tier !== undefined) conditions.push(sql`s.event_number IN (SELECT event_number FROM cs2_events WHERE tier = ${tier})`)
        if (bestOf !== undefined) conditions.push(sql`s.best_of = ${bestOf}`)
        return sql.and(conditions)
      }

      const listOf =
        <A, I>(name: string, model: Schema.Codec<A, I>, row: Fragment, order: Order) =>
        (filter: MatchFilter & { readonly status?: MatchStatus | undefined }) =>
          readList(
            sql,
            { model, order, ...ofMatches, from: sql`cs2_series s WHERE ${where(filter)}`, joins: matchJoins(sql), row },
            filter,
            { name: `MatchArchive.${name}`, timeout },
          )
      const soonest = listOf("upcoming", MatchSummary, matchJson(sql, "s", "t1", "t2", "e"), matchesSoonest)

      const selectStart = (matchNumber: number) =>
        Effect.map(
          Effect.flatMap(sql`SELECT starts_at AS "startsAt" FROM cs2_series WHERE match_number = ${matchNumber}`, decodeStart),
          (rows) => Option.map(Arr.head(rows), ({ startsAt }) => startsAt),
        )

      const selectOne = (matchNumber: number, since?: Date) =>
        Effect.map(
          rowsOf(MatchDetail)(
            sql`SELECT ${matchDetailJson(sql, since)} AS row FROM cs2_series s ${matchJoins(sql)} WHERE s.match_number = ${matchNumber}`,
          ),
          Arr.head,
        )

      const selectDemos = (matchNumber: number) =>
        rowsOf(Demo)(sql`
          SELECT jsonb_build_object('entityType', 'cs2_demo', 'matchId', cs2_match_id(s.match_number)) || link.d AS row
          FROM cs2_series s, jsonb_array_elements(${demoLinksJson(sql)}) WITH ORDINALITY AS link (d, place)
          WHERE s.match_number = ${matchNumber} ORDER BY link.place`)

      const selectHeadToHead = ({ from, team1, team2, to }: HeadToHeadFilter) =>
        Effect.map(
          rowsOf(TeamsHeadToHead)(sql`
            SELECT jsonb_build_object('entityType', 'cs2_head_to_head', 'team1', ${teamJson(sql, "a")}, 'team2', ${teamJson(sql, "b")})
              || ${headToHeadJson(sql, "a.team_number", "b.team_number", [
                ...(from === undefined ? [] : [sql`m.starts_at >= ${from}`]),
                ...(to === undefined ? [] : [sql`m.starts_at <= ${to}`]),
              ])} AS row
            FROM cs2_teams a, cs2_teams b
            WHERE a.team_number = ${teamNumberOf(sql, team1)} AND b.team_number = ${teamNumberOf(sql, team2)}`),
          Arr.head,
        )

      return MatchArchive.of({
        upcoming: (filter) => soonest({ ...filter, status: "upcoming" }),
        list: listOf("list", MatchResult, matchResultJson(sql), matchesLatest),
        startOf: storeFn("MatchArchive.startOf", timeout, selectStart),
        find: storeFn("MatchArchive.find", timeout, selectOne),
        demosOf: storeFn("MatchArchive.demosOf", timeout, selectDemos),
        headToHead: storeFn("MatchArchive.headToHead", timeout, selectHeadToHead),
      })
    }),
  )
}

const decodeStart = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ startsAt: Schema.Date })))

export const ofMatches = { of: "cs2_series s", key: ["match_number"] } as const

export const matchesSoonest: Order = {
  name: "matches-soonest",
  keys: [
    { of: "s.starts_at", type: "timestamptz" },
    { of: "s.match_number", type: "bigint" },
  ],
}

const matchesLatest: Order = {
  name: "matches-latest",
  keys: [
    { of: "s.starts_at", type: "timestamptz", descending: true },
    { of: "s.match_number", type: "bigint", descending: true },
  ],
}
