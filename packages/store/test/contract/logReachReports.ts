/** Tests the reports of processes that they reach the log. */
import { randomUUID } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { LogReachReports, REPORT_COUNTS_MS } from "../../src/live/LogReachReports.ts"

export const logReachReportsContract = (it: Vitest.MethodsNonLive<LogReachReports | SqlClient.SqlClient>) => {
  it.effect("tells a process whether another one of its role has just reached the log", () =>
    Effect.gen(function* () {
      const { report } = yield* LogReachReports
      const sql = yield* SqlClient.SqlClient
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
      assert.isFalse(yield* report({ processId: one, role: "gateway", reaches: true }), "its own report does not count")
      assert.isTrue(yield* report({ processId: two, role: "gateway", reaches: false }))
      assert.isFalse(yield* report({ processId: three, role: "match", reaches: true }), "another role does not count")
      assert.isFalse(yield* report({ processId: one, role: "gateway", reaches: true }), "who does not reach the log does not count")
      yield* report({ processId: two, role: "gateway", reaches: true })
      assert.isTrue(yield* report({ processId: one, role: "gateway", reaches: false }))

      yield* sql`UPDATE log_reach SET reached_at = reached_at - ${REPORT_COUNTS_MS}::integer * interval '1 millisecond'`
      assert.isFalse(yield* report({ processId: one, role: "gateway", reaches: false }), "an old report does not count")
    }),
  )

  it.effect("forgets processes that ended", () =>
    Effect.gen(function* () {
      const { report } = yield* LogReachReports
      const sql = yield* SqlClient.SqlClient
      const gone = randomUUID()
      yield* report({ processId: gone, role: "match", reaches: true })
      yield* sql`UPDATE log_reach SET reached_at = reached_at - interval '2 minutes'`
      yield* report({ processId: randomUUID(), role: "match", reaches: true })
      assert.deepStrictEqual(yield* sql`SELECT role FROM log_reach WHERE process_id = ${gone}::uuid`, [])
    }),
  )
}
