/** One post being read: what it says, the match as told so far, and how its facts are named. Lives inside one step. */

import type { PlayerId } from "@matchpoint/domain/cs2/ids"
import type { TeamIndex } from "@matchpoint/domain/cs2/live/rules"
import { onStartingSides, otherTeam } from "@matchpoint/domain/cs2/live/rules"
import { currentMap, type GameMap, type MatchState, playerOf } from "@matchpoint/domain/cs2/live/state"
import { teamNamed } from "@matchpoint/domain/cs2/live/teamNames"
import type { ShownRound } from "../../../GameFeed.ts"
import type { Derivation, FactBody } from "../Derivation.ts"
import { unknownNames } from "../teams.ts"
import type { MatchPost } from "./payload.ts"

export interface GameMemory {
  /** `provider.timestamp` of the newest post, seconds. */
  readonly newest: number
  /** Fingerprints of the posts of that second. */
  readonly read: ReadonlySet<string>
  /** When a server's log last told a fact of this match, by our clock; null: never. */
  readonly logAt: number | null
  /** Rounds that were over in the newest post; null before the first. */
  readonly completed: number | null
  /** Facts of ours are in the match: what differs from the last post happened since. */
  readonly synced: boolean
  /** Kills by headshot in the round in play. */
  readonly headshots: ReadonlyMap<PlayerId, number>
  /** Where the newest post says the match is; null before the first. */
  readonly shown: ShownRound | null
  /** The map of the last post if it was not the one in play: said once, not ten times a second. */
  readonly stray: string | null
}

/** A log that has told nothing for this long is taken to be gone, and posts tell the match alone. */
const LOG_QUIET_MS = 60_000

export const isWithLog = ({ logAt }: GameMemory, now: number): boolean => logAt !== null && now - logAt <= LOG_QUIET_MS

export class GamePost {
  readonly derivation: Derivation
  readonly post: MatchPost
  readonly memory: GameMemory
  private readonly at: number
  private readonly stamp: number

  constructor(derivation: Derivation, post: MatchPost, memory: GameMemory, stamp: number) {
    this.derivation = derivation
    this.post = post
    this.memory = memory
    this.at = derivation.receivedAt
    this.stamp = stamp
  }

  get state(): MatchState {
    return this.derivation.state
  }

  get liveMap(): GameMap | undefined {
    const map = currentMap(this.state)
    return map?.status === "live" ? map : undefined
  }

  /** Milliseconds: posts have seconds of a machine we know nothing of, so the time they reach us is the better one. */
  get now(): number {
    return this.at
  }

  /** A log tells this match: it knows rounds, shots and deaths better and sooner. */
  get withLog(): boolean {
    return isWithLog(this.memory, this.at)
  }

  /** A fact of the match: it has one id however often it is posted. */
  tell(id: string, body: FactBody): boolean {
    const map = currentMap(this.state)
    const tag = map === undefined || body.type === "MapStarted" ? "" : `m${map.number}-${map.startedAt.toString(36)}:`
    return this.derivation.tell({ id: `gsi:${tag}${id}`, at: this.at, raw: `post of round ${this.post.completed}` }, body)
  }

  /** What is seen at a moment: its id names the post, so that its time can be read back. */
  tellMoment(id: string, body: FactBody): boolean {
    return this.tell(`t${this.stamp.toString(36)}:${id}`, body)
  }

  /** Which team plays CT in this post: by the names shown, else by where its players stand, else by the rules. */
  get ctTeam(): TeamIndex {
    const { names } = this.post
    const byCt = names.ct === undefined ? undefined : teamNamed(this.state, names.ct)
    if (byCt !== undefined) return byCt
    const byT = names.t === undefined ? undefined : teamNamed(this.state, names.t)
    if (byT !== undefined) return otherTeam(byT)
    const votes = this.#votes()
    if (votes !== 0) return votes > 0 ? 0 : 1
    return this.ctTeamByRules(this.roundInPlay)
  }

  /** Says so if the teams can only be told apart by names that are of neither: which is which is a guess. */
  noteUnknownNames(): void {
    if (this.#votes() !== 0) return
    const payload = unknownNames(this.state, this.post.names, this.ctTeam)
    if (payload !== undefined) this.tell("names", { type: "TeamNamesUnknown", payload })
  }

  /** Positive: the players of team 1 stand on the CT side. */
  #votes(): number {
    let votes = 0
    for (const { id, side } of this.post.people) {
      const team = playerOf(this.state, id)?.team
      if (team !== undefined) votes += (team === 0) === (side === "CT") ? 1 : -1
    }
    return votes
  }

  ctTeamByRules(round: number): TeamIndex {
    const starting = this.liveMap?.startingCtTeam ?? 0
    return onStartingSides(round, this.state.rules) ? starting : otherTeam(starting)
  }

  /** The round that is played, or was just over. */
  get roundInPlay(): number {
    return Math.max(1, this.post.roundPhase === "over" ? this.post.completed : this.post.completed + 1)
  }
}

const ownMoment = /^gsi:(?:m\d+-[0-9a-z]+:)?t([0-9a-z]+):/

/** The provider's second in the id of a fact told by {@link GamePost.tellMoment}. */
export const secondOfId = (id: string): number | undefined => {
  const match = ownMoment.exec(id)
  return match === null ? undefined : Number.parseInt(match[1] ?? "", 36)
}
