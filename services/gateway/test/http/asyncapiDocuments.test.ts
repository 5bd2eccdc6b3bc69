import { assert, describe, it } from "@effect/vitest"
import type { PublicAddress } from "@matchpoint/game/edge/publicAddress"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { documents } from "../../src/http/pages/asyncapiRoute.ts"

const textOf = (answer: ReturnType<ReturnType<typeof documents>>["answer"]) =>
  Effect.gen(function* () {
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
    const { body, headers } = yield* Effect.provideService(answer, HttpServerRequest.HttpServerRequest, request)
    const bytes = body._tag === "Uint8Array" ? body.body : assert.fail(`no text: ${body._tag}`)
    return { text: new TextDecoder().decode(bytes), etag: headers["etag"] }
  })

describe("the AsyncAPI document", () => {
  it.effect("is built once for each protocol, whatever hosts clients name", () =>
    Effect.gen(function* () {
      let built = 0
      const describeAt = ({ host, secure }: PublicAddress) => {
        built += 1
        return { servers: { one: { host, protocol: secure ? "wss" : "ws" }, two: { host } } }
      }
      const documentFor = documents(describeAt)
      const tags = new Set<string | undefined>()
      for (let n = 0; n < 100; n++) {
        const place = { host: `host-${n}.example:80`, secure: n % 2 === 0 }
        const { etag, text } = yield* textOf(documentFor(place).answer)
        assert.strictEqual(
          text,
          JSON.stringify({ servers: { one: { host: place.host, protocol: place.secure ? "wss" : "ws" }, two: { host: place.host } } }),
        )
        tags.add(etag)
      }
      assert.strictEqual(built, 2)
      assert.strictEqual(tags.size, 100)
      const again = documentFor({ host: "host-99.example:80", secure: false })
      assert.strictEqual(documentFor({ host: "host-99.example:80", secure: false }), again)
    }),
  )
})
