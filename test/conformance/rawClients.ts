/**
 * Clients that store and check nothing: each text goes to a callback as received. They read as fast as the server
 * sends.
 */
import { Effect } from "effect"
import { WebSocket } from "ws"

export interface RawClient {
  readonly send: (message: unknown) => void
}

/** Opens a WebSocket that closes with its scope. */
export const rawSocket = Effect.fnUntraced(function* (url: string, onText: (text: string) => void) {
  const socket = yield* Effect.acquireRelease(
    Effect.callback<WebSocket, Error>((resume) => {
      const opening = new WebSocket(url)
      opening.on("message", (data) => onText(String(data)))
      opening.once("open", () => resume(Effect.succeed(opening)))
      opening.on("error", (error) => resume(Effect.fail(error)))
    }),
    (open) => Effect.sync(() => open.terminate()),
  )
  const client: RawClient = { send: (message) => socket.send(JSON.stringify(message)) }
  return client
})

/**
 * Opens an SSE stream that ends with its scope. `onEvent` receives each event as one text: its name, its id without the
 * position, its data.
 */
export const rawStream = Effect.fnUntraced(function* (url: string, onEvent: (text: string) => void) {
  const abort = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort()),
  )
  const { body, status } = yield* Effect.promise(() => fetch(url, { signal: abort.signal, headers: { accept: "text/event-stream" } }))
  if (status !== 200 || body === null) return yield* Effect.die(new Error(`${url} responded ${status}`))
  yield* Effect.forkScoped(Effect.promise(() => readEvents(body, onEvent).catch(() => undefined)))
})

const readEvents = async (body: ReadableStream<Uint8Array>, onEvent: (text: string) => void): Promise<void> => {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const events = rest.split("\n\n")
    rest = events.pop() ?? ""
    // Blank lines between events have no meaning, and their number depends on how writes are combined.
    for (const event of events) onEvent(event.trimStart().replace(/^(id: ?[^\n]*):\d+$/m, "$1"))
  }
}
