// Owns one server process of the measurement: `node --expose-gc server.ts <variant>`. The servers are those of the
// fan-out benchmark.
import { setTimeout as delay } from "node:timers/promises"
import { writeHeapSnapshot } from "node:v8"
import { changesOf } from "../fanout/changes.ts"
import type { FanoutServer } from "../fanout/server.ts"
import { type Listening, type Memory, type ServerOrder, type VariantName, variants } from "./orders.ts"

const servers: Record<VariantName, () => Promise<{ readonly serve: () => Promise<FanoutServer> }>> = {
  ours: () => import("../fanout/servers/gateway.ts"),
  raw: () => import("../fanout/servers/rawUws.ts"),
  ws: () => import("../fanout/servers/ws.ts"),
  socketio: () => import("../fanout/servers/socketIo.ts"),
}

const name = variants.find((variant) => variant === process.argv[2])
if (name === undefined) throw new Error(`No such server: ${process.argv[2]}`)

const { serve } = await servers[name]()
const server = await serve()
// The room that all clients follow has one frame. After that it is idle.
server.publish(changesOf({ kind: "frames", shape: "v1", bytes: 8_119 }).make(1))

/**
 * Returns the memory after several collections: a handshake leaves garbage, and the collector returns pages with a
 * delay.
 */
const memory = async (): Promise<Memory> => {
  for (let n = 0; n < 4; n++) {
    globalThis.gc?.()
    await delay(250)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heapUsed, external }
}

process.on("message", async (order: ServerOrder) => {
  if (order.kind === "memory") process.send?.(await memory())
  else process.send?.({ path: writeHeapSnapshot() })
})
process.on("disconnect", () => process.exit(0))

const listening: Listening = { port: server.port }
process.send?.(listening)
