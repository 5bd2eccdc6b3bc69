/** Builds the events of a match for tests, one event per second unless a test lets time pass. */
import { factId, gameName, matchIdOf } from "@matchpoint/domain/ids"
import type { FeedEvent, FeedEventOf, FeedEventType, MapSheet } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import type { BestOf, SideIndex } from "../../../src/rules/live/format.ts"
import { PlayerId, TeamSlug } from "../../../src/rules/live/registry.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"

/** Players `a1` to `a4` of side 0, and `b1` to `b4` of side 1. */
export const player = (name: string): PlayerId => PlayerId.make(name)

const teamOf = (letter: string) => ({
  slug: TeamSlug.make(`team-${letter}`),
  name: `Team ${letter}`,
  players: [1, 2, 3, 4].map((n) => ({ id: player(`${letter}${n}`), ign: `${letter}${n}` })),
})

export const veto: ReadonlyArray<MapSheet> = [
  { name: "Quarry", mode: "hardpoint", pickedBy: 0 },
  { name: "Harbor", mode: "snd", pickedBy: 1 },
  { name: "Depot", mode: "control", pickedBy: 0 },
  { name: "Skyline", mode: "hardpoint", pickedBy: 1 },
  { name: "Foundry", mode: "snd", pickedBy: null },
]

export class Script {
  state: MatchState | undefined
  #n = 0
  #at = 0

  static created({ bestOf = 5, maps = veto }: { readonly bestOf?: BestOf; readonly maps?: ReadonlyArray<MapSheet> } = {}): Script {
    const tournament = { id: null, name: "Example Major", round: null, isLan: null }
    return new Script().add("MatchCreated", { tournament, bestOf, teams: [teamOf("a"), teamOf("b")], maps })
  }

  /** A match whose first map has started. */
  static on(mode: MapSheet["mode"], attacker: SideIndex = 0): Script {
    const maps = [{ name: "Quarry", mode, pickedBy: null }]
    const match = Script.created({ bestOf: 5, maps }).add("MatchStarted", {})
    return match.add("MapStarted", { map: 1, attacker: mode === "hardpoint" ? null : attacker })
  }

  get live(): MatchState {
    if (this.state === undefined) throw new Error("the match is not created")
    return this.state
  }

  /** Line of a player on the map in progress. */
  line(name: string) {
    const side = name.startsWith("a") ? 0 : 1
    const position = this.live.teams[side].players.findIndex(({ id }) => id === name)
    const line = this.live.current?.lines[side][position]
    if (line === undefined) throw new Error(`${name} is not on the map`)
    return line
  }

  pass(seconds: number): this {
    this.#at += seconds * 1_000
    return this
  }

  /** Sends an event, also if it is rejected. */
  send<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"], change: Partial<FeedEvent> = {}): ReturnType<typeof fold> {
    this.#n += 1
    this.#at += 1_000
    const envelope = {
      id: factId(`f${this.#n}`),
      matchId: matchIdOf(gameName("cod"), 1),
      source: "main",
      observedAt: this.#at,
      receivedAt: this.#at,
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

  add<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"], change: Partial<FeedEvent> = {}): this {
    const step = this.send(type, payload, change)
    if (step._tag === "Rejected") throw new Error(`${step.rejection.code}: ${step.rejection.message}`)
    return this
  }

  /** Adds kills such as `a1>b2`. `>b2` is a death without an attacker. */
  kills(...texts: ReadonlyArray<string>): this {
    for (const text of texts) this.add("PlayerKilled", this.kill(text))
    return this
  }

  kill(text: string): FeedEventOf<"PlayerKilled">["payload"] {
    const [attacker = "", victim = ""] = text.split(">")
    const { current } = this.live
    return {
      map: current?.map ?? 1,
      ...(current === null || current.round === null ? {} : { round: current.round.round }),
      attacker: attacker === "" ? null : player(attacker),
      victim: player(victim),
      assists: [],
    }
  }

  round(number: number): this {
    return this.add("RoundStarted", { map: this.live.current?.map ?? 1, round: number })
  }

  /** Adds a round of search and destroy that a side wins by killing all opponents. */
  wipe(number: number, winner: SideIndex): this {
    const [own, other] = winner === 0 ? ["a", "b"] : ["b", "a"]
    this.round(number).kills(...[1, 2, 3, 4].map((n) => `${own}1>${other}${n}`))
    return this.add("RoundEnded", { map: this.live.current?.map ?? 1, round: number, winner, reason: "elimination" })
  }

  /** Plays the next map, in search and destroy, to 6-0. */
  sweep(map: number, winner: SideIndex): this {
    this.add("MapStarted", { map, attacker: 0 })
    for (let round = 1; round <= 6; round += 1) this.wipe(round, winner)
    return this.add("MapEnded", { map, winner })
  }
}
