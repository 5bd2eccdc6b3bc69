/** Reads one archived match by its id, singles or doubles, for the endpoints that also serve live matches. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"

const Player = Schema.Struct({ id: Schema.String, name: Schema.NullOr(Schema.String) })

export const MatchRecord = Schema.Struct({
  matchId: Schema.String,
  tour: Schema.Literals(["atp", "wta"]),
  /** Day of the match, such as `2023-07-14`. */
  date: Schema.String,
  dateSource: Schema.NullOr(Schema.String),
  tournamentId: Schema.String,
  tournamentName: Schema.NullOr(Schema.String),
  tournamentLevel: Schema.NullOr(Schema.String),
  score: Schema.String,
  ending: Schema.Literals(["completed", "retired", "walkover", "defaulted", "unfinished", "unknown"]),
  scoreProblem: Schema.NullOr(Schema.String),
  winnerGames: Schema.Array(Schema.Natural),
  loserGames: Schema.Array(Schema.Natural),
  /** Points of the side that lost each tie-break. */
  tiebreakPoints: Schema.Array(Schema.NullOr(Schema.Natural)),
  /** Players of the winning and of the losing side. */
  winners: Schema.Array(Player),
  losers: Schema.Array(Player),
})
export type MatchRecord = typeof MatchRecord.Type

/** A tournament in one year. `id` has no tour: `2023-580`. */
export const TournamentName = Schema.Struct({
  tour: Schema.Literals(["atp", "wta"]),
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  level: Schema.NullOr(Schema.String),
})
export type TournamentName = typeof TournamentName.Type

const common = `
  match_id AS "matchId", tour, match_date::text AS date, date_source AS "dateSource", tournament_id AS "tournamentId",
  tournament_name AS "tournamentName", level AS "tournamentLevel", score, ending, score_problem AS "scoreProblem",
  to_jsonb(winner_games) AS "winnerGames", to_jsonb(loser_games) AS "loserGames", to_jsonb(tiebreak_points) AS "tiebreakPoints"`

const players = (...columns: ReadonlyArray<string>): string =>
  `jsonb_build_array(${columns.map((column) => `jsonb_build_object('id', ${column}_id, 'name', ${column}_name)`).join(", ")})`

const singles = `${common}, ${players("winner")} AS winners, ${players("loser")} AS losers`
const doubles = `${common}, ${players("winner1", "winner2")} AS winners, ${players("loser1", "loser2")} AS losers`

export class TennisMatchRecords extends Context.Service<
  TennisMatchRecords,
  {
    readonly find: (matchId: string) => Effect.Effect<Option.Option<MatchRecord>, StoreError>
    /** Returns the id of the competition to which a tournament belongs, by the rule of the archive (migration 0014). */
    readonly competitionIdOf: (tournament: TournamentName) => Effect.Effect<string, StoreError>
  }
>()("@matchpoint/store/tennis/live/TennisMatchRecords") {
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
      const selectCompetition = SqlSchema.findOne({
        Request: TournamentName,
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ id, level, name, tour }) =>
          sql`SELECT ${tour} || '_' || tennis_competition_key(${tour}, ${id}, ${name}, ${level}) AS id`,
      })
      return TennisMatchRecords.of({
        find: Effect.fn("TennisMatchRecords.find")((matchId) => select(matchId), storeOperation("TennisMatchRecords.find", limit)),
        competitionIdOf: Effect.fn("TennisMatchRecords.competitionIdOf")(
          function* (tournament) {
            const { id } = yield* Effect.catchTag(selectCompetition(tournament), "NoSuchElementError", Effect.die)
            return id
          },
          storeOperation("TennisMatchRecords.competitionIdOf", limit),
        ),
      })
    }),
  )
}
