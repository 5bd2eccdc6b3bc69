// Owns the feed of the benchmark: a few matches are simulated and all others are copies under their own ids, so that
// feeding costs almost nothing compared with the measured work.

import { directorySubject, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { toFeedEvent } from "@matchpoint/cs2/simulator/timedFact"
import type { MatchId } from "@matchpoint/domain/ids"

export interface FeedRecord {
  readonly subject: string
  readonly id: string
  readonly data: Uint8Array
}

const SEEDS = 20
const START = Date.parse("2026-03-01T18:00:00Z")

/** An event without its match's id. */
interface Template {
  readonly factId: string
  readonly before: string
  readonly after: string
}

const text = new TextDecoder()

export class Feeds {
  readonly matches: ReadonlyArray<MatchId>
  readonly #templates: ReadonlyArray<ReadonlyArray<Template>>
  readonly #next: Array<number>

  /** `length`: events available per match. Series are best of five, so that no match ends earlier. */
  constructor(matches: number, length: number) {
    this.matches = Array.from({ length: matches }, (_, index) => matchId(index + 1))
    this.#templates = Array.from({ length: Math.min(SEEDS, matches) }, (_, seed) => templatesOf(seed + 1, length))
    this.#next = this.matches.map(() => 0)
  }

  /** Returns the next event of a match, by its index. */
  take(index: number): FeedRecord {
    const id = this.matches[index]
    const at = this.#next[index]
    const template = at === undefined ? undefined : this.#templates[index % this.#templates.length]?.[at]
    if (id === undefined || at === undefined || template === undefined) throw new Error(`match ${index} has no more events`)
    this.#next[index] = at + 1
    return {
      subject: feedSubject(id),
      id: feedMessageId(id, template.factId),
      data: Buffer.from(template.before + id + template.after),
    }
  }

  /** Returns the number of events taken of a match. */
  taken(index: number): number {
    return this.#next[index] ?? 0
  }
}

export const directoryRecord = (id: MatchId, data: Uint8Array): FeedRecord => ({ subject: directorySubject(id), id, data })

const templatesOf = (seed: number, length: number): ReadonlyArray<Template> => {
  const templates: Array<Template> = []
  const id = matchId(1)
  for (const fact of simulateMatch({ seed, matchId: id, bestOf: 5 })) {
    if (templates.length === length) return templates
    const at = START + fact.offsetMs
    const event = toFeedEvent(fact, { observedAt: at, receivedAt: at + 40 })
    const [before = "", ...rest] = text.decode(encodeFeedEvent(event)).split(`"${id}"`)
    templates.push({ factId: event.id, before: `${before}"`, after: `"${rest.join(`"${id}"`)}` })
  }
  throw new Error(`the simulated match ${seed} has only ${templates.length} events`)
}
