import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Changelog } from "../../../src/archive/Changelog.ts"
import { Leagues } from "../../../src/archive/events/Leagues.ts"
import { Freshness } from "../../../src/archive/upkeep/Freshness.ts"
import type { ArchiveIt } from "../sampled.ts"

export const referenceReads = (it: ArchiveIt) => {
  it.effect("lists the changelog newest first, filtered by action, type and entity", () =>
    Effect.gen(function* () {
      const { changes } = yield* Changelog
      const page = { full: false, limit: 10, offset: 0 }
      const all = yield* changes(page)
      assert.deepStrictEqual(
        all.rows.map(({ action, entityId }) => [action, entityId]),
        [
          ["merge_rejected", "cs2-player-401"],
          ["updated", "cs2-team-4"],
        ],
      )
      assert.deepStrictEqual([all.rows[1]?.oldValue, all.rows[1]?.newValue], ["Delta Team", "Delta"])
      assert.strictEqual((yield* changes({ ...page, action: "updated" })).total, 1)
      assert.strictEqual((yield* changes({ ...page, entityType: "player" })).rows[0]?.entityId, "cs2-player-401")
      assert.strictEqual((yield* changes({ ...page, entityId: "cs2-team-4", entityType: "player" })).total, 0)
      const second = yield* changes({ ...page, limit: 1, offset: 1 })
      assert.deepStrictEqual([second.rows[0]?.action, second.total], ["updated", 2])
    }),
  )

  it.effect("truncates values at 500 characters unless full values are requested", () =>
    Effect.gen(function* () {
      const { changes } = yield* Changelog
      const asked = { entityId: "cs2-player-401", limit: 10, offset: 0 }
      const [cut] = (yield* changes({ ...asked, full: false })).rows
      assert.strictEqual(String(cut?.newValue).length, 500)
      assert.isTrue(String(cut?.newValue).startsWith('{"text": "xxx'))
      assert.deepStrictEqual(cut?.oldValue, { nickname: "p401" })
      const [whole] = (yield* changes({ ...asked, full: true })).rows
      assert.deepStrictEqual(whole?.newValue, { text: "x".repeat(800) })
    }),
  )

  it.effect("lists the newest edition of each league in one row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { list } = yield* Leagues
      const names = Effect.map(list({ limit: 10, offset: 0 }), ({ rows, total }) => [rows.map(({ name }) => name), total])
      assert.deepStrictEqual(yield* names, [["Spring Major", "Open League", "Winter Cup 2026"], 3])
      const older = sql`
        INSERT INTO cs2_events (event_number, name, name_key, slug, starts_at, source)
        VALUES (991, 'Winter Cup 2025', 'wintercup2025', 'winter-cup-2025', '2025-01-01', 'test'),
          (992, 'Open League Season 12', 'openleagueseason12', 'open-league-12', '2025-02-01', 'test'),
          (993, 'Spring Major #3', 'springmajor3', 'spring-major-3', NULL, 'test')`
      yield* Effect.acquireUseRelease(
        older,
        () => Effect.map(names, (found) => assert.deepStrictEqual(found, [["Spring Major", "Open League", "Winter Cup 2026"], 3])),
        () => Effect.orDie(sql`DELETE FROM cs2_events WHERE event_number IN (991, 992, 993)`),
      )
      assert.deepStrictEqual((yield* list({ limit: 1, offset: 2 })).rows[0]?.name, "Winter Cup 2026")
    }),
  )

  it.effect("coverage counts all entities, and the months of players and teams", () =>
    Effect.gen(function* () {
      const counted = yield* (yield* Freshness).coverage
      assert.deepStrictEqual(
        { ...counted },
        {
          matches: 6,
          upcoming: 2,
          teams: 4,
          players: 21,
          events: 3,
          rosterChanges: counted.rosterChanges,
          demos: 1,
          playerPeriodStats: 10,
          teamPeriodStats: 2,
        },
      )
    }),
  )

  it.effect("freshness follows the last write and reports stuck imports", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { health } = yield* Freshness
      const before = yield* health
      assert.deepStrictEqual([before.current_status, before.last_successful_sync_at], ["healthy", "2026-11-21T12:00:00.000Z"])
      const imports = sql`
        INSERT INTO imports (game, source, file, fingerprint, done, written, rejected, started_at, finished_at) VALUES
          ('cs2', 'results', 'a', 'x', 10, 9, 1, now() - interval '1 day', now() - interval '1 second'),
          ('cs2', 'results', 'b', 'x', 5, 5, 0, now() - interval '2 hours', NULL),
          ('chess', 'results', 'c', 'x', 7, 7, 0, now() - interval '3 hours', NULL)`
      yield* Effect.acquireUseRelease(
        imports,
        () =>
          Effect.map(health, ({ sources, ...rest }) => {
            assert.deepStrictEqual([rest.current_status, rest.freshness], ["degraded", "fresh"])
            assert.deepStrictEqual(
              sources.map(({ last_finished_at, ...counts }) => [counts, last_finished_at === rest.last_successful_sync_at]),
              [[{ source: "results", files: 2, unfinished_files: 1, records_written: 14, records_rejected: 1 }, true]],
            )
          }),
        () => Effect.orDie(sql`DELETE FROM imports`),
      )
    }),
  )
}
