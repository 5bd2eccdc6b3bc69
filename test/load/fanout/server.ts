// Owns one server process of the measurement: `node server.ts <variant> <bytes>`. Tells its parent where it listens, then publishes
// and tells its CPU time on request. What serves is in servers/, loaded one per process so that none pays for another's code.
import { liveUpdates, type Update } from "./liveUpdates.ts"
import type { Listening, ServerOrder, VariantName } from "./orders.ts"
import { publishAtRate } from "./publishAtRate.ts"

/** Encodes an update and sends it to every follower of the match. */
export interface FanoutServer {
  readonly port: number
  readonly publish: (update: Update) => void
}

const servers: Record<VariantName, () => Promise<{ readonly serve: () => Promise<FanoutServer> }>> = {
  ours: () => import("./servers/gateway.ts"),
  raw: () => import("./servers/rawUws.ts"),
  ws: () => import("./servers/ws.ts"),
  socketio: () => import("./servers/socketIo.ts"),
  sse: () => import("./servers/gateway.ts"),
}

const isVariant = (name: string | undefined): name is VariantName => name !== undefined && Object.hasOwn(servers, name)

const [, , name, bytes] = process.argv
if (!isVariant(name)) throw new Error(`No such server: ${name}`)

const { serve } = await servers[name]()
const server = await serve()
const updates = liveUpdates(Number(bytes))

// A match has a newest frame before anyone can follow it.
let seq = 1
server.publish(updates.make(seq, 0))

process.on("message", async (order: ServerOrder) => {
  if (order.kind === "cpu") process.send?.(process.cpuUsage())
  else process.send?.(await publishAtRate(order.rate, order.seconds, (dueUs) => server.publish(updates.make(++seq, dueUs))))
})
process.on("disconnect", () => process.exit(0))

const listening: Listening = { port: server.port, updateBytes: updates.bytes }
process.send?.(listening)
