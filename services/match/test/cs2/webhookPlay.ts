/** Plays feed events of a small match through the fold, and derives the webhook events of every change. */
import { assert } from "@effect/vitest"
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import { type Cs2EventName, cs2EventNames, cs2WebhookEvents } from "@matchpoint/cs2/contract/webhookEvents"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId, playerId, teamId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent, FeedEventOf, FeedEventType } from "@matchpoint/cs2/rules/live/feedEvents"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import { competitiveRules, type Side } from "@matchpoint/cs2/rules/live/rules"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { factId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

export const red = teamId(1)
export const blue = teamId(2)
/** `r1` and `r2` play for red, `b1` for blue. */
export const r1 = playerId(11)
export const r2 = playerId(12)
export const b1 = playerId(21)

export const namesOf = (events: ReadonlyArray<WebhookEvent>) => events.map(({ name }) => name)

export const dataOf = (events: ReadonlyArray<WebhookEvent>, name: string) =>
  events.find((event) => event.name === name)?.data ?? assert.fail(`no ${name} in ${namesOf(events).join(", ")}`)

/** Names of events that occur together. */
export const together = {
  started: ["cs2.match.started", "match.started"],
  round: ["cs2.round.ended", "round.ended"],
  score: ["cs2.score.updated", "match.updated"],
  ended: ["cs2.match.ended", "match.ended"],
}

/** The events of one accepted change. */
export interface Announced {
  readonly change: { readonly before: MatchState | undefined; readonly after: MatchState; readonly event: FeedEvent }
  readonly events: ReadonlyArray<WebhookEvent>
}

/** Folds events and yields the webhook events of each accepted change, as the owner of a match derives them. */
export function* announcedBy(facts: Iterable<FeedEvent>, begun?: MatchState): Generator<Announced> {
  let before = begun
  for (const event of facts) {
    const step = fold(before, event)
    if (step._tag === "Rejected") continue
    const change = { before, after: step.state, event, repaired: step.repaired }
    yield { change, events: cs2LiveGame.webhookEvents?.(change) ?? [] }
    before = step.state
  }
}

const decoders = new Map<string, (data: unknown) => unknown>(
  cs2EventNames.flatMap((name) => {
    const { data, generic } = cs2WebhookEvents[name]
    const decode = Schema.decodeUnknownSync(data as Schema.Codec<unknown>, { onExcessProperty: "error" })
    return generic === null
      ? [[name, decode]]
      : ([
          [name, decode],
          [generic, decode],
        ] as const)
  }),
)

/** Checks what holds for the events of any change: schemas, unique names, pairs of a CS2 and a generic event. */
export const checkEvents = ({ change: { after, event }, events }: Announced): void => {
  const names = events.map(({ name }) => name)
  assert.deepStrictEqual([...new Set(names)], names, "each name occurs once")
  for (const [index, { data, name, occurredAt, teamIds }] of events.entries()) {
    const decode = decoders.get(name) ?? assert.fail(`${name} is not a CS2 event`)
    assert.deepStrictEqual(decode(data), data)
    assert.deepStrictEqual([data["matchId"], data["epoch"], data["seq"]], [after.matchId, after.epoch, after.seq])
    assert.deepStrictEqual([occurredAt, teamIds], [event.observedAt, after.teams.map(({ id }) => id)])
    const generic = name.startsWith("cs2.") ? cs2WebhookEvents[name as Cs2EventName].generic : null
    if (generic === null) continue
    assert.deepInclude(events[index + 1], { name: generic }, "the generic event follows the CS2 event")
    assert.strictEqual(events[index + 1]?.data, data)
  }
}

/** A match between red and blue. Every event is one second after the one before. */
export class Play {
  #state: MatchState | undefined
  #at = 1_700_000_000_000
  #count = 0

  get state(): MatchState {
    return this.#state ?? assert.fail("the match has not been created")
  }

  wait(ms: number): this {
    this.#at += ms
    return this
  }

  /** Adds an event that must be accepted, and returns the webhook events that it produces. */
  add<T extends FeedEventType>(
    type: T,
    payload: FeedEventOf<T>["payload"],
    source: "main" | "backup" = "main",
  ): ReadonlyArray<WebhookEvent> {
    this.#count += 1
    this.#at += 1_000
    const envelope = { id: factId(`f${this.#count}`), matchId: matchId(1001), source, observedAt: this.#at, receivedAt: this.#at }
    const [announced] = announcedBy([{ ...envelope, type, payload } as FeedEvent], this.#state)
    if (announced === undefined) return assert.fail(`${type} was rejected`)
    checkEvents(announced)
    this.#state = announced.change.after
    return announced.events
  }

  create(bestOf: 1 | 3 = 1) {
    return this.add("MatchCreated", {
      bestOf,
      teams: [
        { id: red, name: "Red" },
        { id: blue, name: "Blue" },
      ],
      rules: competitiveRules,
      roster: [
        { playerId: r1, teamId: red, nickname: "r1" },
        { playerId: r2, teamId: red, nickname: "r2" },
        { playerId: b1, teamId: blue, nickname: "b1" },
      ],
    })
  }

  map(mapNumber = 1, source: "main" | "backup" = "main") {
    return this.add("MapStarted", { mapNumber, mapName: mapNumber === 1 ? "de_inferno" : "de_nuke", ctTeamId: red }, source)
  }

  /** Creates the match, starts a map and plays rounds that red wins. */
  started(rounds = 0, bestOf: 1 | 3 = 1): this {
    this.create(bestOf)
    this.map()
    for (let round = 1; round <= rounds; round++) this.round(round)
    return this
  }

  live(round: number, mapNumber = 1) {
    this.add("RoundStarted", { mapNumber, round, ctTeamId: round <= 12 ? red : blue })
    return this.add("RoundLive", { mapNumber, round })
  }

  kill(round: number, change: Partial<FeedEventOf<"PlayerKilled">["payload"]> = {}) {
    return this.add("PlayerKilled", {
      mapNumber: 1,
      round,
      killerId: r1,
      victimId: b1,
      assisterId: null,
      weapon: "ak47",
      headshot: false,
      ...change,
    })
  }

  end(round: number, winner: Side, mapNumber = 1, score?: { readonly ct: number; readonly t: number }) {
    return this.add("RoundEnded", { mapNumber, round, winner, winType: "elimination", ...(score === undefined ? {} : { score }) })
  }

  /** Plays a round that red wins, and returns the events of its end. */
  round(round: number, mapNumber = 1) {
    this.live(round, mapNumber)
    return this.end(round, round <= 12 ? "CT" : "T", mapNumber)
  }
}
