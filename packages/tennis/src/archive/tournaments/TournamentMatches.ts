/** Reads the matches of a tournament or of a day. `TournamentArchive` reads the tournaments themselves. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { MatchEnding } from "../../contract/http/data/matchModels.ts"
import { ScheduledMatch } from "../../contract/http/data/tournamentModels.ts"
import { roundOrder } from "../../rules/archive/draw/draw.ts"
import { hasNoDayText, matchJsonText } from "../matches/matchJson.ts"
import type { FoundTournament } from "./TournamentArchive.ts"

const nullable = Schema.NullOr(Schema.String)

/** A match as far as the draw needs it, in columns: reading them takes a quarter of the time of building JSON. */
const DrawColumns = Schema.Struct({
  ...{ id: Schema.String, round: Schema.String, number: Schema.NullOr(Schema.Finite), score: Schema.String, ending: MatchEnding },
  ...{ winner_id: Schema.String, winner_name: nullable, winner_country: nullable, winner_seed: nullable, winner_entry: nullable },
  ...{ loser_id: Schema.String, loser_name: nullable, loser_country: nullable, loser_seed: nullable, loser_entry: nullable },
})

interface DrawSide {
  readonly id: string
  readonly name: string | null
  readonly country: string | null
  readonly seed: string | null
  readonly entry: string | null
}

export interface DrawRow extends Pick<typeof DrawColumns.Type, "id" | "round" | "number" | "score" | "ending"> {
  readonly winner: DrawSide
  readonly loser: DrawSide
}

export interface DayFilter extends PageWindow {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly tour?: "atp" | "wta" | undefined
}

type Tournament = Pick<FoundTournament, "tour" | "tournamentId">

export class TournamentMatches extends Context.Service<
  TournamentMatches,
  {
    /** Singles matches by match number. */
    readonly all: (tournament: Tournament) => Effect.Effect<ReadonlyArray<DrawRow>, StoreError>
    /** Singles matches by date and round. */
    readonly schedule: (tournament: Tournament, window: PageWindow) => Effect.Effect<Listed<ScheduledMatch>, StoreError | ForeignCursor>
    /** Those of the ids that are ids of archived matches, singles or doubles. */
    readonly archived: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** Matches by tour. Leaves out those that state the start of the tournament as their date. */
    readonly ofDay: (filter: DayFilter) => Effect.Effect<Listed<ScheduledMatch>, StoreError | ForeignCursor>
  }
>()("@matchpoint/tennis/archive/tournaments/TournamentMatches") {
  static readonly layer = Layer.effect(
    TournamentMatches,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const ofMatches = {
        model: ScheduledMatch,
        of: "tennis_matches m",
        key: ["match_id"],
        row: sql.literal(matchJsonText("m", ["'start_time', NULL", "'start_time_known', false"])),
      } as const

      return TournamentMatches.of({
        all: storeFn("TournamentMatches.all", timeout, ({ tour, tournamentId }) =>
          Effect.map(
            Effect.flatMap(
              sql`
                SELECT match_id AS id, round, match_number AS number, score, ending,
                  winner_id, winner_name, winner_country, winner_seed, winner_entry,
                  loser_id, loser_name, loser_country, loser_seed, loser_entry
                FROM tennis_matches WHERE tournament_id = ${tournamentId} AND tour = ${tour} ORDER BY match_number, match_id`,
              decodeColumns,
            ),
            (rows) => rows.map(drawRow),
          ),
        ),
        archived: storeFn("TournamentMatches.archived", timeout, (ids) =>
          Effect.map(
            rowsOf(Schema.String)(sql`
              SELECT to_jsonb(match_id) AS row FROM tennis_matches WHERE ${sql.in("match_id", ids)}
              UNION ALL SELECT to_jsonb(match_id) FROM tennis_doubles_matches WHERE ${sql.in("match_id", ids)}`),
            (found): ReadonlySet<string> => new Set(found),
          ),
        ),
        schedule: ({ tour, tournamentId }, window) =>
          readList(
            sql,
            { ...ofMatches, order: BY_ROUND, from: sql`tennis_matches m WHERE m.tournament_id = ${tournamentId} AND m.tour = ${tour}` },
            window,
            { name: "TournamentMatches.schedule", timeout },
          ),
        ofDay: ({ day, tour, ...window }) =>
          readList(
            sql,
            {
              ...ofMatches,
              order: BY_TOUR,
              from: sql`tennis_matches m WHERE m.match_date = ${day}::date AND NOT (${sql.literal(hasNoDayText("m"))})
                AND ${tour === undefined ? sql`true` : sql`m.tour = ${tour}`}`,
            },
            window,
            { name: "TournamentMatches.ofDay", timeout },
          ),
      })
    }),
  )
}

const decodeColumns = Schema.decodeUnknownEffect(Schema.Array(DrawColumns))

const drawRow = (row: typeof DrawColumns.Type): DrawRow => ({
  id: row.id,
  round: row.round,
  number: row.number,
  score: row.score,
  ending: row.ending,
  winner: { id: row.winner_id, name: row.winner_name, country: row.winner_country, seed: row.winner_seed, entry: row.winner_entry },
  loser: { id: row.loser_id, name: row.loser_name, country: row.loser_country, seed: row.loser_seed, entry: row.loser_entry },
})

const BY_ROUND: Order = {
  name: "tennis-schedule",
  keys: [
    { of: "m.match_date", type: "date" },
    { of: `COALESCE(array_position(ARRAY[${roundOrder.map((round) => `'${round}'`).join(", ")}], m.round), 99)`, type: "bigint" },
    { of: "m.match_id", type: "text" },
  ],
}

const BY_TOUR: Order = {
  name: "tennis-day",
  keys: [
    { of: "m.tour", type: "text" },
    { of: "m.match_id", type: "text" },
  ],
}
