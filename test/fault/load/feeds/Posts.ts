/** HTTP posts to the feed intakes, with a timeout each. A failed post makes the next attempt of its match use another intake. */
import type { Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import { Agent, request } from "undici"

const WITHIN_MS = 5_000
const CONNECTIONS = 256

export class Posts {
  readonly #intakes: ReadonlyArray<string>
  readonly #token: string
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    headersTimeout: WITHIN_MS,
    bodyTimeout: WITHIN_MS,
    connect: { timeout: WITHIN_MS },
  })
  /** Added to the number of a match to choose its intake. */
  readonly #shifts = new Map<number, number>()
  readonly failures: Record<string, number> = {}
  sent = 0
  retries = 0

  constructor(intakes: ReadonlyArray<string>, token: string) {
    this.#intakes = intakes
    this.#token = token
  }

  /** Posts a body for the n-th match. Returns undefined if the caller must send it again. */
  async send(number: number, path: string, body: string): Promise<Receipt | undefined> {
    const shift = this.#shifts.get(number) ?? 0
    const intake = this.#intakes[(number + shift) % this.#intakes.length]
    this.sent += 1
    try {
      return await this.#answer(`${intake}${path}`, body)
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/[a-z0-9]+-match-[0-9]+/g, "a match").slice(0, 120)
      this.failures[reason] = (this.failures[reason] ?? 0) + 1
      this.retries += 1
      this.#shifts.set(number, shift + 1)
      return undefined
    }
  }

  /** Registers a match. Fails if the intake does not accept it. */
  async register(registration: object): Promise<string> {
    const answer = await this.#answer(`${this.#intakes[0]}/feed/v1/tennis/matches`, JSON.stringify(registration))
    return String(answer.matchId)
  }

  async #answer(url: string, body: string): Promise<Receipt> {
    const response = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-feed-token": this.#token },
      body,
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200)
      throw new Error(`status ${response.statusCode}: ${/"(?:message|detail)":"([^"]*)"/.exec(text)?.[1] ?? text}`)
    const answer: { readonly data: Receipt } = JSON.parse(text)
    return answer.data
  }
}
