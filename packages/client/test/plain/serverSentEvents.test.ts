/** Refusals of a stream whose body cannot be read: the status still decides. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { runtimeOf } from "../../src/effect/runtimeOf.ts"
import type { Http } from "../../src/plain/Http.ts"
import { Inbox } from "../../src/plain/Inbox.ts"
import { serverSentEvents } from "../../src/plain/serverSentEvents.ts"

const cutOff = (status: number) =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new Error("the connection was lost")) }), { status })

const plain = (answer: () => Response): Http => ({ root: "", apiKey: "key", get: async () => answer() })

/** The `Http` of the Effect entry, over a client that answers. */
const overEffect = async (answer: () => Response): Promise<Http> => {
  const client = HttpClient.make((request) => Effect.sync(() => HttpClientResponse.fromWeb(request, answer())))
  const options = { baseUrl: "http://localhost", apiKey: Redacted.make("key") }
  return (await Effect.runPromise(runtimeOf(options, client))).http
}

const firstOf = async (http: Http) => {
  const inbox = new Inbox()
  serverSentEvents(http, "/live/stream").connect(inbox, undefined)
  const [signal] = await inbox.take()
  return signal?._tag === "Closed" ? signal : assert.fail("not closed")
}

describe("a refused stream", () => {
  it.each([401, 403])("with status %i and a body that is cut off is an error, on both entries", async (status) => {
    const expected = await firstOf(plain(() => new Response("", { status })))
    assert.strictEqual(expected.status, status)
    assert.deepStrictEqual(await firstOf(plain(() => cutOff(status))), expected)
    assert.deepStrictEqual(await firstOf(await overEffect(() => cutOff(status))), expected)
    assert.deepStrictEqual(await firstOf(await overEffect(() => new Response(null, { status }))), expected)
  })

  it.each([204, 304])("with status %i, which has no body, is an error, on both entries", async (status) => {
    const expected = await firstOf(plain(() => new Response(null, { status })))
    assert.strictEqual(expected.status, status)
    assert.deepStrictEqual(await firstOf(await overEffect(() => new Response(null, { status }))), expected)
  })
})
