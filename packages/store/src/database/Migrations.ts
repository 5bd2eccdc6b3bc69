/**
 * Migrates the database to the schema of this version of the code: each missing migration once, in order, all in one
 * transaction. Holds the list of migrations; their SQL is in `migrations/`. There are no down migrations; to go back,
 * restore a backup.
 */
import { Duration, Effect, Layer } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { spine } from "../migrations/0001_spine.ts"
import { accounts } from "../migrations/0002_accounts.ts"
import { cs2Archive } from "../migrations/0003_cs2_archive.ts"
import { usageSettlement } from "../migrations/0004_usage_settlement.ts"
import { matches } from "../migrations/0005_matches.ts"
import { imports } from "../migrations/0006_imports.ts"
import { cs2Identity } from "../migrations/0007_cs2_identity.ts"
import { feeds } from "../migrations/0008_feeds.ts"
import { cs2PrizePools } from "../migrations/0009_cs2_prize_pools.ts"
import { webhooks } from "../migrations/0010_webhooks.ts"
import { tennisArchive } from "../migrations/0011_tennis_archive.ts"
import { tennisPlayers } from "../migrations/0012_tennis_players.ts"
import { tennisRankings } from "../migrations/0013_tennis_rankings.ts"
import { tennisTournaments } from "../migrations/0014_tennis_tournaments.ts"
import { codArchive } from "../migrations/0015_cod_archive.ts"
import { apexArchive } from "../migrations/0016_apex_archive.ts"
import { codAnalytics } from "../migrations/0017_cod_analytics.ts"
import { transcripts } from "../migrations/0018_transcripts.ts"
import { streamCounts } from "../migrations/0019_stream_counts.ts"
import { addressSpending } from "../migrations/0020_address_spending.ts"
import { logReach } from "../migrations/0021_log_reach.ts"
import { tennisSummarySteps } from "../migrations/0022_tennis_summary_steps.ts"
import { playerNames } from "../migrations/0023_player_names.ts"
import { playerMerges } from "../migrations/0024_player_merges.ts"
import { codUnknownScores } from "../migrations/0025_cod_unknown_scores.ts"
import { registrations } from "../migrations/0026_registrations.ts"
import { webhookSteps } from "../migrations/0027_webhook_steps.ts"
import { StoreError } from "../StoreError.ts"
import { holdUntilCommit } from "./advisoryLock.ts"

/** Timeout of all migrations together, including the wait for another process to finish its migrations. */
const limit = Duration.minutes(5)

const TABLE = "matchpoint_migrations"

const migrations = {
  "0001_spine": spine,
  "0002_accounts": accounts,
  "0003_cs2_archive": cs2Archive,
  "0004_usage_settlement": usageSettlement,
  "0005_matches": matches,
  "0006_imports": imports,
  "0007_cs2_identity": cs2Identity,
  "0008_feeds": feeds,
  "0009_cs2_prize_pools": cs2PrizePools,
  "0010_webhooks": webhooks,
  "0011_tennis_archive": tennisArchive,
  "0012_tennis_players": tennisPlayers,
  "0013_tennis_rankings": tennisRankings,
  "0014_tennis_tournaments": tennisTournaments,
  "0015_cod_archive": codArchive,
  "0016_apex_archive": apexArchive,
  "0017_cod_analytics": codAnalytics,
  "0018_transcripts": transcripts,
  "0019_stream_counts": streamCounts,
  "0020_address_spending": addressSpending,
  "0021_log_reach": logReach,
  "0022_tennis_summary_steps": tennisSummarySteps,
  "0023_player_names": playerNames,
  "0024_player_merges": playerMerges,
  "0025_cod_unknown_scores": codUnknownScores,
  "0026_registrations": registrations,
  "0027_webhook_steps": webhookSteps,
}

const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: TABLE })

/**
 * Warns if a newer version has migrated the database. This version works nevertheless: a migration keeps what the
 * version before it reads and writes, so that both can run side by side during an upgrade.
 */
const warnIfNewer = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(sql<{ readonly found: number | null }>`SELECT max(migration_id)::int AS found FROM ${sql(TABLE)}`, ([row]) =>
    (row?.found ?? 0) <= newest
      ? Effect.void
      : Effect.logWarning(
          `the database has migration ${row?.found} of a newer version (this process knows ${newest}) and is used as it is`,
        ),
  )

export class Migrations {
  /**
   * Returns the ids of the migrations that it ran. Any number of processes may call this at the same time: one of them
   * migrates, and the others wait.
   */
  static readonly run: Effect.Effect<ReadonlyArray<readonly [id: number, name: string]>, StoreError, SqlClient.SqlClient> = Effect.gen(
    function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql.withTransaction(
        Effect.gen(function* () {
          // Waiting for another process's migrations, or building an index, may take longer than the timeout of normal
          // operation.
          yield* sql`SET LOCAL statement_timeout = ${sql.literal(String(Duration.toMillis(limit)))}`
          // Acquired before the migrator runs: two concurrent migrators would conflict when they create their
          // bookkeeping table.
          yield* holdUntilCommit(sql, "migrations")
          const run = yield* migrate
          yield* warnIfNewer(sql)
          return run
        }),
      )
    },
  ).pipe(
    Effect.timeout(limit),
    Effect.mapError((cause) => new StoreError({ operation: "Migrations.run", cause })),
    Effect.withSpan("Migrations.run"),
  )

  static readonly layer: Layer.Layer<never, StoreError, SqlClient.SqlClient> = Layer.effectDiscard(Migrations.run)
}
