/**
 * Assigns slugs to teams and players by the rule in `rules/archive/slugs`: of several with the same name, the current
 * holder gets the slug of the name alone. A former slug still finds its holder until it is assigned to another one.
 */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { type SlugClaim, slugsToChange } from "../../rules/archive/slugs.ts"
import { writeChanges } from "../writer/changelog.ts"

type Kind = "team" | "player"

const tables = {
  team: { table: "cs2_teams", number: "team_number", name: "name" },
  player: { table: "cs2_players", number: "player_number", name: "nickname" },
} as const

export class SlugKeeper extends Context.Service<
  SlugKeeper,
  {
    /** Reassigns the slugs of all teams and players, in one transaction. Returns how many slugs changed. */
    readonly assign: Effect.Effect<number, StoreError>
  }
>()("@matchpoint/cs2/archive/teams/SlugKeeper") {
  static readonly layer = Layer.effect(
    SlugKeeper,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const assignAll = Effect.andThen(
        holdUntilCommit(sql, "archive"),
        Effect.zipWith(assignSlugs(sql, "team"), assignSlugs(sql, "player"), (teams, players) => teams + players),
      )
      return SlugKeeper.of({
        assign: sql.withTransaction(assignAll).pipe(storeEffect("SlugKeeper.assign", limit)),
      })
    }),
  )
}

const Claim = Schema.Struct({
  number: Counter,
  name: Schema.String,
  slug: Schema.String,
  lastAt: Schema.NullOr(Schema.Finite),
  matches: Counter,
})

/** The caller must run this in a transaction that has acquired the archive lock. */
export const assignSlugs = Effect.fnUntraced(function* (sql: PgClient.PgClient, kind: Kind) {
  const claims = yield* SqlSchema.findAll({
    Request: Schema.Void,
    Result: Claim,
    execute: () => (kind === "team" ? teamClaims(sql) : playerClaims(sql)),
  })()
  const changes = slugsToChange(kind, claims)
  if (changes.size === 0) return 0
  const before = new Map(claims.map((claim): readonly [number, SlugClaim] => [claim.number, claim]))
  const rows = [...changes].map(([number, slug]) => ({ number, slug, was: before.get(number)?.slug ?? slug }))
  const { number, table } = tables[kind]
  const changed = sql`jsonb_to_recordset(${sql.json(rows)}) AS w (number bigint, slug text, was text)`
  // Temporary values first: a slug must be unique after every statement, so it could not move between entities.
  yield* sql`UPDATE ${sql(table)} e SET slug = '~' || e.slug FROM ${changed} WHERE e.${sql(number)} = w.number`
  yield* sql`UPDATE ${sql(table)} e SET slug = w.slug, last_synced_at = now() FROM ${changed} WHERE e.${sql(number)} = w.number`
  yield* sql`
    INSERT INTO cs2_former_slugs (entity_type, slug, entity_number) SELECT ${kind}::text, w.was, w.number FROM ${changed}
    ON CONFLICT (entity_type, slug) DO UPDATE SET entity_number = excluded.entity_number`
  yield* sql`
    DELETE FROM cs2_former_slugs f USING ${sql(table)} e WHERE f.entity_type = ${kind}::text AND e.slug = f.slug`
  yield* writeChanges(
    sql,
    rows.map(({ number, slug, was }) => ({ type: kind, number, field: "slug", action: "updated" as const, before: was, after: slug })),
  )
  return changes.size
})

const teamClaims = (sql: PgClient.PgClient) => sql`
  SELECT t.team_number AS number, t.name, t.slug, extract(epoch FROM played.last_at)::float8 * 1000 AS "lastAt", COALESCE(played.matches, 0) AS matches
  FROM cs2_teams t LEFT JOIN (
    SELECT team_number, max(starts_at) AS last_at, count(*) AS matches
    FROM cs2_series s CROSS JOIN LATERAL (VALUES (s.team1_number), (s.team2_number)) AS side (team_number)
    WHERE s.status = 'completed' GROUP BY team_number
  ) played USING (team_number)`

const playerClaims = (sql: PgClient.PgClient) => sql`
  SELECT p.player_number AS number, p.nickname AS name, p.slug, extract(epoch FROM played.last_at)::float8 * 1000 AS "lastAt",
    COALESCE(played.matches, 0) AS matches
  FROM cs2_players p LEFT JOIN (
    SELECT player_number, max(last_played_at) AS last_at, sum(matches)::bigint AS matches FROM cs2_team_players GROUP BY player_number
  ) played USING (player_number)`
