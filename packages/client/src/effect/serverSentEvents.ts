/**
 * Transport over server-sent events, read from a streamed HTTP response. Unlike EventSource, it sends the API key in a
 * header and supports backpressure.
 */
import { Effect, Queue, Stream } from "effect"
import { makeParser } from "effect/encoding/Sse"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { refusalOf } from "../follow/refusal.ts"
import type { Signal } from "../follow/Signal.ts"
import type { Inbox, Transport } from "./Transport.ts"

/**
 * Creates a transport over server-sent events. `client` must already add the base URL and the API key. `path` includes
 * the query string.
 */
export const serverSentEvents = ({ client, path }: { readonly client: HttpClient.HttpClient; readonly path: string }): Transport => ({
  canSend: false,
  connect: (inbox, lastEventId) =>
    read(client, path, inbox, lastEventId).pipe(
      Effect.catch((error) => Queue.offer(inbox, { _tag: "Closed", reason: error.message })),
      Effect.forkScoped,
      Effect.as({ send: () => {} }),
    ),
})

const read = Effect.fnUntraced(function* (client: HttpClient.HttpClient, path: string, inbox: Inbox, lastEventId: string | undefined) {
  const headers = { accept: "text/event-stream", ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) }
  const response = yield* client.execute(HttpClientRequest.get(path, { headers }))
  if (response.status !== 200) {
    const body = yield* Effect.orElseSucceed(response.text, () => "")
    const refusal = refusalOf(response.status, response.headers["retry-after"], body)
    yield* Queue.offer(inbox, { _tag: "Closed", reason: refusal.error?.message ?? `HTTP ${response.status}`, ...refusal })
    return
  }
  yield* Queue.offer(inbox, { _tag: "Opened" })
  let parsed: Array<Signal> = []
  const parser = makeParser((event) => {
    if (event._tag === "Event") parsed.push({ _tag: "Text", text: event.data, id: event.id })
  })
  yield* response.stream.pipe(
    Stream.decodeText,
    Stream.runForEach((text) => {
      parsed = []
      const error = parser.feed(text)
      return error === undefined ? Queue.offerAll(inbox, parsed) : Effect.fail(error)
    }),
  )
  yield* Queue.offer(inbox, { _tag: "Closed", reason: "the stream ended" })
})
