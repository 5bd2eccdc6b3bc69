/**
 * Lists the finished live tennis matches that are not yet in the archive. Their results are in the match register, which
 * survives crashes. Also reads what the archive knows about their players. `TennisArchiveWriter` writes the matches.
 */
import { PgClient } from "@effect/sql-pg"
import { MatchId } from "@matchpoint/domain/ids"
import type { PlayerProfile } from "@matchpoint/domain/tennis/archive/liveRow"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../../Counter.ts"
import { FinalStatus } from "../../live/Matches.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"

export const FinishedMatch = Schema.Struct({
  matchId: MatchId,
  matchNumber: Counter,
  status: FinalStatus,
  result: Schema.NullOr(Schema.Json),
})
export type FinishedMatch = typeof FinishedMatch.Type

const Profile = Schema.Struct({
  id: Schema.String,
  hand: Schema.NullOr(Schema.String),
  heightCm: Schema.NullOr(Schema.Int),
  country: Schema.NullOr(Schema.String),
  age: Schema.NullOr(Schema.Finite),
  rank: Schema.NullOr(Schema.Int),
  rankPoints: Schema.NullOr(Schema.Int),
})

export class TennisBacklog extends Context.Service<
  TennisBacklog,
  {
    /**
     * Returns at most `limit` matches in ascending order of their numbers, starting after the number `after`. Two kinds
     * of matches are left out: those that changed less than `settled` ago, by the database's clock, and those whose
     * write to the archive was rejected and waits for an operator.
     */
    readonly due: (ask: {
      readonly settled: Duration.Duration
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<FinishedMatch>, StoreError>
    /** Removes a match from the backlog. */
    readonly markArchived: (match: Pick<FinishedMatch, "matchNumber" | "status">) => Effect.Effect<void, StoreError>
    /** Returns the profiles of the known players among the given ids, with age and rank on a day such as `2026-11-25`. */
    readonly profiles: (ids: ReadonlyArray<string>, day: string) => Effect.Effect<ReadonlyMap<string, PlayerProfile>, StoreError>
  }
>()("@matchpoint/store/tennis/live/TennisBacklog") {
  static readonly layer = Layer.effect(
    TennisBacklog,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const selectDue = SqlSchema.findAll({
        Request: Schema.Struct({ settledMs: Schema.Finite, after: Counter, limit: Schema.Int }),
        Result: FinishedMatch,
        execute: (ask) => sql`
          SELECT game || '-match-' || match_number AS "matchId", match_number AS "matchNumber", status, result
          FROM matches
          WHERE game = 'tennis' AND status IN ('completed', 'cancelled') AND archived_status IS DISTINCT FROM status
            AND match_number > ${ask.after}
            AND NOT EXISTS (
              SELECT FROM parked_matches parked
              WHERE parked.game = matches.game AND parked.match_number = matches.match_number AND work = 'archive'
                AND retry_requested_at IS NULL)
            AND changed_at <= now() - ${ask.settledMs}::double precision * interval '1 millisecond'
          ORDER BY match_number LIMIT ${ask.limit}`,
      })

      const selectProfiles = SqlSchema.findAll({
        Request: Schema.Struct({ ids: Schema.Array(Schema.String), day: Schema.String }),
        Result: Profile,
        execute: ({ day, ids }) => sql`
          SELECT player_id AS id, hand, height_cm AS "heightCm", country,
            round((${day}::date - birth_date) / 365.25, 1)::double precision AS age, newest.rank, newest.points AS "rankPoints"
          FROM tennis_players
          LEFT JOIN LATERAL (
            SELECT rank, points FROM tennis_rankings
            WHERE tennis_rankings.player_id = tennis_players.player_id
              AND ranking_date BETWEEN ${day}::date - 366 AND ${day}::date
            ORDER BY ranking_date DESC LIMIT 1
          ) AS newest ON true
          WHERE ${sql.in("player_id", ids)}`,
      })

      return TennisBacklog.of({
        due: Effect.fn("TennisBacklog.due")(
          ({ settled, ...ask }) => selectDue({ ...ask, settledMs: Duration.toMillis(settled) }),
          storeOperation("TennisBacklog.due", limit),
        ),
        markArchived: Effect.fn("TennisBacklog.markArchived")(
          ({ matchNumber, status }) =>
            Effect.asVoid(sql`UPDATE matches SET archived_status = ${status} WHERE game = 'tennis' AND match_number = ${matchNumber}`),
          storeOperation("TennisBacklog.markArchived", limit),
        ),
        profiles: Effect.fn("TennisBacklog.profiles")(
          (ids, day) =>
            Effect.map(
              ids.length === 0 ? Effect.succeed([]) : selectProfiles({ ids, day }),
              (rows) => new Map(rows.map(({ id, ...profile }) => [id, profile])),
            ),
          storeOperation("TennisBacklog.profiles", limit),
        ),
      })
    }),
  )
}
