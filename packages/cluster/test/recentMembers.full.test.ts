/** Reads the tables of effect's cluster on PostgreSQL, which is the only database that several processes can share. */
import { assert, layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { Runner, RunnerAddress, RunnerStorage, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { recentMembers } from "../src/recentMembers.ts"

const TABLES = "recent_members_test"
const member = Runner.make({ address: RunnerAddress.make("127.0.0.1", 1), groups: ["default"], weight: 1 })

const storage = SqlRunnerStorage.layerWith({ prefix: TABLES }).pipe(Layer.provide(ShardingConfig.layer({ shardLockDisableAdvisory: true })))

onDatabaseOfRun((name, database) => {
  layer(Layer.provideMerge(storage, database), { excludeTestServices: true })(`recent members on ${name}`, (it) => {
    it.effect("are those whose last report is young enough, to the millisecond", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { register } = yield* RunnerStorage.RunnerStorage
        const members = yield* recentMembers({ tables: TABLES, withinMs: () => 1_200 })
        yield* register(member, true)
        assert.deepStrictEqual(yield* members, [[member, true]])
        // Within a transaction, the clock of the database stands still.
        const membersAfter = (ms: number) =>
          sql.withTransaction(
            Effect.andThen(
              sql`UPDATE ${sql(`${TABLES}_runners`)} SET last_heartbeat = NOW() - ${ms}::integer * INTERVAL '1 millisecond'`,
              members,
            ),
          )
        assert.lengthOf(yield* membersAfter(1_199), 1)
        assert.lengthOf(yield* membersAfter(1_200), 0)
      }),
    )
  })
})
