// Owns one group of clients: they follow every match in one process, and either count their frames or never read.
import { setTimeout as delay } from "node:timers/promises"
import { Deliveries } from "../fanout/generator/Deliveries.ts"
import { Follower } from "../fanout/generator/Follower.ts"
import type { Delivered, Published } from "../fanout/orders.ts"
import { dialectOf } from "./dialects.ts"
import type { Cpu, GeneratorOrder } from "./orders.ts"

/** If no frame arrives for this long, the delivery counts as finished. */
const SILENCE_MS = 2_000
const LOOK_EVERY_MS = 10

const deliveries = new Deliveries()
const followers: Array<Follower> = []

/** Connects clients at a steady rate, however long each handshake takes. Fails if the server rejects one. */
const connectAll = async ({ behavior, clients, frameBytes, perSecond, port, transport }: GeneratorOrder & { readonly kind: "connect" }) => {
  const isReading = behavior === "reading"
  const options = { port, frameBytes, dialect: dialectOf(transport, behavior), deliveries, sampled: isReading, stalls: !isReading }
  const beganAt = performance.now()
  const handshakes: Array<Promise<Follower>> = []
  for (let n = 0; n < clients; n++) {
    await delay(Math.max(0, beganAt + (n / perSecond) * 1_000 - performance.now()))
    const handshake = Follower.follow(options)
    // Failures are reported by `Promise.all` below. Until then they must not end the process.
    handshake.catch(() => undefined)
    handshakes.push(handshake)
  }
  for (const follower of await Promise.all(handshakes)) followers.push(follower)
}

const cpu = (): Cpu => {
  const { system, user } = process.cpuUsage()
  return { cpuUs: user + system }
}

const settle = (published: Published): Promise<Delivered> =>
  new Promise((resolve) => {
    const expected = published.published * followers.length
    let seen = deliveries.count
    let quietMs = 0
    const timer = setInterval(() => {
      quietMs = deliveries.count === seen ? quietMs + LOOK_EVERY_MS : 0
      seen = deliveries.count
      if (seen < expected && quietMs < SILENCE_MS) return
      clearInterval(timer)
      resolve(deliveries.summary(published, followers.filter(({ received }) => received !== published.published).length))
    }, LOOK_EVERY_MS)
  })

process.on("message", async (order: GeneratorOrder) => {
  if (order.kind === "connect") process.send?.({ connected: await connectAll(order).then(() => followers.length) })
  else if (order.kind === "settle") process.send?.(await settle(order.published))
  else {
    if (order.kind === "begin") {
      for (const follower of followers) follower.received = 0
      deliveries.begin(followers.length)
    }
    process.send?.(cpu())
  }
})
process.on("disconnect", () => process.exit(0))
