/** Finds out with an HTTP request why a WebSocket could not be opened. */
import { Clock, Effect } from "effect"
import type { HttpClient } from "effect/http"
import { PROBE_PATH, PROBE_TIMEOUT_MS, refusalOfProbe } from "../follow/handshake.ts"
import type { Refusal } from "../follow/refusal.ts"

/**
 * Effect that returns the reason for a failed WebSocket handshake. The result is empty if the server would accept the
 * key or cannot be reached.
 */
export type HandshakeProbe = Effect.Effect<Refusal>

/**
 * Creates the effect that determines why the handshake failed. `client` must already add the base URL and the API key.
 * The effect sends one HTTP request, which counts towards the key's rate limit. It is run only after a failed
 * handshake.
 */
export const handshakeProbe = (client: HttpClient.HttpClient): HandshakeProbe =>
  Effect.gen(function* () {
    const response = yield* client.get(PROBE_PATH)
    const body = yield* response.text
    return refusalOfProbe(response.status, response.headers["retry-after"], body, yield* Clock.currentTimeMillis)
  }).pipe(
    Effect.timeout(PROBE_TIMEOUT_MS),
    Effect.orElseSucceed((): Refusal => ({})),
  )
