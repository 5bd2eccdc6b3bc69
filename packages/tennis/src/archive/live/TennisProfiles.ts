/** Profiles in the archive of the players of a finished live match. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { PlayerProfile } from "../../rules/archive/liveRow.ts"

const Profile = Schema.Struct({
  id: Schema.String,
  hand: Schema.NullOr(Schema.String),
  heightCm: Schema.NullOr(Schema.Int),
  country: Schema.NullOr(Schema.String),
  age: Schema.NullOr(Schema.Finite),
  rank: Schema.NullOr(Schema.Int),
  rankPoints: Schema.NullOr(Schema.Int),
})

export class TennisProfiles extends Context.Service<
  TennisProfiles,
  {
    /** Known players among the given ids, with age and rank on a day such as `2026-11-25`. */
    readonly on: (ids: ReadonlyArray<string>, day: string) => Effect.Effect<ReadonlyMap<string, PlayerProfile>, StoreError>
  }
>()("@matchpoint/tennis/archive/live/TennisProfiles") {
  static readonly layer = Layer.effect(
    TennisProfiles,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

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

      return TennisProfiles.of({
        on: storeFn("TennisProfiles.on", limit, (ids, day) =>
          Effect.map(
            ids.length === 0 ? Effect.succeed([]) : selectProfiles({ ids, day }),
            (rows) => new Map(rows.map(({ id, ...profile }) => [id, profile])),
          ),
        ),
      })
    }),
  )
}
