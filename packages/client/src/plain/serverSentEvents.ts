/**
 * Server-sent events, read from a streamed HTTP response. Unlike EventSource, sends the API key in a header and
 * supports backpressure.
 */
import { refusalOf } from "../follow/refusal.ts"
import { eventStreamParser } from "./eventStreamParser.ts"
import type { Http } from "./Http.ts"
import type { Inbox } from "./Inbox.ts"
import type { Transport } from "./Transport.ts"

/** `path` is relative to the base URL of the API and includes the query string. */
export const serverSentEvents = (http: Http, path: string): Transport => ({
  canSend: false,
  connect: (inbox, lastEventId) => {
    const stop = new AbortController()
    read(http, path, inbox, lastEventId, stop.signal).then(
      (reason) => {
        if (reason !== undefined) inbox.offer({ _tag: "Closed", reason })
      },
      (cause: unknown) => inbox.offer({ _tag: "Closed", reason: cause instanceof Error ? cause.message : String(cause) }),
    )
    return { send: () => {}, close: () => stop.abort() }
  },
})

/** Resolves with the reason why the stream ended, or with undefined if the inbox already has it. */
const read = async (
  http: Http,
  path: string,
  inbox: Inbox,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const headers = { accept: "text/event-stream", ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) }
  const response = await http.get(path, { headers, signal })
  if (response.status !== 200 || response.body === null) {
    // The status alone decides whether to reconnect, so a body that cannot be read must not hide it.
    const text = await response.text().catch(() => "")
    const refusal = refusalOf(response.status, response.headers.get("retry-after"), text)
    inbox.offer({ _tag: "Closed", reason: refusal.error?.message ?? `HTTP ${response.status}`, ...refusal })
    return undefined
  }
  inbox.offer({ _tag: "Opened" })
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const parse = eventStreamParser()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return "the stream ended"
    for (const { data, id } of parse(decoder.decode(value, { stream: true }))) {
      await inbox.hasRoom()
      inbox.offer({ _tag: "Text", text: data, id })
    }
  }
}
