// Owns the clients: they connect, follow the room, and send nothing from then on.
import { Deliveries } from "../fanout/generator/Deliveries.ts"
import { dialectOf } from "../fanout/generator/dialects.ts"
import { Follower } from "../fanout/generator/Follower.ts"
import type { GeneratorOrder } from "./orders.ts"

/** Maximum number of concurrent handshakes. */
const CONNECTING = 100

const deliveries = new Deliveries()
let followers: Array<Follower> = []

const connectTo = async ({ port, sockets, variant }: GeneratorOrder): Promise<void> => {
  const options = {
    port,
    frameBytes: 1_024,
    dialect: dialectOf(variant === "ours" ? "adaptive" : variant, "v1"),
    deliveries,
    sampled: false,
  }
  while (followers.length < sockets) {
    const batch = Array.from({ length: Math.min(CONNECTING, sockets - followers.length) }, () => Follower.follow(options))
    followers.push(...(await Promise.all(batch)))
  }
}

process.on("message", async (order: GeneratorOrder) => {
  if (order.sockets === 0) {
    for (const follower of followers) follower.close()
    followers = []
  } else await connectTo(order)
  process.send?.({ connected: followers.filter(({ ended }) => ended === undefined).length })
})
process.on("disconnect", () => process.exit(0))
