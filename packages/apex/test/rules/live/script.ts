/** Plays a lobby for tests: builds events with increasing ids and times, and applies them. */
import { factId, matchIdOf } from "@matchpoint/domain/ids"
import { APEX } from "../../../src/rules/game.ts"
import type { FeedEvent, FeedEventOf, FeedEventType } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import type { LobbySheet, PlayerRef } from "../../../src/rules/live/lobby.ts"
import type { LobbyState } from "../../../src/rules/live/state.ts"

export const ref = (team: number, player: number): PlayerRef => ({ team, player })

export const sheet = (teams: number, format: LobbySheet["format"] = { games: 6, matchPoint: null }): LobbySheet => ({
  name: "Lobby",
  stage: null,
  region: "emea",
  tournament: { id: null, name: "Cup" },
  format,
  teams: Array.from({ length: teams }, (_, team) => ({
    id: null,
    name: `Team ${team + 1}`,
    players: [1, 2, 3].map((player) => ({ id: `p${team + 1}-${player}`, name: `P${team + 1}-${player}` })),
  })),
})

export class Script {
  #state: LobbyState | undefined
  #facts = 0

  constructor(lobby: LobbySheet) {
    this.play("MatchCreated", lobby)
  }

  get live(): LobbyState {
    if (this.#state === undefined) throw new Error("no lobby")
    return this.#state
  }

  event<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"], fields: Partial<FeedEvent> = {}): FeedEvent {
    this.#facts += 1
    const at = this.#facts * 1_000
    const envelope = { id: factId(`f:${this.#facts}`), matchId: matchIdOf(APEX, 1), source: "main", observedAt: at, receivedAt: at }
    return { ...envelope, type, payload, ...fields } as FeedEvent
  }

  /** Applies an event. Returns the code of the rejection, or undefined. */
  send(event: FeedEvent): string | undefined {
    const step = fold(this.#state, event)
    if (step._tag === "Rejected") return step.rejection.code
    this.#state = step.state
    return undefined
  }

  try<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"]): string | undefined {
    return this.send(this.event(type, payload))
  }

  /** Applies an event that must be accepted. */
  play<T extends FeedEventType>(type: T, payload: FeedEventOf<T>["payload"]): this {
    const code = this.try(type, payload)
    if (code !== undefined) throw new Error(`${type}: ${code}`)
    return this
  }

  start(game: number): this {
    return this.play("GameStarted", { game, map: "Storm Point" })
  }

  /** `attacker` kills the whole team. */
  wipe(game: number, team: number, attacker: PlayerRef | null): this {
    for (const player of [1, 2, 3]) this.play("PlayerKilled", { game, victim: ref(team, player), attacker })
    return this
  }

  /** Plays a whole game in which the first team of `order` wins and kills nobody. The last of `order` is out first. */
  game(game: number, order: ReadonlyArray<number>): this {
    this.start(game)
    for (const team of order.slice(1).toReversed()) this.wipe(game, team, null)
    return this.play("GameEnded", { game })
  }
}
