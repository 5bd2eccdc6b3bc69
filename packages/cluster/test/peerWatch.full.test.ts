/** Real sockets: a process that listens, and one that has ended. */
import { createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { RunnerAddress } from "effect/cluster"
import { isRefused, watchPeers } from "../src/peerWatch.ts"

const listening = Effect.acquireRelease(
  Effect.callback<{ readonly server: Server; readonly address: RunnerAddress.RunnerAddress }>((resume) => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (address !== null && typeof address === "object")
        resume(Effect.succeed({ server, address: RunnerAddress.make("127.0.0.1", address.port) }))
    })
  }),
  ({ server }) => Effect.sync(() => server.close()),
)

describe("the watch of other members", () => {
  it.live("removes a member whose process has ended, and no other", () =>
    Effect.gen(function* () {
      const self = RunnerAddress.make("127.0.0.1", 1)
      const ended = yield* listening
      const running = yield* listening
      let members = [self, ended.address, running.address]
      const removed: Array<number> = []
      const remove = (address: RunnerAddress.RunnerAddress) =>
        Effect.sync(() => {
          members = members.filter((one) => one !== address)
          removed.push(address.port)
        })
      yield* Effect.forkScoped(watchPeers({ self, members: () => members, remove }))
      assert.isFalse(yield* isRefused(ended.address))
      yield* Effect.sleep("600 millis")
      assert.deepStrictEqual(removed, [])
      ended.server.close()
      yield* Effect.sync(() => removed.length).pipe(
        Effect.repeat({ until: (count) => count > 0, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("5 seconds"),
      )
      assert.isTrue(yield* isRefused(ended.address))
      yield* Effect.sleep("600 millis")
      assert.deepStrictEqual(removed, [ended.address.port])
    }).pipe(Effect.scoped),
  )
})
