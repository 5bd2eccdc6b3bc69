/** Reads tournaments and competitions. `TournamentMatches` reads their matches. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList, readPage } from "@matchpoint/store/paging/listReader"
import { rowsOf, totalOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { TennisCompetition, TennisTournament, TournamentProfile } from "../../contract/http/data/tournamentModels.ts"
import type { Tier } from "../../rules/archive/tiers.ts"
import { competitionNumbers, competitionText, editionText, fitting, named, type TournamentFilter } from "./tournamentSql.ts"

export interface TournamentListFilter extends TournamentFilter, PageWindow {
  readonly text?: string | undefined
  /** Only tournaments that start on this day or later, `YYYY-MM-DD`. */
  readonly from?: string | undefined
  readonly order: "newest" | "earliest"
}

export interface CompetitionFilter extends PageWindow {
  readonly tour?: "atp" | "wta" | undefined
  readonly tier?: Tier | undefined
  readonly text?: string | undefined
  /** Only tournaments that start on this day or later count, `YYYY-MM-DD`. */
  readonly from?: string | undefined
}

const FoundTournament = Schema.Struct({
  id: Schema.String,
  tour: Schema.Literals(["atp", "wta"]),
  tournamentId: Schema.String,
  competitionId: Schema.String,
  startsOn: Schema.String,
  details: TennisTournament,
})
export type FoundTournament = typeof FoundTournament.Type

const EDITIONS = 200

export class TournamentArchive extends Context.Service<
  TournamentArchive,
  {
    readonly list: (filter: TournamentListFilter) => Effect.Effect<Listed<TennisTournament>, StoreError | ForeignCursor>
    /** Competitions with at least one tournament, those with most tournaments in the whole archive first. */
    readonly competitions: (filter: CompetitionFilter) => Effect.Effect<Listed<TennisCompetition>, StoreError | ForeignCursor>
    /** Finds by the id of a tournament, or by that of a competition, which means its newest tournament. */
    readonly find: (reference: string) => Effect.Effect<FoundTournament | undefined, StoreError>
    /** Tournaments of a competition in a year, newest first. */
    readonly inYear: (competitionId: string, year: number) => Effect.Effect<ReadonlyArray<FoundTournament>, StoreError>
    /** Years of a competition since a day, newest first. */
    readonly years: (competitionId: string, from: string | undefined) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** With its competition and its editions from the day `from` on. Undefined if it was removed since. */
    readonly profile: (found: FoundTournament, from: string | undefined) => Effect.Effect<TournamentProfile | undefined, StoreError>
    /** Tournaments that start on a day and whose matches have no days of their own, by id, at most 100. */
    readonly startingOn: (day: string, tour: "atp" | "wta" | undefined) => Effect.Effect<ReadonlyArray<TennisTournament>, StoreError>
  }
>()("@matchpoint/tennis/archive/tournaments/TournamentArchive") {
  static readonly layer = Layer.effect(
    TournamentArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const row = sql.literal("e.details")
      const foundRow = sql`json_build_object('id', e.id, 'tour', e.tour, 'tournamentId', e.tournament_id,
        'competitionId', e.competition_id, 'startsOn', e.starts_on::text, 'details', ${row}) AS row`
      const startingSince = (from: string | undefined) => (from === undefined ? sql`true` : sql`e.starts_on >= ${from}::date`)

      return TournamentArchive.of({
        list: ({ from, order, text, ...filter }) => {
          const matching =
            text === undefined
              ? sql`true`
              : sql`e.competition_id = ANY (ARRAY(SELECT c.id FROM tennis_competitions c WHERE ${named(sql, text)}))`
          const list = {
            model: TennisTournament,
            order: orders[order],
            from: sql`tennis_tournaments e WHERE ${fitting(sql, filter)} AND ${matching} AND ${startingSince(from)}`,
            of: "tennis_tournaments e",
            key: ["id"],
            row,
          }
          const operation = { name: "TournamentArchive.list", timeout }
          if (text !== undefined || from !== undefined) return readList(sql, list, filter, operation)
          const counted = totalOf(
            sql`SELECT COALESCE(sum(e.tournaments), 0) AS total FROM tennis_tournament_counts e WHERE ${fitting(sql, filter)}`,
          ).pipe(storeOperation("TournamentArchive.count", timeout))
          return Effect.flatMap(readPage(sql, list, filter, operation), (page) => Effect.map(counted, (total) => ({ ...page, total })))
        },
        competitions: ({ from, text, tier, tour, ...window }) =>
          readList(
            sql,
            {
              model: TennisCompetition,
              order: LARGEST,
              from: sql`tennis_competitions c WHERE ${sql.and([
                sql`true`,
                ...(tour === undefined ? [] : [sql`c.tour = ${tour}`]),
                ...(tier === undefined ? [] : [sql`c.tier = ${tier}`]),
                ...(text === undefined ? [] : [named(sql, text)]),
                ...(from === undefined
                  ? []
                  : [sql`c.id = ANY (ARRAY(SELECT e.competition_id FROM tennis_tournaments e WHERE ${startingSince(from)}))`]),
              ])}`,
              of: "tennis_competitions c",
              key: ["id"],
              joins: competitionNumbers(sql, from),
              row: sql.literal(competitionText),
            },
            window,
            { name: "TournamentArchive.competitions", timeout },
          ),
        find: storeFn("TournamentArchive.find", timeout, function* (reference) {
          const [found] = yield* foundTournaments(sql`
            (SELECT ${foundRow} FROM tennis_tournaments e WHERE e.id = ${reference})
            UNION ALL
            (SELECT ${foundRow} FROM tennis_tournaments e WHERE e.competition_id = ${reference} ORDER BY e.starts_on DESC, e.id DESC LIMIT 1)
            LIMIT 1`)
          return found
        }),
        inYear: storeFn("TournamentArchive.inYear", timeout, (competitionId, year) =>
          foundTournaments(sql`
            SELECT ${foundRow} FROM tennis_tournaments e WHERE e.competition_id = ${competitionId} AND e.year = ${year}
            ORDER BY e.starts_on DESC, e.id DESC LIMIT ${EDITIONS}`),
        ),
        years: storeFn("TournamentArchive.years", timeout, (competitionId, from) =>
          rowsOf(Schema.Natural)(sql`
            SELECT to_jsonb(e.year) AS row FROM tennis_tournaments e
            WHERE e.competition_id = ${competitionId} AND ${startingSince(from)} GROUP BY e.year ORDER BY e.year DESC`),
        ),
        profile: storeFn("TournamentArchive.profile", timeout, function* ({ competitionId, id }, from) {
          const editions = sql`COALESCE((
            SELECT jsonb_agg(${sql.literal(editionText("o"))} ORDER BY o.starts_on DESC, o.id DESC)
            FROM (SELECT * FROM tennis_tournaments e WHERE e.competition_id = ${competitionId} AND ${startingSince(from)}
              ORDER BY e.starts_on DESC, e.id DESC LIMIT ${EDITIONS}) o), '[]')`
          const [profile] = yield* profiles(sql`
            SELECT ${row}::jsonb || jsonb_build_object('competition', ${sql.literal(competitionText)},
              'editions', ${editions}) AS row
            FROM tennis_tournaments e JOIN tennis_competitions c ON c.id = e.competition_id ${competitionNumbers(sql, from)}
            WHERE e.id = ${id}`)
          return profile
        }),
        startingOn: storeFn("TournamentArchive.startingOn", timeout, (day, tour) =>
          tournaments(sql`
            SELECT ${row} AS row FROM tennis_tournaments e
            WHERE e.starts_on = ${day}::date AND e.date_is_tournament_start AND ${fitting(sql, { tour })} ORDER BY e.id LIMIT 100`),
        ),
      })
    }),
  )
}

const tournaments = rowsOf(TennisTournament)
const foundTournaments = rowsOf(FoundTournament)
const profiles = rowsOf(TournamentProfile)

const byStart = (name: string, descending: boolean): Order => ({
  name: `tennis-tournaments-${name}`,
  keys: [
    { of: "e.starts_on", type: "date", descending },
    { of: "e.id", type: "text", descending },
  ],
})

const orders = { newest: byStart("newest", true), earliest: byStart("earliest", false) } as const

const LARGEST: Order = {
  name: "tennis-competitions-largest",
  keys: [
    { of: "c.tournaments", type: "bigint", descending: true },
    { of: "c.id", type: "text", descending: true },
  ],
}
