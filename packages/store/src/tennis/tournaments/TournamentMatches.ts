/** Reads the matches of a tournament or of a day. `TournamentArchive` reads the tournaments themselves. */
import { PgClient } from "@effect/sql-pg"
import { MatchEnding } from "@matchpoint/contracts/http/tennis/data/matchModels"
import { ScheduledMatch } from "@matchpoint/contracts/http/tennis/data/tournamentModels"
import { roundOrder } from "@matchpoint/domain/tennis/archive/draw/draw"
import { Context, Effect, Layer, Schema } from "effect"
import type { Order } from "../../paging/cursor.ts"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "../../paging/listReader.ts"
import { rowsOf } from "../../reading.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"
import { matchJsonText } from "../matches/matchJson.ts"
import type { FoundTournament } from "./TournamentArchive.ts"

const Side = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  seed: Schema.NullOr(Schema.String),
  entry: Schema.NullOr(Schema.String),
})

/** A match as far as the draw needs it. */
const DrawRow = Schema.Struct({
  id: Schema.String,
  round: Schema.String,
  number: Schema.NullOr(Schema.Finite),
  score: Schema.String,
  ending: MatchEnding,
  winner: Side,
  loser: Side,
})
export type DrawRow = typeof DrawRow.Type

export interface DayFilter extends PageWindow {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly tour?: "atp" | "wta" | undefined
}

type Tournament = Pick<FoundTournament, "tour" | "tournamentId">

export class TournamentMatches extends Context.Service<
  TournamentMatches,
  {
    /** Returns all singles matches of a tournament by match number. */
    readonly all: (tournament: Tournament) => Effect.Effect<ReadonlyArray<DrawRow>, StoreError>
    /** Lists the singles matches of a tournament by date and round. */
    readonly schedule: (tournament: Tournament, window: PageWindow) => Effect.Effect<Listed<ScheduledMatch>, StoreError | ForeignCursor>
    /** Lists the matches of a day by tour. Leaves out matches that state the start of the tournament as their date. */
    readonly ofDay: (filter: DayFilter) => Effect.Effect<Listed<ScheduledMatch>, StoreError | ForeignCursor>
  }
>()("@matchpoint/store/tennis/tournaments/TournamentMatches") {
  static readonly layer = Layer.effect(
    TournamentMatches,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const ofMatches = {
        model: ScheduledMatch,
        of: "tennis_matches m",
        key: ["match_id"],
        row: sql.literal(`${matchJsonText("m")} || '{"start_time": null, "start_time_known": false}'`),
      } as const

      return TournamentMatches.of({
        all: Effect.fn("TournamentMatches.all")(
          ({ tour, tournamentId }) =>
            drawRows(sql`
              SELECT jsonb_build_object('id', m.match_id, 'round', m.round, 'number', m.match_number, 'score', m.score, 'ending', m.ending,
                'winner', ${sql.literal(sideText("winner"))}, 'loser', ${sql.literal(sideText("loser"))}) AS row
              FROM tennis_matches m WHERE m.tournament_id = ${tournamentId} AND m.tour = ${tour} ORDER BY m.match_number, m.match_id`),
          storeOperation("TournamentMatches.all", timeout),
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
              from: sql`tennis_matches m WHERE m.match_date = ${day}::date AND NOT m.date_is_tournament_start
                AND ${tour === undefined ? sql`true` : sql`m.tour = ${tour}`}`,
            },
            window,
            { name: "TournamentMatches.ofDay", timeout },
          ),
      })
    }),
  )
}

const drawRows = rowsOf(DrawRow)

const sideText = (side: "winner" | "loser"): string =>
  `jsonb_build_object('id', m.${side}_id, 'name', m.${side}_name, 'country', m.${side}_country, 'seed', m.${side}_seed, 'entry', m.${side}_entry)`

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
