/** Reads over HTTP why a WebSocket did not open. */
import { PROBE_PATH, PROBE_TIMEOUT_MS, refusalOfProbe } from "../follow/handshake.ts"
import type { Refusal } from "../follow/refusal.ts"
import type { Http } from "./Http.ts"

/** Empty if the server would accept the key, or cannot be reached. Costs one of the key's requests per second. */
export const handshakeProbe = async (http: Http): Promise<Refusal> => {
  try {
    const response = await http.get(PROBE_PATH, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return refusalOfProbe(response.status, response.headers.get("retry-after"), await response.text(), Date.now())
  } catch {
    // The server cannot be reached: the next attempt to connect will tell.
    return {}
  }
}
