/** HTTP requests of the harness to the system under test. Each has a timeout. */
import { Effect, Schema } from "effect"

const WITHIN_MS = 5_000

/** A request failed, or was answered with another status than 2xx. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", { message: Schema.String }) {}

export interface JsonRequest {
  readonly method?: "GET" | "POST" | "DELETE"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request and returns the parsed body. The caller states its type; the contract tests hold the API to it. */
export const requestJson = <A>(url: string, { body, headers = {}, method = "GET" }: JsonRequest = {}): Effect.Effect<A, RequestFailed> =>
  Effect.tryPromise({
    try: async (): Promise<A> => {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        signal: AbortSignal.timeout(WITHIN_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 500)}`)
      return JSON.parse(text)
    },
    catch: (cause) => failure(method, url, cause),
  })

/** Succeeds if a GET request is answered with 2xx. */
export const answersOk = (url: string): Effect.Effect<void, RequestFailed> =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`status ${response.status}`)
    },
    catch: (cause) => failure("GET", url, cause),
  })

/** Returns the text of a page. */
export const requestText = (url: string): Effect.Effect<string, RequestFailed> =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) })
      if (!response.ok) throw new Error(`status ${response.status}`)
      return await response.text()
    },
    catch: (cause) => failure("GET", url, cause),
  })

const failure = (method: string, url: string, cause: unknown) =>
  new RequestFailed({ message: `${method} ${url}: ${cause instanceof Error ? cause.message : String(cause)}` })
