import { PROBE_PATH, PROBE_TIMEOUT_MS, refusalOfProbe } from "../follow/handshake.ts"
import type { Refusal } from "../follow/refusal.ts"
import type { Runtime } from "./Runtime.ts"

/**
 * Why a WebSocket could not be opened. Empty if the server would accept the key or cannot be reached. Each call sends a
 * request, which counts towards the key's rate limit. Aborting `stop` ends it.
 */
export const handshakeProbe = async ({ http, timing }: Runtime, stop: AbortController): Promise<Refusal> => {
  const cancelTimeout = timing.after(PROBE_TIMEOUT_MS, () => stop.abort())
  try {
    const response = await http.get(PROBE_PATH, { signal: stop.signal })
    return refusalOfProbe(response.status, response.headers.get("retry-after"), await response.text(), timing.epochMs())
  } catch {
    // No reason. If the problem persists, the next connection attempt reports it.
    return {}
  } finally {
    cancelTimeout()
  }
}
