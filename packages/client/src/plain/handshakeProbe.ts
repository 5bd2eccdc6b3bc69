/** Finds out with an HTTP request why a WebSocket could not be opened. */
import { PROBE_PATH, PROBE_TIMEOUT_MS, refusalOfProbe } from "../follow/handshake.ts"
import type { Refusal } from "../follow/refusal.ts"
import type { Http } from "./Http.ts"

/**
 * Returns the reason for a failed WebSocket handshake. The result is empty if the server would accept the key or cannot
 * be reached. Each probe counts against the key's requests per second.
 */
export const handshakeProbe = async (http: Http): Promise<Refusal> => {
  try {
    const response = await http.get(PROBE_PATH, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return refusalOfProbe(response.status, response.headers.get("retry-after"), await response.text(), Date.now())
  } catch {
    // The server cannot be reached. The next connection attempt will report why, if the problem persists.
    return {}
  }
}
