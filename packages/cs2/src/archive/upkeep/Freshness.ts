/** Reports how much data the archive has and when it was last written. Counts on every call: callers should cache. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Coverage, SyncHealth } from "../../contract/http/data/referenceModels.ts"

/** The number of live matches is missing, because it differs by plan and is available only in the gateway. */
export type ArchiveCoverage = Omit<Coverage, "live">

export class Freshness extends Context.Service<
  Freshness,
  {
    /** Scans whole tables: too expensive to be done for every request. */
    readonly coverage: Effect.Effect<ArchiveCoverage, StoreError>
    readonly health: Effect.Effect<SyncHealth, StoreError>
  }
>()("@matchpoint/cs2/archive/upkeep/Freshness") {
  static readonly layer = Layer.effect(
    Freshness,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const selectCoverage = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ row: CoverageRow }),
        execute: () => sql`
          SELECT jsonb_build_object(
            'matches', (SELECT count(*) FROM cs2_series),
            'upcoming', (SELECT count(*) FROM cs2_series WHERE status = 'upcoming'),
            'teams', (SELECT count(*) FROM cs2_teams),
            'players', (SELECT count(*) FROM cs2_players),
            'events', (SELECT count(*) FROM cs2_events),
            'rosterChanges', (SELECT count(*) FROM cs2_roster_changes),
            'demos', (SELECT count(*) FROM cs2_series WHERE jsonb_array_length(COALESCE(demo_links, '[]')) > 0),
            'playerPeriodStats', (
              SELECT count(*) FROM (SELECT DISTINCT player_number, date_trunc('month', played_at, 'UTC') FROM cs2_player_games) AS m),
            'teamPeriodStats', (
              SELECT count(*) FROM (SELECT DISTINCT team_number, date_trunc('month', played_at, 'UTC') FROM cs2_player_games) AS m)
          ) AS row`,
      })

      /**
       * State of imports. The age of an unfinished import counts from its first start, because an interrupted import
       * continues in the same row. Rows with an empty `fingerprint` (hash of the file content) are left out: they
       * describe no file but store the read position in an endless stream.
       */
      const selectHealth = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ row: SyncHealth }),
        execute: () => sql`
          SELECT jsonb_build_object(
            'entity_type', 'cs2_sync_health',
            'current_status', CASE
              WHEN newest.at IS NULL THEN 'empty'
              WHEN EXISTS (SELECT FROM imports WHERE game = 'cs2' AND fingerprint <> '' AND finished_at IS NULL AND started_at < now() - ${STUCK_AFTER}::interval) THEN 'degraded'
              ELSE 'healthy' END,
            'freshness', CASE WHEN newest.at >= now() - ${FRESH_FOR}::interval THEN 'fresh' ELSE 'stale' END,
            'last_successful_sync_at', iso_utc(newest.at),
            'checked_at', iso_utc(now()),
            'sources', (
              SELECT coalesce(jsonb_agg(jsonb_build_object(
                'source', i.source, 'files', i.files, 'unfinished_files', i.unfinished, 'records_written', i.written,
                'records_rejected', i.rejected, 'last_finished_at', iso_utc(i.finished_at)) ORDER BY i.source), '[]')
              FROM (
                SELECT source, count(*) AS files, count(*) FILTER (WHERE finished_at IS NULL) AS unfinished, sum(written) AS written,
                  sum(rejected) AS rejected, max(finished_at) AS finished_at
                FROM imports WHERE game = 'cs2' AND fingerprint <> '' GROUP BY source) i)
          ) AS row
          FROM (SELECT greatest(
            (SELECT max(last_synced_at) FROM cs2_series), (SELECT max(finished_at) FROM imports WHERE game = 'cs2')) AS at) AS newest`,
      })

      return Freshness.of({
        coverage: Effect.catchTag(selectCoverage(), "NoSuchElementError", Effect.die).pipe(
          Effect.map(([{ row }]) => row),
          storeEffect("Freshness.coverage", limit),
        ),
        health: Effect.catchTag(selectHealth(), "NoSuchElementError", Effect.die).pipe(
          Effect.map(([{ row }]) => row),
          storeEffect("Freshness.health", limit),
        ),
      })
    }),
  )
}

const STUCK_AFTER = "1 hour"
const FRESH_FOR = "24 hours"

const { live: _, ...counted } = Coverage.fields
const CoverageRow = Schema.Struct(counted)
