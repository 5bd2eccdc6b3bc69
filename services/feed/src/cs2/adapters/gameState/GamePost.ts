/**
 * One post while it is processed: its content, the match including the facts added so far, and the ids of new facts. An
 * instance exists only within one adapter step.
 */

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
  /** `provider.timestamp` of the newest post, in seconds. */
  readonly newest: number
  /** Fingerprints of the posts with that timestamp. */
  readonly read: ReadonlySet<string>
  /** When a server log last added a fact to this match, by our clock, or `null` if none has. */
  readonly logAt: number | null
  /** Completed rounds in the newest post, or `null` before the first post. */
  readonly completed: number | null
  /**
   * True if the match has facts of this adapter. Only then do differences from the match state count as recent events.
   */
  readonly synced: boolean
  /** Headshot kills in the current round, by player. */
  readonly headshots: ReadonlyMap<PlayerId, number>
  /** Position of the match according to the newest post, or `null` before the first. */
  readonly shown: ShownRound | null
  /** Map of the last post if it was not the current one. Prevents reporting the same problem ten times per second. */
  readonly stray: string | null
}

/** Silence after which a server log counts as gone, so that posts alone determine the match. */
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

  /**
   * Arrival time in epoch milliseconds. Posts contain only whole seconds of an unknown clock, so the arrival time is
   * more exact.
   */
  get now(): number {
    return this.at
  }

  /**
   * True if a server log also reports this match. The log reports rounds, shots and deaths earlier and more exactly.
   */
  get withLog(): boolean {
    return isWithLog(this.memory, this.at)
  }

  /** Adds a fact whose id is the same no matter how often it is posted. */
  tell(id: string, body: FactBody): boolean {
    const map = currentMap(this.state)
    const tag = map === undefined || body.type === "MapStarted" ? "" : `m${map.number}-${map.startedAt.toString(36)}:`
    return this.derivation.tell({ id: `gsi:${tag}${id}`, at: this.at, raw: `post of round ${this.post.completed}` }, body)
  }

  /**
   * Adds an observation. Its id contains the timestamp of the post, so that the timestamp can be restored from FEED.
   */
  tellMoment(id: string, body: FactBody): boolean {
    return this.tell(`t${this.stamp.toString(36)}:${id}`, body)
  }

  /**
   * Team on the CT side in this post, determined by team names, otherwise by the sides of the players, otherwise by the
   * rules.
   */
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

  /**
   * Reports unknown team names if only the names could identify the teams and neither is registered. The assignment is
   * then a guess.
   */
  noteUnknownNames(): void {
    if (this.#votes() !== 0) return
    const payload = unknownNames(this.state, this.post.names, this.ctTeam)
    if (payload !== undefined) this.tell("names", { type: "TeamNamesUnknown", payload })
  }

  /** Returns a positive number if the players of team 1 are mostly on the CT side. */
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

  /** Round that is being played or has just ended. */
  get roundInPlay(): number {
    return Math.max(1, this.post.roundPhase === "over" ? this.post.completed : this.post.completed + 1)
  }
}

const ownMoment = /^gsi:(?:m\d+-[0-9a-z]+:)?t([0-9a-z]+):/

/** Returns the timestamp in the id of a fact from {@link GamePost.tellMoment}, in seconds. */
export const secondOfId = (id: string): number | undefined => {
  const match = ownMoment.exec(id)
  return match === null ? undefined : Number.parseInt(match[1] ?? "", 36)
}
