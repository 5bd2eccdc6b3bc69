/** One archived match by its id, singles or doubles, for the endpoints that also serve live matches. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"

const Player = Schema.Struct({ id: Schema.String, name: Schema.NullOr(Schema.String) })

export const MatchRecord = Schema.Struct({
  matchId: Schema.String,
  tour: Schema.Literals(["atp", "wta"]),
  /** Day such as `2023-07-14`. */
  date: Schema.String,
  dateSource: Schema.NullOr(Schema.String),
  tournamentId: Schema.String,
  tournamentName: Schema.NullOr(Schema.String),
  score: Schema.String,
  ending: Schema.Literals(["completed", "retired", "walkover", "defaulted", "unfinished", "unknown"]),
  scoreProblem: Schema.NullOr(Schema.String),
  winnerGames: Schema.Array(Schema.Natural),
  loserGames: Schema.Array(Schema.Natural),
  /** Points of the side that lost each tie-break. */
  tiebreakPoints: Schema.Array(Schema.NullOr(Schema.Natural)),
  winners: Schema.Array(Player),
  losers: Schema.Array(Player),
})
export type MatchRecord = typeof MatchRecord.Type

/** A tournament in one year. `id` has no tour: `2023-580`. */
export const TournamentKey = Schema.Struct({ tour: Schema.Literals(["atp", "wta"]), id: Schema.String })
export type TournamentKey = typeof TournamentKey.Type

const common = `
  match_id AS "matchId", tour, match_date::text AS date, date_source AS "dateSource", tournament_id AS "tournamentId",
  tournament_name AS "tournamentName", score, ending, score_problem AS "scoreProblem",
  to_jsonb(winner_games) AS "winnerGames", to_jsonb(loser_games) AS "loserGames", to_jsonb(tiebreak_points) AS "tiebreakPoints"`

const players = (...columns: ReadonlyArray<string>): string =>
  `jsonb_build_array(${columns.map((column) => `jsonb_build_object('id', ${column}_id, 'name', ${column}_name)`).join(", ")})`

const singles = `${common}, ${players("winner")} AS winners, ${players("loser")} AS losers`
const doubles = `${common}, ${players("winner1", "winner2")} AS winners, ${players("loser1", "loser2")} AS losers`

export class TennisMatchRecords extends Context.Service<
  TennisMatchRecords,
  {
    readonly find: (matchId: string) => Effect.Effect<Option.Option<MatchRecord>, StoreError>
    /** Competition to which a tournament belongs. None if the archive has no such tournament. */
    readonly competitionIdOf: (tournament: TournamentKey) => Effect.Effect<Option.Option<string>, StoreError>
  }
>()("@matchpoint/tennis/archive/live/TennisMatchRecords") {
  static readonly layer = Layer.effect(
    TennisMatchRecords,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const select = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: MatchRecord,
        execute: (matchId) => sql`
          SELECT ${sql.literal(singles)} FROM tennis_matches WHERE match_id = ${matchId}
          UNION ALL
          SELECT ${sql.literal(doubles)} FROM tennis_doubles_matches WHERE match_id = ${matchId}`,
      })
      const selectCompetition = SqlSchema.findOneOption({
        Request: TournamentKey,
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ id, tour }) => sql`SELECT competition_id AS id FROM tennis_tournaments WHERE id = ${`${tour}_${id}`}`,
      })
      return TennisMatchRecords.of({
        find: Effect.fn("TennisMatchRecords.find")((matchId) => select(matchId), storeOperation("TennisMatchRecords.find", limit)),
        competitionIdOf: storeFn("TennisMatchRecords.competitionIdOf", limit, (tournament) =>
          Effect.map(
            selectCompetition(tournament),
            Option.map(({ id }) => id),
          ),
        ),
      })
    }),
  )
}
