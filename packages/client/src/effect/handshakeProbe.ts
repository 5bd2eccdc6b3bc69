/** Reads over HTTP why a WebSocket did not open. */
import { Clock, Effect } from "effect"
import type { HttpClient } from "effect/http"
import { PROBE_PATH, PROBE_TIMEOUT_MS, refusalOfProbe } from "../follow/handshake.ts"
import type { Refusal } from "../follow/refusal.ts"

/** Empty if the server would accept the key, or cannot be reached. */
export type HandshakeProbe = Effect.Effect<Refusal>

/** `client` has the address and the key. Costs one of the key's requests per second, and only after a handshake has failed. */
export const handshakeProbe = (client: HttpClient.HttpClient): HandshakeProbe =>
  Effect.gen(function* () {
    const response = yield* client.get(PROBE_PATH)
    const body = yield* response.text
    return refusalOfProbe(response.status, response.headers["retry-after"], body, yield* Clock.currentTimeMillis)
  }).pipe(
    Effect.timeout(PROBE_TIMEOUT_MS),
    Effect.orElseSucceed((): Refusal => ({})),
  )
