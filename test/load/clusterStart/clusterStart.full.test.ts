import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { startNats } from "../../fixtures/natsServer.ts"
import { measureClusterStart } from "./measure.ts"

const databaseUrl = inject("databaseUrl")
const natsServer = inject("natsServer")

describe.skipIf(databaseUrl === null || natsServer === null || process.platform !== "linux")("cluster-start", () => {
  it.live(
    "measures each process of npm run cluster until it is ready and then idle",
    Effect.fnUntraced(function* () {
      const database = Redacted.value(yield* temporaryDatabase(databaseUrl ?? ""))
      const natsUrl = yield* startNats(natsServer ?? "", yield* temporaryDirectory)
      const processes = yield* Effect.promise(() => measureClusterStart({ databaseUrl: database, natsUrl }, 2))
      assert.sameMembers(
        processes.map(({ name }) => name),
        ["match-1", "match-2", "feed-1", "gateway-1", "gateway-2", "webhooks-1"],
      )
      for (const { idleCpu, idleMb, readyCpu } of processes) {
        // Node alone takes more.
        assert.isAbove(readyCpu, 0.1)
        assert.isAbove(idleMb, 40)
        assert.isBelow(idleCpu, 2)
      }
    }),
    300_000,
  )
})
