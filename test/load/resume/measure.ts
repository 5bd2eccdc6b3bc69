// Owns one measurement: many clients follow and are disconnected, frames continue, all clients reconnect at once, and
// every transcript is checked.
import { setTimeout as delay } from "node:timers/promises"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ask, receive, start, stop } from "../lib/child.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { rounded } from "../lib/statistics.ts"
import type { GeneratorOrder, Listening, Returned, Room, ServerOrder, Stopped, Usage, Verified } from "./orders.ts"

export interface Plan {
  readonly clients: number
  readonly matches: number
  readonly room: Room
  readonly shapes: ReadonlyArray<Shape>
  /** Frames per second, over all matches. */
  readonly rate: number
  /** Size of a document. Deltas have 532 bytes. */
  readonly bytes: number
  /** How long all clients are disconnected. */
  readonly awaySeconds: number
  /** Maximum number of concurrent handshakes when all reconnect. */
  readonly atOnce: number
}

export interface Result {
  readonly returned: Returned
  readonly verified: Verified
  /** Clients divided by the time from the first reconnection attempt until the last client had caught up. */
  readonly resumesPerSecond: number
  readonly serverCpuUsPerResume: number
  readonly serverRssMb: { readonly following: number; readonly away: number; readonly peak: number; readonly after: number }
}

const TIMEOUT_MS = 120_000
const FOLLOWED_MS = 1_000
const MB = 2 ** 20

export const measureResume = async (plan: Plan): Promise<Result> => {
  const { clients, matches, room, shapes, rate, bytes, awaySeconds, atOnce } = plan
  const server = start(new URL("server.ts", import.meta.url), [String(matches), String(bytes)])
  const generator = start(new URL("generator.ts", import.meta.url))
  const askServer = <A>(order: ServerOrder) => ask<ServerOrder, A>(server, order, TIMEOUT_MS)
  const askGenerator = <A>(order: GeneratorOrder) => ask<GeneratorOrder, A>(generator, order, TIMEOUT_MS)
  try {
    const { port } = await receive<Listening>(server, TIMEOUT_MS)
    await askGenerator({ kind: "connect", port, clients, matches, room, shapes })
    await askServer({ kind: "start", rate })
    await delay(FOLLOWED_MS)
    const following = await askServer<Usage>({ kind: "usage" })
    await askGenerator({ kind: "cut" })
    await delay(awaySeconds * 1e3)
    const before = await askServer<Usage>({ kind: "usage" })
    const began = monotonicUs()
    const returned = await askGenerator<Returned>({ kind: "return", atOnce })
    const tookUs = monotonicUs() - began
    const after = await askServer<Usage>({ kind: "usage" })
    await delay(FOLLOWED_MS)
    const { seqs } = await askServer<Stopped>({ kind: "stop" })
    const verified = await askGenerator<Verified>({ kind: "verify", seqs })
    return {
      returned,
      verified,
      resumesPerSecond: Math.round((clients * 1e6) / tookUs),
      serverCpuUsPerResume: rounded((after.cpuUs - before.cpuUs) / clients, 1),
      serverRssMb: {
        following: Math.round(following.rss / MB),
        away: Math.round(before.rss / MB),
        peak: Math.round(after.peakRss / MB),
        after: Math.round(after.rss / MB),
      },
    }
  } finally {
    await Promise.all([stop(server), stop(generator)])
  }
}
