/**
 * Tests migrations of existing data, and several processes that start at once. To the database, a process is just
 * another connection pool, so pools stand for processes.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { apexLedger } from "@matchpoint/apex/archive/apexLedger"
import { codLedger } from "@matchpoint/cod/archive/codLedger"
import { cs2Ledger } from "@matchpoint/cs2/archive/cs2Ledger"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import { gameName } from "@matchpoint/domain/ids"
import { Plan } from "@matchpoint/domain/plans"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { tennisLedger } from "@matchpoint/tennis/archive/tennisLedger"
import { atTime } from "@matchpoint/testing/atTime"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { eventually } from "@matchpoint/testing/realTime"
import { Deferred, Duration, Effect, Fiber, Layer, Logger, Option, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { Chores } from "../../src/Chores.ts"
import { holdUntilCommit } from "../../src/database/advisoryLock.ts"
import { Embedded } from "../../src/database/Embedded.ts"
import { engineLedger } from "../../src/database/engineLedger.ts"
import { migrateAll } from "../../src/database/migrateAll.ts"
import { Postgres } from "../../src/database/Postgres.ts"
import { Imports } from "../../src/Imports.ts"
import { Accounts } from "../../src/keys/Accounts.ts"
import { ApiKeys, digest } from "../../src/keys/ApiKeys.ts"
import { KeyRegister } from "../../src/keys/KeyRegister.ts"
import { Matches } from "../../src/live/Matches.ts"

const databaseUrl = inject("databaseUrl")

/** Every migration, in the order in which a new database runs them. */
const everything: Array<readonly [id: number, name: string]> = [
  [1, "spine"],
  [2, "accounts"],
  [3, "archive_foundations"],
  [4, "usage_settlement"],
  [5, "matches"],
  [6, "imports"],
  [8, "feeds"],
  [10, "webhooks"],
  [18, "transcripts"],
  [19, "stream_counts"],
  [20, "address_spending"],
  [21, "log_reach"],
  [26, "registrations"],
  [27, "webhook_steps"],
  [16, "apex_archive"],
  [23, "player_names"],
  [15, "cod_archive"],
  [17, "cod_analytics"],
  [23, "player_names"],
  [25, "cod_unknown_scores"],
  [3, "cs2_archive"],
  [7, "cs2_identity"],
  [9, "cs2_prize_pools"],
  [23, "player_names"],
  [11, "tennis_archive"],
  [12, "tennis_players"],
  [13, "tennis_rankings"],
  [14, "tennis_tournaments"],
  [22, "tennis_summary_steps"],
  [23, "player_names"],
  [24, "player_merges"],
]

/** The migrations that an older database lacks, which has run the first `count` of the common ledger. */
const after = (count: number) => everything.filter(([id]) => id > count)

const ledgers = [engineLedger, cs2Ledger, tennisLedger, codLedger, apexLedger]

/** The common ledger of the releases in which games had none of their own. */
const commonLedger = Object.fromEntries(
  Array.from({ length: 27 }, (_, index) => {
    const id = String(index + 1).padStart(4, "0")
    const parts = ledgers.flatMap(({ migrations }) => Object.entries(migrations).filter(([name]) => name.startsWith(id)))
    const name = id === "0003" ? "0003_cs2_archive" : (parts[0]?.[0] ?? id)
    return [name, Effect.forEach(parts, ([, migration]) => migration, { discard: true })]
  }),
)

/** Runs the first `count` migrations, to create the database of an earlier release. */
const migrateTo = (count: number) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(Object.fromEntries(Object.entries(commonLedger).slice(0, count))),
    table: "matchpoint_migrations",
  })

/** A database of the release before accounts, with an active key of every plan and a revoked one. */
const spineWithKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateTo(1)
  const keyOf = Effect.fnUntraced(function* (plan: Plan, revokedAt: string | null) {
    const secret = Redacted.make(`mp_live_${randomUUID()}`)
    const keyId = ApiKeyId.make(randomUUID())
    yield* sql`
      INSERT INTO api_keys (key_id, prefix, hash, plan, label, created_at, revoked_at)
      VALUES (${keyId}, 'mp_live_', ${digest(secret)}, ${plan}, ${`${plan} desk`}, '2026-01-02T03:04:05Z', ${revokedAt}::timestamptz)`
    return { keyId, plan, secret }
  })
  const working = yield* Effect.forEach(Plan.literals, (plan) => keyOf(plan, null))
  return { working, revoked: yield* keyOf("pro", "1970-01-01T00:00:00Z") }
})

/** Checks that every key keeps its owner and the terms of its plan, in an account of its own. */
const keysSurvive = Effect.gen(function* () {
  const { revoked, working } = yield* spineWithKeys
  assert.deepStrictEqual(yield* Migrations.run, after(1))
  const keys = yield* ApiKeys
  const register = yield* KeyRegister
  const accounts = yield* Accounts
  const owners = yield* Effect.forEach(
    working,
    Effect.fnUntraced(function* ({ keyId, plan, secret }) {
      const customer = yield* Effect.flatMap(keys.verify(secret), Effect.fromOption)
      const { accountId } = customer
      assert.deepStrictEqual(customer, { keyId, accountId, ...termsOf(plan) })
      const account = yield* Effect.flatMap(accounts.get(accountId), Effect.fromOption)
      const createdAt = Date.UTC(2026, 0, 2, 3, 4, 5)
      assert.deepStrictEqual(account, { accountId, name: `${plan} desk`, ...termsOf(plan), createdAt })
      return accountId
    }),
  )
  assert.strictEqual(new Set(owners).size, Plan.literals.length)
  assert.isTrue(Option.isNone(yield* keys.verify(revoked.secret)))
  assert.deepInclude(Option.getOrUndefined(yield* register.get(revoked.keyId)), { active: false, revokedAt: 0, label: "pro desk" })
  assert.strictEqual((yield* accounts.list({ limit: 1, offset: 0 })).total, Plan.literals.length + 1)
})

/** Checks that matches registered before other games existed are still found, and that new numbers follow theirs. */
const matchesSurvive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateTo(4)
  yield* sql`
    INSERT INTO cs2_matches (status, best_of, team1_id, team1_name, team2_id, team2_name, config, started_at, team1_maps, team2_maps)
    VALUES ('live', 3, 'cs2-team-1', 'North', 'cs2-team-2', 'South', '{"feed": "intake"}', '2026-05-01T18:00:00Z', 1, 0),
      ('scheduled', 1, 'cs2-team-3', 'East', 'cs2-team-4', 'West', '{}', NULL, 0, 0)`
  assert.deepStrictEqual(yield* Migrations.run, after(4))
  const matches = yield* Matches
  const [live, scheduled, ...more] = yield* matches.listActive(CS2)
  assert.lengthOf(more, 0)
  assert.deepInclude(live, { matchId: matchId(1001), status: "live", bestOf: 3, config: { feed: "intake" } })
  assert.deepInclude(live, { team1: { id: "cs2-team-1", name: "North" }, team2: { id: "cs2-team-2", name: "South" } })
  assert.deepInclude(scheduled, { matchId: matchId(1002), status: "scheduled" })
  // This part was already counted before the migration.
  assert.isFalse(yield* matches.advance(matchId(1001), [1, 0]))
  assert.isTrue(yield* matches.advance(matchId(1001), [1, 1]))
  const team = (name: string) => ({ id: name, name })
  const registration = { bestOf: 1, team1: team("one"), team2: team("two"), config: {} }
  assert.strictEqual(yield* matches.register(CS2, registration), matchId(1003))
  assert.strictEqual(yield* matches.register(gameName("chess"), registration), "chess-match-1001")
})

/** Checks that imports and chores from before other games existed belong to CS2 and are unknown to other games. */
const importsSurvive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateTo(5)
  yield* sql`
    INSERT INTO cs2_imports (source, file, fingerprint, done, written, finished_at)
    VALUES ('results', 'a.json', 'f1', 10, 9, now()), ('derived', 'derived', '', 0, 9, NULL)`
  yield* sql`INSERT INTO cs2_chores (chore, done_as_of) VALUES ('tables', '2026-05-01T18:00:00Z')`
  assert.deepStrictEqual(yield* Migrations.run, after(5))
  const { of } = yield* Imports
  const found = yield* of(CS2).find("results", "a.json")
  assert.deepStrictEqual(Option.getOrThrow(found), { fingerprint: "f1", done: 10, written: 9, rejected: 0, finished: true })
  assert.deepStrictEqual(yield* of(CS2).underived, Option.some({ written: 9 }))
  const chess = of(gameName("chess"))
  assert.isTrue(Option.isNone(yield* chess.find("results", "a.json")))
  yield* chess.begin({ source: "results", file: "a.json", fingerprint: "f2" })
  assert.deepStrictEqual(yield* of(CS2).find("results", "a.json"), found)
  assert.isTrue(Option.isNone(yield* chess.underived))
  const hourly = { every: Duration.hours(1), atMostEvery: Duration.hours(1), lostAfter: Duration.minutes(1) }
  const taken = yield* atTime(Date.UTC(2026, 4, 2))((yield* Chores).of(CS2).take("tables", hourly))
  assert.strictEqual(Option.getOrThrow(taken).doneAsOf, Date.UTC(2026, 4, 1, 18))
})

/** Databases without a schema. */
const embedded = Embedded.layer({ directory: null })
const postgres = (url: string) => Layer.unwrap(Effect.map(createDatabase(url, null), (own) => Postgres.layer({ url: own })))

describe("Migrations", () => {
  it.effect("keeps imports and chores from the release before other games", () =>
    importsSurvive.pipe(Effect.provide(Layer.provideMerge(Repositories.layer, embedded))),
  )

  it.effect.skipIf(databaseUrl === null)("keeps imports and chores on a PostgreSQL server (needs DATABASE_URL)", () =>
    importsSurvive.pipe(Effect.provide(Layer.provideMerge(Repositories.layer, postgres(String(databaseUrl))))),
  )

  it.effect("keeps matches from the release before other games", () =>
    matchesSurvive.pipe(Effect.provide(Layer.provideMerge(Repositories.layer, embedded))),
  )

  it.effect.skipIf(databaseUrl === null)("keeps matches on a PostgreSQL server (needs DATABASE_URL)", () =>
    matchesSurvive.pipe(Effect.provide(Layer.provideMerge(Repositories.layer, postgres(String(databaseUrl))))),
  )

  it.effect("keys from before accounts existed stay valid", () =>
    keysSurvive.pipe(Effect.provide(Layer.provideMerge(Repositories.layer, embedded))),
  )

  it.effect.skipIf(databaseUrl === null)("keys from before accounts existed stay valid on a PostgreSQL server (needs DATABASE_URL)", () =>
    keysSurvive.pipe(Effect.provide(Layer.provideMerge(Repositories.layer, postgres(String(databaseUrl))))),
  )

  it.effect("one of several concurrent callers migrates an empty database, the others find it migrated", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.all([Migrations.run, Migrations.run, Migrations.run], { concurrency: "unbounded" })
      assert.deepStrictEqual(runs.flat(), everything)
    }).pipe(Effect.provide(embedded)),
  )

  it.effect.skipIf(databaseUrl === null)("one of several concurrent processes migrates a PostgreSQL server (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const url = yield* createDatabase(String(databaseUrl), null)
      const start = Effect.provide(Migrations.run, Layer.fresh(Postgres.layer({ url, maxConnections: 2 })))
      const runs = yield* Effect.all([start, start, start, start, start], { concurrency: "unbounded" })
      assert.deepStrictEqual(runs.flat(), everything)
    }),
  )

  it.effect.skipIf(databaseUrl === null)("waits five minutes at most for another process (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const url = yield* createDatabase(String(databaseUrl), null)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [held, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const other = yield* holdUntilCommit(sql, "migrations").pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(release)),
          sql.withTransaction,
          Effect.forkChild,
        )
        yield* Deferred.await(held)
        const waiting = yield* Effect.forkChild(Effect.flip(Migrations.run), { startImmediately: true })
        const blocked = sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        yield* eventually(Effect.map(blocked, (rows) => rows.length === 1))
        yield* TestClock.adjust("5 minutes")
        assert.deepInclude(yield* Fiber.join(waiting), { operation: "Migrations.run", isRetryable: true })
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(other)
        assert.deepStrictEqual(yield* Migrations.run, everything)
      }).pipe(Effect.provide(Layer.fresh(Postgres.layer({ url, maxConnections: 3 }))))
    }),
  )

  it.effect("migrates from the release before the archive", () =>
    Effect.gen(function* () {
      yield* migrateTo(2)
      assert.deepStrictEqual(yield* Migrations.run, after(2))
    }).pipe(Effect.provide(embedded)),
  )

  it.effect("starts on a database that a newer version has migrated, with a warning", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run
      yield* sql`INSERT INTO matchpoint_migrations (migration_id, name) VALUES (1000, 'of_the_future')`
      const warnings: Array<unknown> = []
      const capture = Logger.layer([Logger.make(({ message }) => void warnings.push(message))])
      assert.deepStrictEqual(yield* Effect.provide(Migrations.run, capture), [])
      assert.match(String(warnings), /migration 1000 of a newer version/)
    }).pipe(Effect.provide(embedded)),
  )

  it.effect("leaves nothing behind if it fails midway", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Creates a table that makes the last statement of the first migration fail.
      yield* sql`CREATE TABLE api_keys (id integer)`
      const error = yield* Effect.flip(Migrations.run)
      assert.deepStrictEqual([error._tag, error.operation], ["StoreError", "Migrations.run"])
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('cs2_matches')::text AS matches`, [{ matches: null }])
      yield* sql`DROP TABLE api_keys`
      assert.deepStrictEqual(yield* Migrations.run, everything)
    }).pipe(Effect.provide(embedded)),
  )

  it.effect("adopts a database of the common ledger: nothing runs again, and the schema is that of a new database", () =>
    Effect.gen(function* () {
      const adopted = yield* Effect.gen(function* () {
        yield* migrateTo(27)
        assert.deepStrictEqual(yield* Migrations.run, [])
        return yield* schemaOf
      }).pipe(Effect.provide(Layer.fresh(embedded)))
      const fresh = yield* Effect.andThen(Migrations.run, schemaOf).pipe(Effect.provide(Layer.fresh(embedded)))
      assert.isAbove(fresh.length, 1_000)
      assert.deepStrictEqual(adopted, fresh)
    }),
  )

  it.effect.skipIf(databaseUrl === null)("adopts a PostgreSQL database of the common ledger (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const adopted = yield* Effect.gen(function* () {
        yield* migrateTo(27)
        assert.deepStrictEqual(yield* Migrations.run, [])
        return yield* schemaOf
      }).pipe(Effect.provide(Layer.fresh(postgres(String(databaseUrl)))))
      const fresh = yield* Effect.andThen(Migrations.run, schemaOf).pipe(Effect.provide(Layer.fresh(postgres(String(databaseUrl)))))
      assert.deepStrictEqual(adopted, fresh)
    }),
  )

  it.effect("adopts each migration of the common ledger that has run, and runs the others", () =>
    Effect.gen(function* () {
      yield* migrateTo(20)
      assert.deepStrictEqual(yield* Migrations.run, after(20))
      assert.deepStrictEqual(yield* Migrations.run, [])
    }).pipe(Effect.provide(embedded)),
  )

  it.effect("migrates a game that is added later", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = sql<{ readonly game: string }>`
        SELECT DISTINCT split_part(tablename, '_', 1) AS game FROM pg_tables WHERE tablename ~ '^(cs2|tennis|cod|apex)_' ORDER BY 1`
      yield* migrateAll([tennisLedger])
      assert.deepStrictEqual(yield* tables, [{ game: "tennis" }])
      const run = yield* migrateAll([tennisLedger, codLedger])
      assert.deepStrictEqual(
        run.map(([id]) => id),
        [15, 17, 23, 25],
      )
      assert.deepStrictEqual(yield* tables, [{ game: "cod" }, { game: "tennis" }])
    }).pipe(Effect.provide(embedded)),
  )
})

/** Everything that a schema has, in words of the database, without the ledgers. */
const schemaOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly part: string }>`
    SELECT concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, column_default, is_nullable, identity_start) AS part
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'matchpoint_migrations%'
    UNION ALL
    SELECT concat_ws(' ', 'table', relname, relkind, relpersistence, reloptions::text) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'matchpoint_migrations%'
    UNION ALL
    SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'matchpoint_migrations%'
    UNION ALL
    SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'matchpoint_migrations%'
    UNION ALL
    SELECT concat_ws(' ', 'function', pg_get_functiondef(oid)) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND probin IS NULL
    UNION ALL
    SELECT concat_ws(' ', 'sequence', sequencename, start_value, last_value) FROM pg_sequences WHERE schemaname = 'public'
    ORDER BY 1`
  return rows.map(({ part }) => part)
})
