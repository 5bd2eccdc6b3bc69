/**
 * The feed of one match: sends its facts at a rate, in order, one post at a time. A post that fails is sent again with
 * the same facts until a receipt arrives, as a real feed does. Facts that became due meanwhile follow in the next post.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { MatchId } from "@matchpoint/domain/ids"
import type { FedMatch } from "./orders.ts"
import type { Posts } from "./Posts.ts"
import type { PlannedMatch } from "./plannedMatch.ts"

/** Facts per post. */
const MAX_FACTS = 50
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [50, 500]

export class MatchFeed {
  readonly #posts: Posts
  readonly #plan: PlannedMatch
  readonly #number: number
  readonly #matchId: MatchId
  readonly #observedAt: Array<number> = []
  readonly #problems: Array<string> = []
  #acknowledged = 0
  #inFlight = 0
  #longestPostMs = 0
  #stopped = false
  #given = false
  #running: Promise<void> | undefined

  constructor(posts: Posts, plan: PlannedMatch, number: number, matchId: MatchId) {
    this.#posts = posts
    this.#plan = plan
    this.#number = number
    this.#matchId = matchId
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  /** Starts to send. `offset` is the share of the interval after which the first fact is due, 0 to 1. */
  start(rate: number, offset: number): void {
    this.#running = this.#run(1_000 / rate, offset)
  }

  /** Stops to offer facts. Resolves when all offered ones are acknowledged, or `abandon` was called. */
  async finish(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  /** Gives up on posts that are not acknowledged. */
  abandon(): void {
    this.#given = true
  }

  get report(): FedMatch {
    return {
      matchId: this.#matchId,
      number: this.#number,
      acknowledged: this.#acknowledged,
      unanswered: this.#inFlight,
      problems: this.#problems,
      longestPostMs: Math.round(this.#longestPostMs),
      observedAt: this.#observedAt,
    }
  }

  async #run(intervalMs: number, offset: number): Promise<void> {
    const startedAt = performance.now() + intervalMs * offset
    while (!this.#stopped && this.#acknowledged < this.#plan.facts.length) {
      const due = startedAt + this.#acknowledged * intervalMs
      const wait = due - performance.now()
      if (wait > 0) await delay(wait)
      if (this.#stopped) return
      const elapsed = Math.floor((performance.now() - startedAt) / intervalMs) + 1
      const count = Math.min(MAX_FACTS, Math.max(1, elapsed - this.#acknowledged), this.#plan.facts.length - this.#acknowledged)
      await this.#post(count)
      if (this.#given) return
    }
  }

  async #post(count: number): Promise<void> {
    const from = this.#acknowledged
    const now = Date.now()
    const facts = this.#plan.facts
      .slice(from, from + count)
      .map(({ factId, payload, type }) => ({ id: factId, type, payload, observedAt: now }))
    for (let i = 0; i < count; i++) this.#observedAt.push(now)
    const body = JSON.stringify(facts)
    const startedAt = performance.now()
    this.#inFlight = count
    for (let pause = FIRST_PAUSE_MS; !this.#given; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const receipt = await this.#posts.send(this.#number, `/feed/v1/tennis/matches/${this.#matchId}/events`, body)
      if (receipt !== undefined) {
        this.#inFlight = 0
        this.#acknowledged += count
        this.#longestPostMs = Math.max(this.#longestPostMs, performance.now() - startedAt)
        for (const { code, message } of receipt.problems) this.#problems.push(`${code}: ${message}`)
        if (receipt.accepted + receipt.ignored !== count) {
          this.#problems.push(`the receipt counts ${receipt.accepted} accepted and ${receipt.ignored} ignored of ${count} facts`)
        }
        return
      }
      await delay(pause)
    }
  }
}
