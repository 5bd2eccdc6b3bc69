/** Finds the current slug for a former one. `SlugKeeper` and `TeamCorrections` store former slugs. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Option, Schema } from "effect"
import { formerly } from "../references.ts"

export class FormerSlugs extends Context.Service<
  FormerSlugs,
  {
    /** Ignores case. `None` if no team or player had this slug, or if another one has it now. */
    readonly currentOf: (type: "team" | "player", slug: string) => Effect.Effect<Option.Option<string>, StoreError>
  }
>()("@matchpoint/cs2/archive/teams/FormerSlugs") {
  static readonly layer = Layer.effect(
    FormerSlugs,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout
      return FormerSlugs.of({
        currentOf: storeFn("FormerSlugs.currentOf", timeout, function* (type, slug) {
          const found = yield* Effect.flatMap(
            type === "team"
              ? sql`SELECT slug FROM cs2_teams WHERE team_number = ${formerly(sql, "team", slug)}`
              : sql`SELECT slug FROM cs2_players WHERE player_number = ${formerly(sql, "player", slug)}`,
            decode,
          )
          return Option.map(Arr.head(found), (row) => row.slug)
        }),
      })
    }),
  )
}

const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ slug: Schema.String })))
