/**
 * The feed of one match: sends its facts at a rate, in order, one post at a time. A post that fails is sent again with
 * the same facts until a receipt arrives, as a real feed does. Facts that became due meanwhile follow in the next post. A
 * receipt that misses earlier points makes it repeat its newest facts, as docs/games/tennis/live.md advises.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import type { MatchId } from "@matchpoint/domain/ids"
import type { FedMatch } from "./orders.ts"
import type { Posts } from "./Posts.ts"
import type { PlannedMatch } from "./plannedMatch.ts"

/** Facts per post. If more are overdue, the feed falls behind its rate. */
const MAX_FACTS = 50
/** Facts that are repeated at most when points are missing. A log that was lost had those of some seconds. */
const REPEATED_FACTS = 150
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [50, 500]

export class MatchFeed {
  readonly #posts: Posts
  readonly #plan: PlannedMatch
  readonly #number: number
  readonly #matchId: MatchId
  readonly #observedAt: Array<number> = []
  readonly #problems: Array<string> = []
  #intervalMs = 1_000
  #nextDue = 0
  #acknowledged = 0
  #inFlight = 0
  #longestPostMs = 0
  #stopped = false
  #abandoned = false
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

  /**
   * Starts to send, or changes the rate, in facts per second. `offset` is the share of the interval after which the
   * first fact is due, 0 to 1.
   */
  start(rate: number, offset: number): void {
    this.#intervalMs = 1_000 / rate
    this.#nextDue = performance.now() + this.#intervalMs * offset
    this.#running ??= this.#run()
  }

  /** Stops to offer facts. Resolves when all offered ones are acknowledged, or `abandon` was called. */
  async finish(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  /** Gives up on posts that are not acknowledged. */
  abandon(): void {
    this.#abandoned = true
  }

  get report(): FedMatch {
    return {
      matchId: this.#matchId,
      number: this.#number,
      acknowledged: this.#acknowledged,
      isOver: this.#acknowledged >= this.#plan.facts.length,
      unanswered: this.#inFlight,
      problems: this.#problems,
      longestPostMs: Math.round(this.#longestPostMs),
      observedAt: this.#observedAt,
    }
  }

  async #run(): Promise<void> {
    while (!this.#abandoned && this.#acknowledged < this.#plan.facts.length) {
      const wait = this.#nextDue - performance.now()
      if (wait > 0) await delay(Math.min(wait, 1_000))
      if (this.#stopped) return
      const count = this.#takeDue()
      if (count > 0) await this.#post(count)
    }
  }

  /** Number of facts that are due, at most the size of a post. What exceeds it is not made up for. */
  #takeDue(): number {
    const overdue = performance.now() - this.#nextDue
    if (overdue < 0) return 0
    const due = Math.floor(overdue / this.#intervalMs) + 1
    this.#nextDue += due * this.#intervalMs
    return Math.min(MAX_FACTS, due, this.#plan.facts.length - this.#acknowledged)
  }

  async #post(count: number): Promise<void> {
    const from = this.#acknowledged
    const now = Date.now()
    for (let i = 0; i < count; i++) this.#observedAt.push(now)
    const startedAt = performance.now()
    this.#inFlight = count
    const receipt = await this.#send(from, from + count)
    if (receipt === undefined) return
    this.#inFlight = 0
    this.#acknowledged += count
    this.#longestPostMs = Math.max(this.#longestPostMs, performance.now() - startedAt)
    for (const { code, message } of receipt.problems) this.#problems.push(`${code}: ${message}`)
    if (receipt.accepted + receipt.ignored !== count) {
      this.#problems.push(`the receipt counts ${receipt.accepted} accepted and ${receipt.ignored} ignored of ${count} facts`)
    }
    if (receipt.problems.some(({ code }) => code === "early_point")) await this.#repeatUntil(this.#acknowledged)
  }

  async #repeatUntil(end: number): Promise<void> {
    for (let from = Math.max(0, end - REPEATED_FACTS); from < end; from += MAX_FACTS)
      await this.#send(from, Math.min(end, from + MAX_FACTS))
  }

  /** Sends the facts until a receipt arrives. Returns undefined if the feed gives up. */
  async #send(from: number, to: number): Promise<Receipt | undefined> {
    const facts = this.#plan.facts
      .slice(from, to)
      .map(({ factId, payload, type }, index) => ({ id: factId, type, payload, observedAt: this.#observedAt[from + index] }))
    const body = JSON.stringify(facts)
    for (let pause = FIRST_PAUSE_MS; !this.#abandoned; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const receipt = await this.#posts.send(this.#number, `/feed/v1/tennis/matches/${this.#matchId}/events`, body)
      if (receipt !== undefined) return receipt
      await delay(pause)
    }
    return undefined
  }
}
