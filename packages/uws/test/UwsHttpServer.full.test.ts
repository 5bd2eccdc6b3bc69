/** Requests that outlast the idle timeout of connections, whose shortest value is longer than a quick test may take. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { UwsHttpServer } from "../src/UwsHttpServer.ts"
import { servingOne } from "./http/driver.ts"
import { RawClient } from "./RawClient.ts"

it.live(
  "answers a request that takes longer than the idle timeout",
  () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        { name: "uws", layer: UwsHttpServer.layerTest({}) },
        Effect.delay(Effect.succeed(HttpServerResponse.text("late")), "14 seconds"),
      )
      const raw = yield* RawClient.open(port)
      raw.get("/")
      yield* Effect.sleep("13 seconds")
      assert.isFalse(raw.closed)
      yield* raw.untilReceived("late")
    }),
  60_000,
)
