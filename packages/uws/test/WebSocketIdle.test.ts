// A separate file, so that this test, which takes as long as the shortest idle timeout, runs in parallel with others.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { UwsServer } from "../src/UwsServer.ts"
import { accept } from "../src/Verdict.ts"
import type { WebSocketHandler } from "../src/WebSocketRoute.ts"
import { eventually } from "./eventually.ts"
import { RawClient } from "./RawClient.ts"
import { handshake } from "./webSocketTesting.ts"

it.effect("closes silent sockets after the idle timeout; with automatic pings, only those that do not respond", () =>
  Effect.gen(function* () {
    const closed: Array<string> = []
    const handler = (sendPingsAutomatically: boolean): WebSocketHandler<string> => ({
      upgrade: (request) => Effect.succeed(accept(request.path)),
      close: (connection) => closed.push(connection.data),
      limits: { idleTimeoutSeconds: 8, sendPingsAutomatically },
    })
    const server = yield* UwsServer.make({ port: 0, host: "127.0.0.1" })
    yield* server.websocket("/silent", handler(false))
    yield* server.websocket("/pinged", handler(true))
    const open = (path: string) =>
      Effect.gen(function* () {
        const raw = yield* RawClient.open(server.address.port)
        raw.get(path, handshake)
        return yield* raw.untilReceived("\r\n\r\n")
      })
    yield* open("/silent")
    const pinged = yield* open("/pinged")
    // An empty ping frame. The response is an empty pong frame with a zero mask.
    const ping = "\x89\x00"
    const answered = pinged.until(({ received }) => {
      if (received.endsWith(ping)) pinged.write(new Uint8Array([0x8a, 0x80, 0, 0, 0, 0]))
      return received.endsWith(ping)
    })
    yield* Effect.all([eventually("the end of the silent connection", () => closed.length > 0, 20_000), Effect.exit(answered)], {
      concurrency: "unbounded",
    })
    assert.deepStrictEqual(closed, ["/silent"])
    assert.isFalse(pinged.closed)
    assert.include(pinged.received, ping)
  }),
)
