// Owns one server process of the measurement: `node server.ts <variant> <payload>`. Reports its port to its parent,
// then publishes and reports its CPU time on request. The servers are in servers/. A process loads only one, so that no
// server pays for another's code.
import { type Change, changesOf, FEED_STARTS_AT, type Payload } from "./changes.ts"
import type { Listening, ServerOrder, VariantName } from "./orders.ts"
import { publishAtRate } from "./publishAtRate.ts"

/** Encodes a change and sends it to every follower of the match. */
export interface FanoutServer {
  readonly port: number
  readonly publish: (change: Change) => void
  /** Resolves once everything published so far can be followed. */
  readonly settled?: (seq: number) => Promise<void>
}

const servers: Record<VariantName, () => Promise<{ readonly serve: () => Promise<FanoutServer> }>> = {
  ours: () => import("./servers/gateway.ts"),
  adaptive: () => import("./servers/gateway.ts"),
  raw: () => import("./servers/rawUws.ts"),
  ws: () => import("./servers/ws.ts"),
  socketio: () => import("./servers/socketIo.ts"),
  sse: () => import("./servers/gateway.ts"),
  feed: () => import("./servers/feed.ts"),
}

const isVariant = (name: string | undefined): name is VariantName => name !== undefined && Object.hasOwn(servers, name)

const [, , name, payloadText = ""] = process.argv
if (!isVariant(name)) throw new Error(`No such server: ${name}`)

const payload: Payload = JSON.parse(payloadText)
const { serve } = await servers[name]()
const server = await serve()
const changes = changesOf(payload)

// A match has a newest frame before clients can follow it.
let seq = 0
const next = () => server.publish(changes.make(++seq))
for (let n = 0; n < (payload.kind === "feed" ? FEED_STARTS_AT : 1); n++) next()
await server.settled?.(seq)

process.on("message", async (order: ServerOrder) => {
  if (order.kind === "cpu") process.send?.(process.cpuUsage())
  else process.send?.(await publishAtRate(order.rate, order.seconds, next))
})
process.on("disconnect", () => process.exit(0))

const listening: Listening = { port: server.port, frameBytes: changes.frameBytes }
process.send?.(listening)
