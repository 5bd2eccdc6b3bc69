/** Tests the reports of processes that they reach the log. */
import { randomUUID } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { LATER_BY_MS, LogReachReports } from "../../src/live/LogReachReports.ts"

export const logReachReportsContract = (it: Vitest.MethodsNonLive<LogReachReports | SqlClient.SqlClient>) => {
  it.effect("tells a process whether the log has answered another one of its role since", () =>
    Effect.gen(function* () {
      const { report } = yield* LogReachReports
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
      const silent = 60_000
      assert.isFalse(yield* report({ processId: one, role: "gateway", silentMs: silent }), "its own report does not count")
      yield* report({ processId: three, role: "match", silentMs: 0 })
      assert.isFalse(yield* report({ processId: one, role: "gateway", silentMs: silent }), "another role does not count")
      yield* report({ processId: two, role: "gateway", silentMs: silent - LATER_BY_MS / 2 })
      assert.isFalse(yield* report({ processId: one, role: "gateway", silentMs: silent }), "the log went away for both")
      assert.isFalse(yield* report({ processId: two, role: "gateway", silentMs: 100.4 }))
      assert.isTrue(yield* report({ processId: one, role: "gateway", silentMs: silent }))
      assert.isFalse(yield* report({ processId: one, role: "gateway", silentMs: 100 }), "the log answers both")
    }),
  )

  it.effect("forgets processes that ended", () =>
    Effect.gen(function* () {
      const { report } = yield* LogReachReports
      const sql = yield* SqlClient.SqlClient
      const gone = randomUUID()
      yield* report({ processId: gone, role: "match", silentMs: 0 })
      yield* sql`UPDATE log_reach SET reached_at = reached_at - interval '2 minutes'`
      yield* report({ processId: randomUUID(), role: "match", silentMs: 0 })
      assert.deepStrictEqual(yield* sql`SELECT role FROM log_reach WHERE process_id = ${gone}::uuid`, [])
    }),
  )
}
