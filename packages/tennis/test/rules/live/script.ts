/** Builds the events of a match for tests, one event per second. Points are added where the state expects them. */
import { factId, gameName, matchIdOf } from "@matchpoint/domain/ids"
import type { FeedEvent, FeedEventOf, FeedEventType } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import { bestOfThree, type MatchFormat, otherSide, type SideIndex } from "../../../src/rules/live/format.ts"
import { type MatchState, nextPosition, serverOf } from "../../../src/rules/live/state.ts"

export class Script {
  state: MatchState | undefined
  #n = 0

  /** Creates and starts a match in which side 0 serves first. */
  static started(format: Partial<MatchFormat> = {}): Script {
    return Script.created(format).add("MatchStarted", { server: 0 })
  }

  static created(format: Partial<MatchFormat> = {}): Script {
    const names = format.doubles === true ? ["a", "b"] : ["a"]
    const players = names.map((name) => ({ id: null, name }))
    const tournament = { name: "Example Open", editionId: null, surface: null, level: null, drawSize: null, round: null }
    const sides = [{ players }, { players }] as const
    return new Script().add("MatchCreated", { tour: "atp", tournament, format: { ...bestOfThree, ...format }, sides })
  }

  get live(): MatchState {
    if (this.state === undefined) throw new Error("the match is not created")
    return this.state
  }

  /** Sends an event, also if it is rejected. */
  send<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"], change: Partial<FeedEvent> = {}): ReturnType<typeof fold> {
    this.#n += 1
    const at = this.#n * 1_000
    const envelope = {
      id: factId(`f${this.#n}`),
      matchId: matchIdOf(gameName("tennis"), 1),
      source: "main",
      observedAt: at,
      receivedAt: at,
    }
    const step = fold(this.state, { ...envelope, type, payload, ...change } as FeedEvent)
    this.state = step.state
    return step
  }

  /** Returns the code of the rejection of an event, or undefined if it is accepted. */
  rejection<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"], change: Partial<FeedEvent> = {}): string | undefined {
    const step = this.send(type, payload, change)
    return step._tag === "Rejected" ? step.rejection.code : undefined
  }

  add<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"]): this {
    const step = this.send(type, payload)
    if (step._tag === "Rejected") throw new Error(`${step.rejection.code}: ${step.rejection.message}`)
    return this
  }

  /** Adds points that a side wins. */
  wins(winner: SideIndex, count = 1): this {
    for (let n = 0; n < count; n++) {
      const next = nextPosition(this.live)
      if (next === undefined) throw new Error("the match is over")
      this.add("PointPlayed", { ...next, winner, kind: "normal" })
    }
    return this
  }

  /** Adds games that a side wins to love. */
  games(...winners: ReadonlyArray<SideIndex>): this {
    for (const winner of winners) this.wins(winner, 4)
    return this
  }

  /** Adds games that each server wins to love. */
  holds(count: number): this {
    for (let n = 0; n < count; n++) this.games(serverOf(this.live) ?? 0)
    return this
  }

  /** Adds a set that a side wins 6-0. */
  set(winner: SideIndex): this {
    return this.games(winner, winner, winner, winner, winner, winner)
  }

  /** Adds a tie-break that a side wins to the given number of points of the other side. */
  tieBreak(winner: SideIndex, to: number, lost: number): this {
    for (let n = 0; n < Math.min(lost, to - 1); n++) this.wins(winner).wins(otherSide(winner))
    const won = Math.min(lost, to - 1)
    for (let n = won; n < lost; n++) this.wins(otherSide(winner)).wins(winner)
    return this.wins(winner, Math.max(to, lost + 2) - lost)
  }
}
