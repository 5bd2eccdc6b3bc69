// Owns the clients: many in one process, which count their frames. Runs in a separate process, so that its work does
// not count as the server's. Reports its own CPU use.
import { Deliveries } from "./generator/Deliveries.ts"
import { dialectOf } from "./generator/dialects.ts"
import { Follower, type FollowerOptions } from "./generator/Follower.ts"
import type { Delivered, GeneratorOrder, Published } from "./orders.ts"

/** Maximum number of concurrent handshakes. */
const CONNECTING = 100
/** Number of sockets whose latencies are measured, spread over all sockets. */
const SAMPLED = 20
/** If no frame arrives for this long, the delivery counts as finished. */
const SILENCE_MS = 2_000
const LOOK_EVERY_MS = 10

const deliveries = new Deliveries()
const followers: Array<Follower> = []

const connectAll = async (order: GeneratorOrder & { readonly kind: "connect" }): Promise<void> => {
  const { port, sockets, frameBytes } = order
  const options: Omit<FollowerOptions, "sampled"> = { port, frameBytes, dialect: dialectOf(order.variant, order.shape), deliveries }
  const sampledEach = Math.max(1, Math.floor(sockets / SAMPLED))
  while (followers.length < sockets) {
    const batch = Array.from({ length: Math.min(CONNECTING, sockets - followers.length) }, (_, index) =>
      Follower.follow({ ...options, sampled: (followers.length + index) % sampledEach === 0 }),
    )
    followers.push(...(await Promise.all(batch)))
  }
}

const begin = (): void => {
  for (const follower of followers) follower.received = 0
  deliveries.begin(followers.length)
}

const settle = (published: Published): Promise<Delivered> =>
  new Promise((resolve) => {
    const framesPerSocket = published.published
    const expected = framesPerSocket * followers.length
    let seen = deliveries.count
    let quietMs = 0
    const timer = setInterval(() => {
      quietMs = deliveries.count === seen ? quietMs + LOOK_EVERY_MS : 0
      seen = deliveries.count
      if (seen < expected && quietMs < SILENCE_MS) return
      clearInterval(timer)
      resolve(deliveries.summary(published, followers.filter((follower) => follower.received !== framesPerSocket).length))
    }, LOOK_EVERY_MS)
  })

process.on("message", async (order: GeneratorOrder) => {
  if (order.kind === "connect") process.send?.({ connected: await connectAll(order).then(() => followers.length) })
  else if (order.kind === "settle") process.send?.(await settle(order.published))
  else {
    begin()
    process.send?.({ begun: true })
  }
})
process.on("disconnect", () => process.exit(0))
