/** Tests how long a correction of teams may take. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { OperationTimeout } from "@matchpoint/store/StoreError"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TeamCorrections } from "../../src/archive/teams/TeamCorrections.ts"

const operationTimeout = Duration.millis(800)

onDatabaseOfRun((name, driver) =>
  layer(
    Repositories.layer.pipe(
      Layer.provideMerge(Migrations.layer),
      Layer.provide(Layer.succeed(OperationTimeout, operationTimeout)),
      Layer.provideMerge(driver),
    ),
    { timeout: "60 seconds", excludeTestServices: true },
  )(`TeamCorrections on ${name}`, (it) => {
    it.effect("waits for an import batch that takes longer than an operation", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const corrections = yield* TeamCorrections
        const batch = Effect.andThen(holdUntilCommit(sql, "archive"), Effect.sleep(Duration.times(operationTimeout, 1.5)))
        yield* Effect.forkChild(sql.withTransaction(batch), { startImmediately: true })
        yield* Effect.sleep("100 millis")
        const rejected = yield* Effect.flip(corrections.merge({ team: "a", into: "b" }, { actor: "anna", reason: "renamed" }))
        assert.strictEqual(rejected._tag, "CorrectionRefused")
      }),
    )
  }),
)
