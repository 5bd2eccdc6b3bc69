/** The process of all feeds of a run. It takes orders from the harness over the channel of its parent. */
import { setTimeout as delay } from "node:timers/promises"
import { MatchId } from "@matchpoint/domain/ids"
import { MatchFeed } from "./MatchFeed.ts"
import type { FeedsOrder, FeedsStatus, Finished, Registered, RegisterOrder } from "./orders.ts"
import { Posts } from "./Posts.ts"
import { plannedMatch } from "./plannedMatch.ts"

const REGISTERING = 8
const ATTEMPTS = 20

let posts = new Posts([], "")
let feeds: ReadonlyArray<MatchFeed> = []

const registerMatch = async (registration: object): Promise<MatchId> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return MatchId.make(await posts.register(registration))
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await delay(250)
    }
  }
}

const register = async ({ intakes, length, matches, seed, token }: RegisterOrder): Promise<Registered> => {
  posts = new Posts(intakes, token)
  const plans = Array.from({ length: matches }, (_, index) => plannedMatch(seed, index + 1, length))
  const matchIds = new Array<MatchId>(matches)
  let next = 0
  const worker = async () => {
    for (let index = next++; index < matches; index = next++) {
      const plan = plans[index]
      if (plan !== undefined) matchIds[index] = await registerMatch(plan.registration)
    }
  }
  await Promise.all(Array.from({ length: REGISTERING }, worker))
  feeds = plans.flatMap((plan, index) => {
    const matchId = matchIds[index]
    return matchId === undefined ? [] : [new MatchFeed(posts, plan, index + 1, matchId)]
  })
  return { matchIds }
}

const finish = async (withinMs: number): Promise<Finished> => {
  const timer = setTimeout(() => {
    for (const feed of feeds) feed.abandon()
  }, withinMs)
  await Promise.all(feeds.map((feed) => feed.finish()))
  clearTimeout(timer)
  return { matches: feeds.map(({ report }) => report), posts: posts.sent, retries: posts.retries, failures: posts.failures }
}

const status = (): FeedsStatus => {
  const { system, user } = process.cpuUsage()
  const acknowledged = feeds.reduce((sum, feed) => sum + feed.acknowledged, 0)
  return { acknowledged, posts: posts.sent, retries: posts.retries, cpuMs: (system + user) / 1_000 }
}

const answer = async (order: FeedsOrder): Promise<object> => {
  switch (order.kind) {
    case "register":
      return register(order)
    case "start":
      for (const [index, feed] of feeds.entries()) feed.start(order.rate, (index % 97) / 97)
      return {}
    case "finish":
      return finish(order.withinMs)
    case "status":
      return status()
  }
}

process.on("message", async (order: FeedsOrder) => process.send?.(await answer(order)))
process.on("disconnect", () => process.exit(0))
