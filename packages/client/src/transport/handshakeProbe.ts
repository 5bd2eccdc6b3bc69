/** Why a handshake failed, asked over plain HTTP: the WebSocket of browsers tells nobody. */
import { STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { Effect } from "effect"
import { type HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"

export interface Refusal {
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
}

export type HandshakeProbe = Effect.Effect<Refusal>

/** `client` knows the address and the key. Costs one request, and only after a handshake has failed. */
export const handshakeProbe = (client: HttpClient.HttpClient): HandshakeProbe =>
  client.execute(HttpClientRequest.get(STREAM_PATH.replace(/\/stream$/, ""), { urlParams: { limit: "1" } })).pipe(
    Effect.timeout("5 seconds"),
    Effect.map(refusalOf),
    // No answer at all: the server is away, as the handshake said.
    Effect.orElseSucceed(() => ({})),
  )

export const refusalOf = (response: HttpClientResponse.HttpClientResponse): Refusal =>
  response.status < 400 ? {} : { status: response.status, retryAfterMs: retryAfterMs(response.headers["retry-after"]) }

/** Seconds; a date is not worth the trouble here. */
const retryAfterMs = (header: string | undefined): number | undefined =>
  header !== undefined && /^[0-9]{1,6}$/.test(header) ? Number(header) * 1_000 : undefined
