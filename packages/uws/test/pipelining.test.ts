import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { UwsHttpServer } from "../src/UwsHttpServer.ts"
import { type Driver, servingOne } from "./http/driver.ts"
import { RawClient } from "./RawClient.ts"

const driver: Driver = { name: "uws", layer: UwsHttpServer.layerTest() }

/** Occupies the event loop, as the handling of a request does. */
const occupyFor = (milliseconds: number) => {
  const endsAt = performance.now() + milliseconds
  while (performance.now() < endsAt);
}

/** Requests that were handled, by turn of the event loop. */
class Turns {
  readonly handled: Array<number> = []
  #isOpen = false

  note(): void {
    if (!this.#isOpen) {
      this.handled.push(0)
      this.#isOpen = true
      setImmediate(() => {
        this.#isOpen = false
      })
    }
    this.handled[this.handled.length - 1] = (this.handled.at(-1) ?? 0) + 1
  }
}

const request = "GET / HTTP/1.1\r\nhost: test\r\n\r\n"

describe("requests that arrive together", () => {
  it.effect("take a bounded time of one turn, and end a connection that pipelines more", () =>
    Effect.gen(function* () {
      const turns = new Turns()
      const { port } = yield* servingOne(
        driver,
        Effect.sync(() => {
          turns.note()
          occupyFor(1)
          return HttpServerResponse.text("done")
        }),
      )
      const raw = yield* RawClient.open(port)
      raw.write(request.repeat(500))
      yield* raw.untilClosed
      assert.isAtMost(Math.max(...turns.handled), 10)
      const other = yield* RawClient.open(port)
      other.write(request)
      yield* other.untilReceived("done")
    }),
  )

  it.effect("are all answered if they come from different connections", () =>
    Effect.gen(function* () {
      const turns = new Turns()
      const { port } = yield* servingOne(
        driver,
        Effect.sync(() => {
          turns.note()
          occupyFor(2)
          return HttpServerResponse.text("done")
        }),
      )
      const clients = yield* Effect.forEach(Array.from({ length: 30 }), () => RawClient.open(port))
      for (const client of clients) client.write(request)
      for (const client of clients) yield* client.untilReceived("done")
      assert.isAtMost(Math.max(...turns.handled), 6)
    }),
  )
})
